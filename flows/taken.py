"""What an ingest says at its end, beside its counts."""

from __future__ import annotations

from collections.abc import Iterable

from flows.progress import command, say
from sonolake.lake.step import Counts
from sonolake.sources.intake import Intake
from tasks.opening import lake_at
from tasks.taking import refused_among


def tell(lake: str, intake: Intake, names: Iterable[str], counts: Counts) -> None:
    """Say whether nothing of a source was taken, and what of it is still refused since an earlier run.

    Args:
        lake: where the lake is.
        intake: how it was taken.
        names: of all items of the source.
        counts: of this run.
    """
    if not counts.taken:
        return
    before = max(0, len(refused_among(lake_at(lake), intake, names)) - counts.quarantined)
    if before + counts.quarantined == counts.taken:
        say(
            f"nothing was taken: {'the one item is' if counts.taken == 1 else f'all {counts.taken:,} items are'} set "
            "aside, and the lake has nothing of it; "
            "docs/ingest.md says what each reason means, and what is tried again"
        )
    if before:
        say(
            f"{before:,} of the {counts.already:,} that are there already were refused before and still are: "
            f"{command()} --lake {lake} quarantine --step {intake.step} says why"
        )
