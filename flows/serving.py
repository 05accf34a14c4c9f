"""A Prefect server that lives as long as the process that started it: ``python serving.py SOCKET``.

It serves on the listening socket that it inherits, and ends when its standard input does: the other end of that pipe
closes with its parent, whatever ends that, SIGKILL included.
"""

from __future__ import annotations

import os
import socket
import sys
import threading


def main() -> None:
    """Serve until the parent is gone."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    import uvicorn
    from prefect.server.api.server import create_app

    listening = socket.socket(fileno=int(sys.argv[1]))
    uvicorn.Server(uvicorn.Config(create_app(), log_level="error", lifespan="on")).run(sockets=[listening])


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
