"""Freesound: what a search finds, and a batch of it downloaded and taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prefect import task

from sonolake.lake import Lake
from sonolake.lake.step import Counts
from sonolake.sources.freesound import Catalogue, Search, Sound, item_of, read_ids
from sonolake.sources.intake import Intake
from sonolake.sources.records import Offered, Refusal, Seen
from sonolake.sources.seen import seen_items
from tasks.opening import lake_at
from tasks.taking import take


@dataclass(frozen=True)
class Found:
    """What is to be taken, in the order of numbers, and how many results were null."""

    entries: tuple[Sound | Refusal | Seen, ...]
    nulls: int = 0


def _worth_a_try(task: Any, run: Any, state: Any) -> bool:
    """Whether a try soon after can help: not with a mistake, and not when the day's requests are used up."""
    return bool(getattr(state.result(raise_on_failure=False), "retryable", True))


@task(persist_result=False)
def find_sounds(lake: str, intake: Intake, words: str, search: Search) -> Found:
    """Ask for what a search finds, or for the numbers of a file; pages that are kept are not asked for."""
    with Catalogue.here() as catalogue:
        if search.originals:
            catalogue.require_log_in()
        if search.ids:
            return _by_ids(catalogue, lake_at(lake), intake, search)
        listing = catalogue.find(search.query(words), search.most or None, search.anew)
    return Found(tuple(sorted(listing.sounds, key=lambda sound: sound.id)), listing.nulls)


def _by_ids(catalogue: Catalogue, lake: Lake, intake: Intake, search: Search) -> Found:
    ids = read_ids(Path(search.ids))[: search.most or None]
    seen = _seen(lake, intake, ids, search)
    sounds, gone = catalogue.by_ids(ids, seen)
    known = (Seen(item_of(number)) for number in ids if number in seen)
    return Found((*gone, *known, *sorted(sounds, key=lambda sound: sound.id)))


def _seen(lake: Lake, intake: Intake, ids: Sequence[int], search: Search) -> set[int]:
    if search.anew:
        return set()
    names = {item_of(number): number for number in ids}
    return {names[item] for item in seen_items(lake, intake, names)}


@task(
    retries=2,
    retry_delay_seconds=[2, 10],
    retry_jitter_factor=0.5,
    retry_condition_fn=_worth_a_try,
    persist_result=False,
)
def fetch_batch(
    lake: str, run_id: str, intake: Intake, entries: Sequence[Sound | Refusal | Seen], search: Search
) -> Counts:
    """Download what the lake does not know, take it, and remove the downloads."""
    sounds = {entry.item: entry for entry in entries if isinstance(entry, Sound)}
    fields = {item: {**sound.fields, **search.fields} for item, sound in sounds.items()}
    attempts = {item: intake.attempt_of(said) for item, said in fields.items()}
    seen = set() if search.anew else seen_items(lake_at(lake), intake, sounds, attempts)
    wanted = [sound for item, sound in sounds.items() if item not in seen]
    with Catalogue.here() as catalogue:
        offered = {one.item: one for one in catalogue.offer(wanted, search.fields, search.originals)}
        items: list[Offered] = [
            offered.get(entry.item, Seen(entry.item)) if isinstance(entry, Sound) else entry
            for entry in entries
        ]
        counts = take(lake, run_id, intake, items)
        catalogue.forget(offered.values())
    return counts
