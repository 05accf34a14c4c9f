"""Vectors: made once, for sounds with words and without."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from sonolake.audio.encode import flac_bytes
from sonolake.errors import Damaged
from sonolake.lake.doctor import examine
from sonolake.lake.step import Counts
from sonolake.search.embedding import LABEL_SPACE, SOUND_SPACE, TEXT_SPACE
from tasks.embedding import CLASS_SPACE, embed_batch, to_embed

RATE = 16000


def tone(seconds, pitch):
    t = np.arange(round(RATE * seconds)) / RATE
    return np.round(8000 * np.sin(2 * np.pi * pitch * t)).astype(np.int16)


@pytest.fixture
def assets(lake):
    """A take with a title, a take without a word, speech, a response."""
    rows = {}
    for n, (name, kind) in enumerate(
        {"named": "take", "nameless": "take", "said": "speech", "room": "response"}.items()
    ):
        rows[name] = {
            "asset_id": lake.media.put(flac_bytes(tone(1.5, 300 + 200 * n), RATE)),
            "kind": kind,
            "item": name,
        }
    rows["named"] |= {"title": "A low tone", "licence": "CC0-1.0"}
    rows["said"] |= {"transcript": "no words at all"}
    lake.table("assets").append(list(rows.values()))
    return {name: row["asset_id"] for name, row in rows.items()}


def test_what_is_searched_is_embedded_and_a_second_run_finds_it_there(lake, path, assets):
    ids = to_embed(lake)
    assert ids == sorted(assets[name] for name in ("named", "nameless", "said"))
    first = embed_batch.fn(path, "run-1", ids)
    assert (first.taken, first.done) == (3, 3)
    counts = {space: lake.vectors.count(space) for space in lake.vectors.spaces()}
    assert embed_batch.fn(path, "run-2", ids) == Counts(taken=3, already=3)
    assert {space: lake.vectors.count(space) for space in lake.vectors.spaces()} == counts
    assert first.made == counts[SOUND_SPACE]


@pytest.mark.parametrize("space", [SOUND_SPACE, LABEL_SPACE, TEXT_SPACE, CLASS_SPACE])
def test_a_space_that_was_lost_is_noticed_and_made_again(lake, path, assets, space):
    embed_batch.fn(path, "run-1", to_embed(lake))
    before = lake.vectors.ids(space)
    assert vectors_check(path).verdict == "ok"
    shutil.rmtree(lake.root / "vectors" / f"{space}.lance")
    ill = vectors_check(path)
    assert ill.verdict == "fails" and space in ill.detail and "python -m flows embed" in ill.detail
    counts = embed_batch.fn(path, "run-2", to_embed(lake))
    assert (counts.taken, counts.done) == (3, len(before)) and lake.vectors.ids(space) == before
    assert vectors_check(path).verdict == "ok"


def vectors_check(path):
    return next(check for check in examine(Path(path)) if check.check == "vectors")


def test_words_and_windows_go_into_spaces_of_their_own(lake, path, assets):
    embed_batch.fn(path, "run", to_embed(lake))
    searched = {assets[name] for name in ("named", "nameless", "said")}
    assert lake.vectors.ids(SOUND_SPACE) == lake.vectors.ids(LABEL_SPACE) == searched
    assert lake.vectors.ids(TEXT_SPACE) == {assets["named"], assets["said"]}
    assert lake.vectors.ids(CLASS_SPACE) == {assets["said"]}
    rows = lake.vectors.read(SOUND_SPACE, [assets["named"]]).to_pylist()
    # YAMNet's windows are 0.96 s, one every 0.48 s: the second of 1.5 s ends at 1.44 s.
    assert [row["start_s"] for row in rows][:2] == pytest.approx([0.0, 0.48])
    assert {row["licence"] for row in rows} == {"CC0-1.0"}


def test_what_cannot_be_decoded_is_set_aside_and_the_others_are_embedded(lake, path, assets):
    odd = lake.media.put(b"no sound")
    lake.table("assets").append([{"asset_id": odd, "kind": "take", "item": "odd"}])
    counts = embed_batch.fn(path, "run", to_embed(lake))
    assert (counts.done, counts.quarantined) == (3, 1)
    assert odd not in lake.vectors.ids(SOUND_SPACE) and len(lake.vectors.ids(SOUND_SPACE)) == 3
    (row,) = lake.rows("SELECT item, step, reason FROM quarantine")
    assert (row["item"], row["step"], row["reason"]) == (odd, "embed", "not_audio")


def test_bytes_that_were_damaged_on_disk_are_nobodys_fault_and_end_the_batch(lake, path, assets):
    before = lake.snapshot
    file = lake.media.path(assets["named"])
    file.chmod(0o644)
    file.write_bytes(b"no sound")
    with pytest.raises(Damaged, match="is damaged"):
        embed_batch.fn(path, "run", to_embed(lake))
    assert lake.snapshot == before and lake.vectors.spaces() == []
