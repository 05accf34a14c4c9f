"""What a release of one's own data sets holds, read at one snapshot of the lake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date as calendar
from typing import Any

from sonolake.datasets.alike import near_duplicates
from sonolake.datasets.allowing import allowed_configs, told_of
from sonolake.datasets.dataset import DataSet
from sonolake.datasets.origins import lineage_of, sources_of
from sonolake.datasets.samples import sample_of
from sonolake.datasets.tables import config_of, items_of
from sonolake.errors import NotFound
from sonolake.ids import seed_of
from sonolake.lake.lake import Lake
from sonolake.lake.run import Run
from sonolake.lake.spec import Column
from sonolake.releases import Config, Content, ReportSample
from sonolake.releases.figures import named, proof_link
from sonolake.releases.licences import checked_profile, licence_of_collection
from sonolake.releases.on_record import date_of, path_of
from sonolake.releases.publishing import Published, publish

DONE = "cut, levelled, mixed"
"""What is done to a sound where a data set does not say."""


def release(
    run: Run, data_sets: Sequence[DataSet[Any]], name: str, version: str, date: str = "", **words: Any
) -> Published:
    """Publish all items that may be handed on; a version that is there with the same content is left alone.

    Args:
        run: in whose name.
        data_sets: a config each.
        name: of the release, 1 to 64 of ``a-z 0-9 . _ -``.
        version: MAJOR.MINOR.PATCH.
        date: YYYY-MM-DD; when left out, the one that the version has, and today for a new version.
        words: ``title``, ``summary``, ``notes``, ``changes``, ``languages``, ``tags``, ``creator``, ``url``,
            ``profile`` of :class:`~sonolake.releases.Content`.

    Raises:
        InvalidInput: for what cannot be a name, a version or a date.
        NotFound: when there is no item.
        Refused: when the version is there with other content, or a proof that must hold fails.
    """
    path_of(name, version)
    snapshot = run.lake.snapshot
    date = date or date_of(run.lake, name, version) or calendar.today().isoformat()
    content = content_of(run.lake, data_sets, name, version, date, snapshot, **words)
    return publish(run, content, snapshot)


def content_of(
    lake: Lake,
    data_sets: Sequence[DataSet[Any]],
    name: str,
    version: str,
    date: str,
    snapshot: int,
    **words: Any,
) -> Content:
    """Every item that may be handed on, as it was at ``snapshot``; the other arguments are those of :func:`release`.

    Raises:
        NotFound: when there is none.
    """
    there = [config for one in data_sets if (config := config_at(lake, snapshot, one)) is not None]
    configs, left_out = allowed_configs(
        lake, snapshot, there, checked_profile(words.get("profile", "research"))
    )
    found = [(one, config) for one in data_sets for config in configs if config.name == one.name]
    if not found:
        names = ", ".join(one.name for one in data_sets)
        raise NotFound(
            f"nothing to release: there is no item of {names} that may be handed on{told_of(left_out)}"
        )
    lineage = lineage_of(lake, snapshot, [item for config in configs for item in items_of(config)])
    licences = {row for c in configs for t in c.splits.values() for row in t["licence"].to_pylist()}
    changes = {kind: DONE for one in data_sets for kind in one.kinds}
    changes |= {kind: done for one in data_sets for kind, done in one.changes.items()}
    sources = sources_of(lake, snapshot, lineage, changes)
    alike, proofs = near_duplicates(lake, snapshot, configs, sources, lineage)
    told = ", ".join(f"{config.rows} {named(config.title)}" for config in configs)
    texts = {
        "title": name,
        "summary": f"{told}, made by sonolake from the sounds credited in `ATTRIBUTION.md` "
        f"({proof_link('counts-items')}).",
        **words,
    }
    return Content(
        name=name,
        version=version,
        date=date,
        licence=licence_of_collection(licences),
        left_out=left_out,
        configs=configs,
        sources=sources,
        lineage=lineage,
        charts=tuple(chart for one, _ in found for chart in one.report_charts()),
        samples=tuple(sample for one, config in found for sample in _samples(lake, one, config)),
        queries={one.name: query_of(one) for one in data_sets},
        benchmark=alike,
        proofs=proofs,
        **texts,
    )


def config_at(lake: Lake, snapshot: int, data_set: DataSet[Any]) -> Config | None:
    """The table of a data set as a config; None when it has no item."""
    meanings = {column.name: _meaning(column) for column in data_set.table.columns}
    return config_of(
        lake,
        snapshot,
        query_of(data_set),
        name=data_set.name,
        title=data_set.title,
        description=data_set.description,
        meanings=meanings,
        tasks=data_set.tasks,
    )


def query_of(data_set: DataSet[Any]) -> str:
    """What the config of a data set is read by."""
    table = data_set.table.name
    own = [column.name for column in (*data_set.columns, *data_set.table.columns[-1:])]
    return (
        "SELECT d.item_id, d.split, d.asset_id AS audio_asset, d.licence, d.duration_s, "
        "a.sample_rate::INTEGER AS sample_rate, a.channels::INTEGER AS channels, "
        f"{', '.join(f'd.{column}' for column in own)} FROM {table} d JOIN assets a USING (asset_id) ORDER BY item_id"
    )


def _meaning(column: Column) -> str:
    return f"{column.meaning}, in {column.unit}" if column.unit else column.meaning


def _samples(lake: Lake, data_set: DataSet[Any], config: Config) -> Iterator[ReportSample]:
    """One item of each split; which one depends on the ids alone."""
    for split, table in config.ordered:
        row = min(table.to_pylist(), key=lambda row: seed_of(row["item_id"], "sample"))
        yield sample_of(lake, config.name, split, row, data_set.show(row))
