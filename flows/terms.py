"""What commands share: how much of anything, and options of those that ask models of others."""

from typing import Annotated

import typer

MOST = 10_000_000
"""The most of anything that a command makes: far more than a lake on one machine holds."""

Budget = Annotated[float | None, typer.Option(min=0, help="Money that the chat model may take.")]
PriceIn = Annotated[float, typer.Option(min=0, help="For a million tokens sent.")]
PriceOut = Annotated[float, typer.Option(min=0, help="For a million tokens received.")]
Requests = Annotated[int, typer.Option(min=0, help="To the chat model, a minute; 0: no limit.")]
TextLicence = Annotated[
    str,
    typer.Option(metavar="LICENCE", help="Of texts that a chat model or a file gives: CC0-1.0, CC-BY-4.0, …"),
]
