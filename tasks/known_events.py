"""WESR: how many of the events that are known to be in a lake's recordings its mining finds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.lake import Lake
from sonolake.plural import counted
from sonolake.sources.manifest import item_name
from sonolake.wesr.known_events import KIND, KnownEvent, placed
from sonolake.wesr.mining import RankedList
from sonolake.wesr.queries import Query
from sonolake.wesr.report import LEGEND, measured, tables
from tasks.listing import allowed
from tasks.opening import lake_at

Known = tuple[str, KnownEvent]
"""The id of a recording, and an event in it."""


def events_there(lake: Lake, events: Iterable[KnownEvent]) -> list[Known]:
    """The events whose recording the lake has, with its id.

    Raises:
        InvalidInput: a name of several recordings, or none is there at all.
    """
    every = list(events)
    by_name = _recordings(lake)
    found = []
    for event in every:
        ids = next((ids for names in by_name if (ids := names.get(item_name(event.item)))), [])
        if len(ids) > 1:
            what, cause = f"{KIND}, line {event.line}, item", "its item says which"
            raise InvalidInput(
                what, "the name of one recording", f"{event.item}, which are {len(ids)}", cause
            )
        found += [(ids[0], event)] if ids else []
    if not found:
        others = f" and {len(every) - 1:,} more" if len(every) > 1 else ""
        came = f"{every[0].item} (line {every[0].line}){others}" if every else "no rows"
        raise InvalidInput(KIND, "events in speech that the lake has, by file name, item or source", came)
    return found


def _recordings(lake: Lake) -> list[dict[str, list[str]]]:
    """Ids of the speech recordings by what they may be called, the names that are theirs alone first."""
    items, files, sources = (defaultdict[str, list[str]](list) for _ in range(3))
    rows = lake.rows("SELECT asset_id, item, source_id FROM assets WHERE kind = 'speech' ORDER BY asset_id")
    for row in rows:
        items[row["item"]].append(row["asset_id"])
        items[row["asset_id"]].append(row["asset_id"])
        files[PurePosixPath(row["item"]).name].append(row["asset_id"])
        sources[row["source_id"]].append(row["asset_id"])
    return [items, files, sources]


def found_of_known(
    lake: str,
    events: Sequence[KnownEvent],
    lists: Sequence[RankedList],
    chosen: Sequence[Query],
    where: str = "",
) -> str:
    """Tables of what the ranked lists of mining find of known events, and what cannot be found.

    Args:
        lake: where the lake is.
        events: the events.
        lists: the lists that mining fused.
        chosen: the queries that they answer.
        where: which utterances could be found, as mining was told.

    Raises:
        InvalidInput: see :func:`events_there`.
    """
    opened = lake_at(lake)
    there = events_there(opened, events)
    utterances: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in opened.rows(
        "SELECT utterance_id, asset_id, start_s, end_s FROM utterances ORDER BY utterance_id"
    ):
        utterances[row["asset_id"]].append(row)
    asked = {query.tag for query in chosen}
    every = placed([one for one in there if one[1].tag in asked], utterances)
    open_ = every.among(row["utterance_id"] for row in allowed(opened, where))
    lost = [
        (len(events) - len(there), "in recordings that the lake does not have"),
        (sum(event.tag not in asked for _, event in there), "of labels that no query asks for"),
        (every.outside, "in no utterance"),
        (every.events - open_.events, "in utterances that may not be found"),
    ]
    said = "; ".join(f"{n} {what}" for n, what in lost if n)
    every_one = counted(len(events), "known event")
    if not open_.events:
        return f"\nNone of {every_one} can be found: {said}."
    of = [f"Of {every_one}: {said}."] if said else []
    return "\n".join([f"\n{LEGEND}\n", tables(measured(lists, chosen, open_), open_), *of])
