"""lhotse manifests and Shar, read by lhotse. It is imported without PyTorch, which it needs for nothing of this."""

import gzip
import importlib.util
import json

import numpy as np
import pytest

from tests.no_torch import names_of_torch

READER = "make test brings it: pip install -e .[dev], then pip install --no-deps lhotse==1.33.0"


@pytest.fixture(scope="module")
def lhotse():
    if importlib.util.find_spec("torch"):
        yield pytest.importorskip("lhotse", reason=READER)
        return
    with names_of_torch("lhotse"):
        yield pytest.importorskip("lhotse", reason=READER)


def rows(path):
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def test_manifests_are_valid_and_lead_to_every_sample(made, samples, lhotse):
    folder, _ = made("lhotse", "cares", "rms-aqa")
    found = lhotse.recipes.utils.read_manifests_if_cached(
        ["train", "test"], folder, prefix="cares", types=["recordings", "supervisions", "cuts"]
    )
    recordings = found["train"]["recordings"].with_path_prefix(folder)
    lhotse.validate_recordings_and_supervisions(recordings, found["train"]["supervisions"], read_data=True)
    one = recordings["scene-1"]
    assert (one.num_samples, one.sampling_rate, one.duration) == (8000, 8000, 1.0)
    assert np.array_equal(np.round(one.load_audio() * 32768), samples("scene-1").T)
    cuts = lhotse.load_manifest(folder / "rms-aqa_cuts_test.jsonl.gz").with_recording_path_prefix(folder)
    for cut in cuts:
        assert np.array_equal(np.round(cut.load_audio() * 32768), samples(cut.id, 4).T)
        assert cut.custom["questions"][1]["answer"] == "A"


def test_turns_have_their_words_and_events_their_names(made, lhotse):
    folder, _ = made("lhotse", "cares", "wesr-bench")
    supervisions = lhotse.load_manifest(folder / "cares_supervisions_train.jsonl.gz")
    lhotse.validate(supervisions)
    ours = {s.id: s for s in supervisions if s.recording_id == "scene-2"}
    first, second = ours["scene-2-turn-000"], ours["scene-2-turn-001"]
    assert (first.text, first.speaker, first.gender) == ("Hello there", "scene-2-A", "F")
    words = first.alignment["word"]
    assert [(w.symbol, w.start, round(w.end, 6), w.score) for w in words] == [
        ("Hello", 0.05, 0.2, 0.9),
        ("there", 0.2, 0.45, 0.8),
    ]
    assert second.alignment is None and second.gender == "M"
    bark = ours["scene-2-event-000"]
    assert (bark.text, bark.start, round(bark.end, 6)) == (None, 0.3, 0.6)
    assert bark.custom == {"event": "dog bark", "reaction": "pivot"}
    (cut,) = (c for c in lhotse.load_manifest(folder / "cares_cuts_train.jsonl.gz") if c.id == "scene-2")
    assert cut.custom["points"] == [{"event": "click", "onset_s": 0.7, "reaction": "ambient"}]
    (said,) = lhotse.load_manifest(folder / "wesr-bench_supervisions_test.jsonl.gz")
    assert (said.text, said.language, said.duration) == ("Well [laughs] yes.", "en", 1.0)


def test_shar_is_read_with_its_sounds(made, samples, lhotse, leaving_files_open):
    folder, _ = made("lhotse-shar", "cares", "rms-aqa")
    seen = {}
    for config, split, channels in (("cares", "train", 1), ("rms-aqa", "test", 4)):
        with leaving_files_open():
            cuts = list(lhotse.CutSet.from_shar(in_dir=folder / config / split))
        for cut in cuts:
            seen[cut.id] = cut
            name = "Track 2.0 (Clean)" if cut.id.startswith("Track") else cut.id
            assert np.array_equal(np.round(cut.load_audio() * 32768), samples(name, channels).T)
    assert len(seen) == 5 and type(seen["clip-1"]).__name__ == "MultiCut"
    assert seen["scene-1"].supervisions[0].alignment["word"][0].symbol == "Hello"


def test_turns_in_rttm_are_read_as_supervisions(made, lhotse):
    folder, _ = made("rttm", "cares")
    found = {
        (s.recording_id, s.speaker): s for s in lhotse.SupervisionSet.from_rttm(folder / "cares-train.rttm")
    }
    first = found["scene-1", "A"]
    assert len(found) == 6 and (first.start, round(first.end, 3)) == (0.05, 0.45)


def test_manifests_hold_no_clock_and_no_place(made):
    folder, _ = made("lhotse", "cares")
    again, _ = made("lhotse", "cares", to="again")
    paths = sorted(p.relative_to(folder) for p in folder.rglob("*") if p.is_file())
    assert all((folder / path).read_bytes() == (again / path).read_bytes() for path in paths)
    packed = (folder / "cares_recordings_test.jsonl.gz").read_bytes()
    assert packed[4:8] == bytes(4), "no time in the header (RFC 1952)"
    (row,) = rows(folder / "cares_recordings_test.jsonl.gz")
    assert row["sources"][0]["source"] == "audio/cares/test/scene-9.wav"
