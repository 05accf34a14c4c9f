"""Speech of the web: what a list names, and a batch of it downloaded, made FLAC and taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prefect import task

from sonolake.lake.step import Counts
from sonolake.sources.intake import Intake
from sonolake.sources.parts import on_record, part_fields
from sonolake.sources.records import Offered, Refusal, Seen
from sonolake.sources.web import Entry, Web, WebSettings
from tasks.opening import lake_at
from tasks.taking import take


@task(persist_result=False)
def find_recordings(
    source: str, settings: WebSettings, mapping: Mapping[str, str] | None = None
) -> list[Entry | Refusal]:
    """The recordings of a list and its feeds; feeds that have not changed are not sent again."""
    with Web(settings) as web:
        return web.find(source, mapping)


@task(retries=1, retry_delay_seconds=5, persist_result=False)
def fetch_recordings(
    lake: str, run_id: str, intake: Intake, entries: Sequence[Entry | Refusal], settings: WebSettings
) -> Counts:
    """Download what the lake does not have, take it, and remove the downloads.

    With ``settings.anew`` what it has is asked for, too, and sent only when it has changed.
    """
    wanted = [entry for entry in entries if isinstance(entry, Entry)]
    found = on_record(lake_at(lake), intake, [entry.item for entry in wanted])
    known = {
        entry.item: found[entry.item].items
        for entry in wanted
        if entry.item in found and found[entry.item].settled(_attempts(intake, entry))
    }
    asked = [entry for entry in wanted if settings.anew or entry.item not in known]
    with Web(settings) as web:
        offered = dict(zip([one.item for one in asked], web.offer(asked, known, intake.licence), strict=True))
        items: list[Offered] = [entry for entry in entries if isinstance(entry, Refusal)]
        for entry in wanted:
            items += offered.get(entry.item) or [Seen(name) for name in known[entry.item]]
        counts = take(lake, run_id, intake, items)
        for entry in asked:
            web.remember(entry, offered[entry.item])
    return counts


def _attempts(intake: Intake, entry: Entry) -> tuple[str, str]:
    """What an entry would be tried with, whole or in parts."""
    return intake.attempt_of(entry.fields), intake.attempt_of(part_fields(entry.fields))
