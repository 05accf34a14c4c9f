"""What a set of sounds offers: a part of a file, what it is called there, and where it came from."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sonolake.errors import InvalidInput, NotFound


@dataclass(frozen=True)
class Excerpt:
    """One sound of a set.

    Attributes:
        name: of its own in the set; the file's name when it is cut out.
        path: the file that it is in.
        labels: as the set writes them.
        start_s, end_s: where it is in the file; to the file's end without an end.
        doubt: why it is not one clear sound, as far as the set says so: a reason code and a sentence.
        facts: headers of the manifest: source_id, title, author, url, licence, tags.
    """

    name: str
    path: Path
    labels: tuple[str, ...]
    start_s: float = 0.0
    end_s: float | None = None
    doubt: tuple[str, str] | None = None
    facts: Mapping[str, str] = field(default_factory=dict)


def table_rows(
    path: Path, columns: tuple[str, ...], delimiter: str = ","
) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows of a table with a header, with the line each one ends in.

    Raises:
        NotFound: when it is not there.
        InvalidInput: when it lacks one of ``columns``, or is no UTF-8 text.
    """
    if not path.is_file():
        raise NotFound(f"{path}: the layout has this table, and it is not there")
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, delimiter=delimiter)
            if missing := [name for name in columns if name not in (reader.fieldnames or ())]:
                raise InvalidInput(
                    path.name, f"columns {', '.join(columns)}", reader.fieldnames, f"no {missing[0]}"
                )
            for row in reader:
                yield reader.line_num, {name: row[name] or "" for name in columns}
    except UnicodeDecodeError as error:
        raise InvalidInput(path.name, "UTF-8 text", str(error)) from None
