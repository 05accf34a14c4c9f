"""Scores of constructed systems, whose values are known beforehand."""

import random

import pytest

from sonolake.cares.benchmark import Item, LiteralMatcher, Predictions, better_than, score_system
from sonolake.cares.benchmark.controls import mcnemar
from sonolake.cares.benchmark.scoring import mark, score_choices, score_reactions
from sonolake.cares.records import REACTIONS


def reactions_of(counts, answers):
    """Items with a right reaction, and predictions: ``answers[(right, chosen)]`` of each."""
    items, said = [], {}
    for right, n in counts.items():
        chosen = [c for (r, c), k in answers.items() if r == right for _ in range(k)]
        assert len(chosen) <= n
        for i in range(n):
            item = Item(f"{right}-{i}", "reactions", f"scene-{right}-{i}", "e", 1.0, REACTIONS, right)
            items.append(item)
            if i < len(chosen):
                said[item.item_id, 0] = chosen[i]
    return items, said


def scored(counts, answers, resamples=0):
    items, said = reactions_of(counts, answers)
    return score_reactions(mark(items, said), resamples)


def test_the_oracle_is_always_right(items, answering, oracle):
    card = score_system("oracle", items, answering(items, oracle), LiteralMatcher(), resamples=100)
    assert (
        card.reactions.overall.value == card.reactions.accuracy.value == card.reactions.macro_f1.value == 1.0
    )
    assert card.scene.overall.value == card.sounds.overall.value == 1.0
    assert (card.reactions.overall.low, card.scene.overall.high) == (1.0, 1.0)
    assert card.summaries[200].overall.value == 1.0
    assert (card.reactions.missing, card.reactions.unreadable) == (0, 0)


@pytest.mark.parametrize("always", REACTIONS)
def test_one_class_for_everything_is_a_quarter(items, answering, always):
    card = score_system("one", items, answering(items, lambda i, b: always), LiteralMatcher(), resamples=100)
    assert card.reactions.overall.value == 0.25
    assert (card.reactions.overall.low, card.reactions.overall.high) == (0.25, 0.25)
    share = sum(i.answer == always for i in items if i.task == "reactions") / card.reactions.n
    assert card.reactions.accuracy.value == pytest.approx(share)
    assert card.reactions.per_class[always].precision.value == pytest.approx(share)


def test_a_random_system_lies_within_its_interval(items, answering):
    """Chance is a quarter in every task: in 90 of 100 seeds at least within the 95 % interval."""
    few = {f"scene-{n}" for n in range(200)}
    asked = [i for i in items if i.task in ("reactions", "scene", "sounds") and i.scene_id in few]
    inside = dict.fromkeys(("reactions", "scene", "sounds"), 0)
    for seed in range(100):
        rng = random.Random(seed)
        answers = answering(asked, lambda item, b: rng.choice(item.options))  # noqa: B023
        card = score_system("random", asked, answers, LiteralMatcher(), resamples=400)
        for task in inside:
            score = getattr(card, task).overall
            inside[task] += score.low <= 0.25 <= score.high
    assert all(n >= 90 for n in inside.values()), inside


def test_the_papers_figures_give_its_average():
    """Qwen3-Omni in CARES: recalls 89.5, 41.7, 24.2 and 0.5 %; its balanced accuracy is given as 39.0 %."""
    recalls = {"pivot": 895, "verbal": 417, "behavioral": 242, "ambient": 5}
    answers = {(r, r): k for r, k in recalls.items()}
    made = scored(dict.fromkeys(recalls, 1000), answers)
    assert f"{100 * made.overall.value:.1f}" == "39.0"
    assert made.missing == 4000 - sum(recalls.values())


def test_the_papers_precisions_follow_from_counts():
    """A table of counts with the paper's sounds, precisions (27.0, 33.6, 41.5, 75.0 %) and recalls to 0.1 %."""
    counts = {"pivot": 331, "verbal": 663, "behavioral": 665, "ambient": 665}
    right = dict(zip(REACTIONS, (296, 276, 161, 3), strict=True))
    wrong = {
        ("pivot", "verbal"): 35,
        ("verbal", "pivot"): 300,
        ("verbal", "behavioral"): 87,
        ("behavioral", "pivot"): 300,
        ("behavioral", "verbal"): 200,
        ("behavioral", "ambient"): 1,
        ("behavioral", "?"): 3,
        ("ambient", "pivot"): 200,
        ("ambient", "verbal"): 310,
        ("ambient", "behavioral"): 140,
        ("ambient", "?"): 12,
    }
    made = scored(counts, {(r, r): k for r, k in right.items()} | wrong)
    said = {name: (100 * one.precision.value, 100 * one.recall.value) for name, one in made.per_class.items()}
    assert said == {
        "pivot": (pytest.approx(27.0, abs=0.05), pytest.approx(89.5, abs=0.1)),
        "verbal": (pytest.approx(33.6, abs=0.05), pytest.approx(41.7, abs=0.1)),
        "behavioral": (pytest.approx(41.5, abs=0.05), pytest.approx(24.2, abs=0.1)),
        "ambient": (pytest.approx(75.0, abs=0.05), pytest.approx(0.5, abs=0.1)),
    }
    assert (made.missing, made.unreadable) == (0, 15)
    assert 100 * made.overall.value == pytest.approx(39.0, abs=0.1)


def test_by_hand():
    """2 pivot (both right), 2 verbal (one right, one called pivot), 1 ambient (unreadable), no behavioral."""
    counts = {"pivot": 2, "verbal": 2, "ambient": 1}
    made = scored(
        counts, {("pivot", "pivot"): 2, ("verbal", "verbal"): 1, ("verbal", "pivot"): 1, ("ambient", "?"): 1}
    )
    assert made.overall.value == pytest.approx((1 + 0.5 + 0) / 3)
    assert made.accuracy.value == pytest.approx(3 / 5)
    assert made.unreadable == 1
    assert made.per_class["pivot"].precision.value == pytest.approx(2 / 3)
    assert made.per_class["pivot"].f1.value == pytest.approx(0.8)
    assert made.per_class["verbal"].f1.value == pytest.approx(2 / 3)
    assert made.macro_f1.value == pytest.approx((0.8 + 2 / 3 + 0) / 3)
    assert made.per_class["behavioral"].n == 0


def test_an_interval_of_single_items_is_the_binomial_one():
    """CARES, section 7: 65 % of 1,000 scenes is given as ±3: 1.96 sqrt(0.65 x 0.35 / 1000) = 2.96."""
    items = [Item(f"i{n}", "scene", f"s{n}", "", None, ("a", "b", "c", "d"), "a") for n in range(1000)]
    said = {(f"i{n}", 0): "a" if n < 650 else "b" for n in range(1000)}
    made = score_choices(mark(items, said), 2000)
    assert made.overall.value == 0.65
    assert 100 * made.overall.half_width == pytest.approx(2.96, abs=0.2)


def test_items_of_one_scene_are_drawn_together():
    """Ten scenes of ten items that are all right or all wrong are ten draws, not a hundred."""
    items = [Item(f"i{n}", "sounds", f"s{n // 10}", "", 1.0, ("a", "b"), "a") for n in range(100)]
    said = {(f"i{n}", 0): "a" if n // 10 < 5 else "b" for n in range(100)}
    made = score_choices(mark(items, said), 2000)
    assert made.overall.half_width == pytest.approx(1.96 * 0.5 / 10**0.5, abs=0.04)


def test_intervals_depend_on_no_order(items, answering, oracle):
    rng = random.Random(1)
    answers = answering(items, lambda i, b: rng.choice(i.options) if i.options else "")
    shuffled = list(items)
    random.Random(2).shuffle(shuffled)
    one = score_system("x", items, answers, LiteralMatcher(), resamples=200)
    assert score_system("x", shuffled, answers, LiteralMatcher(), resamples=200) == one


def test_what_is_missing_or_unreadable_is_wrong(items):
    asked = [i for i in items if i.task == "scene"][:100]
    said = {(i.item_id, 0): i.answer for i in asked[:50]} | {
        (i.item_id, 0): "somewhere" for i in asked[50:80]
    }
    made = score_choices(mark(asked, said), 0)
    assert (made.n, made.missing, made.unreadable, made.overall.value) == (100, 20, 30, 0.5)


def test_a_task_without_answers_has_no_score(items):
    card = score_system("nothing", items, Predictions({}), LiteralMatcher(), resamples=10)
    assert (card.reactions, card.scene, card.sounds, card.muted, card.summaries) == (
        None,
        None,
        None,
        None,
        {},
    )


@pytest.mark.parametrize(
    ("one", "other", "p"),
    [(0, 0, 1.0), (5, 5, 1.0), (10, 2, 2 * (1 + 12 + 66) / 4096), (0, 6, 2 / 64), (2, 10, 158 / 4096)],
)
def test_mcnemar(one, other, p):
    assert mcnemar(one, other) == pytest.approx(p)


def test_the_muted_control(items, answering, oracle):
    """Who needs the sound: right with it, always 'ambient' without."""
    answers = answering(items, lambda i, b: "ambient" if i.task == "muted" else oracle(i, b))
    control = score_system("hears", items, answers, LiteralMatcher(), resamples=200).muted
    n = sum(i.task == "reactions" for i in items)
    ambient = sum(i.task == "reactions" and i.answer == "ambient" for i in items)
    assert (control.n, control.only_with, control.only_without) == (n, n - ambient, 0)
    assert (control.with_sound.value, control.without_sound.value, control.change.value) == (1.0, 0.25, 0.75)
    assert control.p < 1e-100
    same = score_system("deaf", items, answering(items, oracle), LiteralMatcher(), resamples=200).muted
    assert (same.change.value, same.p) == (0.0, 1.0)


def test_better_than_the_control(items, answering, oracle):
    asked = [i for i in items if i.task != "muted"]
    rng = random.Random(3)
    deaf = score_system(
        "text",
        asked,
        answering(asked, lambda i, b: rng.choice(i.options) if i.options else "Nothing."),
        LiteralMatcher(),
        200,
    )
    best = score_system("oracle", asked, answering(asked, oracle), LiteralMatcher(), 200)
    assert better_than(best, deaf, 200) == set(best.sums)
    assert better_than(deaf, best, 200) == better_than(deaf, deaf, 200) == frozenset()
