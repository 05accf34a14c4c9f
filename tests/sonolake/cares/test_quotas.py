from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.cares.quotas import deal, deal_evenly, missing, shares

sizes = st.lists(st.integers(0, 120), min_size=1, max_size=4)
quick = settings(deadline=None, max_examples=60)


@quick
@given(st.integers(1, 30), st.integers(0, 400))
def test_missing_gives_the_remainder_to_the_first(width, units):
    assert missing([0] * width, units) == [units // width + (k < units % width) for k in range(width)]


@quick
@given(st.lists(st.integers(0, 40), min_size=1, max_size=12), st.integers(0, 200))
def test_missing_levels_up_and_never_takes_away(counts, units):
    added = missing(counts, units)
    after = [c + a for c, a in zip(counts, added, strict=True)]
    assert sum(added) == units
    assert min(added) >= 0
    raised = [total for total, a in zip(after, added, strict=True) if a]
    assert not raised or max(raised) <= min(after) + 1


@quick
@given(sizes, st.integers(1, 30))
def test_fresh_shares_are_even_in_every_split_and_over_all(rows, width):
    dealt = shares([[0] * width for _ in rows], rows)
    assert [sum(row) for row in dealt] == rows
    for row in dealt:
        assert max(row) - min(row) <= 1
    columns = [sum(row[k] for row in dealt) for k in range(width)]
    assert columns == [sum(rows) // width + (k < sum(rows) % width) for k in range(width)]


@quick
@given(st.integers(2, 30).flatmap(lambda width: st.permutations(range(width))), st.integers(0, 400))
def test_missing_gives_the_remainder_to_whose_turn_it_is(ranks, units):
    width = len(ranks)
    assert missing([0] * width, units, ranks) == [units // width + (rank < units % width) for rank in ranks]


@quick
@given(sizes, st.integers(1, 30), st.randoms(use_true_random=False))
def test_turns_leave_shares_as_even_as_they_are(rows, width, random):
    ranks = [random.sample(range(width), width) for _ in rows]
    of_all = random.sample(range(width), width)
    dealt = shares([[0] * width for _ in rows], rows, ranks, of_all)
    assert [sum(row) for row in dealt] == rows
    assert all(max(row) - min(row) <= 1 for row in dealt)
    assert [sum(column) for column in zip(*dealt, strict=True)] == missing([0] * width, sum(rows), of_all)


def test_a_split_of_one_item_gets_the_value_whose_turn_it_is():
    assert shares([[0] * 4, [0] * 4], [1, 1], [[3, 2, 1, 0], [0, 3, 2, 1]], [0, 3, 2, 1]) == [
        [0, 0, 0, 1],
        [1, 0, 0, 0],
    ]


@quick
@given(sizes, st.integers(2, 30), st.integers(1, 3))
def test_doubling_keeps_all_even(rows, width, times):
    total = [[0] * width for _ in rows]
    for _ in range(times):
        dealt = shares(total, rows)
        assert [sum(row) for row in dealt] == rows
        assert min(min(row) for row in dealt) >= 0
        total = [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(total, dealt, strict=True)]
    columns = [sum(row[k] for row in total) for k in range(width)]
    assert max(columns) - min(columns) <= 1


TRAITS = st.dictionaries(
    st.integers(0, 10_000).map("item-{}".format),
    st.lists(st.sampled_from(["pivot", "verbal", "ambient"]), max_size=3),
    max_size=120,
)


@quick
@given(TRAITS, TRAITS, st.integers(1, 7))
def test_dealt_evenly_the_shares_are_those_of_deal(train, test, width):
    items = {"train": train, "test": {f"other-{item}": traits for item, traits in test.items()}}
    even = deal_evenly(items, range(width), {}, "x")
    plain = deal({split: list(some) for split, some in items.items()}, range(width), {}, "x")
    for some in items.values():
        assert Counter(even[i] for i in some) == Counter(plain[i] for i in some)
    turned = {split: dict(reversed(list(some.items()))) for split, some in reversed(items.items())}
    assert deal_evenly(turned, range(width), {}, "x") == even


def test_dealt_evenly_each_value_has_each_trait_equally_often():
    """60 items of each of two kinds, four values: fifteen of each kind a value, also when half were there before."""
    kinds = {"a": ["loud"], "b": ["soft", "soft"]}
    items = {f"{kind}-{n}": kinds[kind] for kind in kinds for n in range(60)}
    dealt = deal_evenly({"train": items}, "wxyz", {}, "x")
    assert set(Counter((dealt[i], i[0]) for i in items).values()) == {15}
    first = dict(list(items.items())[:60])
    before = deal_evenly({"train": first}, "wxyz", {}, "x")
    rest = {i: t for i, t in items.items() if i not in first}
    later = deal_evenly({"train": rest}, "wxyz", {"train": [(before[i], first[i]) for i in first]}, "x")
    assert set(Counter(({**before, **later}[i], i[0]) for i in items).values()) == {15}


def test_deal_does_not_depend_on_order():
    ids = {"train": [f"t{i}" for i in range(50)], "test": [f"e{i}" for i in range(7)]}
    turned = {"test": ids["test"][::-1], "train": ids["train"][25:] + ids["train"][:25]}
    first = deal(ids, "abc", {}, "x")
    assert first == deal(turned, "abc", {}, "x")
    assert first != deal(ids, "abc", {}, "y")
    assert Counter(first.values()) == {"a": 19, "b": 19, "c": 19}
