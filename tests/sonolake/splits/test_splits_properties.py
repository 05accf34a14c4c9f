"""What must hold for every ledger, held against checks that know nothing of groups: keys and counts."""

from collections import Counter, defaultdict

from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.splits import ASSETS, RECORDED_ROOMS, SIMULATED_ROOMS, TEMPLATES, Member, assign, close_groups

QUOTAS = st.sampled_from([ASSETS, TEMPLATES, SIMULATED_ROOMS, RECORDED_ROOMS])
KEYS = st.frozensets(st.sampled_from([f"key:{n}" for n in range(12)]), max_size=3)
ITEMS = st.dictionaries(st.sampled_from([f"i{n:02}" for n in range(40)]), KEYS, max_size=30)
PAIRS = st.lists(st.tuples(*[st.sampled_from([f"i{n:02}" for n in range(40)])] * 2), max_size=5)


def batch_of(items, stratum="s"):
    return [Member(item, keys, stratum) for item, keys in items.items()]


def grow(batches, quotas, ledger=()):
    rows, aside = list(ledger), []
    for batch in batches:
        assignment = assign("take", batch, rows, quotas)
        rows += assignment.rows
        aside += assignment.set_aside
    return rows, aside


def splits_by_key(rows):
    found = defaultdict(set)
    for row in rows:
        for key in row.keys:
            found[key].add(row.split)
    return found


@settings(deadline=None, max_examples=60)
@given(ITEMS, PAIRS, QUOTAS, st.randoms())
def test_order_repetition_and_sharding_do_not_matter(items, pairs, quotas, random):
    batch = batch_of(items)
    shuffled = [Member(m.item, frozenset({key}), m.stratum) for m in batch for key in m.keys] + batch
    random.shuffle(shuffled)
    turned = [pair[::-1] for pair in pairs]
    random.shuffle(turned)
    assert assign("take", shuffled, [], quotas, turned) == assign("take", batch, [], quotas, pairs)


@settings(deadline=None, max_examples=60)
@given(ITEMS, ITEMS, QUOTAS, st.randoms())
def test_the_order_of_the_ledger_does_not_matter(first, second, quotas, random):
    rows, _ = grow([batch_of(first)], quotas)
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert assign("take", batch_of(second), shuffled, quotas) == assign(
        "take", batch_of(second), rows, quotas
    )


@settings(deadline=None, max_examples=60)
@given(st.lists(ITEMS, max_size=4), QUOTAS)
def test_nobody_moves_nobody_is_lost_and_no_key_straddles(batches, quotas):
    rows = []
    for items in batches:
        before = {row.item: row for row in rows}
        assignment = assign("take", batch_of(items), rows, quotas)
        aside = {line.item for line in assignment.set_aside}
        new = {row.item for row in assignment.rows}
        assert new | aside == set(items) - set(before) and not new & aside
        rows += assignment.rows
        after = Counter(row.item for row in rows)
        assert max(after.values(), default=1) == 1
    assert all(len(splits) == 1 for splits in splits_by_key(rows).values())


@settings(deadline=None, max_examples=60)
@given(ITEMS, QUOTAS)
def test_one_batch_into_an_empty_ledger_sets_nobody_aside(items, quotas):
    assert assign("take", batch_of(items), [], quotas).set_aside == ()


@settings(deadline=None, max_examples=60)
@given(ITEMS, ITEMS, QUOTAS, st.data())
def test_what_leaves_the_lake_keeps_its_place(first, second, quotas, data):
    rows, _ = grow([batch_of(first)], quotas)
    kept = data.draw(st.sets(st.sampled_from(sorted(first)))) if first else set()
    again = [Member(item, first[item], "s") for item in kept]
    with_known = assign(
        "take", [*again, *batch_of({k: v for k, v in second.items() if k not in first})], rows, quotas
    )
    without = assign("take", batch_of({k: v for k, v in second.items() if k not in first}), rows, quotas)
    assert with_known.rows == without.rows and with_known.set_aside == without.set_aside


@settings(deadline=None, max_examples=60)
@given(ITEMS, PAIRS)
def test_groups_are_the_connected_components_of_the_key_graph(items, pairs):
    pairs = [(a, b) for a, b in pairs if a in items and b in items]
    neighbours = {a: {b for b in items if items[a] & items[b]} | {a} for a in items}
    for a, b in pairs:
        neighbours[a].add(b)
        neighbours[b].add(a)
    expected = set()
    for item in items:
        reach, frontier = set(), {item}
        while frontier:
            reach |= frontier
            frontier = set().union(*(neighbours[node] for node in frontier)) - reach
        expected.add(frozenset(reach))
    by_group = defaultdict(set)
    for row in assign("take", batch_of(items), [], ASSETS, pairs).rows:
        by_group[row.group_id].add(row.item)
    assert {frozenset(group) for group in by_group.values()} == expected
    if not pairs:
        clusters = close_groups("take", batch_of(items), [])
        assert {frozenset(m.item for m in cluster.members) for cluster in clusters} == expected


SIZES = st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=12), min_size=1, max_size=5)


@settings(deadline=None, max_examples=80)
@given(st.lists(SIZES, min_size=1, max_size=3), QUOTAS)
def test_quotas_hold_up_to_the_largest_group_after_every_batch(strata, quotas):
    rows = []
    for turn in range(max(len(batches) for batches in strata)):
        batch = [
            Member(f"{s}-{turn}-{g}-{n}", frozenset({f"pack:{s}-{turn}-{g}"}), f"stratum{s}")
            for s, batches in enumerate(strata)
            if turn < len(batches)
            for g, size in enumerate(batches[turn])
            for n in range(size)
        ]
        rows += assign("take", batch, rows, quotas).rows
        for s, batches in enumerate(strata):
            sizes = [size for part in batches[: turn + 1] for size in part]
            check_quotas([row for row in rows if row.stratum == f"stratum{s}"], sizes, quotas)


def check_quotas(rows, sizes, quotas):
    counts, total, largest = Counter(row.split for row in rows), sum(sizes), max(sizes)
    assert sum(counts.values()) == total
    shares = {split: weight / sum(quotas.values()) for split, weight in quotas.items()}
    roomy = min(shares.values()) * total >= largest
    for split, share in shares.items():
        distance = abs(counts[split] - share * total)
        assert distance <= largest + 1e-9 if roomy or len(quotas) == 2 else distance < 2 * largest
    if len(sizes) >= len(quotas):
        assert set(counts) == set(quotas)


THEMES = st.lists(st.integers(0, 8), min_size=10, max_size=60)


@settings(deadline=None, max_examples=100)
@given(st.lists(THEMES, min_size=1, max_size=3))
def test_pooled_a_split_is_within_one_of_its_quota_and_within_two_in_each_stratum(batches):
    rows = []
    for number, themes in enumerate(batches):
        some = [Member(f"b{number}-{n}", frozenset(), f"theme {theme}") for n, theme in enumerate(themes)]
        rows += assign("template", some, rows, TEMPLATES, pooled=True).rows
    in_all, in_each = Counter(r.split for r in rows), Counter((r.stratum, r.split) for r in rows)
    sizes = Counter(row.stratum for row in rows)
    for split, tenths in TEMPLATES.items():
        assert abs(in_all[split] - tenths * len(rows) / 10) <= 1
        if len(batches) == 1:
            assert all(abs(in_each[s, split] - tenths * size / 10) <= 2 for s, size in sizes.items())
