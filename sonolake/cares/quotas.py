"""Even shares that stay even when more is added.

A dimension (location, relation, composition, ...) has K values; over all scenarios each value is used
floor(N/K) times, N mod K of them once more. The same holds within each split up to one, and what was dealt
before never changes: a batch is dealt what is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import TypeVar

from sonolake.ids import seed_of

V = TypeVar("V", bound=Hashable)
Traits = Sequence[str]
"""What an item has that its value should say nothing about, such as the reactions of a scene."""


def missing(counts: Sequence[int], units: int, ranks: Sequence[int] = ()) -> list[int]:
    """What to add to ``counts`` so that ``units`` more leave them as even as can be.

    What does not go round goes to the lowest of ``ranks``, one for each count; without any to the lowest index.
    """
    turn = _turn(ranks)
    levels = sorted((count, index) for index, count in enumerate(counts))
    filled, left = list(counts), units
    for used in range(1, len(levels) + 1):
        ceiling = levels[used][0] if used < len(levels) else None
        low = [index for _, index in levels[:used]]
        height = filled[low[0]]
        room = left if ceiling is None else (ceiling - height) * used
        rounds, rest = divmod(min(left, room), used)
        for rank, index in enumerate(sorted(low, key=turn)):
            filled[index] = height + rounds + (rank < rest)
        left -= rounds * used + rest
        if not left:
            break
    return [new - old for new, old in zip(filled, counts, strict=True)]


def shares(
    prior: Sequence[Sequence[int]],
    sizes: Sequence[int],
    ranks: Sequence[Sequence[int]] = (),
    ranks_of_all: Sequence[int] = (),
) -> list[list[int]]:
    """How often each value is dealt in each split.

    Args:
        prior: per split, how often each value was dealt before.
        sizes: per split, how many are dealt now.
        ranks: per split, a rank of each value: what does not go round goes to the lowest; to the lowest index without.
        ranks_of_all: the same for the sums over the splits.

    Returns:
        Per split, counts that sum to ``sizes``. The sums over the splits are those of :func:`missing`; within a
        split the totals differ by at most one, unless the prior counts forbid it.
    """
    width = len(prior[0])
    columns = missing([sum(row[k] for row in prior) for k in range(width)], sum(sizes), ranks_of_all)
    dealt = [[0] * width for _ in sizes]
    rows = list(sizes)
    for s, row in enumerate(prior):
        level = (sum(row) + sizes[s]) // width
        for k in range(width):
            take = max(0, min(level - row[k], columns[k], rows[s]))
            dealt[s][k] += take
            columns[k] -= take
            rows[s] -= take
    extra = _matched(rows, columns, _open_cells(prior, dealt, sizes), ranks)
    for s, k in extra:
        dealt[s][k] += 1
        rows[s] -= 1
        columns[k] -= 1
    for s in range(len(sizes)):
        for k in range(width):
            take = min(rows[s], columns[k])
            dealt[s][k] += take
            rows[s] -= take
            columns[k] -= take
    return dealt


def _open_cells(
    prior: Sequence[Sequence[int]], dealt: Sequence[Sequence[int]], sizes: Sequence[int]
) -> list[list[bool]]:
    """Cells that may take one more without leaving their split uneven."""
    width = len(prior[0])
    return [
        [row[k] + add[k] <= (sum(row) + size) // width for k in range(width)]
        for row, add, size in zip(prior, dealt, sizes, strict=True)
    ]


def _matched(
    rows: Sequence[int], columns: Sequence[int], free: list[list[bool]], ranks: Sequence[Sequence[int]]
) -> set[tuple[int, int]]:
    """A largest set of cells with at most ``rows[s]`` in a row and ``columns[k]`` in a column, one each.

    Augmenting paths (Ford and Fulkerson 1956): a row without a free column lets another row give one up.
    """
    taken: set[tuple[int, int]] = set()
    left = list(columns)
    turns = [_turn(ranks[s] if ranks else ()) for s in range(len(rows))]

    def seat(s: int, seen: set[int]) -> bool:
        for k in sorted(range(len(left)), key=lambda k: (-left[k], turns[s](k))):
            if k in seen or not free[s][k] or (s, k) in taken:
                continue
            seen.add(k)
            if left[k] > 0:
                left[k] -= 1
                taken.add((s, k))
                return True
            for other in range(len(rows)):
                if (other, k) in taken and seat(other, seen):
                    taken.discard((other, k))
                    taken.add((s, k))
                    return True
        return False

    waiting = [(turn, s) for s, need in enumerate(rows) for turn in range(need)]
    full: set[int] = set()
    for _, s in sorted(waiting):
        if s not in full and not seat(s, set()):
            full.add(s)
    return taken


def _turn(ranks: Sequence[int]) -> Callable[[int], int]:
    return ranks.__getitem__ if ranks else lambda index: index


def deal(
    items: Mapping[str, Sequence[str]], values: Sequence[V], prior: Mapping[str, Sequence[V]], purpose: str
) -> dict[str, V]:
    """A value for each item: shares exact, who gets which decided by a hash of the item's id.

    Args:
        items: ids by split; the answer depends on the sets, not on their order.
        values: the dimension's values.
        prior: values dealt before, by split.
        purpose: separates the draws of one dimension from another's.
    """
    dealt: dict[str, V] = {}
    for split, pack in _packs(items, values, prior).items():
        order = sorted(items.get(split, ()), key=lambda item: (seed_of(item, purpose), item))
        flat = [value for value, n in pack.items() for _ in range(n)]
        dealt.update(zip(order, flat, strict=True))
    return dealt


def deal_evenly(
    items: Mapping[str, Mapping[str, Traits]],
    values: Sequence[V],
    prior: Mapping[str, Sequence[tuple[V, Traits]]],
    purpose: str,
) -> dict[str, V]:
    """As :func:`deal`, and no value goes with some trait more often than with another.

    Items with most traits choose first, each the value that its traits had least so far, among those that are left.

    Args:
        items: traits by id by split; a trait is a text, and may come several times.
        values: the dimension's values.
        prior: values dealt before with the traits of the items that got them, by split.
        purpose: separates the draws of one dimension from another's.
    """
    before = {split: [value for value, _ in some] for split, some in prior.items()}
    dealt: dict[str, V] = {}
    for split, left in _packs(items, values, before).items():
        had: Counter[tuple[V, str]] = Counter()
        for value, traits in prior.get(split, ()):
            had.update((value, trait) for trait in traits)
        mine = items.get(split, {})
        for item in sorted(mine, key=lambda item: (-len(mine[item]), seed_of(item, purpose), item)):
            value = _least_had(item, mine[item], left, had, purpose)
            left[value] -= 1
            had.update((value, trait) for trait in mine[item])
            dealt[item] = value
    return dealt


def _least_had(
    item: str, traits: Traits, left: Mapping[V, int], had: Mapping[tuple[V, str], int], purpose: str
) -> V:
    open_values = [value for value, n in left.items() if n]
    costs = {value: sum(had[value, trait] for trait in traits) for value in open_values}
    least = min(costs.values())
    equal = [value for value in open_values if costs[value] == least]
    return max(equal, key=lambda value: (left[value], seed_of(item, f"{purpose} {value}")))


def _packs(
    items: Mapping[str, Collection[str]], values: Sequence[V], prior: Mapping[str, Sequence[V]]
) -> dict[str, dict[V, int]]:
    """How often each value is dealt now, by split."""
    splits = sorted(set(items) | set(prior))
    before = [[list(prior.get(split, ())).count(value) for value in values] for split in splits]
    counts = shares(before, [len(items.get(split, ())) for split in splits])
    return {split: dict(zip(values, row, strict=True)) for split, row in zip(splits, counts, strict=True)}
