"""Takes of folders become dry sounds of a home, or say why not; all are counted."""

import numpy as np
import pytest

from sonolake.audio.encode import flac_bytes
from sonolake.ids import sha256_hex
from sonolake.lake.step import Counts
from tasks.dry_events import check_takes, takes_to_check

RATE = 16_000


def tone(seconds, level=0.3, before=0.5, hz=600.0):
    """A tone after silence, its own pitch for each length: no two files are one."""
    x = np.zeros((round((before + seconds) * RATE), 1))
    n = round(seconds * RATE)
    x[-n:, 0] = level * np.sin(2 * np.pi * hz * np.arange(n) / RATE + 0.5)
    return flac_bytes(np.rint(x * 32767).astype(np.int16), RATE)


TAKES = {
    "dog": (tone(1.0), {"event": "mine/dog_bark", "tags": '{"classes":"Dog; mine/dog_bark"}'}),
    "alias": (tone(1.1), {"event": "general/glass_break"}),
    "sea": (tone(1.2), {"event": "beach/wave_crash"}),
    "unheard of": (tone(1.3), {"event": "mine/zeppelin"}),
    "two": (tone(1.4), {"event": "mine/dog_bark", "tags": '{"classes":"mine/dog_bark; Meow"}'}),
    "clipped": (tone(1.5), {"event": "mine/dog_bark", "flags": ["clipped"]}),
    "faint": (tone(1.6, 0.0004), {"event": "mine/dog_bark"}),
    "short": (tone(0.05), {"event": "mine/dog_bark"}),
    "silent": (tone(1.7, 0.0), {"event": "mine/dog_bark"}),
    "unnamed": (tone(1.8), {"event": None}),
}


@pytest.fixture
def ids(lake, asset):
    rows = {}
    for name, (data, facts) in TAKES.items():
        own = {"asset_id": sha256_hex(data), "source_id": name, "pcm_hash": name, "item": name}
        lake.media.put(data, own["asset_id"])
        rows[name] = {**asset, **own, "duration_s": 9.0, **facts}
    lake.table("assets").append(list(rows.values()))
    return {row["asset_id"]: name for name, row in rows.items()}


def test_every_take_is_a_sound_of_a_home_or_says_why_not(lake, path, ids):
    takes = takes_to_check(path)
    assert check_takes.fn(path, "run", takes) == Counts(taken=9, done=2, quarantined=7)
    kept = {ids[row["take_id"]]: row for row in lake.rows("FROM dry_events")}
    assert {name: row["event"] for name, row in kept.items()} == {
        "dog": "dog bark",
        "alias": "glass breaking",
    }
    assert kept["dog"]["duration_s"] == pytest.approx(1.0, abs=2e-3), "without the half second before it"
    aside = lake.rows("SELECT item, reason FROM quarantine WHERE step = 'check-takes'")
    assert {ids[row["item"]]: row["reason"] for row in aside} == {
        "sea": "not_domestic",
        "unheard of": "not_domestic",
        "two": "several_sources",
        "clipped": "clipped",
        "faint": "too_quiet",
        "short": "too_short",
        "silent": "silent",
    }
    assert check_takes.fn(path, "run", takes, workers=2) == Counts(taken=9, already=9)
