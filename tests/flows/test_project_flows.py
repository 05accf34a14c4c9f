"""The flows of a new repository: run here, and named rightly in its ``prefect.yaml``."""

import sys

import pytest
import yaml
from prefect.flows import load_flow_from_entrypoint

from sonolake.lake.step import Counts
from sonolake.project import make_project
from sonolake.releases import verify


@pytest.fixture
def project(tmp_path, monkeypatch):
    folder = tmp_path / "night-sounds"
    make_project(folder)
    settings = folder / "settings.toml"
    settings.write_text(settings.read_text().replace("items = 24", "items = 6"))
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "night_sounds"]:
        del sys.modules[name]


def test_every_deployment_runs_as_its_entrypoint_and_parameters_say(engine, project):
    from night_sounds import steps
    from night_sounds.settings import load

    steps.write_sounds(load())
    wanted = yaml.safe_load((project / "prefect.yaml").read_text())["deployments"]
    nightly, publish = ((load_flow_from_entrypoint(one["entrypoint"]), one["parameters"]) for one in wanted)
    counts = nightly[0](**nightly[1])
    assert counts["make-night-sounds"] == Counts(taken=6, done=6, made=6)
    folder = publish[0](**publish[1], date="2026-11-30")
    assert verify(project / "lake" / "releases" / "night-sounds" / "0.1.0") == [] and folder.endswith("0.1.0")
    for step, one in nightly[0](**nightly[1]).items():
        assert one == Counts(taken=one.taken, already=one.taken), step


def test_it_runs_every_night_and_one_at_a_time(project):
    nightly, publish = yaml.safe_load((project / "prefect.yaml").read_text())["deployments"]
    assert [schedule["cron"] for schedule in nightly["schedules"]] == ["30 2 * * *"]
    assert "schedules" not in publish
    for one in (nightly, publish):
        assert one["concurrency_limit"] == {"limit": 1, "collision_strategy": "ENQUEUE"}
        assert one["work_pool"] == {"name": "night-sounds"}
