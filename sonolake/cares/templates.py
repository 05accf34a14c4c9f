"""The embedded writer of templates: situations combined from the bank, without a model."""

from __future__ import annotations

from itertools import permutations, product

from sonolake.cares.banks import Banks, Situation
from sonolake.cares.phrases import capitalise
from sonolake.cares.records import Template
from sonolake.errors import InvalidInput
from sonolake.ids import seed_of


def write_templates(n: int, banks: Banks) -> tuple[Template, ...]:
    """The first ``n`` templates of the bank, all distinct; asking for more keeps the first ones.

    Themes take turns; within a theme every thing and trouble comes once before a pair of remedies changes.

    Raises:
        InvalidInput: when the bank has fewer.
    """
    themes = _by_turns(banks.situations)
    decks = [_combinations(situation) for situation in themes]
    most = min(map(len, decks)) * len(decks)
    if not 0 <= n <= most:
        raise InvalidInput("templates", f"0 to {most} with these situations", n, "add situations to the bank")
    return tuple(
        _template(themes[i % len(themes)], *decks[i % len(themes)][i // len(themes)]) for i in range(n)
    )


def _by_turns(situations: tuple[Situation, ...]) -> list[Situation]:
    """Situations so that a category comes again only after all others had their turn."""
    seen: dict[str, int] = {}
    ranked = []
    for index, situation in enumerate(situations):
        turn = seen.get(situation.category, 0)
        seen[situation.category] = turn + 1
        ranked.append((turn, index, situation))
    return [situation for _, _, situation in sorted(ranked, key=lambda row: row[:2])]


def _combinations(situation: Situation) -> list[tuple[str, str, str, str]]:
    """Thing, trouble and two remedies, in a fixed order that looks arbitrary."""
    matters = [(thing, trouble) for thing, troubles in situation.things for trouble in troubles]
    matters.sort(key=lambda pair: seed_of(" ".join(pair), situation.theme))
    pairs = sorted(
        permutations(situation.fixes, 2), key=lambda pair: seed_of(" ".join(pair), situation.theme)
    )
    return [(*matter, *pair) for pair, matter in product(pairs, matters)]


def _template(situation: Situation, thing: str, trouble: str, fix1: str, fix2: str) -> Template:
    bare = thing.removeprefix("the ")
    return Template.make(
        title=f"{capitalise(bare)}: {fix1} or {fix2}",
        description=(
            f"{capitalise(thing)} {trouble}. Two adults talk over whether to {fix1} or to {fix2}, "
            f"and what stands in the way."
        ),
        theme=situation.theme,
        category=situation.category,
        details={"thing": thing, "trouble": trouble, "fix1": fix1, "fix2": fix2},
    )
