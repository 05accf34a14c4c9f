"""``ATTRIBUTION.csv`` of a release, read row by row."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

LONGEST = 1 << 30
"""Characters of a field: all items that use a voice are named in one, where readers of CSV take 131,072 at most."""


def credits_in(lines: Iterable[str]) -> Iterator[dict[str, str]]:
    """The rows of an attribution, given as an open text or its lines, by column."""
    csv.field_size_limit(LONGEST)
    return iter(csv.DictReader(lines))
