"""Pages on which people rate things: one HTML file each, with no server behind it, and the files that they save.

A kit brings a fragment of HTML with a style, what is shown, and a script that defines ``sheet``: ``one`` (what is
rated), ``count``, ``done(i)``, ``show(i)``, ``key(event)`` and ``saved()`` (fields of the file, ``ratings`` among
them). ``rating.html`` brings the rest: answers are kept in the browser under the kit's id, arrows go back and forth,
and the rater's name goes with the file.
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.ids import make_id

SAVED = "a file that the rating kit saved"


@dataclass(frozen=True)
class Saved:
    """What a page saved: the rater's name, the ids of all that the kit shows, and the ratings as they came."""

    rater: str
    shown: tuple[str, ...]
    ratings: list[dict[str, Any]]


def kit_id(what: str, ids: Sequence[str]) -> str:
    """Names a kit by what it shows, such as the ``scenes`` of these ids."""
    return make_id("kit", {what: sorted(ids)})


def rating_page(title: str, fragment: str, data: Mapping[str, Any]) -> str:
    """The whole page.

    Args:
        title: the heading.
        fragment: HTML of the kit.
        data: what its script finds in ``kit``, ``kit_id`` among it.
    """
    page = files(__package__).joinpath("page/rating.html").read_text(encoding="utf-8")
    text = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    page = page.replace("<!--TITLE-->", html.escape(title)).replace("<!--FRAGMENT-->", fragment)
    return page.replace("/*KIT*/", text)


def read_saved(path: Path, what: str) -> Saved:
    """What a page saved.

    Args:
        path: the file.
        what: which field names what the kit shows.

    Raises:
        InvalidInput: for what no page writes.
    """
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else "no such file"
    try:
        data = json.loads(text)
        rater, name, shown = data["rater"], data["kit_id"], tuple(map(str, data[what]))
        ratings = [dict(one) for one in data["ratings"]]
    except (ValueError, LookupError, TypeError):
        raise InvalidInput(path.name, SAVED, text[:80]) from None
    if name != kit_id(what, shown) or not isinstance(rater, str) or not rater:
        raise InvalidInput(path.name, SAVED, (rater, name), "it was changed by hand")
    return Saved(rater, shown, ratings)
