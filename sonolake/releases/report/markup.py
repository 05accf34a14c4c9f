"""The few lines of HTML building that the report needs: what is not marked as HTML is escaped."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def el(name: str, attributes: Mapping[str, object] | None = None, *children: str) -> Html:
    """An element; attributes that are None or False are left out, True stands alone."""
    said = "".join(
        _attribute(k, v) for k, v in (attributes or {}).items() if v is not None and v is not False
    )
    return Html(f"<{name}{said}>{''.join(map(escaped, children))}</{name}>")


def void(name: str, attributes: Mapping[str, object]) -> Html:
    """An element without content, such as ``img``."""
    return Html(el(name, attributes).removesuffix(f"</{name}>"))


def escaped(text: str) -> str:
    """``text`` as HTML."""
    return text if isinstance(text, Html) else html.escape(text)


def joined(parts: list[Html]) -> Html:
    """Elements one after the other."""
    return Html("".join(parts))


def data_url(kind: str, data: bytes) -> str:
    """Bytes inside the page."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def percent(part: float, whole: float) -> str:
    """A share for a style, to a thousandth of a percent."""
    return f"{100 * part / whole:.3f}%"


def readable(name: str) -> str:
    """A label from an identifier: no namespace, no underscores."""
    return name.rsplit("/", 1)[-1].replace("_", " ")


def _attribute(name: str, value: object) -> str:
    return f" {name}" if value is True else f' {name}="{html.escape(str(value))}"'
