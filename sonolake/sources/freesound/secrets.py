"""Texts that are never shown: not in logs, tables, errors, nor in tracebacks that print variables."""

from __future__ import annotations

from typing import NoReturn


class Secret:
    """A key or token; only :meth:`reveal` gives its text, to be put straight into a request."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text itself."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(…)"

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not written anywhere: let the other process read its own environment")
