"""Why a page's call is refused, beside the reasons that everything has."""

from __future__ import annotations

from sonolake.errors import Refused


class Conflict(Refused):
    """Someone acted on an older state than the last one, such as in a second window."""


class NoKey(Refused):
    """A call without the page's key."""

    def __init__(self) -> None:
        super().__init__("the key is missing or wrong: open the page by the address that was shown")
