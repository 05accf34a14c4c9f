"""What the card claims of the data sets beyond counts, each as a proof that runs over the release's own files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sonolake.cares.settings import MixSettings
from sonolake.releases import Config, OwnProof
from sonolake.releases.figures import proof_link
from sonolake.spatial.records import CLIP_RATE, CLIP_S
from tasks.contents.checks import blind_proofs

_ITEMS = "read_parquet(getvariable('root') || '/items.parquet')"
_SOUND = "SELECT item_id, channels, sample_rate, duration_s FROM {items} WHERE config = '{config}' AND NOT ({holds})"
_LEVELS = """SELECT count(*) AS scenes, printf('%.1f', min(loudness_lufs)) AS quietest_lufs,
  printf('%.1f', max(loudness_lufs)) AS loudest_lufs, printf('%.1f', max(true_peak_dbtp)) AS highest_peak_dbtp
FROM read_parquet(getvariable('shards'), hive_partitioning = false)"""
LEVELS, CARES_SOUND, SPATIAL_SOUND = "levels-cares", "sound-cares", "sound-rms-aqa"


def claims_of(configs: Iterable[Config]) -> tuple[OwnProof, ...]:
    """The proofs of the data sets that are there."""
    by_name = {config.name: config for config in configs}
    return (*_claims(by_name), *blind_proofs(by_name.values()))


def levels_note(cares: Config) -> str:
    """How loud the scenes are, in a sentence with its proof."""
    rows = [row for table in cares.splits.values() for row in table.select(_MEASURED).to_pylist()]
    loudness = [row["loudness_lufs"] for row in rows]
    highest = max(row["true_peak_dbtp"] for row in rows)
    aim = f"`{MixSettings().master_lufs:g} LUFS`"
    found = f"{min(loudness):.1f} to {max(loudness):.1f} LUFS, with true peaks up to {highest:.1f} dBTP"
    return f"Scenes are mastered at {aim} before the limiter; they have {found} ({proof_link(LEVELS)})."


_MEASURED = ["loudness_lufs", "true_peak_dbtp"]


def _claims(by_name: dict[str, Config]) -> Iterator[OwnProof]:
    if "cares" in by_name:
        rate = MixSettings().rate
        holds = f"channels = 1 AND sample_rate = {rate}"
        yield _sound(CARES_SOUND, "cares", f"Every scene has one channel at {rate:,} Hz.", holds)
        meaning = "Loudness of the quietest and the loudest scene in LUFS, and the highest true peak in dBTP."
        yield OwnProof(LEVELS, "report", meaning, _LEVELS, "cares")
    if "rms-aqa" in by_name:
        holds = f"channels = 4 AND sample_rate = {CLIP_RATE} AND abs(duration_s - {CLIP_S:g}) < 0.001"
        meaning = f"Every clip has four channels at {CLIP_RATE:,} Hz and is {CLIP_S:g} s long."
        yield _sound(SPATIAL_SOUND, "rms-aqa", meaning, holds)


def _sound(name: str, config: str, meaning: str, holds: str) -> OwnProof:
    return OwnProof(name, "must", meaning, _SOUND.format(items=_ITEMS, config=config, holds=holds))
