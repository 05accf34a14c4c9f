"""Where sonolake remembers what belongs to no lake: budgets of requests, listings, downloads under way, log-ins."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import httpx

from sonolake.sources.freesound.secrets import Secret

VARIABLE = "SONOLAKE_STATE"


def state_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder that ``SONOLAKE_STATE`` names, else ``sonolake`` in the user's folder for state (XDG)."""
    named = environment.get(VARIABLE)
    if named:
        return Path(named)
    home = environment.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "sonolake"


def folder_of(base: str, state: Path) -> Path:
    """What is remembered of the server at ``base``; made when missing, for its owner alone."""
    url = httpx.URL(base)
    folder = state / "freesound" / (url.host if url.port is None else f"{url.host}-{url.port}")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def write_whole(path: Path, text: str | Secret) -> None:
    """Write a file for its owner alone: a reader finds the old text or the new one, never a part."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    with os.fdopen(
        os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
    ) as file:
        file.write(text.reveal() if isinstance(text, Secret) else text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
