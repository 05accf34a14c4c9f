"""The flow that keeps a lake quick as it grows."""

from __future__ import annotations

from prefect import flow

from flows.progress import say
from flows.running import run_in
from sonolake.lake.maintenance import Kept
from sonolake.lake.step import Counts
from tasks.maintaining import maintain_space, maintain_tables
from tasks.opening import lake_at


@flow(name="maintain", description="Join small files, index large vector spaces, clean old versions away.")
def maintain(lake: str) -> dict[str, Counts]:
    """Look after every table and vector space; nothing that can be asked for is lost."""
    with run_in(lake, "maintain", {}) as run:
        kept = maintain_tables(lake, run.run_id)
        kept += [maintain_space(lake, run.run_id, space) for space in lake_at(lake).vectors.spaces()]
        for one in kept:
            for line in _lines(one):
                say(line)
        return run.counts()


def _lines(kept: Kept) -> list[str]:
    lines = []
    if kept.files[0] != kept.files[1]:
        lines.append(f"{kept.name}: {kept.files[0]:,} files joined to {kept.files[1]:,}")
    if kept.versions[0] != kept.versions[1]:
        lines.append(f"{kept.name}: {kept.versions[0]:,} versions, {kept.versions[1]:,} kept")
    if kept.searched is not None:
        lines.append(kept.searched.said)
    if not kept.cleaned:
        lines.append(
            f"{kept.name}: old versions stay, because a release pins one of them; "
            "pip install 'sonolake[maintenance]' cleans the others"
        )
    return lines
