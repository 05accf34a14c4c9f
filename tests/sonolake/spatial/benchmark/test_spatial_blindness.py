"""Questions that give themselves away are found, others are not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.ids import rng_of
from sonolake.spatial.benchmark import Predictions, Query, Record
from sonolake.spatial.benchmark.blindness import TEXT_MODEL, answers_of, blindness, table, upper_tail
from sonolake.spatial.benchmark.guessing import FREQUENT, READER
from sonolake.spatial.dimensions import DIMENSIONS

CLASSES = ["a dog", "rain", "a door", "the bell", "a tap", "music", "a cough", "steps"]


def question(name, rng, weights=None, texts=CLASSES):
    """A question about classes; with weights the right one is drawn with them, the others are not."""
    right = int(rng.choice(len(texts), p=weights))
    others = rng.permutation([i for i in range(len(texts)) if i != right])[:3]
    place = int(rng.integers(4))
    order = [*map(int, others[:place]), right, *map(int, others[place:])]
    options = {letter: f"One hears {texts[i]}." for letter, i in zip("ABCD", order, strict=True)}
    return Query(name, "What is heard?", options, "ABCD"[place])


def benchmark(seed, spoil=lambda name, rng: question(name, rng), number=900):
    rng = rng_of(seed, "blindness test")
    return [
        Record(f"r{i}", f"c{i}", list(DIMENSIONS)[i % 6], question(f"r{i}/1", rng), spoil(f"r{i}/2", rng))
        for i in range(number)
    ]


def told(records, answers):
    return {TEXT_MODEL: answers_of(Predictions(answers), records)}


def beaten(findings):
    return {(f.predictor, f.dimension) for f in findings if f.beats}


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_fair_questions_give_nothing_away(seed):
    text = benchmark(seed)
    guesses = {(q.question_id, c): "A" for r in text for q, c in ((r.stage_1, ""), (r.stage_2, "predicted"))}
    findings = blindness(text, told(text, guesses))
    assert beaten(findings) == set()
    # four letters, the longest, the most frequent, a reader, a model; stage 1 and six dimensions
    assert len(findings) == 8 * 7
    assert {(f.dimension, f.n) for f in findings} == {("S1", 900), *((d, 150) for d in DIMENSIONS)}


def test_a_favourite_letter_is_found():
    def spoil(name, rng):
        fair = question(name, rng)
        if rng.random() > 0.4:
            return fair
        options = dict(fair.options)
        options["C"], options[fair.answer] = options[fair.answer], options["C"]
        return replace(fair, options=options, answer="C")

    assert {name for name, _ in beaten(blindness(benchmark("c", spoil)))} == {"always C", READER}


def test_a_long_right_option_is_found():
    def spoil(name, rng):
        fair = question(name, rng)
        options = {
            letter: text[:-1] + (", as anyone can hear." if letter == fair.answer else ".")
            for letter, text in fair.options.items()
        }
        return replace(fair, options=options)

    found = beaten(blindness(benchmark("d", spoil)))
    assert {("longest option", d) for d in DIMENSIONS} <= found
    assert ("longest option", "S1") not in found


def test_a_favourite_class_is_found():
    weights = [0.6, *[0.4 / 7] * 7]
    found = beaten(blindness(benchmark("e", lambda name, rng: question(name, rng, weights))))
    assert {d for name, d in found if name == FREQUENT} == set(DIMENSIONS)
    assert {name for name, _ in found} == {FREQUENT, READER}


def test_an_answer_that_follows_from_the_question_is_found_by_the_reader_alone():
    """Each of eight questions has an answer of its own; over all of them no class is right more often than others."""

    def spoil(name, rng):
        fair = question(name, rng)
        said = fair.options[fair.answer]
        return replace(fair, question=f"What follows {CLASSES[(CLASSES.index(said[10:-1]) + 3) % 8]}?")

    found = beaten(blindness(benchmark("i", spoil, 1800)))
    assert found == {(READER, d) for d in DIMENSIONS if d != "AP"}


def test_a_middle_number_is_found_by_the_reader():
    """The right number is never the highest or the lowest one; which it is says nothing."""

    def spoil(name, rng):
        low = int(rng.integers(1, 30))
        order = [int(i) for i in rng.permutation(4)]
        options = {k: f"{low + 3 * place} times" for k, place in zip("ABCD", order, strict=True)}
        return Query(name, "How often?", options, "ABCD"[order.index(int(rng.integers(1, 3)))])

    found = beaten(blindness(benchmark("j", spoil)))
    assert {d for name, d in found if name == READER} == set(DIMENSIONS) - {"AP"}


def test_a_model_that_knows_the_text_is_found_and_common_sense_is_only_reported():
    records = benchmark("f", number=120)
    answers = {(r.stage_2.question_id, "predicted"): r.stage_2.answer for r in records}
    findings = blindness(records, told(records, answers))
    assert beaten(findings) == {(TEXT_MODEL, d) for d in DIMENSIONS if d != "AP"}
    (sense,) = [f for f in findings if (f.predictor, f.dimension) == (TEXT_MODEL, "AP")]
    assert (sense.accuracy, sense.judged) == (1.0, False)
    # stage 1 was not answered: wrong
    assert next(f for f in findings if (f.predictor, f.dimension) == (TEXT_MODEL, "S1")).right == 0


def test_order_does_not_matter():
    records = benchmark("g", number=60)
    assert blindness(records) == blindness(records[::-1])


@pytest.mark.parametrize(
    ("right", "n", "chance", "p"),
    [(0, 5, 0.25, 1.0), (1, 1, 0.25, 0.25), (2, 2, 0.5, 0.25), (3, 4, 0.5, 5 / 16), (4, 4, 0.25, 1 / 256)],
)
def test_tails_by_hand(right, n, chance, p):
    assert upper_tail(right, n, chance) == pytest.approx(p, rel=1e-9)


@given(st.integers(1, 3000), st.data())
def test_tails_fall_with_the_number_that_is_right(n, data):
    right = data.draw(st.integers(0, n - 1))
    more, fewer = upper_tail(right + 1, n, 0.25), upper_tail(right, n, 0.25)
    assert 0.0 <= more <= fewer <= 1.0


def test_the_table_says_what_beats_chance():
    records = benchmark("h", number=120)
    answers = {(r.stage_2.question_id, "predicted"): r.stage_2.answer for r in records}
    lines = table(blindness(records, told(records, answers))).splitlines()
    assert lines[0] == "| Answers without listening, % | S1 | SC | SL | TD | SR | TR | AP |"
    assert lines[2] == "| questions | 120 | 20 | 20 | 20 | 20 | 20 | 20 |"
    assert lines[3].startswith("| chance | 25.0 |")
    assert (
        lines[-1]
        == "| text-only model | 0.0 | 100.0 ! | 100.0 ! | 100.0 ! | 100.0 ! | 100.0 ! | 100.0 (not judged) |"
    )
