"""Pairs of sounds of different groups that are alike, found by their fingerprints."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from sonolake.audio.fingerprint import LENGTHS_APART, length_scale, outline, similarity

ALIKE = 0.5
"""From this similarity on, two sounds are told: of 11,000 pairs of made-up sounds of equal length 4 are so alike."""
OUTLINES_DB = 4.0
"""Twice what outlines of one recording are apart: pairs beyond it are not compared whole."""


def near_pairs(
    prints: Mapping[str, str], groups: Mapping[str, Collection[str]], least: float = ALIKE
) -> list[tuple[str, str, float]]:
    """Pairs of names, the smaller first, and how alike their sounds are (0 to 1), in the order of names.

    Only sounds of about equal length whose outlines are near are compared whole; see
    :mod:`sonolake.audio.fingerprint`.

    Args:
        prints: fingerprints by name; empty ones are left out.
        groups: the groups that each sound is in, such as splits; a pair of one and the same group is left out.
        least: the least similarity.

    Raises:
        InvalidInput: for text that is no fingerprint.
    """
    names = sorted(
        (name for name, text in prints.items() if text), key=lambda n: (length_scale(prints[n]), n)
    )
    if not names:
        return []
    scales = np.array([length_scale(prints[name]) for name in names])
    outlines = np.stack([outline(prints[name]) for name in names])
    bits = {
        group: 1 << number for number, group in enumerate(sorted({g for s in groups.values() for g in s}))
    }
    masks = np.array([sum(bits[group] for group in set(groups[name])) for name in names])
    found = []
    for at, name in enumerate(names):
        last = int(np.searchsorted(scales, scales[at] + LENGTHS_APART, "right"))
        both = masks[at + 1 : last] | masks[at]
        others = at + 1 + np.flatnonzero(both & (both - 1))
        near = np.abs(outlines[others] - outlines[at]).mean(axis=1) <= OUTLINES_DB
        for other in (names[number] for number in others[near].tolist()):
            alike = similarity(prints[name], prints[other], least)
            if alike >= least:
                found.append((*sorted((name, other)), alike))
    return sorted(found)
