"""Lists of addresses: text, an address a line, or a table with a column ``url``.

``feed:`` before an address says that it is a podcast feed. A table's other columns are a manifest's (``licence``,
``source_id``, ``speaker``, ``language``, …) and hold for all that the address gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from sonolake.errors import InvalidInput, ItemRefused, NotFound
from sonolake.sources.manifest import HEADERS, SUFFIXES, printable
from sonolake.sources.records import Refusal
from sonolake.sources.tabular import read_records
from sonolake.sources.web.addresses import FEED, name_of, parsed, plain


@dataclass(frozen=True)
class Entry:
    """One address.

    Attributes:
        url: where it is, with user and password if it has them.
        is_feed: whether it is a feed rather than a recording.
        fields, tags: what is said of it, as in a manifest.
    """

    url: httpx.URL = field(repr=False)
    is_feed: bool = False
    fields: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def item(self) -> str:
        """Its name in a lake: without password and query."""
        return name_of(self.url)


def entry_of(
    address: str, fields: Mapping[str, str] | None = None, tags: Mapping[str, str] | None = None
) -> Entry:
    """The entry of an address, ``feed:`` in front of it or not.

    Raises:
        ItemRefused: ``malformed_row``.
    """
    text = address.strip()
    is_feed = text.startswith(FEED)
    url = parsed(text.removeprefix(FEED))
    own = {"url": plain(url), **(fields or {})}
    if not is_feed:
        own = {"source_id": name_of(url), **own}
    return Entry(url, is_feed, own, dict(tags or {}))


def read_list(source: str, mapping: Mapping[str, str] | None = None) -> tuple[list[Entry], list[Refusal]]:
    """The addresses of a list, each once, and the refusals of lines that are none.

    Args:
        source: ``feed:`` and an address, or the path of a list.
        mapping: their header to ours, for a table.

    Raises:
        NotFound: there is no such list.
        InvalidInput: it is no UTF-8 text, a table without ``url``, or a mapping goes with a text.
    """
    if source.startswith(FEED):
        try:
            return [entry_of(source)], []
        except ItemRefused as refused:
            raise InvalidInput("feed", "feed:https://…", refused.detail) from None
    path = Path(source)
    if not path.is_file():
        raise NotFound(f"list {source}: there is no such file")
    table = path.suffix.lower() in SUFFIXES
    if mapping and not table:
        raise InvalidInput("--map", "a table whose headers it renames", path.name)
    lines = _rows(path, dict(mapping or {})) if table else _lines(path)
    entries: dict[str, Entry] = {}
    refusals: dict[str, Refusal] = {}
    for number, address, fields, tags in lines:
        try:
            entry = entry_of(address, fields, tags)
        except ItemRefused as refused:
            item = f"{path.name}:{number}"
            refusals[item] = Refusal(item, refused.reason, f"line {number} of {path.name}: {refused.detail}")
            continue
        entries.setdefault(entry.item, entry)
    return list(entries.values()), list(refusals.values())


_Line = tuple[int, str, dict[str, str], dict[str, str]]


def _lines(path: Path) -> list[_Line]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput(f"list {path.name}", "UTF-8 text, an address a line", "other bytes") from None
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line, {}, {}) for number, line in lines if line and not line.startswith("#")]


def _rows(path: Path, mapping: dict[str, str]) -> list[_Line]:
    headers, records = read_records(path)
    names = {header: mapping.get(header, header.lower()) for header in headers}
    if headers and "url" not in names.values():
        cause = "name it with --map theirs=url"
        raise InvalidInput(f"list {path.name}", "a header 'url'", ", ".join(headers), cause)
    rows: list[_Line] = []
    for number, record in records:
        said = {names[header]: printable(value).strip() for header, value in record.items() if value.strip()}
        address = said.pop("url", "")
        fields = {name: said.pop(name) for name in HEADERS if name in said and name != "path"}
        rows.append((number, address, fields, said))
    return rows
