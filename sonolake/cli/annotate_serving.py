"""Running the annotation server."""

from __future__ import annotations

from pathlib import Path

import typer

from sonolake.errors import NotFound
from sonolake.extras import require


def run(project: Path, host: str, port: int, audio: Path | None, lake: Path | None) -> None:
    """Serve until interrupted; the addresses are printed when the port is open."""
    require("starlette", "the annotation page")
    from sonolake.pages.serving import serve
    from sonolake.wesr.annotation.server import application
    from sonolake.wesr.annotation.sounds import Sounds
    from sonolake.wesr.annotation.store import Project

    with Project(project) as opened:
        folder = audio or Path(opened.meta("audio"))
        if not folder.is_dir():
            raise NotFound(f"no folder {folder} with recordings: say where they are with --audio")
        sounds = Sounds(folder, lake / "media" if lake else None)

        def told(address: str) -> None:
            typer.echo(f"Annotate:   {address}#key={opened.meta('key')}")
            typer.echo(f"Adjudicate: {address}#key={opened.meta('adjudication_key')}")
            typer.echo("Every action is saved at once. Ctrl C ends the server.")

        serve(lambda hosts: application(opened, sounds, hosts), host, port, told)
