"""Settings of a project: a TOML file read into a frozen record; unknown keys and wrong types are refused."""

from __future__ import annotations

import tomllib
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from sonolake.errors import InvalidInput, NotFound

T = TypeVar("T")


def read_settings(path: Path, cls: type[T]) -> T:
    """The settings of a file as a ``cls``, a frozen dataclass of texts, numbers, truth values and tuples of these.

    Args:
        path: a TOML file with a key a field; fields with a default may be left out.
        cls: the record; what it refuses in ``__post_init__`` is refused here.

    Raises:
        NotFound: there is no such file.
        InvalidInput: no TOML, an unknown or missing key, or a value of another type.
    """
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotFound(f"no settings at {path.absolute()}") from None
    except (OSError, ValueError) as error:
        raise InvalidInput(str(path), "TOML in UTF-8", str(error)) from None
    record: Any = cls
    hints = get_type_hints(record)
    known = {one.name: one for one in fields(record)}
    if unknown := sorted(set(given) - set(known)):
        raise InvalidInput(str(path), f"the keys {', '.join(known)}", ", ".join(unknown))
    needed = [
        name for name, one in known.items() if one.default is MISSING and one.default_factory is MISSING
    ]
    if missing := sorted(set(needed) - set(given)):
        raise InvalidInput(str(path), f"values for {', '.join(needed)}", f"none for {', '.join(missing)}")
    return cls(**{name: _value(f"{path}: {name}", hints[name], value) for name, value in given.items()})


def _value(what: str, hint: Any, value: Any) -> Any:
    if get_origin(hint) is tuple:
        if not isinstance(value, list):
            raise InvalidInput(what, "a list", value)
        return tuple(_value(what, get_args(hint)[0], one) for one in value)
    if hint is float and type(value) is int:
        return float(value)
    if type(value) is not hint:
        raise InvalidInput(what, f"a value of the type {hint.__name__}", value)
    return value
