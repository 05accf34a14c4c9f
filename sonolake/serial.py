"""Frozen records to plain data and back, without loss.

A record becomes a dictionary of its fields, a tuple a list; reading back takes the types from the record's
annotations, so ``read(cls, plain(x)) == x`` for every such record.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache, partial
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from sonolake.errors import InvalidInput
from sonolake.ids import canonical_json

T = TypeVar("T")
Reader = Callable[[Any], Any]


def plain(value: Any) -> Any:
    """``value`` as dictionaries, lists and JSON scalars."""
    if isinstance(value, (str, int, float)) or value is None:
        return value
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    kind = type(value)
    return {name: plain(getattr(value, name)) for name in _names(kind)} if is_dataclass(kind) else value


def to_json(record: Any) -> str:
    """``record`` as canonical JSON: equal records give equal text."""
    return canonical_json(plain(record))


def read(cls: type[T], data: Mapping[str, Any]) -> T:
    """A record of ``cls`` from the dictionary that :func:`plain` made of one.

    A field that came after the record was kept has its default.

    Raises:
        InvalidInput: for unknown fields, for missing ones without a default, and for what ``cls`` itself refuses.
    """
    record: Any = cls
    readers = _readers(record)
    if not _required(record) <= data.keys() <= readers.keys():
        raise InvalidInput(f"{cls.__name__} fields", str(sorted(readers)), sorted(data))
    return cls(**{name: readers[name](value) for name, value in data.items()})


@lru_cache(maxsize=64)
def _readers(cls: Any) -> dict[str, Reader]:
    """What reads each field of a record."""
    hints = get_type_hints(cls)
    return {f.name: _reader(hints[f.name]) for f in fields(cls)}


@lru_cache(maxsize=64)
def _names(cls: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(cls))


@lru_cache(maxsize=64)
def _required(cls: Any) -> frozenset[str]:
    return frozenset(f.name for f in fields(cls) if f.default is MISSING and f.default_factory is MISSING)


def _reader(hint: Any) -> Reader:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        some = _reader(next(a for a in args if a is not type(None)))
        return lambda value: None if value is None else some(value)
    if origin is tuple and args[-1] is Ellipsis:
        each = _reader(args[0])
        return lambda values: tuple([each(value) for value in values])
    if origin is tuple:
        inner = [_reader(arg) for arg in args]
        return lambda values: tuple([each(value) for each, value in zip(inner, values, strict=True)])
    if isinstance(hint, type) and is_dataclass(hint):
        return partial(read, hint)
    return float if hint is float else _as_it_is


def _as_it_is(value: Any) -> Any:
    return value
