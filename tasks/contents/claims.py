"""What the card claims of the data sets beyond counts, each as a proof that runs over the release's own files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sonolake.cares.measure import DUCK_DB, GAP_S, LEVEL_DB, ONSET_S, SNR_DB
from sonolake.cares.settings import MixSettings
from sonolake.releases import Config, OwnProof
from sonolake.releases.figures import proof_link
from sonolake.spatial.benchmark.blindness import Told
from sonolake.spatial.records import CLIP_RATE, CLIP_S
from tasks.contents.checks import blind_proofs
from tasks.contents.clips import clip_proofs

_MIX = MixSettings()
_ITEMS = "read_parquet(getvariable('root') || '/items.parquet')"
_SOUND = "SELECT item_id, channels, sample_rate, duration_s FROM {items} WHERE config = '{config}' AND NOT ({holds})"
_LEVELS = """SELECT count(*) AS scenes, printf('%.1f', min(loudness_lufs)) AS quietest_lufs,
  printf('%.1f', max(loudness_lufs)) AS loudest_lufs, printf('%.1f', max(true_peak_dbtp)) AS highest_peak_dbtp
FROM read_parquet(getvariable('shards'), hive_partitioning = false)"""
_GAPS = """WITH
  spoken AS (
    SELECT item_id, unnest(turns) AS t, generate_subscripts(turns, 1) AS turn
    FROM read_parquet(getvariable('shards'), hive_partitioning = false)
  ),
  placed AS (
    SELECT item_id, unnest(events) AS e FROM read_parquet(getvariable('shards'), hive_partitioning = false)
  ),
  boundaries AS (
    SELECT item_id, turn, t.asked_gap_s AS asked_s, t.measured_gap_s AS measured_s, t.start_s AS until_s,
      lag(t.end_s) OVER (PARTITION BY item_id ORDER BY turn) AS since_s
    FROM spoken
  ),
  gaps AS (
    SELECT item_id, turn, asked_s, measured_s, EXISTS (
      FROM placed p WHERE p.item_id = b.item_id AND p.e.onset_s < b.until_s AND p.e.offset_s > b.since_s
    ) AS sounds
    FROM boundaries b WHERE turn > 1
  )
"""
_KEPT = f"""{_GAPS}SELECT item_id, e.event, e.asked_onset_s, e.measured_onset_s, e.asked_level_lufs,
  e.measured_level_lufs, e.measured_snr_db, e.measured_clear_s, e.measured_lead_s,
  coalesce(e.measured_duck_db, e.duck_db) AS duck_db
FROM placed p
WHERE abs(e.measured_onset_s - e.asked_onset_s) > {ONSET_S}
  OR abs(e.measured_level_lufs - e.asked_level_lufs) > {LEVEL_DB}
  OR e.measured_snr_db < {_MIX.event_over_ambience_db - SNR_DB}
  OR e.measured_clear_s IS NOT NULL AND NOT EXISTS (
    FROM boundaries b WHERE b.item_id = p.item_id
      AND e.measured_clear_s BETWEEN b.since_s - {ONSET_S} AND b.until_s - {_MIX.clear_s - ONSET_S:g}
  )
  OR e.measured_lead_s NOT BETWEEN {-ONSET_S} AND {_MIX.resume_s + ONSET_S}
  OR coalesce(e.measured_duck_db, e.duck_db) NOT BETWEEN 0 AND {_MIX.duck_db + DUCK_DB}
ORDER BY ALL"""
_GAPS_KEPT = f"""{_GAPS}SELECT item_id, turn, round(asked_s, 3) AS asked_s, round(measured_s, 3) AS measured_s, sounds
FROM gaps
WHERE asked_s NOT BETWEEN {_MIX.gap_s[0]} AND {_MIX.gap_s[1]}
  OR measured_s NOT BETWEEN {_MIX.gap_s[0] - GAP_S:g} AND {_MIX.gap_s[1] + GAP_S:g}
ORDER BY ALL"""
_GAPS_TOLD = f"""{_GAPS}SELECT
  CASE WHEN asked_s IS NULL THEN 'not kept' WHEN sounds THEN 'with a sound' ELSE 'without' END AS boundaries,
  count(*) AS gaps, printf('%.2f', min(asked_s)) AS least_asked_s, printf('%.2f', avg(asked_s)) AS mean_asked_s,
  printf('%.2f', max(asked_s)) AS most_asked_s, printf('%.2f', min(measured_s)) AS least_measured_s,
  printf('%.2f', avg(measured_s)) AS mean_measured_s, printf('%.2f', max(measured_s)) AS most_measured_s
FROM gaps GROUP BY ALL ORDER BY ALL"""
GAPS_KEPT, GAPS = "gaps-kept-cares", "gaps-cares"
KEPT, LEVELS, CARES_SOUND, SPATIAL_SOUND = "measured-cares", "levels-cares", "sound-cares", "sound-rms-aqa"


def claims_of(configs: Iterable[Config], told: Told | None = None) -> tuple[OwnProof, ...]:
    """The proofs of the data sets that are there; ``told`` is what models answered without sound."""
    by_name = {config.name: config for config in configs}
    return (*_claims(by_name), *clip_proofs(list(by_name.values())), *blind_proofs(by_name.values(), told))


def levels_note(cares: Config) -> str:
    """How loud the scenes are, in a sentence with its proof."""
    rows = [row for table in cares.splits.values() for row in table.select(_MEASURED).to_pylist()]
    loudness = [row["loudness_lufs"] for row in rows]
    highest = max(row["true_peak_dbtp"] for row in rows)
    aim = f"`{MixSettings().master_lufs:g} LUFS`"
    found = f"{min(loudness):.1f} to {max(loudness):.1f} LUFS, with true peaks up to {highest:.1f} dBTP"
    return f"Scenes are mastered at {aim} before the limiter; they have {found} ({proof_link(LEVELS)})."


def gaps_note() -> str:
    """How silence gives no sound away, in a sentence with its proofs."""
    proven = f"{proof_link(GAPS_KEPT)}, {proof_link(GAPS)}"
    return f"Gaps between turns are drawn from the same range, whether a sound is there or not ({proven})."


_MEASURED = ["loudness_lufs", "true_peak_dbtp"]


def _claims(by_name: dict[str, Config]) -> Iterator[OwnProof]:
    if "cares" in by_name:
        rate = MixSettings().rate
        holds = f"channels = 1 AND sample_rate = {rate}"
        yield _sound(CARES_SOUND, "cares", f"Every scene has one channel at {rate:,} Hz.", holds)
        meaning = (
            "What was measured of each sound keeps the rules of the mix: "
            f"its onset to {ONSET_S * 1000:g} ms and its level to {LEVEL_DB:g} dB as asked; "
            f"at least {_MIX.event_over_ambience_db:g} dB over the ambience; its loudest {_MIX.clear_s:g} s in a gap "
            f"between turns or, where it breaks off the talk, an end at most {_MIX.resume_s:g} s before the voice "
            "resumes; "
            f"the voice lowered by {_MIX.duck_db:g} dB at most."
        )
        yield OwnProof(KEPT, "must", meaning, _KEPT, "cares")
        meaning = (
            f"Every gap between turns, whether a sound is there or not, was asked from {_MIX.gap_s[0]:g} s to "
            f"{_MIX.gap_s[1]:g} s, and measured there to {GAP_S * 1000:g} ms."
        )
        yield OwnProof(GAPS_KEPT, "must", meaning, _GAPS_KEPT, "cares")
        meaning = "Gaps between turns, with a sound and without, as asked and as measured, in seconds."
        yield OwnProof(GAPS, "report", meaning, _GAPS_TOLD, "cares")
        meaning = "Loudness of the quietest and the loudest scene in LUFS, and the highest true peak in dBTP."
        yield OwnProof(LEVELS, "report", meaning, _LEVELS, "cares")
    if "rms-aqa" in by_name:
        holds = f"channels = 4 AND sample_rate = {CLIP_RATE} AND abs(duration_s - {CLIP_S:g}) < 0.001"
        meaning = f"Every clip has four channels at {CLIP_RATE:,} Hz and is {CLIP_S:g} s long."
        yield _sound(SPATIAL_SOUND, "rms-aqa", meaning, holds)


def _sound(name: str, config: str, meaning: str, holds: str) -> OwnProof:
    return OwnProof(name, "must", meaning, _SOUND.format(items=_ITEMS, config=config, holds=holds))
