"""Distances that are asked about say nothing of the answer."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.ids import rng_of
from sonolake.spatial.distances import comparable, distance_pairs, false_pair, still
from sonolake.spatial.records import ClipEvent


def scene(*distances):
    return [ClipEvent(f"class {n}", n, n + 0.5, 0.0, 0.0, d) for n, d in enumerate(distances)]


def exchanged(world, truths, name):
    """How often each pair was the true one and how often the false one."""
    true, false = Counter(), Counter()
    for number in range(truths):
        rng = rng_of(f"{name}-{number}", "truth")
        truth = world.values[int(rng.choice(len(world.values), p=world.weights))]
        if (other := false_pair(world, truth, rng)) is not None:
            true[truth] += 1
            false[other] += 1
    return true, false


def test_no_pair_is_more_often_true_than_false():
    # Small distances are usual, large ones rare: independent draws would make the usual ones true too often.
    distances = [(0.8 + 0.05 * i, 1.3 + 0.11 * j) for i in range(12) for j in range(12 - i)]
    world = distance_pairs([scene(*pair) for pair in distances] + [scene(1.0, 2.0)] * 40)
    true, false = exchanged(world, 6000, "usual")
    assert true.total() > 3000
    seen = true.keys() | false.keys()
    chi_square = sum((true[p] - false[p]) ** 2 / (true[p] + false[p]) for p in seen)
    # Mean and standard deviation of chi-square with as many degrees of freedom as pairs.
    assert chi_square < len(seen) + 4 * (2 * len(seen)) ** 0.5


metres = st.floats(0.3, 9.0).map(lambda d: round(d, 2))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(metres, min_size=2, max_size=4), min_size=1, max_size=12), st.integers(0, 99))
def test_a_false_pair_is_in_order_and_differs_from_the_true_one(rooms, seed):
    world = distance_pairs([scene(*room) for room in rooms])
    assert not world.values or abs(sum(world.weights) - 1) < 1e-9
    for truth in world.values:
        other = false_pair(world, truth, rng_of(str(seed), "other"))
        if other is not None:
            assert 0 < other[0] < other[1]
            assert max(max(a, b) / min(a, b) for a, b in zip(truth, other, strict=True)) >= 1.25


def test_only_clearly_different_distances_of_what_stays_are_compared():
    moving = ClipEvent("steps", 1, 2, 0.0, 0.0, 5.0, moving=True)
    assert still([*scene(1.0, 1.14), moving]) == {"class 0": 1.0, "class 1": 1.14}
    assert comparable({"a": 1.0, "b": 1.14, "c": 1.15}) == [("a", "c")]
    # 0.31 and 0.26 differ by 19 %, and both are written 0.3.
    assert comparable({"a": 0.26, "b": 0.31}) == []
