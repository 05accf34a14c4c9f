"""What is otherwise here than where the items of a release were made: processor, libraries, models, banks, code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sonolake.cares.banks import default_banks
from sonolake.cares.recipe import CODE_VERSION
from sonolake.errors import SonolakeError
from sonolake.models.registry import get
from sonolake.rendering import clips, utterances
from sonolake.rendering.environment import ROLE, environment, parse_environment

Edge = Mapping[str, Any]
"""A row of ``lineage.parquet``."""
NOT_HERE = "not here"
UNKNOWN = "not recorded"
_MODELS = ("model:", "voice:")
_UNHASHED = ("", "unknown")
"""Of models behind endpoints, where nobody can know what runs."""


@dataclass(frozen=True)
class Difference:
    """Something that made items: what it was then, what it is here, and how many items it concerns."""

    what: str
    then: str
    here: str
    items: int


def differences(
    items: Iterable[str], lineage: Sequence[Edge], data_sets: Sequence[Any] = ()
) -> list[Difference]:
    """All that differs for ``items``, by the edges above them."""
    found: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    here = _Here(data_sets)
    above = by_child(lineage)
    for item in items:
        edges = _reached(item, above)
        for edge in edges:
            for what, then, now in here.compare(edge["role"], edge["parent"]):
                found[what, then, now].add(item)
        if not any(edge["role"] == ROLE for edge in edges):
            found["environment", UNKNOWN, "-"].add(item)
    return [Difference(*key, len(some)) for key, some in sorted(found.items())]


def by_child(lineage: Sequence[Edge]) -> dict[str, list[Edge]]:
    """The edges of lineage by what was made."""
    above: dict[str, list[Edge]] = defaultdict(list)
    for edge in lineage:
        above[edge["child"]].append(edge)
    return above


def _reached(item: str, above: Mapping[str, Sequence[Edge]]) -> list[Edge]:
    """All edges above an item."""
    edges, waiting, seen = list[Edge](), [item], {item}
    while waiting:
        for edge in above.get(waiting.pop(), ()):
            edges.append(edge)
            if edge["parent"] not in seen:
                seen.add(edge["parent"])
                waiting.append(edge["parent"])
    return edges


class _Here:
    """What there is here, looked up once."""

    def __init__(self, data_sets: Sequence[Any]) -> None:
        codes = [f"code:{CODE_VERSION}", clips.CODE, utterances.CODE]
        codes += [f"code:{one.step}:{one.code_version}" for one in data_sets]
        self._codes = {code.rpartition(":")[0]: code for code in codes}
        self._known: dict[tuple[str, str], list[tuple[str, str, str]]] = {}

    def compare(self, role: str, parent: str) -> list[tuple[str, str, str]]:
        """What differs by one edge: what, then, here."""
        if (role, parent) not in self._known:
            self._known[role, parent] = self._compared(role, parent)
        return self._known[role, parent]

    def _compared(self, role: str, parent: str) -> list[tuple[str, str, str]]:
        if role == ROLE:
            then, now = parse_environment(parent), environment()
            names = sorted(set(then) | set(now))
            return _unequal((name, then.get(name, NOT_HERE), now.get(name, NOT_HERE)) for name in names)
        if parent.startswith(_MODELS):
            spec, _, sha256 = parent.partition(":")[2].rpartition("@")
            return [] if sha256 in _UNHASHED else _unequal([(f"{role} {spec}", sha256, weights_here(spec))])
        if role == "banks":
            return _unequal([("banks", parent.partition(":")[2], default_banks().sha256)])
        name, _, version = parent.rpartition(":")
        if role == "code" and name in self._codes:
            return _unequal([(name, version, self._codes[name].rpartition(":")[2])])
        return []


def _unequal(facts: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    return [(what, then, now) for what, then, now in facts if then != now]


def weights_here(spec: str) -> str:
    """SHA-256 of a model's weights as they are here."""
    try:
        return str(get(spec).weights_sha256)
    except SonolakeError:
        return NOT_HERE
