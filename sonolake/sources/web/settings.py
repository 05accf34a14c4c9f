"""How the web is asked, as a person or a schedule says it."""

from __future__ import annotations

from dataclasses import dataclass

from sonolake.errors import InvalidInput
from sonolake.sources.parts import require_minutes

PREFIX = "web:"


@dataclass(frozen=True)
class WebSettings:
    """Settings of one intake.

    Attributes:
        pause_s: least time between two requests to one host; a longer ``Crawl-delay`` of its robots.txt counts.
        part_minutes: a longer recording becomes several, cut where it is quietest.
        most: how many addresses at most; 0 for all.
        anew: ask for what the lake has, too, and take what has changed.

    Raises:
        InvalidInput: for a value out of range.
    """

    pause_s: float = 1.0
    part_minutes: float = 10.0
    most: int = 0
    anew: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.pause_s <= 3600:
            raise InvalidInput("--pause", "0 to 3600 seconds between two requests to a host", self.pause_s)
        require_minutes(self.part_minutes)
        if self.most < 0:
            raise InvalidInput("--most", "0 or more", self.most)


def require_web(source: str, manifest: str) -> None:
    """Let a source of the web pass that has no manifest beside it.

    Raises:
        InvalidInput: for no list, or a manifest: the list is one.
    """
    if not source.removeprefix(PREFIX).strip():
        raise InvalidInput("source", "web:LIST, a file of addresses, or web:feed:https://…", source)
    if manifest:
        raise InvalidInput(
            "--manifest", "none beside a list, whose other columns say what they are", manifest
        )
