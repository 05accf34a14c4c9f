"""How a command ends: one clean line for what sonolake raises on purpose."""

from __future__ import annotations

import errno
from typing import Any

import typer
from typer.core import TyperGroup

from sonolake.errors import SonolakeError
from sonolake.extras import missing_package


class Commands(TyperGroup):
    """All commands, in the order of the help; what :mod:`sonolake.errors` or the system says ends with status 1."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names in the order in which they were added."""
        return list(self.commands)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except SonolakeError as error:
            typer.echo(f"sonolake: {one_line(str(error))}", err=True)
            raise typer.Exit(1) from None
        except OSError as error:
            if error.errno in (None, errno.EPIPE):
                raise
            place = f"{error.filename}: " if error.filename else ""
            typer.echo(f"sonolake: {one_line(f'{place}{error.strerror}')}", err=True)
            raise typer.Exit(1) from None
        except ModuleNotFoundError as error:
            missing = missing_package(error, f"sonolake {ctx.invoked_subcommand}")
            if missing is None:
                raise
            typer.echo(f"sonolake: {missing}", err=True)
            raise typer.Exit(1) from None


def one_line(text: str) -> str:
    """``text`` without line breaks."""
    return " ".join(text.split())
