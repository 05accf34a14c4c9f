"""Labels in the files of other tools, read by those tools or by their rules."""

import json
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.releases.exports.labels import Event, Labels, Turn
from sonolake.releases.exports.textgrid import textgrid
from sonolake.spatial.dcase import read
from sonolake.wesr.annotation.editing import marks_in
from sonolake.wesr.annotation.labelstudio import read_export, tasks_of


@pytest.fixture(scope="module")
def praat():
    return pytest.importorskip("praatio.textgrid", reason="pip install -e .[dev] brings praatio")


def tiers(praat, path):
    grid = praat.openTextgrid(str(path), includeEmptyIntervals=False, reportingMode="error")
    return grid, {name: [tuple(entry) for entry in grid.getTier(name).entries] for name in grid.tierNames}


def test_a_textgrid_has_words_events_and_points(made, praat):
    folder, _ = made("textgrid", "cares")
    grid, found = tiers(praat, folder / "cares" / "train" / "scene-1.TextGrid")
    assert (grid.minTimestamp, grid.maxTimestamp) == (0.0, 1.0)
    assert found == {
        "turns A": [(0.05, 0.45, "Hello there")],
        "turns B": [(0.5, 0.9, "[softly] Oh.")],
        "words A": [(0.05, 0.2, "Hello"), (0.2, 0.45, "there")],
        "events": [(0.3, 0.6, "dog bark")],
        "points": [(0.7, "click")],
    }


def test_a_textgrid_of_text_without_times(made, praat):
    folder, _ = made("textgrid", "wesr-bench")
    _, found = tiers(praat, folder / "wesr-bench" / "test" / "utterance-1.TextGrid")
    assert found == {"text": [(0.0, 1.0, "Well [laughs] yes.")], "candidates": [(0.4, "laughs")]}


def test_what_overlaps_goes_to_tiers_of_its_own_and_quotes_survive(praat, tmp_path):
    labels = Labels(
        turns=(Turn("", 'He said "no"\nand left', 0.0, 0.5),),
        events=(Event("a", 0.0, 0.5), Event("b", 0.25, 2.0), Event("c", 0.5, 0.75), Event("d", 0.9, 0.9)),
    )
    (tmp_path / "x.TextGrid").write_text(textgrid(labels, 1.0), encoding="utf-8")
    _, found = tiers(praat, tmp_path / "x.TextGrid")
    assert found == {
        "turns": [(0.0, 0.5, 'He said "no" and left')],
        "events": [(0.0, 0.5, "a"), (0.5, 0.75, "c")],
        "events 2": [(0.25, 1.0, "b")],
        "points": [(0.9, "d")],
    }


TIMES = st.floats(0, 12).map(lambda t: round(t, 9)) | st.sampled_from([0.0, 0.1, 0.3, 9.999999, 10.0])
NAMES = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters='"'), min_size=1, max_size=8)
EVENTS = st.builds(Event, NAMES, TIMES, TIMES | st.none())


@given(st.lists(EVENTS, min_size=1, max_size=12))
@settings(max_examples=25, deadline=None)
def test_any_events_can_be_read_and_none_is_lost(praat, tmp_path_factory, events):
    path = tmp_path_factory.mktemp("grid") / "x.TextGrid"
    path.write_text(textgrid(Labels(events=tuple(events)), 10.0), encoding="utf-8")
    _, found = tiers(praat, path)
    spans = sorted(entry for name, entries in found.items() if name.startswith("events") for entry in entries)
    lasting = [(e.onset_s, min(e.offset_s, 10.0), e.label) for e in events if (e.offset_s or 0.0) > e.onset_s]
    assert spans == sorted(span for span in lasting if span[0] < 10.0)
    points = [label for _, text in found.get("points", ()) for label in text.split(", ")]
    rest = [e.label for e in events if (e.offset_s or 0.0) <= e.onset_s]
    assert sorted(", ".join(points).split(", ")) == sorted(", ".join(rest).split(", "))


def test_what_has_no_labels_in_time_is_named(made):
    _, summary = made("textgrid")
    assert [(one.item_id, one.reason) for one in summary.refused] == [("note-1", "no length")]
    assert summary.done == 7


def test_dcase_tables_of_a_release(made):
    folder, _ = made("dcase", "rms-aqa")
    assert (folder / "classes.txt").read_text() == "fan\n"
    rows = read((folder / "rms-aqa" / "test" / "clip-1.csv").read_text(), "cm")
    first = [(r.frame, r.source) for r in rows if r.azimuth_deg == 90]
    assert first == [(frame, 0) for frame in range(5)]
    second = [
        (r.frame, r.source, r.azimuth_deg, r.elevation_deg, r.distance_m) for r in rows if r.source == 1
    ]
    assert second == [(2, 1, -45, 0, 4.5), (3, 1, -45, 0, 4.5)]
    assert sorted(p.name for p in folder.iterdir()) == ["_EXPORT.json", "classes.txt", "rms-aqa"]


def test_dcase_refuses_what_has_no_direction(made):
    _, summary = made("dcase", "cares", "rms-aqa", splits=["test"])
    assert [(one.item_id, one.reason) for one in summary.refused] == [("scene-9", "events without offset_s")]


def test_tables_of_sound_events(made):
    folder, summary = made("sed", "rms-aqa", "cares")
    head, *rows = (folder / "rms-aqa-test.tsv").read_text().splitlines()
    assert head.split("\t") == ["filename", "onset", "offset", "event_label"]
    assert [row.split("\t") for row in rows if row.startswith("clip-1")] == [
        ["clip-1", "0.000000", "0.500000", "fan"],
        ["clip-1", "0.200000", "0.400000", "fan"],
    ]
    durations = (folder / "rms-aqa-test-durations.tsv").read_text().splitlines()
    assert durations[0] == "filename\tduration" and "clip-1\t1.000000" in durations
    assert {one.reason for one in summary.refused} == {"an event without end: click"}


def test_label_tracks_and_turns_of_speakers(made):
    folder, _ = made("audacity", "cares")
    assert (folder / "cares" / "train" / "scene-1.txt").read_text().splitlines() == [
        "0.050000\t0.450000\tA: Hello there",
        "0.300000\t0.600000\tdog bark",
        "0.500000\t0.900000\tB: [softly] Oh.",
        "0.700000\t0.700000\tclick",
    ]
    folder, _ = made("rttm", "cares", to="turns")
    lines = (folder / "cares-train.rttm").read_text().splitlines()
    assert "SPEAKER scene-2 1 0.050 0.400 <NA> <NA> A <NA> <NA>" in lines and len(lines) == 6


@pytest.mark.filterwarnings("ignore:Passing a schema:DeprecationWarning")
def test_jams_is_valid(made):
    jams = pytest.importorskip("jams", reason="pip install -e .[dev] brings jams")
    folder, _ = made("jams", "cares")
    found = jams.load(str(folder / "cares" / "train" / "scene-1.jams"), validate=True, strict=True)
    by_kind = {
        a.sandbox.kind: [(o.time, round(o.duration, 6), o.value) for o in a.data] for a in found.annotations
    }
    assert by_kind["events"] == [(0.3, 0.3, "dog bark"), (0.7, 0.0, "click")]
    assert by_kind["words"] == [(0.05, 0.15, "Hello"), (0.2, 0.25, "there")]
    assert found.file_metadata.duration == 1.0


def test_label_studio_shows_the_labels_and_its_tasks_come_back(made):
    folder, _ = made("label-studio", "cares", "wesr-bench")
    rows = read_export(folder / "cares-train.json")
    (row,) = (row for row in rows if row["data"]["name"] == "scene-1")
    where = row["data"]["audio"].removeprefix("/data/local-files/?d=")
    assert (folder / where).read_bytes()[:4] == b"fLaC"
    setup = ET.fromstring((folder / "config.xml").read_text())
    controls = {node.get("name"): node for node in setup if node.tag != "Header"}
    for result in row["predictions"][0]["result"]:
        control = controls[result["from_name"]]
        assert control.tag.lower() == result["type"] and control.get("toName") == result["to_name"]
        known = {label.get("value") for label in control}
        assert set(result["value"].get("labels", [])) <= known
    spans = {
        (r["value"]["start"], r["value"]["end"])
        for r in row["predictions"][0]["result"]
        if r["type"] == "labels"
    }
    assert spans == {(0.3, 0.6), (0.7, 0.7), (0.05, 0.45), (0.5, 0.9)}
    (row,) = read_export(folder / "wesr-bench-test.json")
    (task,) = tasks_of([row])
    assert (task.name, task.text, task.language) == ("utterance-1", "Well yes.", "en")
    (tagged,) = (r["value"]["text"][0] for r in row["predictions"][0]["result"] if r["from_name"] == "tagged")
    assert marks_in(tagged, task.text).points == ((1, "laughs"),)


def test_plain_files_are_the_sounds_as_they_are_and_their_rows(made, samples):
    import numpy as np
    import soundfile

    folder, summary = made("files")
    assert summary.refused == () and summary.done == 8
    for name in ("clip-1", "clip-2"):
        found, rate = soundfile.read(
            folder / "rms-aqa" / "test" / f"{name}.flac", dtype="int16", always_2d=True
        )
        assert rate == 8000 and np.array_equal(found, samples(name, 4))
    about = json.loads((folder / "rms-aqa" / "test" / "clip-1.json").read_text())
    assert about["file"] == "clip-1.flac" and about["events"][1]["distance_m"] == 4.5
    assert json.loads((folder / "notes" / "train" / "note-1.json").read_text())["text"] == "No sound."
