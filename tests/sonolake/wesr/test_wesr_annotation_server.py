"""The annotation server without a browser: who may ask what, and what reaches it from elsewhere."""

import json

import numpy as np
import pytest

from sonolake.audio.encode import flac_bytes, wav_bytes

pytest.importorskip("starlette", reason="needs the extra 'annotate'")
from starlette.testclient import TestClient

from sonolake.wesr.annotation.server import application
from sonolake.wesr.annotation.shortcuts import KEYS
from sonolake.wesr.annotation.sounds import Sounds
from sonolake.wesr.annotation.store import Project
from sonolake.wesr.annotation.tasks import Task
from sonolake.wesr.taxonomy import BY_NAME

TASKS = [
    Task("g", "a.wav", "one two", gold="one [laughs] two"),
    Task("a", "a.wav", "Oh, my face.", "en", ((0.1, 0.2), (0.2, 0.3), (0.3, 0.5))),
    Task("b", "media:" + "ab" * 32, "三四", "zh"),
    Task("c", "nowhere.wav", "five"),
    Task("d", "text.wav", "six"),
    Task("e", "../secret.wav", "seven"),
]
MARK = {"kind": "insert", "points": [[1, "laughs"]], "spans": [], "done": False, "base": 0}


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "audio"
    (tmp_path / "media" / "ab").mkdir(parents=True)
    folder.mkdir()
    tone = np.concatenate([np.zeros(4800), 9000 * np.sin(np.arange(38_400) / 9), np.zeros(4800)]).astype(
        np.int16
    )
    (folder / "a.wav").write_bytes(wav_bytes(tone, 48_000))
    (tmp_path / "secret.wav").write_bytes(wav_bytes(tone, 48_000))
    (tmp_path / "media" / "ab" / ("ab" * 32)).write_bytes(flac_bytes(np.column_stack([tone, tone]), 48_000))
    (folder / "text.wav").write_text("no sound")
    with Project.create(tmp_path / "p.sqlite", TASKS) as made:
        yield made


@pytest.fixture
def client(project, tmp_path):
    app = application(project, Sounds(tmp_path / "audio", tmp_path / "media"))
    with TestClient(app, base_url="http://127.0.0.1:8450") as made:
        yield made


@pytest.fixture
def ask(client, project):
    def asked(path, rater="ann", key="key", **options):
        headers = {"x-sonolake-key": project.meta(key), **options.pop("headers", {})}
        if "json" in options:
            return client.post(f"/api/{path}?rater={rater}", headers=headers, **options)
        return client.get(f"/api/{path}?rater={rater}", headers=headers, **options)

    return asked


def qualify(ask, rater="ann"):
    assert ask("gold/0/actions", rater, json={**MARK, "done": True}).json()["verdict"]["passed"]


def test_every_tag_has_a_key_of_its_own():
    assert set(KEYS) == set(BY_NAME)
    assert len(set(KEYS.values())) == 21
    assert {BY_NAME[name].form == "continuous" for name, key in KEYS.items() if key.isupper()} == {True}
    assert not {"j", "z"} & set(KEYS.values()), "commands"


def test_qualification_opens_the_tasks(ask):
    assert ask("work/0").status_code == 403
    assert ask("me").json()["phase"] == "gold"
    answer = ask("gold/0/actions", json={**MARK, "points": [[0, "laughs"]], "done": True}).json()
    assert answer["verdict"] == {"f1": 0.0, "passed": False}
    assert [m["kind"] for m in answer["feedback"]] == ["displaced"]
    assert answer["gold"] == "one [laughs] two"
    state = ask("gold/0").json()["state"]
    assert (state["points"], state["done"]) == ([], False)
    again = ask("gold/0/actions", json={**MARK, "base": state["seq"], "done": True}).json()
    assert again["verdict"]["passed"]
    me = ask("me").json()
    assert (me["phase"], me["tasks"], me["done"], me["first"]) == ("work", 5, 0, 0)


def test_a_task_and_its_sound(ask):
    qualify(ask)
    task = ask("work/0").json()
    assert (task["words"], task["gaps"]) == (
        ["Oh", "my", "face"],
        [["", ""], [", ", ""], [" ", ""], [".", ""]],
    )
    assert task["times"] == [[0.1, 0.2], [0.2, 0.3], [0.3, 0.5]]
    assert (task["estimated"], task["duration_s"]) == (False, 1.0)
    assert ask("work/0/sound.wav").content[:4] == b"RIFF"
    assert ask("work/0/spectrogram.png").content[:4] == b"\x89PNG"
    other = ask("work/1").json()
    assert (other["words"], other["estimated"], other["language"]) == (["三", "四"], True, "zh")
    assert other["times"][0][0] == pytest.approx(0.1, abs=0.02)
    assert other["times"][1][1] == pytest.approx(0.9, abs=0.02)


@pytest.mark.parametrize(("index", "fault"), [(2, "no recording"), (3, "not_audio"), (4, "no recording")])
def test_a_sound_that_is_not_there_stops_nothing(ask, index, fault):
    qualify(ask)
    task = ask(f"work/{index}").json()
    assert fault in task["fault"]
    assert ask(f"work/{index}/sound.wav").status_code == 422
    assert ask(f"work/{index}/actions", json={**MARK, "points": [[1, "sigh"]]}).status_code == 200


def test_annotators_see_nothing_of_each_other(ask):
    for rater in ("ann", "ben"):
        qualify(ask, rater)
    ask("work/0/actions", "ann", json={**MARK, "done": True})
    shown = ask("work/0", "ben").json()
    assert shown["state"] == {"seq": 0, "done": False, "points": [], "spans": []}
    assert "answers" not in shown
    assert "laughs" not in json.dumps(shown)


def test_the_adjudicator_sees_what_is_done(ask):
    for rater, tag in (("ann", "laughs"), ("ben", "sigh")):
        qualify(ask, rater)
        ask("work/0/actions", rater, json={**MARK, "points": [[1, tag]], "done": rater == "ann"})
    shown = ask("work/0", "eva", "adjudication_key").json()
    assert [(a["rater"], a["points"]) for a in shown["answers"]] == [("ann", [[1, "laughs"]])]
    done = ask("work/0/actions", "eva", "adjudication_key", json={**MARK, "done": True}).json()
    assert done["text"] == "Oh, [laughs] my face."
    assert ask("me", "eva", "adjudication_key").json()["done"] == 1
    assert ask("work/0", "ben").json()["state"]["points"] == [[1, "sigh"]]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({**MARK, "points": [[9, "laughs"]]}, 422),
        ({**MARK, "points": "x"}, 422),
        ({"kind": "insert"}, 422),
        ([1], 422),
        ({**MARK, "base": 5}, 409),
    ],
)
def test_actions_that_cannot_be(ask, project, body, status):
    qualify(ask)
    before = len(project.actions())
    assert ask("work/0/actions", json=body).status_code == status
    assert len(project.actions()) == before


def test_tasks_that_are_not_there(ask):
    qualify(ask)
    assert ask("work/5").status_code == 404
    assert ask("work/0", rater="").status_code == 422


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://127.0.0.1:8450"}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:9999"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Host": "evil.example:8450"}, 403),
        ({"Content-Type": "text/plain"}, 403),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 403),
        ({"x-sonolake-key": "guess"}, 401),
        ({"x-sonolake-key": ""}, 401),
    ],
)
def test_what_another_site_can_send(ask, project, headers, status):
    answer = ask("gold/0/actions", json=MARK, headers=headers)
    assert answer.status_code == status
    assert len(project.actions()) == (status == 200)


def test_large_bodies_are_refused(ask):
    assert ask("gold/0/actions", json={**MARK, "kind": "x" * (1 << 20)}).status_code == 403


def test_the_page_loads_nothing_from_elsewhere_and_cannot_be_framed(client):
    for name in (
        "",
        "style.css",
        "text.css",
        "main.js",
        "editor.js",
        "view.js",
        "sound.js",
        "api.js",
        "elements.js",
    ):
        answer = client.get(f"/{name}")
        assert answer.status_code == 200
        assert "http://" not in answer.text and "https://" not in answer.text
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert client.get("/../store.py").status_code == 404
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 403
