"""Thrift's compact protocol, in which Parquet writes page headers, indexes and its footer: structs as they stand.

Source: Apache Thrift, ``doc/specs/thrift-compact-protocol.md``. What is read and written again is the same bytes.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_INTEGERS = (4, 5, 6)
Fields = dict[int, "Value"]
"""A struct: values by the ids of their fields, which are in rising order."""


@dataclass
class Value:
    """A value and its type's number: ``True`` or ``False``, int, bytes, float, list of values, or struct."""

    kind: int
    held: Any


class Values(list[Value]):
    """A list; an empty one has a type of what is not in it too."""

    kind = _STRUCT


class Reader:
    """Structs one after the other in ``data``, from ``at`` on.

    Raises:
        ValueError, IndexError: for bytes that are none.
    """

    def __init__(self, data: bytes | memoryview, at: int = 0) -> None:
        self._data, self.at = data, at

    def fields(self) -> Fields:
        """The struct that begins here."""
        found: Fields = {}
        last = 0
        while head := self._byte():
            step, kind = head >> 4, head & 15
            last = last + step if step else self._integer()
            found[last] = Value(kind, kind == _TRUE if kind in (_TRUE, _FALSE) else self._held(kind))
        return found

    def _held(self, kind: int) -> Any:
        if kind in _INTEGERS:
            return self._integer()
        if kind == _BINARY:
            return self._bytes(self._varint())
        if kind in (_LIST, _SET):
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._varint()
            found = Values(Value(head & 15, self._held(head & 15)) for _ in range(count))
            found.kind = head & 15
            return found
        if kind == _STRUCT:
            return self.fields()
        if kind in (_TRUE, _FALSE, _BYTE):
            return self._byte()
        if kind == _DOUBLE:
            return struct.unpack("<d", self._bytes(8))[0]
        raise ValueError(f"no type of the compact protocol that Parquet uses: {kind}")

    def _byte(self) -> int:
        self.at += 1
        return self._data[self.at - 1]

    def _bytes(self, count: int) -> bytes:
        self.at += count
        return bytes(self._data[self.at - count : self.at])

    def _varint(self) -> int:
        found = shift = 0
        while (byte := self._byte()) & 128:
            found |= (byte & 127) << shift
            shift += 7
        return found | byte << shift

    def _integer(self) -> int:
        found = self._varint()
        return found >> 1 ^ -(found & 1)


def written(fields: Fields) -> bytes:
    """A struct as its bytes."""
    out = bytearray()
    last = 0
    for number, value in fields.items():
        kind = value.kind
        if kind in (_TRUE, _FALSE):
            kind = _TRUE if value.held else _FALSE
        short = 0 < number - last < 16
        out.append((number - last) << 4 | kind if short else kind)
        out += b"" if short else _integer(number)
        last = number
        out += b"" if kind in (_TRUE, _FALSE) else _held(kind, value.held)
    out.append(0)
    return bytes(out)


def _held(kind: int, held: Any) -> bytes:
    if kind in _INTEGERS:
        return _integer(held)
    if kind == _BINARY:
        return _varint(len(held)) + bytes(held)
    if kind in (_LIST, _SET):
        inner, few = held.kind, len(held) < 15
        head = bytes([min(len(held), 15) << 4 | inner]) + (b"" if few else _varint(len(held)))
        return head + b"".join(_held(inner, one.held) for one in held)
    if kind == _STRUCT:
        return written(held)
    return struct.pack("<d", held) if kind == _DOUBLE else bytes([held])


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _integer(number: int) -> bytes:
    return _varint(number << 1 ^ number >> 63)
