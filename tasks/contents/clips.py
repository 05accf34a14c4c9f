"""What card and report say of RMS-AQA clips, counted by proofs: where they come from, how their sounds are spread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from sonolake.releases import Check, Config, OwnProof
from sonolake.releases.figures import proof_link
from sonolake.spatial.bands import named_bands
from sonolake.spatial.benchmark.records import most_at_once
from sonolake.spatial.records import FAR_M, ClipEvent
from sonolake.spatial.sectors import SECTORS, sector

ORIGINS, SPREAD = "origins-rms-aqa", "spread-rms-aqa"
_SPLIT = "regexp_extract(filename, '([a-z]+)-[0-9]+-of-[0-9]+[.]parquet$', 1)"
_SHARDS = "read_parquet(getvariable('shards'), filename = true, hive_partitioning = false)"
_ORIGINS = f"""SELECT {_SPLIT} AS split, count(*) FILTER (origin = 'stand-in') AS stand_ins, count(*) AS clips,
  count(*) FILTER (origin = 'simulated') AS simulated, count(*) FILTER (origin = 'recorded') AS recorded
FROM {_SHARDS}
GROUP BY split ORDER BY list_position(['train', 'validation', 'test'], split)"""


def stand_in_note(config: Config) -> str | None:
    """Which splits hold how many clips of simulated recordings in the place of real ones; None where none does."""
    origins = {split: Counter(table["origin"].to_pylist()) for split, table in config.ordered}
    held = {split: found for split, found in origins.items() if found["stand-in"]}
    if not held:
        return None
    told = " and ".join(
        f"{found['stand-in']} of {found.total()} clips of {split}" for split, found in held.items()
    )
    test = origins.get("test", Counter())
    synthetic = "" if "test" not in held else ", in part" if test["recorded"] else ""
    whole = f" The test set is synthetic{synthetic}." if "test" in held else ""
    cause = "where no labelled recording was at hand when they were made"
    return f"Simulated recordings stand in {cause}: {told} are cut from such ({proof_link(ORIGINS)}).{whole}"


def spread_checks(configs: Iterable[Config]) -> tuple[Check, ...]:
    """How evenly the sounds of simulated clips are spread, a table a split."""
    return tuple(_check(split, events) for split, events in _simulated(configs).items())


def clip_proofs(configs: Iterable[Config]) -> Iterator[OwnProof]:
    """The proofs of both; none without clips."""
    by_split = _simulated(configs)
    if any(config.name == "rms-aqa" for config in configs):
        meaning = "Clips of each split by where they come from: stand-ins are cut from simulated recordings."
        yield OwnProof(ORIGINS, "report", meaning, _ORIGINS, "rms-aqa")
    if by_split:
        meaning = (
            "Simulated clips by how many sounds they have and how many of these sound at once; "
            "their sounds by direction, by band of distance, and as near or far."
        )
        yield OwnProof(SPREAD, "report", meaning, _spread_sql(by_split), "rms-aqa")


def _simulated(configs: Iterable[Config]) -> Mapping[str, list[list[ClipEvent]]]:
    """Labels of the simulated clips by split."""
    found = {
        split: _events(table)
        for config in configs
        if config.name == "rms-aqa"
        for split, table in config.ordered
    }
    return {split: events for split, events in found.items() if events}


def _events(table: pa.Table) -> list[list[ClipEvent]]:
    rows: list[dict[str, Any]] = table.select(["origin", "events"]).to_pylist()
    return [
        [ClipEvent.from_record(event) for event in row["events"]]
        for row in rows
        if row["origin"] == "simulated"
    ]


def _title(split: str) -> str:
    return f"Spread of sounds in simulated clips, {split}"


def _bands(clips: Iterable[Iterable[ClipEvent]]) -> list[tuple[str, float, float]]:
    return named_bands([event.distance_m for events in clips for event in events])


def _check(split: str, clips: list[list[ClipEvent]]) -> Check:
    """A table of counts: what is at hand, and that it is even."""
    sounds = [event for events in clips for event in events]
    rows: list[tuple[str, int]] = []
    for name, counts in (
        ("clips by sounds: {}", Counter(len(events) for events in clips)),
        ("clips by sounds at once: {}", Counter(map(most_at_once, clips))),
    ):
        rows += [(name.format(n), counts[n]) for n in sorted(counts)]
    faced = Counter(sector(event.azimuth_deg) for event in sounds)
    rows += [(f"sounds from {name}", faced[name]) for name in SECTORS]
    bands = _bands(clips)
    rows += [(f"sounds at {name}", _within(sounds, band, bands)) for name, *band in bands]
    far = sum(event.far for event in sounds)
    rows += [("near sounds", len(sounds) - far), ("far sounds", far)]
    said = (
        "Numbers of sounds, directions and distances are allocated evenly, as far as the responses of the rooms "
        f"allow; far is `{FAR_M:g} m` and beyond. Counted by {proof_link(SPREAD)}."
    )
    return Check(_title(split), said, ("Simulated", "count"), tuple((n, str(c)) for n, c in rows), SPREAD)


def _within(sounds: Iterable[ClipEvent], band: Iterable[float], bands: list[tuple[str, float, float]]) -> int:
    low, high = band
    last = high == bands[-1][2]
    return sum(low <= event.distance_m < high or (last and event.distance_m == high) for event in sounds)


def _spread_sql(by_split: Mapping[str, list[list[ClipEvent]]]) -> str:
    bands = [
        (split, name, low, high, n == len(found) - 1)
        for split, clips in by_split.items()
        for found in [_bands(clips)]
        for n, (name, low, high) in enumerate(found)
    ]
    values = ",\n    ".join(
        f"('{split}', '{name}', {low!r}::DOUBLE, {high!r}::DOUBLE, {str(last).lower()})"
        for split, name, low, high, last in bands
    )
    sectors = ", ".join(f"'{name}'" for name in SECTORS)
    return _SPREAD.format(split=_SPLIT, shards=_SHARDS, bands=values, sectors=sectors, far=FAR_M)


_SPREAD = """WITH
  clips AS (SELECT {split} AS split, item_id, events FROM {shards} WHERE origin = 'simulated'),
  sounds AS (SELECT split, item_id, unnest(events) AS e FROM clips),
  at_once AS (
    SELECT a.split, a.item_id, a.e.onset_s AS at_s, count(*) AS sounding
    FROM sounds a JOIN sounds b ON b.item_id = a.item_id AND b.e.onset_s <= a.e.onset_s AND b.e.offset_s > a.e.onset_s
    GROUP BY ALL
  ),
  most AS (SELECT split, item_id, max(sounding) AS most FROM at_once GROUP BY ALL),
  bands (split, band, low, high, is_last) AS (VALUES
    {bands}),
  sectors AS (SELECT unnest([{sectors}]) AS sector),
  lines AS (
    SELECT split, 1 AS part, len(events) AS place, 'clips by sounds: ' || len(events) AS line, count(*) AS n
    FROM clips GROUP BY ALL
    UNION ALL
    SELECT split, 2, most, 'clips by sounds at once: ' || most, count(*) FROM most GROUP BY ALL
    UNION ALL
    SELECT split, 3, list_position([{sectors}], sector), 'sounds from ' || sector, count(*) FILTER (
      sector = [{sectors}][1 + (floor(((e.azimuth_deg + 360) % 360 + 22.5) / 45)::INTEGER % 8)])
    FROM sounds CROSS JOIN sectors GROUP BY ALL
    UNION ALL
    SELECT split, 4, 100 * low, 'sounds at ' || band, count(*) FILTER (
      e.distance_m >= low AND (e.distance_m < high OR (is_last AND e.distance_m = high)))
    FROM sounds JOIN bands USING (split) GROUP BY ALL
    UNION ALL
    SELECT split, 5, 0, 'near sounds', count(*) FILTER (e.distance_m < {far}) FROM sounds GROUP BY ALL
    UNION ALL
    SELECT split, 5, 1, 'far sounds', count(*) FILTER (e.distance_m >= {far}) FROM sounds GROUP BY ALL
  )
SELECT 'Spread of sounds in simulated clips, ' || split AS title, line, n AS "count" FROM lines
ORDER BY list_position(['train', 'validation', 'test'], split), part, place"""
