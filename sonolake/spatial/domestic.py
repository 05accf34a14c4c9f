"""The sounds of a home: a list of our own (``domestic.json``), in groups and parts, with where they are heard.

RMS-AQA, section 2.1, draws its dry events from 324 domestic classes and does not list them; this list is written anew.
Each class says what AudioSet (and FSD50K, which writes the same names with underscores) and ESC-50 call it, and which
events of folders mean it beside its own name. Events of the embedded generator that are no sounds of a home are listed
as such, with where they are heard.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from sonolake.errors import ItemRefused

NAMESPACE = "home"
"""Of the events of this list: ``home/dog_bark``."""


@dataclass(frozen=True)
class DomesticClass:
    """A class of the list.

    Attributes:
        name: in words, such as ``dog bark``.
        group, part: where it stands in the hierarchy, such as ``animals`` and ``dog``.
        areas: where in a home it is heard.
        labels: what others call it: names of ESC-50 begin with ``esc50:``, of events with ``event:``.
    """

    name: str
    group: str
    part: str
    areas: tuple[str, ...]
    labels: tuple[str, ...]

    @property
    def event(self) -> str:
        """Its event in the lake."""
        return f"{NAMESPACE}/{re.sub('[ -]', '_', self.name)}"


@cache
def domestic_classes() -> Mapping[str, DomesticClass]:
    """All classes by name, in the order of the list."""
    return {
        name: DomesticClass(name, group["name"], part["name"], tuple(part["areas"]), tuple(labels))
        for group in _data()["groups"]
        for part in group["parts"]
        for name, labels in part["classes"].items()
    }


def class_of_labels(labels: Iterable[str]) -> DomesticClass:
    """The one class that all labels of a sound mean; what a more special label says already counts for nothing.

    Args:
        labels: as AudioSet, FSD50K or (after ``esc50:``) ESC-50 write them.

    Raises:
        ItemRefused: ``not_domestic`` for labels outside the list, ``several_sources`` for more than one sound.
    """
    said = {_key(label): label for label in labels}
    known = _by_label()
    found = {known[key].name: known[key] for key in said if key in known}
    plain = {
        key for key in said if not _covers(key, [one for one in found.values() if known.get(key) != one])
    }
    meant = {known[key].name: known[key] for key in plain if key in known}
    others = sorted(said[key] for key in plain if key not in known)
    if len(meant) == 1 and not others:
        return next(iter(meant.values()))
    names = ", ".join([*sorted(meant), *(label.removeprefix("event:") for label in others)]) or "no label"
    if not meant:
        places = [_elsewhere()[key] for key in sorted(plain) if key in _elsewhere()]
        where = f", but of {places[0]}" if places else ""
        raise ItemRefused("not_domestic", f"no class of the list{where}: {names}")
    raise ItemRefused("several_sources", f"more than one sound is labelled: {names}")


def class_of_event(event: str, heard: Iterable[str] = ()) -> DomesticClass:
    """The one class that an event means, and all other sounds that are heard with it.

    Args:
        event: of a take; the namespace counts for nothing: ``home/dog_bark``, ``shared/dog_bark``, ``Bark``.
        heard: events or labels of everything that is said to be in the take, itself included or not.

    Raises:
        ItemRefused: ``not_domestic``, ``several_sources``.
    """
    return class_of_labels(map(_as_label, (event, *heard)))


def class_name(event: str) -> str:
    """What an event is called in labels and questions: its class of the list, else its own name in words."""
    known = _by_label().get(_key(_as_label(event)))
    return known.name if known else event.rpartition("/")[2].replace("_", " ")


def _as_label(event: str) -> str:
    """An event as a label: its own name, or what other sets may call it."""
    name = event.strip().rpartition("/")[2]
    label = f"event:{name}"
    return label if _key(label) in _by_label() or name in _data()["elsewhere"] else name


def _covers(key: str, classes: Iterable[DomesticClass]) -> bool:
    """Whether a label says less than one of ``classes``."""
    scope = _umbrellas().get(key, frozenset())
    return any(scope & {one.name, one.part, one.group} for one in classes)


@cache
def _by_label() -> Mapping[str, DomesticClass]:
    return {
        _key(label): one
        for one in domestic_classes().values()
        for label in (*one.labels, f"event:{one.name}")
    }


@cache
def _elsewhere() -> Mapping[str, str]:
    return {_key(f"event:{name}"): where for name, where in _data()["elsewhere"].items()}


@cache
def _umbrellas() -> Mapping[str, frozenset[str]]:
    return {_key(label): frozenset(scope) for label, scope in _data()["umbrellas"].items()}


def _key(label: str) -> str:
    """A label without what its spellings differ in: ``Walk, footsteps`` and ``Walk_and_footsteps`` are one."""
    return " ".join(word for word in re.findall(r"[a-z0-9':]+", label.lower()) if word != "and")


@cache
def _data() -> Mapping[str, Any]:
    data: Mapping[str, Any] = json.loads(files(__package__).joinpath("domestic.json").read_text("utf-8"))
    return data
