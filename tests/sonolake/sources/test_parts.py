"""Recordings of files that are too long to be taken whole: parts as items, found again without decoding."""

import json
import shutil
from itertools import pairwise

import numpy as np
import pytest
import soundfile

from sonolake import Lake, running
from sonolake.audio.decode import decode
from sonolake.lake.step import Counts
from sonolake.sources import ingest as ingesting
from sonolake.sources.folder import read_folder
from sonolake.sources.ingest import Ingest, portions
from sonolake.sources.intake import Intake
from sonolake.sources.parts import Cutting

RATE = 8000
CUTTING = Cutting(whole_s=30.0, part_s=15.0)
"""Stands for four hours and ten minutes."""
FORMS = {"wav": ("WAV", "PCM_16"), "flac": ("FLAC", "PCM_16"), "mp3": ("MP3", "MPEG_LAYER_III")}


def talk(seconds=36.0, every=12.0, seed=1):
    """Noise in a rhythm of its own, with a second of silence in the middle of which it is time to pause."""
    rng = np.random.default_rng(seed)
    t = np.arange(int(seconds * RATE)) / RATE
    x = rng.standard_normal(len(t)) * (0.1 + 0.1 * np.sin(2 * np.pi * t * np.linspace(0.3, 2 + seed, len(t))))
    x[(t > 1) & (np.abs((t + every / 2) % every - every / 2) < 0.5)] = 0.0
    return np.clip(x, -1, 1)


def write(path, x, form="wav"):
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, x, RATE, format=FORMS[form][0], subtype=FORMS[form][1])
    return path


def take(lake, source, kind="speech", cutting=CUTTING):
    found = read_folder(source)
    with running(lake, "test") as run:
        return Ingest(run, Intake(kind), cutting=cutting).take([*found.items, *found.refusals])


@pytest.fixture
def lake(tmp_path):
    with Lake.create(tmp_path / "lake") as made:
        yield made


@pytest.fixture
def nothing_decoded(monkeypatch):
    """From when it is called, whoever decodes or cuts is told off."""

    def begin():
        def told_off(*_, **__):
            raise AssertionError("decoded again")

        monkeypatch.setattr(ingesting, "parts", told_off)
        monkeypatch.setattr(Intake, "take", told_off)

    return begin


def refusals(lake):
    return {row["item"]: (row["reason"], row["detail"]) for row in lake.rows("FROM quarantine")}


def test_a_long_recording_becomes_parts_of_one_source_that_are_all_of_it(lake, tmp_path):
    for seed, form in enumerate(FORMS):
        write(tmp_path / f"s/{form}/talk.{form}", talk(seed=seed), form)
    assert take(lake, tmp_path / "s") == Counts(taken=9, done=9)
    for form in FORMS:
        rows = lake.rows(f"FROM assets WHERE item LIKE '{form}/%' ORDER BY item")
        ends = [0.0, *np.cumsum([row["frames"] for row in rows]) / RATE]
        names = [f"{form}/talk.{form}#t={a:.3f},{b:.3f}" for a, b in pairwise(ends)]
        assert [row["item"] for row in rows] == names
        assert ends[1] == pytest.approx(12.0, abs=0.6) and ends[2] == pytest.approx(24.0, abs=0.6)
        assert {row["container"] for row in rows} == {"flac"} and len({row["source_id"] for row in rows}) == 1
        heard = np.concatenate([decode(lake.media.read(row["asset_id"])).samples for row in rows])
        whole = np.clip(decode((tmp_path / f"s/{form}/talk.{form}").read_bytes()).samples, -1, 1)
        assert heard.shape == whole.shape and np.abs(heard - whole).max() <= 2**-15


def test_what_may_not_be_changed_stays_whole_or_is_not_taken(lake, tmp_path):
    """No derivatives: a part is one. Others are cut, whatever the rest of the source is under."""
    write(tmp_path / "s/long.wav", talk())
    write(tmp_path / "s/short.wav", talk(5.0, seed=2))
    write(tmp_path / "s/free.wav", talk(seed=3))
    (tmp_path / "s/manifest.csv").write_text("path,licence\nfree.wav,CC-BY-4.0\nlong.wav,\nshort.wav,\n")
    found = read_folder(tmp_path / "s")
    with running(lake, "test") as run:
        counts = Ingest(run, Intake("speech", licence="CC-BY-NC-ND-4.0"), cutting=CUTTING).take(found.items)
    assert counts == Counts(taken=5, done=4, quarantined=1)
    assert refusals(lake)["long.wav"][0] == "too_long"
    rows = lake.rows("SELECT licence, count(*) AS n FROM assets GROUP BY licence ORDER BY licence")
    assert rows == [{"licence": "CC-BY-4.0", "n": 3}, {"licence": "CC-BY-NC-ND-4.0", "n": 1}]


def test_a_second_run_finds_all_parts_without_decoding(lake, tmp_path, nothing_decoded):
    write(tmp_path / "s/long.wav", talk())
    write(tmp_path / "s/copy.flac", talk(), "flac")
    write(tmp_path / "s/short.wav", talk(5.0, seed=2))
    write(tmp_path / "s/silence.wav", np.zeros(40 * RATE))
    assert take(lake, tmp_path / "s") == Counts(taken=8, done=4, quarantined=1, duplicates=3)
    before = {
        t: lake.rows(f"FROM {t} ORDER BY ALL") for t in ("assets", "duplicates", "quarantine", "lineage")
    }
    nothing_decoded()
    assert take(lake, tmp_path / "s") == Counts(taken=8, already=8)
    assert {table: lake.rows(f"FROM {table} ORDER BY ALL") for table in before} == before


def test_another_recording_of_that_name_is_taken_and_cut_only_if_it_is_long(lake, tmp_path):
    write(tmp_path / "s/long.wav", talk())
    take(lake, tmp_path / "s")
    write(tmp_path / "s/long.wav", talk(20.0, 9.0, 2))
    assert take(lake, tmp_path / "s") == Counts(taken=1, done=1)
    assert len(lake.rows("FROM assets")) == 4 and len(lake.rows("FROM assets WHERE item = 'long.wav'")) == 1


def test_silence_is_refused_once_and_a_silent_part_alone(lake, tmp_path):
    write(tmp_path / "s/silence.wav", np.zeros(40 * RATE))
    x = talk()
    x[: 17 * RATE] = 0.0
    write(tmp_path / "s/begins-late.wav", x)
    counts = take(lake, tmp_path / "s")
    assert (counts.taken, counts.quarantined) == (4, 2)
    found = refusals(lake)
    assert found["silence.wav"][0] == "silent"
    (part,) = set(found) - {"silence.wav"}
    assert part.startswith("begins-late.wav#t=0.000,") and found[part][0] == "silent"


@pytest.mark.parametrize("form", ["wav", "flac"])
@pytest.mark.parametrize(("kept", "reason"), [(0.4, "truncated"), (0.9, None)])
def test_what_ends_early_is_refused_or_taken_with_a_mark_as_short_files_are(
    lake, tmp_path, kept, reason, form
):
    path = write(tmp_path / f"s/cut.{form}", talk(100.0), form)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * kept)])
    counts = take(lake, tmp_path / "s")
    if reason:
        assert counts == Counts(taken=1, quarantined=1)
        assert refusals(lake)[f"cut.{form}"][0] == reason
        (row,) = lake.rows("SELECT asset_id FROM quarantine")
        assert lake.media.read(row["asset_id"]) == path.read_bytes()
        assert take(lake, tmp_path / "s") == Counts(taken=1, already=1)
    else:
        assert counts.done == counts.taken == 8
        said = [json.loads(row["tags"]).get("file_flags") for row in lake.rows("FROM assets ORDER BY item")]
        assert said.count("truncated_tail") == 1 and counts.quarantined == 0


def test_damage_in_the_middle_refuses_all_of_it(lake, tmp_path):
    path = write(tmp_path / "s/hurt.flac", talk(), "flac")
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 4000] = bytes(4000)
    path.write_bytes(data)
    assert take(lake, tmp_path / "s") == Counts(taken=1, quarantined=1)
    assert refusals(lake)["hurt.flac"][0] in ("corrupt", "truncated") and not lake.rows("FROM assets")


def test_what_was_too_long_leaves_the_quarantine(lake, tmp_path):
    write(tmp_path / "s/long.wav", talk())
    assert take(lake, tmp_path / "s", "take").quarantined == 1
    with lake.transaction("as it was before") as tx:
        tx.sql("UPDATE quarantine SET step = 'ingest-speech'")
    assert take(lake, tmp_path / "s").done == 3
    assert refusals(lake) == {}
    assert take(lake, tmp_path / "s") == Counts(taken=3, already=3)


def test_kinds_whose_parts_are_not_the_thing_stay_whole(lake, tmp_path):
    write(tmp_path / "s/long.wav", talk())
    for kind in ("take", "foa"):
        assert take(lake, tmp_path / "s", kind).quarantined == 1
    assert {row["reason"] for row in lake.rows("FROM quarantine")} == {"too_long"}
    assert take(lake, tmp_path / "s", "ambience").done == 3


def test_a_part_does_not_say_what_is_said_in_the_whole(lake, tmp_path):
    write(tmp_path / "s/long.wav", talk())
    write(tmp_path / "s/timed.wav", talk(seed=3))
    (tmp_path / "s/times.csv").write_text("0,1,word\n")
    manifest = (
        "path,source_id,speaker,transcript,labels\nlong.wav,tape:7,Ann,all of it,\ntimed.wav,,,,times.csv\n"
    )
    (tmp_path / "s/manifest.csv").write_text(manifest)
    take(lake, tmp_path / "s")
    rows = lake.rows("SELECT DISTINCT source_id, speaker, transcript FROM assets")
    assert rows == [{"source_id": "tape:7", "speaker": "Ann", "transcript": None}]
    assert refusals(lake)["timed.wav"][0] == "too_long", "its labels say what is when in the whole"


def test_workers_and_batches_change_nothing(tmp_path):
    for number in range(2):
        write(tmp_path / f"s/{number}.wav", talk(20.0, 8.0, number))
    write(tmp_path / "s/z.wav", talk(5.0, seed=9))
    shutil.copy(tmp_path / "s/1.wav", tmp_path / "s/1-again.wav")
    items = read_folder(tmp_path / "s").items
    found = []
    cutting = Cutting(whole_s=15.0, part_s=12.0)
    for workers, size in ((1, 4), (4, 1)):
        with Lake.create(tmp_path / f"lake-{workers}") as lake, running(lake, "test") as run:
            taking = Ingest(run, Intake("speech"), workers, cutting=cutting)
            for at in range(0, len(items), size):
                taking.take(items[at : at + size])
            found.append(
                [lake.rows(f"FROM {t} ORDER BY ALL") for t in ("assets", "duplicates", "quarantine")]
            )
    assert found[0] == found[1] and len(found[0][1]) == 2


def test_large_files_come_few_a_batch(tmp_path, monkeypatch):
    monkeypatch.setattr(ingesting, "BATCH_BYTES", 1_000_000)
    for number in range(5):
        write(tmp_path / f"s/{number}.wav", np.zeros(25 * RATE))  # 400 kB each
    some = [len(batch) for batch in portions(read_folder(tmp_path / "s").items)]
    assert some == [3, 2]
