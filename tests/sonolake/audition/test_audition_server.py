"""The audition's server without a browser."""

import pytest

pytest.importorskip("starlette", reason="needs the extra 'annotate'")
from starlette.testclient import TestClient

from sonolake.audition import takes_of
from sonolake.audition.decisions import decisions_of
from sonolake.audition.server import Desk, application
from sonolake.cares.banks import default_banks

KETTLE = "home_indoor/kettle_whistle"


@pytest.fixture
def ask(lake, takes):
    desk = Desk(lake, default_banks(), KETTLE)
    with TestClient(application(desk), base_url="http://127.0.0.1:8451") as client:

        def asked(path, key=desk.key, rater="ann", **options):
            headers = {"x-sonolake-key": key, **options.pop("headers", {})}
            call = client.post if "json" in options else client.get
            return call(f"/api/{path}?rater={rater}", headers=headers, **options)

        yield asked


def act(ask, asset_id, base=0, event=KETTLE, **decision):
    return ask(f"events/{event}/{asset_id}/actions", json={"base": base, "decision": decision})


def test_a_decision_is_in_the_lake_before_the_answer(ask, lake, takes):
    answer = act(ask, takes["low"], verdict="accept", single_source=True, trim_s=[0.5, 2.0])
    kept = {"seq": 1, "rater": "ann"}
    kept["decision"] = {"verdict": "accept", "single_source": True, "trim_s": [0.5, 2.0]}
    assert answer.json() == kept
    assert decisions_of(lake)[KETTLE][takes["low"]].decision.trim_s == (0.5, 2.0)
    shown = {one["asset_id"]: one for one in ask(f"events/{KETTLE}").json()["takes"]}
    assert kept.items() <= shown[takes["low"]].items()
    assert act(ask, takes["low"], verdict="reject").status_code == 409


def test_sounds_are_those_of_takes(ask, lake, takes):
    secret = lake.media.put(b"RIFF but no take")
    assert ask(f"takes/{takes['low']}").json()["duration_s"] == 2.0
    assert ask(f"takes/{takes['low']}/sound.wav").content[:4] == b"RIFF"
    assert ask(f"takes/{takes['low']}/spectrogram.png").content[:4] == b"\x89PNG"
    assert ask(f"takes/{secret}/sound.wav").status_code == 404


def test_what_a_mouth_does_is_vetted_as_well(ask, lake, takes):
    assert ask("events/vocal/laughs").json()["name"] == "laugh"
    assert (
        act(ask, takes["loose"], event="vocal/laughs", verdict="accept", trim_s=[0.5, 2.0]).status_code == 200
    )
    laughs = [take for take in takes_of(lake) if take.event == "vocal/laughs"]
    assert [(t.asset_id, t.split, t.trim_s) for t in laughs] == [(takes["loose"], "validation", (0.5, 2.0))]


@pytest.mark.parametrize(
    ("event", "decision", "status"),
    [
        (KETTLE, {"verdict": "nice"}, 422),
        (KETTLE, {"trim_s": [0.5, 2.5]}, 422),
        ("home_indoor/no_such_thing", {"verdict": "accept"}, 404),
    ],
)
def test_what_cannot_be_decided(ask, lake, takes, event, decision, status):
    assert act(ask, takes["low"], event=event, **decision).status_code == status
    assert decisions_of(lake) == {}


def test_nothing_without_the_key_or_from_elsewhere(ask, lake, takes):
    path = f"events/{KETTLE}/{takes['low']}/actions"
    body = {"base": 0, "decision": {"verdict": "accept"}}
    assert ask("coverage", key="guess").status_code == 401
    assert ask(path, key="guess", json=body).status_code == 401
    assert ask(path, json=body, headers={"Origin": "http://evil.example"}).status_code == 403
    assert ask(path, json=body, headers={"Host": "evil.example"}).status_code == 403
    assert ask(path, json=body, rater="").status_code == 422
    assert decisions_of(lake) == {}
