"""Vectors that cannot be read: what Lance says of its files, as an error of the lake."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from sonolake.errors import Damaged

_SAYS_DAMAGE = re.compile(r"^lance error|not appear to be a Lance file")


@contextmanager
def readable(uri: str) -> Iterator[None]:
    """Reads of the space at ``uri`` inside the block say when its files are damaged.

    Raises:
        Damaged: Lance cannot read a file of the space.
    """
    try:
        yield
    except (RuntimeError, OSError, ValueError) as error:
        if not _SAYS_DAMAGE.search(str(error)):
            raise
        said = str(error).partition(", /")[0]
        raise Damaged(
            f"the vectors {uri} cannot be read ({said}): move that folder away, and "
            "python -m flows embed makes them again"
        ) from None
