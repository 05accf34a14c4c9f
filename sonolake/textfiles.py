"""Text files of users: UTF-8, and JSON lines, with the line that a refusal names."""

from __future__ import annotations

from collections.abc import Iterator

from sonolake.errors import InvalidInput


def utf8(name: str, data: bytes) -> str:
    """The text of a file.

    Raises:
        InvalidInput: for what is no UTF-8, with the line.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        received = data[error.start : error.end]
        raise InvalidInput(f"{name} line {line}", "UTF-8", received, "another encoding") from None


def numbered_lines(name: str, data: bytes) -> Iterator[tuple[str, str]]:
    """Place, such as ``file.jsonl line 3``, and text of each line that is not blank; only a line feed ends a line.

    Raises:
        InvalidInput: for what is no UTF-8, with the line.
    """
    for number, line in enumerate(utf8(name, data).split("\n"), 1):
        if line.strip():
            yield f"{name} line {number}", line.strip()
