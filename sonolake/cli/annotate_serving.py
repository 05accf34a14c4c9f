"""Running the annotation server."""

from __future__ import annotations

import socket
from contextlib import closing
from pathlib import Path

import typer

from sonolake.errors import NotFound, Refused
from sonolake.extras import require


def run(project: Path, host: str, port: int, audio: Path | None, lake: Path | None) -> None:
    """Serve until interrupted; the addresses are printed when the port is open."""
    for package in ("uvicorn", "starlette"):
        require(package, "the annotation page")
    import uvicorn

    from sonolake.wesr.annotation.guard import LOCAL
    from sonolake.wesr.annotation.server import application
    from sonolake.wesr.annotation.sounds import Sounds
    from sonolake.wesr.annotation.store import Project

    with Project(project) as opened, closing(_listening(host, port)) as listening:
        folder = audio or Path(opened.meta("audio"))
        if not folder.is_dir():
            raise NotFound(f"no folder {folder} with recordings: say where they are with --audio")
        sounds = Sounds(folder, lake / "media" if lake else None)
        name = f"[{host}]" if ":" in host else host
        made = application(opened, sounds, {*LOCAL, name})
        address = f"http://{name}:{listening.getsockname()[1]}/"
        typer.echo(f"Annotate:   {address}#key={opened.meta('key')}")
        typer.echo(f"Adjudicate: {address}#key={opened.meta('adjudication_key')}")
        typer.echo("Every action is saved at once. Ctrl C ends the server.")
        settings = uvicorn.Config(made, log_level="warning", access_log=False, lifespan="off", ws="none")
        uvicorn.Server(settings).run([listening])


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise Refused(f"cannot listen on {host}, port {port}: {error.strerror}") from None
    made.listen(128)
    return made
