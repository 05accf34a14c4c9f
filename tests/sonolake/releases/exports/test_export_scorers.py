"""Scorers of one file give the numbers that ours give, whatever is answered, and need nothing but Python."""

import importlib.util
import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from sonolake.cares.benchmark import HeardSound, Item, LiteralMatcher, Predictions, score_system
from sonolake.cares.benchmark.files import row_of
from sonolake.cares.benchmark.tables import as_json as cares_json
from sonolake.cli.app import app
from sonolake.errors import InvalidInput
from sonolake.releases.exports.scorers import SCORERS, assemble, scorer
from sonolake.spatial.benchmark import Query, Record, score
from sonolake.spatial.benchmark.predictions import Predictions as Answers
from sonolake.wesr.reading import Reading
from sonolake.wesr.scoretables import as_json as wesr_json
from sonolake.wesr.scoring import score as wesr_score

REACTIONS = ("pivot", "verbal", "behavioral", "ambient")
FEW = settings(max_examples=30, deadline=None)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The scorers' files as modules, by benchmark."""
    folder = tmp_path_factory.mktemp("scorers")
    found = {}
    for name, one in SCORERS.items():
        path = folder / one.file
        path.write_text(scorer(name), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        sys.modules[path.stem] = found[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found[name])
    yield found
    for one in SCORERS.values():
        sys.modules.pop(one.file.removesuffix(".py"), None)


def items():
    sounds = tuple(HeardSound(f"e{i}", name, REACTIONS[i % 4], i) for i, name in enumerate(NAMES))
    made = []
    for scene in ("s1", "s2", "s3"):
        for i in range(4):
            reaction = Item(f"rc-{scene}-{i}", "reactions", scene, f"e{i}", 1.0, REACTIONS, REACTIONS[i % 3])
            muted = Item(
                f"mu-{scene}-{i}",
                "muted",
                scene,
                f"e{i}",
                1.0,
                REACTIONS,
                reaction.answer,
                (),
                reaction.item_id,
            )
            made += [reaction, muted]
        made.append(Item(f"asc-{scene}", "scene", scene, "", None, ("cafe", "beach", "park"), "cafe"))
        made.append(Item(f"at-{scene}", "sounds", scene, "e0", 1.0, NAMES, NAMES[0]))
        made.append(Item(f"sum-{scene}", "summary", scene, "", None, (), "", sounds))
    return made


NAMES = ("a dog barking", "breaking glass", "rain", "a door bell")
ITEMS = items()
SAID = st.sampled_from(
    [
        *REACTIONS, "cafe", "beach", "rain", "a dog barking", "Pivot or verbal", '{"reaction": "ambient"}', "",
        "<think>pivot</think> verbal.", "A dog barked; rain fell. Glass was breaking.", "The bell of the door rang.",
    ]
) | st.text(max_size=20)  # fmt: skip
KEYS = [
    (item.item_id, budget) for item in ITEMS for budget in ((25, 75, 200) if item.task == "summary" else (0,))
]


@given(answers=st.dictionaries(st.sampled_from(KEYS), SAID), nature=st.booleans())
@FEW
def test_cares_is_scored_alike(alone, answers, nature):
    ours = cares_json(score_system("x", ITEMS, Predictions(answers), LiteralMatcher(), 0, nature))
    module = alone["cares"]
    theirs = module.scores("x", [module.item_of(row_of(item)) for item in ITEMS], answers, nature)
    assert close(json.loads(json.dumps(theirs)), json.loads(json.dumps(ours)))


def records():
    options = {"A": "one", "B": "two", "C": "three", "D": "four"}
    made = []
    for i, dimension in enumerate(("SC", "SL", "TD", "SR", "TR", "AP", "SC", "TR")):
        first, second = Query(f"q1-{i}", "?", options, "ABCD"[i % 4]), Query(f"q2-{i}", "?", options, "B")
        origin = ("recorded", "simulated", "")[i % 3]
        made.append(
            Record(
                f"r{i}",
                f"c{i // 2}",
                dimension,
                first,
                second,
                origin,
                i % 5 or None,
                (2.0, 4.0, None)[i % 3],
            )
        )
    return made


RECORDS = records()
LETTERS = st.sampled_from(
    ["A", "B", "(C)", "Final answer: (B) two", "I think A or B", "<answer>D</answer>", "none"]
) | st.text(max_size=12)
QUESTIONS = [
    (f"q{stage}-{i}", context)
    for i in range(8)
    for stage in (1, 2)
    for context in ("", "no", "predicted", "oracle")
]


@given(answers=st.dictionaries(st.sampled_from(QUESTIONS), LETTERS))
@FEW
def test_two_stage_questions_are_scored_alike(alone, answers):
    from dataclasses import asdict

    module = alone["rms-aqa"]
    ours = asdict(score("x", RECORDS, Answers(answers), 0))
    rows = [module.record_from(json.loads(json.dumps(asdict(record)))) for record in RECORDS]
    assert close(asdict(module.score("x", rows, module.Predictions(answers), 0)), ours)


PIECES = st.sampled_from(
    ["the", "cat", "sat", "Cat", "don't", "well-known", "[laughs]", "[laugh]", "<laughing>", "</laughing>", "[S1]",
     "你", "好", "号", "行", "银行", ",", "é", "Ａ"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=12).map(" ".join)


@given(
    pairs=st.lists(st.tuples(TEXTS, TEXTS | st.none()), min_size=1, max_size=5),
    reading=st.sampled_from(["paper", "compat"]),
)
@FEW
def test_transcripts_are_scored_alike(alone, pairs, reading):
    references = [(str(i), text) for i, (text, _) in enumerate(pairs)]
    hypotheses = {str(i): text for i, (_, text) in enumerate(pairs) if text is not None}
    module = alone["wesr"]
    ours = wesr_json(wesr_score(references, hypotheses, Reading(reading), 0))
    assert module.as_json(module.score(references, hypotheses, module.Reading(reading), 0)) == ours


@given(first=st.text("abc", max_size=12), second=st.text("abcd", max_size=12))
@settings(max_examples=100, deadline=None)
def test_edits_are_counted_alike(alone, first, second):
    from sonolake.wesr.worderrors import word_errors

    ours, theirs = (
        word_errors(" ".join(first), " ".join(second)),
        alone["wesr"].word_errors(" ".join(first), " ".join(second)),
    )
    assert vars(theirs) == vars(ours)


def test_every_character_is_read_as_by_pypinyin(alone):
    from pypinyin import lazy_pinyin

    read = alone["wesr"].reading_of
    assert [chr(c) for c in range(0x4E00, 0xA000) if read(chr(c)) != lazy_pinyin(chr(c))[0]] == []


def close(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    return one == pytest.approx(other, abs=1e-12) if isinstance(one, float) else one == other


ANSWERS = {
    "cares": [
        {"item_id": "rc-1", "answer": "verbal"},
        {"item_id": "asc-1", "answer": "The cafe."},
        {"item_id": "sum-1", "summary": "A dog barks in the yard.", "budget": 200},
    ],
    "rms-aqa": [
        {"question_id": "q2-clip-1", "answer": "Final answer: (A)", "stage1": "A"},
        {"question_id": "q2-clip-2", "answer": "B", "stage1": "A"},
    ],
    "wesr": [{"id": "utterance-1", "sentence": "Well yes [laughs]."}],
}


def test_the_files_of_a_release_score_without_any_package(made, rich, tmp_path):
    folder, summary = made("scorers")
    assert summary.done == 4 + 2 + 1
    commands = {
        "cares": ["--benchmark", rich, "--predictions"],
        "rms-aqa": ["--benchmark", rich, "--predictions"],
        "wesr": ["--reference", folder / "wesr-references.jsonl", "--hypothesis"],
    }
    against = {
        "cares": "cares-items.jsonl",
        "rms-aqa": "rms-aqa-records.jsonl",
        "wesr": "wesr-references.jsonl",
    }
    for name, said in ANSWERS.items():
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in said))
        ours = CliRunner().invoke(
            app, ["score", name, *map(str, commands[name]), str(path), "--resamples", "0", "--json"]
        )
        assert ours.exit_code == 0, ours.stderr
        command = [sys.executable, "-I", "-S", folder / SCORERS[name].file, folder / against[name], path]
        theirs = subprocess.run(command, capture_output=True, text=True)
        assert theirs.returncode == 0, theirs.stderr
        assert close(json.loads(theirs.stdout), json.loads(ours.stdout))


def test_what_needs_a_package_is_not_put_together():
    with pytest.raises(InvalidInput, match=r"standard library.*numpy"):
        assemble("x", [("sonolake.scoring.bootstrap", "intervals")])
    with pytest.raises(InvalidInput, match="benchmark"):
        scorer("nothing")
