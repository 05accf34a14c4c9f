"""``deployments/prefect.yaml``: what it says; ``tests/infra`` runs one of its deployments."""

import inspect
import re

import pytest
import yaml
from prefect.flows import load_flow_from_entrypoint

from sonolake.sources.freesound import Search

FILE = "deployments/prefect.yaml"
WRITERS = {
    "ingest-takes",
    "ingest-freesound",
    "embed",
    "split",
    "cares",
    "rms-aqa",
    "wesr",
    "release",
    "recheck-sources",
    "maintain",
}


@pytest.fixture
def root(request):
    return request.config.rootpath


@pytest.fixture
def settings(root):
    return yaml.safe_load((root / FILE).read_text())


@pytest.fixture
def deployments(settings):
    return {deployment["name"]: deployment for deployment in settings["deployments"]}


def test_every_data_set_and_the_upkeep_have_a_deployment(deployments):
    assert set(deployments) == WRITERS
    for one in deployments.values():
        assert one["description"].endswith(".") and "sonolake" in one["tags"]
        assert one["work_pool"]["name"] == "sonolake"


def test_writers_run_one_at_a_time_and_wait_for_each_other(deployments):
    for one in deployments.values():
        assert one["concurrency_limit"] == {"limit": 1, "collision_strategy": "ENQUEUE"}


def test_the_search_on_freesound_can_be_and_is_switched_on_by_those_who_have_a_key(deployments):
    one = deployments["ingest-freesound"]
    search = Search(**one["parameters"]["search"])
    search.require_sound(one["parameters"]["source"].removeprefix("freesound:"))
    assert [schedule["active"] for schedule in one["schedules"]] == [False]


def test_embedding_splitting_and_maintenance_are_nightly(deployments):
    crons = {
        n: [s["cron"] for s in one.get("schedules", ()) if s["active"]] for n, one in deployments.items()
    }
    nightly = {name: found[0] for name, found in crons.items() if found}
    assert set(nightly) == {"embed", "split", "maintain"}
    assert all(re.fullmatch(r"\d+ \d+ \* \* \*", cron) for cron in nightly.values())


def test_parameters_are_those_of_the_flows(deployments, root, monkeypatch):
    monkeypatch.chdir(root)
    for one in deployments.values():
        flow = load_flow_from_entrypoint(one["entrypoint"])
        inspect.signature(flow.fn).bind(**one["parameters"])
        assert one["parameters"]["lake"] == "{{ $SONOLAKE_LAKE }}"


def test_no_path_of_a_machine_stands_in_the_file(settings, root):
    assert re.findall(r"(?:^|[\s\"'])(/\w+|~/)", (root / FILE).read_text()) == []
    (step,) = settings["pull"]
    assert step == {
        "prefect.deployments.steps.set_working_directory": {"directory": "{{ $SONOLAKE_CHECKOUT }}"}
    }
