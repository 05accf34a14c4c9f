"""Scoring in the paper's reading: hand-made cases, hand calculations, properties."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.wesr.align import align
from sonolake.wesr.positions import positions
from sonolake.wesr.scoretext import is_tag, tokens
from sonolake.wesr.scoring import Counts, Macro, compare, score
from sonolake.wesr.taxonomy import TAGS

CASES = Path(__file__).parents[3].parent / "shared" / "cases" / "wesr_cases.jsonl"


def test_hand_made_cases():
    if not CASES.exists() and not os.environ.get("CI"):
        pytest.skip("the shared cases are not here")
    rows = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    wrong = {}
    for row in rows:
        counts, _ = compare(row["reference"], row["hypothesis"])
        made = {name: {"tp": c.tp, "fp": c.fp, "fn": c.fn} for name, c in counts.items()}
        if made != row["paper_per_tag"]:
            wrong[row["id"]] = made
    assert len(rows) == 81
    assert wrong == {}


def test_spans_count_all_their_words():
    counts, odd = compare(
        "<singing> one two three four </singing>", "<singing> one two three </singing> four"
    )
    assert (counts, odd) == ({"singing": Counts(3, 0, 1)}, 0)


def test_homophones_are_equal():
    # 在 and 再 are both read zai
    assert tokens("再见")[0] == tokens("在")[0] == "zai"
    assert compare("他[laughs]在家", "他[laughs]再家")[0] == {"laughs": Counts(1, 0, 0)}


def test_tokens_by_hand():
    assert tokens("[S1] Don't say <singing>café 3.5，乐</singing> [clear_throat]") == [
        *("dont", "say", "<singing>", "caf", "35", "le", "</singing>", "[clear_throat]"),
    ]


def test_scores_of_a_set_by_hand():
    references = [
        ("a", "hello [laughs] world"),
        ("b", "<singing> la la </singing>"),
        ("c", "so [cough] it goes"),
        ("d", "nothing here"),
    ]
    hypotheses = {"a": "hello [chuckle] world", "b": "<singing> la la </singing>", "d": "nothing here [sigh]"}
    scores = score(references, hypotheses)
    assert (scores.n, scores.missing, scores.odd_tags) == (4, 1, 0)
    assert scores.per_tag == {
        "chuckle": Counts(0, 1, 0),
        "cough": Counts(0, 0, 1),
        "laughs": Counts(0, 0, 1),
        "sigh": Counts(0, 1, 0),
        "singing": Counts(2, 0, 0),
    }
    assert scores.per_category == {
        "BREATHING": Counts(0, 1, 0),
        "COUGH": Counts(0, 0, 1),
        "LAUGH": Counts(1, 0, 0),
        "SINGING": Counts(2, 0, 0),
    }
    assert scores.micro == Counts(2, 2, 2)
    assert (scores.micro.precision, scores.micro.recall, scores.micro.f1) == (0.5, 0.5, 0.5)
    assert scores.macro == Macro(0.2, 0.2, 0.2)
    assert scores.macro21.f1 == pytest.approx(1 / 21)
    assert (scores.discrete, scores.continuous) == (Counts(0, 2, 2), Counts(2, 0, 0))


def test_odd_tags_are_counted():
    assert positions(["</singing>", "a", "<singing>", "<laughing>", "b", "<laughing>"])[1] == 3


WORDS = st.sampled_from(["one", "two", "three", "on", "你", "好", "泥", "x1"])
MARKS = st.sampled_from(
    [tag.text for tag in TAGS[:6]] + ["<singing>", "</singing>", "<laughing>", "</laughing>", "[zzz]"]
)
TEXTS = st.lists(WORDS | MARKS, max_size=14).map(" ".join)


@settings(deadline=None, max_examples=300)
@given(TEXTS, TEXTS)
def test_alignment_gives_the_references_words_and_keeps_every_tag(hypothesis, reference):
    mine, theirs = tokens(hypothesis), tokens(reference)
    aligned = align(mine, theirs)
    assert [t for t in aligned if not is_tag(t)] == [t for t in theirs if not is_tag(t)]
    assert Counter(t for t in aligned if is_tag(t)) == Counter(t for t in mine if is_tag(t))


@settings(deadline=None, max_examples=100)
@given(st.lists(TEXTS, max_size=6))
def test_identity_is_perfect(texts):
    rows = [(str(i), text) for i, text in enumerate(texts)]
    scores = score(rows, dict(rows))
    assert (scores.micro.fp, scores.micro.fn) == (0, 0)
    assert all(c.f1 == 1.0 for c in scores.per_tag.values())


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(TEXTS, st.none() | TEXTS), max_size=6), st.randoms(use_true_random=False))
def test_order_does_not_matter_and_missing_is_empty(pairs, random):
    rows = [(str(i), reference) for i, (reference, _) in enumerate(pairs)]
    answers = {str(i): text for i, (_, text) in enumerate(pairs) if text is not None}
    scores = score(rows, answers)
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert score(shuffled, answers) == scores
    filled = score(rows, {name: answers.get(name, "") for name, _ in rows})
    assert (filled.per_tag, filled.missing) == (scores.per_tag, 0)
