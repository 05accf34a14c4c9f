"""One engine for all flow tests, and the very small lake made by the flows themselves."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from sonolake.lake.catalog import connect
from sonolake.lake.restoring import restore
from sonolake.lake.step import Counts
from sonolake.wesr.vetting import Cutting

DATE = "2026-11-30"


@dataclass(frozen=True)
class Flowed:
    """A lake that the flows made, and what each flow counted."""

    folder: Path
    counts: Mapping[str, Mapping[str, Counts]]


@pytest.fixture(scope="session")
def engine():
    """Prefect's own test engine, started once (a dozen seconds); flows do not wait for a heartbeat at their end."""
    from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings
    from prefect.testing.utilities import prefect_test_harness

    with (
        prefect_test_harness(server_startup_timeout=180),
        temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}),
    ):
        yield


@pytest.fixture(scope="session")
def flow_steps(reduced_sources):
    """The flows that make the lake of ``tests/flows/drivers/build_lake.py``, in order, by name."""
    from flows import ingesting
    from flows.cares_scenes import cares
    from flows.releasing import release
    from flows.rms_aqa_clips import rms_aqa
    from flows.splitting import split
    from flows.vectors import embed
    from flows.wesr_mining import wesr

    ingests = {
        "takes": ingesting.ingest_takes,
        "ambiences": ingesting.ingest_ambiences,
        "responses": ingesting.ingest_responses,
        "foa-responses": ingesting.ingest_responses,
        "foa": ingesting.ingest_foa,
        "vocals": ingesting.ingest_vocals,
        "speech": ingesting.ingest_speech,
    }
    taken = {
        name: lambda lake, name=name: ingests[name](str(reduced_sources / name), lake) for name in ingests
    }
    return {
        **taken,
        "embed": embed,
        "split": split,
        "cares": lambda lake: cares(lake, 2, 2, short=True),
        "rms-aqa": lambda lake: rms_aqa(lake, 6),
        "wesr": lambda lake: wesr(
            lake,
            "",
            5,
            page=str(Path(lake).with_name("candidates.html")),
            cutting=Cutting(recogniser="none"),
            known=str(_known_events(reduced_sources / "speech", Path(lake).with_name("known.csv"))),
        ),
        "release": lambda lake: release("tiny", "0.1.0", lake, DATE),
    }


def _known_events(speech, file):
    """The events of the label files in a folder, as a file of known events."""
    rows = [
        f"{path.name.removesuffix('.labels.txt')}.flac,{tag.strip()},{start},{end}"
        for path in sorted(speech.glob("*.labels.txt"))
        for start, end, tag in [line.split("\t") for line in path.read_text().splitlines()]
    ]
    file.write_text("\n".join(["item,tag,onset_s,offset_s", *rows, ""]))
    return file


@pytest.fixture(scope="session")
def flowed(plain_lake_begun, engine, flow_steps, tmp_path_factory):
    """The lake made by the flows, while the other one is built beside it; tests only add to its runs."""
    folder = tmp_path_factory.mktemp("flowed") / "lake"
    return Flowed(folder, {name: step(str(folder)) for name, step in flow_steps.items()})


@pytest.fixture
def copied_lake(plain_lake, bucket):
    """The address of ``plain_lake``, copied into a bucket as it is."""
    import boto3

    client = boto3.session.Session().client("s3")
    for path in plain_lake.rglob("*"):
        if path.is_file():
            key = f"copied/lake/{path.relative_to(plain_lake).as_posix()}"
            client.upload_file(str(path), bucket.removeprefix("s3://"), key)
    return f"{bucket}/copied/lake"


@pytest.fixture
def team_lake(copied_lake, postgres, monkeypatch):
    """The same with a catalog in PostgreSQL, in a database of its own, as copies of a lake have one id."""
    name = f"lakes_{uuid.uuid4().hex[:12]}"
    with connect("postgres_scanner") as con:
        con.execute(f"ATTACH '{postgres}' AS pg (TYPE postgres)")
        con.execute(f"CALL postgres_execute('pg', 'CREATE DATABASE {name}', use_transaction => false)")
    monkeypatch.setenv("SONOLAKE_CATALOG", postgres.replace("/postgres?", f"/{name}?"))
    restore(copied_lake)
    return copied_lake
