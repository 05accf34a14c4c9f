"""Frozen records to plain data and back, without loss.

A record becomes a dictionary of its fields, a tuple a list; reading back takes the types from the record's
annotations, so ``read(cls, plain(x)) == x`` for every such record.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from sonolake.errors import InvalidInput
from sonolake.ids import canonical_json

T = TypeVar("T")


def plain(value: Any) -> Any:
    """``value`` as dictionaries, lists and JSON scalars."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


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
    hints = _hints(record)
    if not _required(record) <= set(data) <= set(hints):
        raise InvalidInput(f"{cls.__name__} fields", str(sorted(hints)), sorted(data))
    return cls(**{name: _value(hint, data[name]) for name, hint in hints.items() if name in data})


@lru_cache(maxsize=64)
def _hints(cls: Any) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {f.name: hints[f.name] for f in fields(cls)}


@lru_cache(maxsize=64)
def _required(cls: Any) -> frozenset[str]:
    return frozenset(f.name for f in fields(cls) if f.default is MISSING and f.default_factory is MISSING)


def _value(hint: Any, value: Any) -> Any:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return (
            None if value is None else _value(next(a for a in get_args(hint) if a is not type(None)), value)
        )
    if origin is tuple:
        args = get_args(hint)
        inner = [args[0]] * len(value) if args[-1] is Ellipsis else args
        return tuple(_value(part, item) for part, item in zip(inner, value, strict=True))
    if isinstance(hint, type) and is_dataclass(hint):
        return read(hint, value)
    return float(value) if hint is float else value
