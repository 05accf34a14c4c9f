"""Which release a folder holds: name, version and date, as its Croissant description says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from sonolake.errors import Damaged, NotFound
from sonolake.releases.layout import CROISSANT


class Identity(NamedTuple):
    """Name, version and date (YYYY-MM-DD) of a release."""

    name: str
    version: str
    date: str


def read_identity(folder: Path) -> Identity:
    """What the release in ``folder`` says that it is.

    Raises:
        NotFound: when it says nothing.
        Damaged: when its description cannot be read.
    """
    path = folder / CROISSANT
    if not path.is_file():
        raise NotFound(f"{folder} holds no {CROISSANT}, so nothing says which release it is")
    return parse_identity(path.read_bytes(), str(path))


def parse_identity(text: bytes, where: str) -> Identity:
    """The identity in a ``croissant.json``.

    Raises:
        Damaged: when it is not one; ``where`` is what the message calls it.
    """
    try:
        said = json.loads(text)
        return Identity(*(str(said[key]) for key in ("name", "version", "datePublished")))
    except (ValueError, TypeError, KeyError) as error:
        raise Damaged(f"{where} does not say which release this is ({error!r})") from None
