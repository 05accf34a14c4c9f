"""One dimension a clip, all six equally frequent: a small assignment problem, solved exactly.

Clips with several possible dimensions give way to those with one, along augmenting paths over the six dimensions
(Ford and Fulkerson 1956, with dimensions as the nodes).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from sonolake.ids import seed_of
from sonolake.spatial.dimensions import DIMENSIONS

FEW = 10
"""With fewer clips than this in each dimension all are asked, equal within one; larger sets are exactly equal."""


def balance(possible: Mapping[str, Sequence[str]], wanted: Mapping[str, str] | None = None) -> dict[str, str]:
    """Dimension of each clip: all frequencies equal; in small sets within one, where that lets every clip be asked.

    Args:
        possible: the dimensions that each clip can be asked.
        wanted: the dimension that a clip should have if possible.

    Returns:
        An assignment of as many clips as the balance allows; the rest is left out. It depends on the ids,
        not on their order.
    """
    order = {
        clip: _wish_first(possible[clip], (wanted or {}).get(clip, "")) for clip in possible if possible[clip]
    }
    clips = sorted(order, key=lambda c: (seed_of(c, "balance"), c))
    for quota in range(len(clips) // len(DIMENSIONS), -1, -1):
        members = _assign(clips, order, wanted or {}, quota)
        if all(len(inside) == quota for inside in members.values()):
            break
    equal = _by_clip(members)
    if quota >= FEW:
        return equal
    for clip in clips:
        if clip not in equal:
            _augment(clip, order, members, quota + 1)
    everyone = _by_clip(members)
    return everyone if len(everyone) == len(clips) or not quota else equal


def _wish_first(names: Sequence[str], wish: str) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: (name != wish, list(DIMENSIONS).index(name))))


def _by_clip(members: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {clip: name for name, inside in members.items() for clip in inside}


def _assign(
    clips: Sequence[str], possible: Mapping[str, Sequence[str]], wanted: Mapping[str, str], quota: int
) -> dict[str, list[str]]:
    """Clips of each dimension, as many as fit when none may have more than ``quota``."""
    members: dict[str, list[str]] = {name: [] for name in DIMENSIONS}
    later = []
    for clip in clips:
        wish = wanted.get(clip, "")
        if wish in possible[clip] and len(members[wish]) < quota:
            members[wish].append(clip)
        else:
            later.append(clip)
    for clip in later:
        _augment(clip, possible, members, quota)
    return members


def _augment(
    clip: str, possible: Mapping[str, Sequence[str]], members: dict[str, list[str]], quota: int
) -> None:
    """Make room for one clip by moving others along a shortest path of dimensions, if there is one."""
    came: dict[str, tuple[str, str]] = dict.fromkeys(possible[clip], ("", clip))
    queue = deque(came)
    while queue:
        name = queue.popleft()
        if len(members[name]) < quota:
            _shift(name, came, members)
            return
        for mover in members[name]:
            for target in possible[mover]:
                if target not in came:
                    came[target] = (name, mover)
                    queue.append(target)


def _shift(name: str, came: Mapping[str, tuple[str, str]], members: dict[str, list[str]]) -> None:
    while name:
        source, mover = came[name]
        if source:
            members[source].remove(mover)
        members[name].append(mover)
        name = source
