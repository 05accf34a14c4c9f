"""A folder of sounds taken into the lake."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sonolake.lake.known import Known
from sonolake.lake.run import Run
from sonolake.lake.step import Counts
from sonolake.sources.folder import read_folder
from sonolake.sources.ingest import Ingest, portions
from sonolake.sources.intake import Intake
from sonolake.sources.records import Offered
from sonolake.sources.walking import require_apart


def take_in(
    run: Run,
    kind: str,
    source: Path,
    *,
    manifest: Path | None = None,
    licence: str = "",
    convention: str = "",
    mapping: Mapping[str, str] | None = None,
    workers: int = 2,
) -> Counts:
    """Take a folder, or what a manifest names, into the lake; what is there already is left alone.

    Args:
        run: in whose name.
        kind: ``take``, ``ambience``, ``response``, ``foa``, ``speech`` or ``vocal``.
        source: a folder or a manifest.
        manifest: the folder's manifest; its own when left out.
        licence: SPDX, of items whose manifest row says none.
        convention: of Ambisonics: ``ambix``, ``n3d`` or ``fuma``.
        mapping: foreign manifest headers to ours.
        workers: number of threads.

    Raises:
        NotFound, InvalidInput: as :func:`sonolake.sources.folder.read_folder`.
    """
    intake = Intake(kind, convention, licence)
    require_apart(source, run.lake.place)
    folder = read_folder(source, manifest, mapping)
    ingest = Ingest(run, intake, workers, Known())
    counts = Counts()
    offered: list[Offered] = [*folder.items, *folder.refusals]
    for some in portions(offered):
        counts = counts + ingest.take(some)
    return counts
