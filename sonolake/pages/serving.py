"""Running a page's server until it is interrupted."""

from __future__ import annotations

import socket
from collections.abc import Callable, Collection
from contextlib import closing
from typing import TYPE_CHECKING

from sonolake.errors import Refused
from sonolake.extras import require

if TYPE_CHECKING:
    from starlette.applications import Starlette


def serve(
    application: Callable[[Collection[str]], Starlette], host: str, port: int, told: Callable[[str], None]
) -> None:
    """Serve until interrupted.

    Args:
        application: from the names under which it may be called to what is served.
        host: address to listen on.
        port: 0 for any that is free.
        told: hears the page's address when the port is open.

    Raises:
        MissingPackage: without the extra ``annotate``.
        Refused: for an address that cannot be listened on.
    """
    for package in ("uvicorn", "starlette"):
        require(package, "the page")
    import uvicorn

    from sonolake.pages.guard import LOCAL

    with closing(_listening(host, port)) as listening:
        name = f"[{host}]" if ":" in host else host
        made = application({*LOCAL, name})
        told(f"http://{name}:{listening.getsockname()[1]}/")
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
