"""What people who rated the same things agree on, with each other and with what is held to be right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from sonolake.errors import InvalidInput
from sonolake.scoring.kappa import Kappa, cohen, fleiss

Item = TypeVar("Item", bound=tuple[str, ...])


@dataclass(frozen=True)
class RaterAgreement:
    """What raters agree on.

    Attributes:
        with_right: for each rater, Cohen's kappa with what is held to be right.
        pooled: the same over all ratings; None without any.
        between: Cohen's kappa of every two raters on what both rated; pairs without any are left out.
        all_raters: Fleiss' kappa on what everybody rated; None for one rater or no such item.
        items: how many everybody rated.
    """

    with_right: Mapping[str, Kappa]
    pooled: Kappa | None
    between: Mapping[tuple[str, str], Kappa]
    all_raters: Kappa | None
    items: int


def rater_agreement(
    ratings: Sequence[tuple[str, Mapping[Item, str]]], right: Mapping[Item, str]
) -> RaterAgreement:
    """What raters agree on.

    Args:
        ratings: a rater's name and labels by item, each.
        right: what is held to be right, of every item.

    Raises:
        InvalidInput: for two raters of one name, or an item that ``right`` does not have.
    """
    raters = dict(ratings)
    if len(raters) < len(ratings):
        raise InvalidInput("raters", "a name each", [name for name, _ in ratings])
    by_item: dict[Item, list[str]] = defaultdict(list)
    for rater, labels in raters.items():
        if strange := set(labels) - set(right):
            raise InvalidInput(f"ratings of {rater}", "what these items have", min(strange))
        for item, label in labels.items():
            by_item[item].append(label)
    whole = [labels for labels in by_item.values() if len(labels) == len(raters)]
    pairs = {
        rater: [(right[item], labels[item]) for item in sorted(labels)] for rater, labels in raters.items()
    }
    pooled = [pair for some in pairs.values() for pair in some]
    between = {}
    for one, other in combinations(raters, 2):
        if both := sorted(set(raters[one]) & set(raters[other])):
            between[one, other] = _kappa([(raters[one][item], raters[other][item]) for item in both])
    return RaterAgreement(
        {rater: _kappa(some) for rater, some in pairs.items() if some},
        _kappa(pooled) if pooled else None,
        between,
        fleiss(whole) if len(raters) > 1 and whole else None,
        len(whole),
    )


def _kappa(pairs: list[tuple[str, str]]) -> Kappa:
    return cohen([a for a, _ in pairs], [b for _, b in pairs])
