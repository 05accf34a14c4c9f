"""The embedded writer of templates: one trouble of a matter and two ways out of it, without a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, count, islice, product

from sonolake.cares.banks import Banks, Fix, Matter, Trouble
from sonolake.cares.persons import third_person
from sonolake.cares.phrases import capitalise
from sonolake.cares.records import Template
from sonolake.errors import InvalidInput
from sonolake.ids import rng_of, seed_of

OF_A_MATTER = ("matter", "thing", "trouble", "fix1", "fix2", "hope1", "hope2", "worry1", "worry2")
"""Details of a template that the embedded writer made."""


def write_templates(n: int, banks: Banks) -> tuple[Template, ...]:
    """The first ``n`` templates of the bank, all distinct; asking for more keeps the first ones.

    Matters take turns, so that a category comes again only after all others had theirs.

    Raises:
        InvalidInput: when the bank has fewer.
    """
    decks = [_ways(matter) for matter in _by_turns(banks)]
    most = sum(map(len, decks))
    if not 0 <= n <= most:
        raise InvalidInput("templates", f"0 to {most} with these matters", n, "add matters to the bank")
    return tuple(islice(_in_turn(decks), n))


def _in_turn(decks: list[list[Template]]) -> Iterator[Template]:
    for turn in count():
        found = [deck[turn] for deck in decks if turn < len(deck)]
        if not found:
            return
        yield from found


def _by_turns(banks: Banks) -> list[Matter]:
    seen: dict[str, int] = {}
    ranked = []
    for index, matter in enumerate(banks.matters.values()):
        turn = seen.get(matter.category, 0)
        seen[matter.category] = turn + 1
        ranked.append((turn, index, matter))
    return [matter for _, _, matter in sorted(ranked, key=lambda row: row[:2])]


def way_of(matter: Matter, details: Mapping[str, str]) -> tuple[int, int]:
    """Which of all templates of its matter one with these details is, from 0, and how many there are."""
    ways = [(trouble.trouble, fixes[0].do, fixes[1].do) for trouble, fixes in _all_ways(matter)]
    return ways.index((details["trouble"], details["fix1"], details["fix2"])), len(ways)


def _all_ways(matter: Matter) -> Iterator[tuple[Trouble, tuple[Fix, Fix]]]:
    return product(matter.troubles, combinations(matter.fixes, 2))


def _ways(matter: Matter) -> list[Template]:
    """Every trouble with every two fixes, in a fixed order that looks arbitrary."""
    found = [_template(matter, trouble, fixes) for trouble, fixes in _all_ways(matter)]
    return sorted(found, key=lambda template: (seed_of(template.template_id), template.template_id))


def _template(matter: Matter, trouble: Trouble, fixes: tuple[Fix, Fix]) -> Template:
    name = f"{matter.matter} {trouble.trouble} {fixes[0].do} {fixes[1].do}"
    rng = rng_of(name, "template")
    hopes, worries = (
        [phrases[i] for i in sorted(rng.permutation(len(phrases))[:2])]
        for phrases in (matter.hopes, matter.worries)
    )
    first, second = fixes
    what = third_person(f"{matter.thing} {trouble.trouble}")
    ways = third_person(f"{first.do} or {second.do}")
    return Template.make(
        title=f"{capitalise(what)}: {ways}",
        description=(
            f"{capitalise(what)}. Two adults talk over whether to {ways}, what speaks for and against it, and "
            f"when to do it."
        ),
        theme=matter.theme,
        category=matter.category,
        details={
            "matter": matter.matter,
            "thing": matter.thing,
            "trouble": trouble.trouble,
            "fix1": first.do,
            "fix2": second.do,
            "hope1": hopes[0],
            "hope2": hopes[1],
            "worry1": worries[0],
            "worry2": worries[1],
        },
    )
