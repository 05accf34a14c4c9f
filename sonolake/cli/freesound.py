"""``sonolake freesound``: the log-in that originals need, and what a key may still ask for."""

from __future__ import annotations

import typer

from sonolake.cli.opening import JsonOption
from sonolake.cli.printing import show_json

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.command("login")
def login() -> None:
    """Log in, so that originals can be downloaded: shows a page to open, and asks for the code on it."""
    from sonolake.sources.freesound import Catalogue

    with Catalogue.here() as catalogue:
        typer.echo(
            f"Open this page, allow the application, and copy the code:\n{catalogue.authorise_address()}"
        )
        catalogue.log_in.begin(typer.prompt("Code", hide_input=True).strip())
    typer.echo("Logged in. The log-in renews itself from now on.")


@app.command("status")
def status(as_json: JsonOption = False) -> None:
    """Show how many requests are left of today, whether somebody is logged in, and where this is remembered."""
    from sonolake.sources.freesound import Catalogue

    with Catalogue.here() as catalogue:
        said = {
            "address": catalogue.base,
            "requests_left_today": catalogue.budget.left(),
            "logged_in": catalogue.log_in.known(),
            "state": str(catalogue.state),
        }
    if as_json:
        show_json(said)
    else:
        for name, value in said.items():
            typer.echo(f"{name.replace('_', ' ')}: {value}")
