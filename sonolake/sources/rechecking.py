"""Sources asked again: is a sound still there, under which licence, with which wish for generative models?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

import httpx

from sonolake.errors import ItemRefused
from sonolake.lake import Lake
from sonolake.lake.catalog import among
from sonolake.sources.freesound import Catalogue, Sound
from sonolake.sources.licences import normalise
from sonolake.sources.parts import PART
from sonolake.sources.web.catalogue import AT_ONCE
from sonolake.sources.web.downloads import conditions, version_of
from sonolake.sources.web.transport import Transport

FREESOUND = "freesound:"
Found = Literal["same", "gone", "relicensed", "wish", "changed", "unknown"]


@dataclass(frozen=True)
class Known:
    """What a lake knows of a source: its id, its address on the web ("" for Freesound), licence, wish and version."""

    source_id: str
    address: str
    licence: str
    wish: str
    version: tuple[tuple[str, str], ...] = ()

    @property
    def item(self) -> str:
        """What is asked about."""
        return self.address or self.source_id


@dataclass(frozen=True)
class Checked:
    """What was asked about and what is said of it now; ``licence`` and ``wish`` are empty where none is."""

    item: str
    source_id: str
    found: Found
    detail: str
    licence: str = ""
    wish: str = ""

    def row(self) -> dict[str, object]:
        """As a row of ``source_checks``, but for when and by which run."""
        return {**vars(self), "licence": self.licence or None, "wish": self.wish or None}


def known_sources(lake: Lake) -> list[Known]:
    """The sources of a lake that can be asked: sounds of Freesound, and addresses of the web, by their names."""
    rows = lake.rows(
        f"SELECT source_id, split_part(item, '{PART}', 1) AS item, any_value(licence) AS licence, "
        "any_value(tags) AS tags FROM assets WHERE starts_with(source_id, 'freesound:') "
        "OR regexp_matches(item, '^https?://') GROUP BY ALL ORDER BY ALL"
    )
    found: dict[tuple[str, str], Known] = {}
    for row in rows:
        address = "" if row["source_id"].startswith(FREESOUND) else row["item"]
        tags: Mapping[str, str] = json.loads(row["tags"] or "{}")
        said = {name: tags.get(f"web_{name}", "") for name in ("etag", "last_modified")}
        version = tuple((name, text) for name, text in said.items() if text)
        known = Known(row["source_id"], address, row["licence"], tags.get("gen_ai_preference", ""), version)
        found.setdefault((known.source_id, address), known)
    return list(found.values())


def check_freesound(catalogue: Catalogue, known: Sequence[Known]) -> list[Checked]:
    """Ask Freesound about its sounds, 150 a search.

    Raises:
        Refused, LimitReached, Unreachable: as the API answers.
    """
    wanted = {int(n): one for one in known if (n := one.source_id.removeprefix(FREESOUND)).isdigit()}
    sounds, gone = catalogue.by_ids(sorted(wanted), anew=True)
    lost = [Checked(one.item, one.item, "gone", one.detail) for one in gone]
    return lost + [_of_sound(sound, wanted[sound.id]) for sound in sounds]


def _of_sound(sound: Sound, known: Known) -> Checked:
    licence = normalise(sound.fields.get("licence", "")).spdx
    said: list[tuple[Found, str]] = []
    if licence != known.licence:
        said.append(("relicensed", f"its licence was {known.licence} and is {licence}"))
    if sound.preference != known.wish:
        was = known.wish or "not stated"
        said.append(
            ("wish", f"the wish for generative models was {was} and is {sound.preference or 'not stated'}")
        )
    found: Found = said[0][0] if said else "same"
    return Checked(
        known.item, known.source_id, found, "; ".join(text for _, text in said), licence, sound.preference
    )


def check_web(transport: Transport, known: Sequence[Known]) -> list[Checked]:
    """Ask the hosts of addresses, a few at once, each as its robots.txt allows; nothing is downloaded."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda one: _of_address(transport, one), known))


def _of_address(transport: Transport, known: Known) -> Checked:
    if "?" in known.address:
        return Checked(known.item, known.source_id, "unknown", "its address had a query, which is not kept")
    version = dict(known.version)

    def read(response: httpx.Response) -> bool:
        now = version_of(response)
        return response.status_code != 304 and any(now.get(name) != text for name, text in version.items())

    try:
        changed = transport.get(httpx.URL(known.address), read, lambda: conditions(version))
    except ItemRefused as refused:
        return Checked(
            known.item, known.source_id, "gone" if refused.reason == "gone" else "unknown", refused.detail
        )
    detail = f"{known.address} has another version now" if changed else ""
    return Checked(known.item, known.source_id, "changed" if changed else "same", detail)


def news(lake: Lake, checked: Iterable[Checked]) -> tuple[list[Checked], list[Checked]]:
    """What is to be put on record, and what says what it said before; at first, being the same is no news."""
    checked = list(checked)
    last = {row["item"]: row for row in _last(lake, [one.item for one in checked])}
    new, old = list[Checked](), list[Checked]()
    for one in checked:
        before = last.get(one.item)
        row = one.row()
        known = one.found == "same" if before is None else all(before[k] == row[k] for k in _SAID)
        (old if known else new).append(one)
    return new, old


_SAID = ("found", "licence", "wish")


def _last(lake: Lake, items: Iterable[str]) -> list[dict[str, Any]]:
    return lake.rows(
        f"SELECT item, found, licence, wish FROM source_checks WHERE item IN {among(items)} "
        "QUALIFY row_number() OVER (PARTITION BY item ORDER BY checked_at DESC) = 1"
    )
