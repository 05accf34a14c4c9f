"""Scoring in both readings: hand-made cases, hand calculations, properties."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import InvalidInput
from sonolake.wesr import published
from sonolake.wesr.align import align
from sonolake.wesr.comparing import compare
from sonolake.wesr.counts import Counts, Rates
from sonolake.wesr.positions import positions
from sonolake.wesr.reading import COMPAT, PAPER, Reading
from sonolake.wesr.scoretext import Options, is_tag, tokens
from sonolake.wesr.scoring import score
from sonolake.wesr.taxonomy import TAGS
from sonolake.wesr.worderrors import WordErrors

CASES = Path(__file__).parents[3].parent / "shared" / "cases" / "wesr_cases.jsonl"


def cases():
    if not CASES.exists() and not os.environ.get("CI"):
        pytest.skip("the shared cases are not here")
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def as_dicts(counts):
    return {name: {"tp": c.tp, "fp": c.fp, "fn": c.fn} for name, c in counts.items()}


def by_place(found):
    places = {}
    for tag, numbers in found.items():
        for number in numbers:
            places.setdefault(str(number), []).append(tag)
    return {place: sorted(tags) for place, tags in places.items()}


def test_hand_made_cases():
    rows = cases()
    assert len(rows) == 81
    wrong = {}
    for row in rows:
        paper = compare(row["reference"], row["hypothesis"])
        compat = compare(row["reference"], row["hypothesis"], COMPAT)
        made = {
            "paper_per_tag": as_dicts(paper.per_tag),
            "per_tag": as_dicts(compat.per_tag),
            "per_category": as_dicts(compat.per_category),
            "ref_positions": by_place(compat.wanted),
            "hyp_positions": by_place(compat.found),
        }
        wrong |= {(row["id"], key): value for key, value in made.items() if value != row[key]}
    assert wrong == {}


def test_a_deleted_word_shifts_later_edits_of_the_published_evaluator():
    # one word too many: the first edit deletes "uh" and leaves a hole; the second then acts one place too far left,
    # on "c" and not on "x"
    reference, hypothesis = tokens("a b c d [cough] e"), tokens("a uh b c x [cough] e")
    assert align(hypothesis, reference) == ["a", "b", "c", "d", "[cough]", "e"]
    assert published.align(hypothesis, reference) == ["a", "b", "d", "[cough]", "[cough]", "e"]


def test_the_last_word_of_a_span_is_left_out_as_published():
    # protocol, step 2: four words; the published evaluator covers three of them, and one of one
    assert positions(tokens("<singing> a b c d </singing>"))[0] == {"singing": {1, 3, 5, 7}}
    assert positions(tokens("<singing> a b c d </singing>"), whole_spans=False)[0] == {"singing": {1, 3, 5}}
    assert positions(tokens("<singing> a </singing>"), whole_spans=False)[0] == {"singing": {1}}


def test_missing_predictions_count_in_one_reading_and_not_in_the_other():
    references = [("a", "one [laughs]"), ("b", "[cough] two")]
    paper, compat = (score(references, {"a": "one [laughs]"}, reading) for reading in (PAPER, COMPAT))
    assert (paper.n, paper.missing, paper.micro) == (2, 1, Counts(1, 0, 1))
    assert (compat.n, compat.missing, compat.micro) == (1, 1, Counts(1, 0, 0))


def test_options_of_the_text():
    def counts(reference, hypothesis, **options):
        return compare(reference, hypothesis, Reading("paper", Options(**options))).per_tag

    assert counts("well-known [sigh] it", "well known [sigh] it", split_words=True) == {
        "sigh": Counts(1, 0, 0)
    }
    assert tokens("well-known", Options(split_words=True)) == ["well", "known"]
    assert tokens("再", Options(exact_characters=True)) == ["再"]
    folded = counts(
        "a [clear_throat] <crying> b </crying>", "a [Clear-Throat] <cry> b </cry>", fold_names=True
    )
    assert folded == {"clear_throat": Counts(1, 0, 0), "crying": Counts(1, 0, 0)}
    with pytest.raises(InvalidInput, match="compat"):
        Reading("compat", Options(split_words=True))


def test_spans_count_all_their_words():
    compared = compare("<singing> one two three four </singing>", "<singing> one two three </singing> four")
    assert (compared.per_tag, compared.odd_tags) == ({"singing": Counts(3, 0, 1)}, 0)


def test_homophones_are_equal():
    # 在 and 再 are both read zai
    assert tokens("再见")[0] == tokens("在")[0] == "zai"
    assert compare("他[laughs]在家", "他[laughs]再家").per_tag == {"laughs": Counts(1, 0, 0)}


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
    assert scores.macro == Rates(0.2, 0.2, 0.2)
    assert scores.macro21.f1 == pytest.approx(1 / 21)
    assert (scores.discrete, scores.continuous) == (Counts(0, 2, 2), Counts(2, 0, 0))
    assert (scores.discrete_macro, scores.continuous_macro) == (Rates(0.0, 0.0, 0.0), Rates(1.0, 1.0, 1.0))
    # "so", "it" and "goes" of the one that is missing
    assert (scores.words, scores.words.rate) == (WordErrors(9, 0, 3, 0), pytest.approx(3 / 9))


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
