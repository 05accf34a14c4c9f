"""Runs told as OpenLineage events: valid by the published schemas, one START and one end each, kept and sent."""

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from sonolake import Lake, running
from sonolake.lake.openlineage import sending
from sonolake.lake.openlineage.telling import end_killed
from sonolake.lake.step import Batch, Done, Edge

SCHEMAS = Path(__file__).parents[2] / "openlineage"
KEY = "secret-of-the-lineage"


@pytest.fixture(scope="session")
def validate():
    """Holds an event against the published schema, and each of its facets against its own."""
    texts = [json.loads(path.read_text()) for path in sorted(SCHEMAS.glob("*.json"))]
    registry = Registry().with_resources((text["$id"], Resource.from_contents(text)) for text in texts)

    def against(url, value):
        Draft202012Validator(
            {"$ref": url}, registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER
        ).validate(value)

    def valid(event):
        against("https://openlineage.io/spec/2-0-2/OpenLineage.json", event)
        against(event["schemaURL"], event)
        holders = [event["run"], event["job"], *event["inputs"], *event["outputs"]]
        for holder in holders:
            for facet in [*holder.get("facets", {}).values(), *holder.get("outputFacets", {}).values()]:
                against(facet["_schemaURL"], facet)
                assert facet["_producer"] == event["producer"]

    return valid


@pytest.fixture(autouse=True)
def _no_endpoint(monkeypatch):
    for name in ("URL", "API_KEY", "ENDPOINT", "DISABLED", "NAMESPACE", "PARENT_ID"):
        monkeypatch.delenv(f"OPENLINEAGE_{name}", raising=False)


def batch(*names):
    """A batch of takes, and a release made of the first."""
    made = Batch("ingest-take")
    for name in names:
        asset_id = name.encode().hex().ljust(64, "0")
        row = {"asset_id": asset_id, "kind": "take", "item": name}
        made.put(name, Done({"assets": [row]}, (Edge("release:demo@1.2.0", asset_id, "take"),)))
    return made


def kept(lake, folder=""):
    """The events in the lake, by run, in their order."""
    found = {}
    for entry in lake.storage.entries("openlineage"):
        if entry.path.endswith(".ndjson") and folder in entry.path:
            events = [json.loads(line) for line in lake.storage.read(entry.path).splitlines()]
            assert {event["run"]["runId"] for event in events} == {Path(entry.path).stem}
            found[Path(entry.path).stem] = events
    return found


def types(lake):
    return sorted([event["eventType"] for event in events] for events in kept(lake).values())


def check_run(lake, validate):
    with running(lake, "ingest", {"source": "here"}) as run:
        assert types(lake) == [["START"]], "a run at work has no end"
        run.commit(batch("a", "b"))
        run.commit(batch("c"))
        snapshot = lake.snapshot
    began, ended = kept(lake)[run.run_id]
    for event in (began, ended):
        validate(event)
        assert event["job"]["name"] == "ingest" and event["job"]["namespace"] == f"sonolake://{lake.lake_id}"
    assert (began["eventType"], ended["eventType"]) == ("START", "COMPLETE")
    outputs = {dataset["name"]: dataset for dataset in ended["outputs"]}
    assert set(outputs) == {"assets", "lineage", "step_counts", "releases/demo"}
    written = outputs["assets"]
    statistics = written["outputFacets"]["outputStatistics"]
    assert (statistics["rowCount"], statistics["fileCount"]) == (3, 2) and statistics["size"] > 0
    assert written["facets"]["version"]["datasetVersion"] == str(snapshot)
    fields = {field["name"]: field for field in written["facets"]["schema"]["fields"]}
    assert fields["asset_id"]["type"] == "VARCHAR" and "SHA-256" in fields["asset_id"]["description"]
    assert outputs["releases/demo"]["facets"]["version"]["datasetVersion"] == "1.2.0"
    assert [dataset["name"] for dataset in ended["inputs"]] == ["assets"]


def test_a_run_is_told_from_its_start_to_its_end(lake, validate):
    check_run(lake, validate)


@pytest.mark.soak
def test_a_run_of_a_team_is_told_as_an_object_beside_its_tables(team_place, validate):
    with Lake.create(team_place) as lake:
        check_run(lake, validate)


@pytest.mark.parametrize(
    ("error", "end"), [(ValueError("the source is gone"), "FAIL"), (KeyboardInterrupt(), "ABORT")]
)
def test_a_run_that_fails_or_is_stopped_ends_once_and_says_why(lake, validate, error, end):
    with pytest.raises(type(error)), running(lake, "ingest") as run:
        raise error
    events = kept(lake)[run.run_id]
    assert [event["eventType"] for event in events] == ["START", end]
    validate(events[1])
    said = events[1]["run"]["facets"]["errorMessage"]
    assert str(error) in said["message"] and said["programmingLanguage"] == "python"


def test_a_run_within_a_run_names_its_parent(lake, validate, monkeypatch):
    monkeypatch.setenv("OPENLINEAGE_PARENT_ID", "airflow/nightly.audio/0195a3f0-0000-7000-8000-000000000001")
    with running(lake, "demo") as outer, running(lake, "ingest") as inner:
        pass
    events = kept(lake)
    for event in events[outer.run_id] + events[inner.run_id]:
        validate(event)
    outside, own = (events[run.run_id][0]["run"]["facets"]["parent"] for run in (outer, inner))
    assert outside["job"] == {"namespace": "airflow", "name": "nightly.audio"}
    assert (own["job"]["name"], own["run"]["runId"]) == ("demo", outer.run_id)


def test_a_run_that_was_killed_is_told_as_aborted_when_it_is_next_seen(lake, validate):
    script = (
        "import os, signal, sys\nfrom sonolake import Lake, running\n"
        "with running(Lake.open(sys.argv[1]), 'embed'): os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", script, lake.place], check=False)
    assert types(lake) == [["START"]]
    (killed,) = kept(lake)
    with running(lake, "ingest") as run:
        assert end_killed(lake) == [], "one at work is not killed, and one is told once"
    events = kept(lake)
    assert [event["eventType"] for event in events[killed]] == ["START", "ABORT"]
    assert [event["eventType"] for event in events[run.run_id]] == ["START", "COMPLETE"]
    validate(events[killed][1])
    assert [entry.path for entry in lake.storage.entries("openlineage/open")] == []


class Endpoint(BaseHTTPRequestHandler):
    """Takes events; the first request finds it busy."""

    asked: ClassVar = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, self.headers["Authorization"], body))
        self.send_response(503 if len(self.asked) == 1 else 201)
        self.send_header("Retry-After", "0")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def endpoint(monkeypatch):
    Endpoint.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    monkeypatch.setenv("OPENLINEAGE_URL", f"http://127.0.0.1:{server.server_address[1]}")
    monkeypatch.setenv("OPENLINEAGE_API_KEY", KEY)
    yield Endpoint
    server.shutdown()
    server.server_close()


def test_events_go_to_an_endpoint_again_while_it_is_busy(lake, validate, endpoint):
    with running(lake, "ingest") as run:
        run.commit(batch("a"))
    paths, keys, events = zip(*endpoint.asked, strict=True)
    assert [event["eventType"] for event in events] == ["START", "START", "COMPLETE"]
    assert set(paths) == {"/api/v1/lineage"} and set(keys) == {f"Bearer {KEY}"}
    assert list(events[1:]) == kept(lake)[run.run_id]
    for event in events:
        validate(event)


def test_an_endpoint_that_is_not_there_stops_no_run_and_no_log_holds_the_key(lake, monkeypatch, caplog):
    monkeypatch.setattr(sending, "TRIES", 1)
    monkeypatch.setenv("OPENLINEAGE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENLINEAGE_API_KEY", KEY)
    with running(lake, "ingest"):
        pass
    assert types(lake) == [["START", "COMPLETE"]]
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 2 and all("was not sent" in one and KEY not in one for one in said)


def test_nothing_is_told_where_it_is_turned_off(lake, monkeypatch):
    monkeypatch.setenv("OPENLINEAGE_DISABLED", "true")
    with running(lake, "ingest"):
        pass
    assert kept(lake) == {}
