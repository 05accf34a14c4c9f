"""What went wrong where, for a person who wants to mend it.

A position with a tag on both sides but different ones is a tag taken for another; a tag that is wrong here and missed
near by is displaced; what is left was missed or made up. Word positions in a row are one mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sonolake.wesr.comparing import Compared
from sonolake.wesr.positions import Positions

Kind = Literal["confused", "displaced", "missed", "added"]
CONTEXT = 4
"""Words shown on either side."""


@dataclass(frozen=True)
class Mistake:
    """One mistake.

    Attributes:
        kind: ``confused`` (another tag at this place), ``displaced`` (the same tag, elsewhere), ``missed``, ``added``.
        tag: the reference's tag; for ``added`` the hypothesis's.
        found: the hypothesis's tag where it is another, else empty.
        first, last: positions 0 to 2N, odd ones words, even ones gaps; equal for a gap.
        shift: words from the reference's place to the hypothesis's, where displaced, else 0.
        context: the reference's words around, the place marked: ``hello ‸ world`` or ``a «b c» d``.
    """

    kind: Kind
    tag: str
    found: str
    first: int
    last: int
    shift: int
    context: str


def mistakes(compared: Compared, words: Sequence[str]) -> list[Mistake]:
    """The mistakes of one utterance, by place.

    Args:
        compared: its comparison.
        words: the reference's words as written.
    """
    missed, added = _only(compared.wanted, compared.found), _only(compared.found, compared.wanted)
    found = [*_confused(missed, added), *_displaced(missed, added)]
    found += [Mistake("missed", tag, "", p, p, 0, "") for tag, places in missed.items() for p in places]
    found += [Mistake("added", tag, "", p, p, 0, "") for tag, places in added.items() for p in places]
    ordered = sorted(found, key=lambda m: (m.kind, m.tag, m.found, m.shift, m.first % 2, m.first))
    merged = sorted(_merged(ordered), key=lambda m: (m.first, m.last, m.kind, m.tag, m.found))
    return [replace(m, context=_context(m.first, m.last, words)) for m in merged]


def _only(one: Positions, other: Positions) -> dict[str, set[int]]:
    return {tag: places - other.get(tag, set()) for tag, places in sorted(one.items())}


def _confused(missed: dict[str, set[int]], added: dict[str, set[int]]) -> Iterator[Mistake]:
    """Pairs of different tags at one place, each position of a tag used once; taken out of both."""
    for tag, places in missed.items():
        for place in sorted(places):
            other = next((name for name, theirs in added.items() if name != tag and place in theirs), None)
            if other is not None:
                places.discard(place)
                added[other].discard(place)
                yield Mistake("confused", tag, other, place, place, 0, "")


def _displaced(missed: dict[str, set[int]], added: dict[str, set[int]]) -> Iterator[Mistake]:
    """Gaps of one tag, paired by distance; taken out of both. Words of spans are not paired."""
    for tag, places in missed.items():
        theirs = {place for place in added.get(tag, set()) if place % 2 == 0}
        pairs = [(abs(a - b), a, b) for a in places if a % 2 == 0 for b in theirs]
        for _, a, b in sorted(pairs):
            if a in places and b in theirs:
                places.discard(a)
                theirs.discard(b)
                added[tag].discard(b)
                yield Mistake("displaced", tag, "", a, a, (b - a) // 2, "")


def _merged(ordered: Iterable[Mistake]) -> list[Mistake]:
    """Words in a row with the same mistake made one."""
    merged: list[Mistake] = []
    for one in ordered:
        last = merged[-1] if merged else None
        if last and _goes_on(last, one):
            merged[-1] = replace(last, last=one.first)
        else:
            merged.append(one)
    return merged


def _goes_on(last: Mistake, one: Mistake) -> bool:
    alike = one == replace(last, first=one.first, last=one.first)
    return alike and one.first % 2 == 1 and one.first == last.last + 2


def _context(first: int, last: int, words: Sequence[str]) -> str:
    start, end = first // 2, last // 2 + last % 2
    before, here, after = words[max(0, start - CONTEXT) : start], words[start:end], words[end : end + CONTEXT]
    middle = f"«{' '.join(here)}»" if first % 2 else "‸"
    lead = "… " if start > CONTEXT else ""
    tail = " …" if end + CONTEXT < len(words) else ""
    return lead + " ".join([*before, middle, *after]) + tail
