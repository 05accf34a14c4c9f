"""The command line: what a consumer and an operator of a lake need.

A file a group of commands. Each command parses, calls the library and prints; libraries are imported inside the
commands, so that ``sonolake --help`` loads none of them. Exit status: 0 when all that was asked is done, 1 when it
is not, 2 for a command line that cannot be understood.
"""

from __future__ import annotations


def main() -> None:
    """Run the command line; the entry point of the wheel."""
    from sonolake.cli.app import app

    app()
