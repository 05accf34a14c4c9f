"""Ranked lists made one.

Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): an asset's score is the sum of
``1 / (60 + rank)`` over the lists it is in, ranks counted from 1. It needs no common scale of distances.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

RRF_K = 60
"""The constant of the paper's equation, as its authors fixed it."""


@dataclass(frozen=True)
class Window:
    """An asset's nearest window to one query.

    Args:
        asset_id: the asset.
        distance: see :data:`sonolake.lake.vectors.METRICS`.
        start_s: the window's start in seconds; None for a whole asset's text.
        end_s: its end in seconds.
    """

    asset_id: str
    distance: float
    start_s: float | None = None
    end_s: float | None = None


@dataclass(frozen=True)
class Finding:
    """What one query says of an asset: its place in that query's list, from 1, and its nearest window."""

    query: str
    rank: int
    window: Window


@dataclass(frozen=True)
class Fused:
    """An asset with its score and the findings behind it, in the order of the lists."""

    asset_id: str
    score: float
    findings: tuple[Finding, ...]

    @property
    def window(self) -> Window | None:
        """The window of the best ranked finding that has a time; None when only texts were found."""
        timed = [finding for finding in self.findings if finding.window.start_s is not None]
        return min(timed, key=lambda finding: finding.rank).window if timed else None


def fuse(lists: Mapping[str, Sequence[Window]]) -> list[Fused]:
    """Every asset of the ranked ``lists`` (by query, nearest first, an asset once in each), best first.

    Of equal scores the asset that the first list ranks higher comes first, then the second list, then the id.
    """
    found: dict[str, list[Finding]] = {}
    for query, windows in lists.items():
        for rank, window in enumerate(windows, start=1):
            found.setdefault(window.asset_id, []).append(Finding(query, rank, window))
    fused = [
        Fused(asset_id, math.fsum(1 / (RRF_K + finding.rank) for finding in findings), tuple(findings))
        for asset_id, findings in found.items()
    ]
    return sorted(fused, key=lambda one: (-one.score, *_ranks(one, list(lists)), one.asset_id))


def _ranks(one: Fused, queries: Sequence[str]) -> list[float]:
    ranks = {finding.query: finding.rank for finding in one.findings}
    return [ranks.get(query, math.inf) for query in queries]
