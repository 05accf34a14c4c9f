"""``sonolake score``: a group with a command a data set."""

from __future__ import annotations

import typer

from sonolake.cli import score_cares, score_rms_aqa, score_wesr

app = typer.Typer(no_args_is_help=True, help="Score predictions against references.", rich_markup_mode=None)
app.command("cares")(score_cares.cares)
app.command("rms-aqa")(score_rms_aqa.rms_aqa)
app.command("wesr")(score_wesr.wesr)
