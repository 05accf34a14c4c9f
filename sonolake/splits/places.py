"""Places in the sequences of splits: which ones to fill, so that what is there stays and the number is reached."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count, islice


def free_places(
    total: int, goal: Mapping[str, int], taken: Mapping[str, Collection[int]]
) -> dict[str, list[int]]:
    """The places to fill in each split for ``total`` things in all; none when there are as many.

    Args:
        total: how many in all, those that are there included.
        goal: how many each split should have; splits that cannot be filled are left out.
        taken: the places of the things that are there, by split; what is taken never moves.

    Returns:
        By split the first free places, from 0; the splits that lack most are filled first.
    """
    counts = {name: len(taken.get(name, ())) for name in goal}
    more = dict.fromkeys(goal, 0)
    for _ in range(total - sum(map(len, taken.values()))):
        name = max(goal, key=lambda name: (goal[name] - counts[name] - more[name], name))
        more[name] += 1
    return {
        name: list(islice((n for n in count() if n not in taken.get(name, ())), more[name])) for name in goal
    }
