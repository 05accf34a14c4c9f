"""The demonstration's source folders: real audio of installed packages, and synthetic sounds for what none carries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from prefect import task

from sonolake.sources.packaged import write_packaged
from sonolake.sources.recordings import write_foa_recordings
from sonolake.sources.responses import write_foa_responses, write_responses
from sonolake.sources.staged import write_staged
from sonolake.sources.synthetic import write_ambiences, write_takes, write_vocals

FOLDERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "packaged-takes": ("take", lambda dest: write_packaged(dest, "takes")),
    "synthetic-takes": ("take", write_takes),
    "synthetic-ambiences": ("ambience", write_ambiences),
    "synthetic-responses": ("response", write_responses),
    "synthetic-foa-responses": ("response", write_foa_responses),
    "synthetic-foa-recordings": ("foa", write_foa_recordings),
    "packaged-vocals": ("vocal", lambda dest: write_packaged(dest, "vocal")),
    "synthetic-vocals": ("vocal", write_vocals),
    "packaged-speech": ("speech", lambda dest: write_packaged(dest, "speech")),
    "staged-speech": ("speech", write_staged),
}
"""Source folders by name: what they are taken as, and what writes them; real sounds come before synthetic ones."""


@task(persist_result=False)
def write_folder(root: str, name: str) -> str:
    """Write one source folder under ``root`` and say where it is; what is there already is left alone."""
    dest = Path(root) / name
    FOLDERS[name][1](dest)
    return str(dest)
