"""Scores by hand and of constructed systems; what must not matter does not."""

import json
import xml.dom.minidom
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.errors import InvalidInput
from sonolake.spatial.benchmark import Predictions, Record, score
from sonolake.spatial.benchmark.figures import figures
from sonolake.spatial.benchmark.tables import as_json, rendered
from sonolake.spatial.dimensions import DIMENSIONS


@pytest.fixture(scope="module")
def five(make_query):
    """Five records of four clips; right letters and facts by hand."""
    keys = ["AB", "AB", "CD", "CD", "AA"]
    known = [("simulated", 1, 1.0), ("simulated", 2, 3.99), ("recorded", 2, 4.0), ("recorded", 5, 9.0)]
    facts = [*known, ("", None, None)]
    return [
        Record(
            f"r{i}", f"c{min(i, 3)}", dim, make_query(f"r{i}/1", key[0]), make_query(f"r{i}/2", key[1]), *fact
        )
        for i, (dim, key, fact) in enumerate(zip(["SC", "SC", "SL", "TR", "TR"], keys, facts, strict=True))
    ]


ANSWERS = {
    ("r0/1", ""): "A",
    ("r0/2", "predicted"): "B",
    ("r1/1", ""): "A",
    ("r1/2", "predicted"): "C",
    ("r2/1", ""): "B",
    ("r2/2", "predicted"): "D",
    ("r3/1", ""): "(C) the cat",
    ("r3/2", "predicted"): "final answer: (D)",
    ("r4/2", "predicted"): "no idea",
}


def values(accuracy):
    return accuracy.n, accuracy.stage_1.value, accuracy.stage_2.value, accuracy.grounded.value


def test_scores_by_hand(five):
    card = score("x", five, Predictions(ANSWERS), 100)
    assert values(card.overall) == (5, 0.6, 0.6, 0.4)
    assert (card.n, card.missing, card.unreadable, card.context) == (5, 1, 1, "predicted")
    assert values(card.per_dimension["SC"]) == (2, 1.0, 0.5, 0.5)
    assert values(card.per_dimension["SL"]) == (1, 0.0, 1.0, 0.0)
    assert values(card.per_dimension["TR"]) == (2, 0.5, 0.5, 0.5)
    assert values(card.per_dimension["AP"]) == (0, 0.0, 0.0, 0.0)
    assert {name: values(a) for name, a in card.per_origin.items()} == {
        "simulated": (2, 1.0, 0.5, 0.5),
        "recorded": (2, 0.5, 1.0, 0.5),
    }
    assert {name: values(a) for name, a in card.per_concurrency.items()} == {
        "1": (1, 1.0, 1.0, 1.0),
        "2": (2, 0.5, 0.5, 0.0),
        "3+": (1, 1.0, 1.0, 1.0),
    }
    assert {name: values(a) for name, a in card.per_distance.items()} == {
        "near": (2, 1.0, 0.5, 0.5),
        "far": (2, 0.5, 1.0, 0.5),
    }


def test_stage_1_serves_all_contexts_unless_one_has_its_own(five):
    answers = {
        ("r0/1", ""): "A",
        ("r0/1", "oracle"): "B",
        ("r0/2", "no"): "C",
        ("r0/2", "predicted"): "B",
        ("r0/2", "oracle"): "B",
    }
    card = score("x", five[:1], Predictions(answers), 0)
    found = {name: values(a)[1:] for name, a in card.contexts.items()}
    assert found == {"no": (1, 0, 0), "predicted": (1, 1, 1), "oracle": (0, 1, 0)}
    assert card.context == "predicted"


def test_the_oracle_is_always_right(records, answering):
    card = score("oracle", records, answering(records, lambda q: f"Final answer: ({q.answer})"), 200)
    whole = card.overall
    assert values(whole) == (600, 1.0, 1.0, 1.0)
    assert (whole.grounded.low, whole.grounded.high) == (1.0, 1.0)
    assert all(values(card.per_dimension[d]) == (100, 1.0, 1.0, 1.0) for d in DIMENSIONS)


def test_always_a_is_at_chance(records, answering):
    overall = score("a", records, answering(records, lambda _: "A"), 500).overall
    # of 600 records 1/4, and 1/16 grounded; the band is four standard errors
    assert overall.stage_1.value == pytest.approx(1 / 4, abs=4 * (3 / 16 / 600) ** 0.5)
    assert overall.stage_2.value == pytest.approx(1 / 4, abs=4 * (3 / 16 / 600) ** 0.5)
    assert overall.grounded.value == pytest.approx(1 / 16, abs=4 * (15 / 256 / 600) ** 0.5)
    for one in (overall.stage_1, overall.stage_2, overall.grounded):
        assert one.low <= one.value <= one.high
    # a binomial interval of 600 draws at 1/4 is 0.035 to each side
    assert overall.stage_2.half_width == pytest.approx(0.035, abs=0.007)


def test_nothing_answered_is_all_wrong(records):
    card = score("nothing", records, Predictions({}), 0)
    assert values(card.overall) == (600, 0.0, 0.0, 0.0)
    assert card.missing == 1200


SAID = st.none() | st.sampled_from(["A", "B", "(C)", "Final answer: D", "no idea", ""])


@given(st.lists(st.tuples(SAID, SAID), min_size=12, max_size=12), st.randoms(use_true_random=False))
def test_order_does_not_matter_and_grounded_is_at_most_either(records, answers, random):
    some = records[:12]
    said = {}
    for record, (one, two) in zip(some, answers, strict=True):
        said |= {(record.stage_1.question_id, ""): one} if one is not None else {}
        said |= {(record.stage_2.question_id, "predicted"): two} if two is not None else {}
    card = score("x", some, Predictions(said), 50)
    shuffled, pairs = list(some), list(said.items())
    random.shuffle(shuffled)
    random.shuffle(pairs)
    assert score("x", shuffled, Predictions(dict(pairs)), 50) == card
    whole = card.overall
    assert whole.grounded.value <= min(whole.stage_1.value, whole.stage_2.value)
    total = sum(a.grounded.value * a.n for a in card.per_dimension.values())
    assert total == pytest.approx(whole.grounded.value * whole.n)


@given(st.lists(SAID, min_size=24, max_size=24), st.integers(0, 23))
def test_a_missing_answer_is_a_wrong_one(records, answers, gone):
    some = records[:12]
    keys = [key for r in some for key in ((r.stage_1.question_id, ""), (r.stage_2.question_id, "predicted"))]
    said = {key: text for key, text in zip(keys, answers, strict=True) if text is not None}
    without = {key: text for key, text in said.items() if key != keys[gone]}
    record = some[gone // 2]
    right = (record.stage_2 if gone % 2 else record.stage_1).answer
    wrong = said | {keys[gone]: next(letter for letter in "ABCD" if letter != right)}
    missing, mistaken = (score("x", some, Predictions(each), 0) for each in (without, wrong))
    assert missing.overall == mistaken.overall


def test_records_have_different_names(records):
    with pytest.raises(InvalidInput, match="of its own name"):
        score("x", [records[0], replace(records[1], record_id="r0")], Predictions({}))


def test_letters_beyond_the_options_are_unreadable(make_query, five):
    two = replace(make_query("r0/1", "A"), options={"A": "yes", "B": "no"})
    card = score("x", [replace(five[0], stage_1=two)], Predictions({("r0/1", ""): "C"}), 0)
    assert (card.unreadable, card.missing) == (1, 1)


def test_json_has_fractions_with_intervals(five):
    made = json.loads(json.dumps(as_json(score("x", five, Predictions(ANSWERS), 50))))
    assert (made["system"], made["n"], made["missing"], made["unreadable"]) == ("x", 5, 1, 1)
    assert made["overall"]["grounded"]["value"] == 0.4
    assert set(made["overall"]["stage_1"]) == {"value", "low", "high"}
    assert set(made["per_dimension"]) == set(DIMENSIONS)
    assert made["contexts"]["predicted"]["stage_2"]["value"] == 0.6


def test_tables_are_shaped_like_the_papers(five, records, answering):
    cards = [score("mine_1", five, Predictions(ANSWERS), 0), score("blind", five, Predictions({}), 0)]
    made = rendered(cards, "markdown").splitlines()
    assert made[2] == "| System | Context | A_S1 | A_S2 | A_GS2 | SC | SL | TD | SR | TR | AP |"
    assert made[4].startswith(
        "| mine_1 | predicted | **60.00** | **60.00** | **40.00** | **50.00** / **50.00** | **100.00** / **0.00** |"
    )
    assert "| System | simulated (2) | recorded (2) |" in made
    assert "| System | near (2) | far (2) |" in made
    latex = rendered(cards, "latex")
    assert r"mine\_1 & predicted & \textbf{60.00}" in latex
    assert latex.count(r"\begin{tabular}") == 4
    several = Predictions(answering(records, lambda q: q.answer).answers | {("r0/2", "no"): "A"})
    assert "| System | no context | predicted context | oracle context |" in rendered(
        [score("x", records, several, 0)], "markdown"
    )


def test_figures_are_svg_with_a_bar_a_group_and_system(five):
    cards = [score("<mine>", five, Predictions(ANSWERS), 50), score("blind", five, Predictions({}), 50)]
    made = figures(cards)
    assert set(made) == {"dimension", "origin", "concurrency", "distance"}
    for name, groups in {"dimension": 6, "origin": 2, "concurrency": 3, "distance": 2}.items():
        drawing = xml.dom.minidom.parseString(made[name])
        bars = [r for r in drawing.getElementsByTagName("rect") if r.getElementsByTagName("title")]
        assert len(bars) == 2 * groups
    first = xml.dom.minidom.parseString(made["origin"]).getElementsByTagName("rect")[1]
    assert float(first.getAttribute("height")) == pytest.approx(240 * 0.5)
    assert "by origin" in made["origin"]
