"""OpenLineage run events as plain dictionaries (OpenLineage 2-0-2, and the facets of that time)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from sonolake import __version__

Event = dict[str, Any]
Ending = Literal["COMPLETE", "FAIL", "ABORT"]
SPEC = "https://openlineage.io/spec"
SCHEMA_URL = f"{SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent"
PRODUCER = f"urn:sonolake:{__version__}"
FACETS = {
    "schema": "1-2-0/SchemaDatasetFacet",
    "version": "1-0-1/DatasetVersionDatasetFacet",
    "dataSource": "1-0-1/DatasourceDatasetFacet",
    "outputStatistics": "1-0-2/OutputStatisticsOutputDatasetFacet",
    "errorMessage": "1-0-1/ErrorMessageRunFacet",
    "parent": "1-2-0/ParentRunFacet",
    "processing_engine": "1-1-1/ProcessingEngineRunFacet",
    "jobType": "2-0-4/JobTypeJobFacet",
}
"""Version and name of the published schema of each facet that is told."""


@dataclass(frozen=True)
class Job:
    """What runs: a namespace and a name in it."""

    namespace: str
    name: str


@dataclass(frozen=True)
class Parent:
    """The run that another one is a part of."""

    job: Job
    run_id: str


@dataclass(frozen=True)
class Dataset:
    """A table or a release, with what is told of it; ``statistics`` are of what was written."""

    namespace: str
    name: str
    source: str = ""
    version: str = ""
    columns: Sequence[tuple[str, str, str]] = ()
    statistics: Mapping[str, int] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """As an event has it."""
        facets: dict[str, Any] = {}
        if self.source:
            facets |= facet("dataSource", name=self.namespace, uri=self.source)
        if self.version:
            facets |= facet("version", datasetVersion=self.version)
        if self.columns:
            fields = [
                {"name": name, "type": kind, "ordinal_position": number}
                | ({"description": meaning} if meaning else {})
                for number, (name, kind, meaning) in enumerate(self.columns, 1)
            ]
            facets |= facet("schema", fields=fields)
        told: dict[str, Any] = {"namespace": self.namespace, "name": self.name, "facets": facets}
        if self.statistics:
            told["outputFacets"] = facet("outputStatistics", **self.statistics)
        return told


def facet(of: str, /, **facts: Any) -> dict[str, Any]:
    """A facet under its name."""
    version, _, kind = FACETS[of].partition("/")
    url = f"{SPEC}/facets/{version}/{kind}.json#/$defs/{kind}"
    return {of: {"_producer": PRODUCER, "_schemaURL": url, **facts}}


def start(run_id: str, job: Job, parent: Parent | None = None) -> Event:
    """A run begins.

    Raises:
        ValueError: for a run id that is no UUID.
    """
    facets = facet("processing_engine", name="sonolake", version=__version__)
    if parent is not None:
        of = {"namespace": parent.job.namespace, "name": parent.job.name}
        facets |= facet("parent", run={"runId": parent.run_id}, job=of)
    kind = facet("jobType", processingType="BATCH", integration="SONOLAKE", jobType="FLOW")
    return {
        "eventType": "START",
        "eventTime": _now(),
        "producer": PRODUCER,
        "schemaURL": SCHEMA_URL,
        "run": {"runId": str(uuid.UUID(run_id)), "facets": facets},
        "job": {"namespace": job.namespace, "name": job.name, "facets": kind},
        "inputs": [],
        "outputs": [],
    }


def end(
    began: Event,
    how: Ending,
    inputs: Sequence[Dataset] = (),
    outputs: Sequence[Dataset] = (),
    error: str = "",
) -> Event:
    """The run of a START ends, having read and written these; ``error`` says why, when it failed."""
    run = began["run"]
    if error:
        failed = facet("errorMessage", message=error, programmingLanguage="python")
        run = {**run, "facets": {**run["facets"], **failed}}
    return {
        **began,
        "eventType": how,
        "eventTime": _now(),
        "run": run,
        "inputs": [dataset.plain() for dataset in inputs],
        "outputs": [dataset.plain() for dataset in outputs],
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
