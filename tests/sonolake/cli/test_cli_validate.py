"""``sonolake validate`` on a lake of scenes without sound, and on a release of them."""

import json
import re
import shutil
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

from schemas import ALL, lake_spec
from sonolake import Lake
from sonolake.audio.encode import flac_bytes
from sonolake.cares.allocator import allocate, slots
from sonolake.cares.banks import default_banks
from sonolake.cares.pool import Pool
from sonolake.cares.templates import write_templates
from sonolake.cares.writer import write
from sonolake.cli import validate_source
from sonolake.ids import make_id, sha256_hex
from sonolake.releases import Config, Content, build
from sonolake.serial import to_json

SCENES = 20
WORD_S, GAP_S = 0.3, 0.6
WRITER = "writer:chat:openai:llama@http://elsewhere/v1 cares-dialogue:1"


def made(scenario, template, banks):
    """Rows of a scene with words of 0.3 s and gaps of 0.6 s; a sound begins 0.1 s after the turn before it."""
    timeline = write(scenario, template, banks, "short")
    scene_id, at, turns = make_id("scene", {"of": scenario.scenario_id}), 0.6, []
    for n, said in enumerate(timeline.utterances):
        start, at = at, at + WORD_S * len(said.text.split())
        turns.append({"turn": n, "speaker": said.speaker, "text": said.text, "start_s": start, "end_s": at})
        at += GAP_S
    specs = {spec.event_id: spec for spec in scenario.events}
    events, planned = [], []
    for event_id, before in timeline.before():
        spec, onset = specs[event_id], turns[before - 1]["end_s"] + 0.1
        asked = {
            "asked_level_lufs": -20.0,
            "measured_level_lufs": -20.0,
            "asked_snr_db": 6.0,
            "measured_snr_db": 9.0,
        }
        events.append(
            {
                "event": event_id,
                "reaction": spec.reaction,
                "register": spec.register,
                "layer": spec.layer,
                "band": spec.band,
                "take": sha256_hex(event_id.encode()),
                "distance_m": 2.0,
                "duck_db": 0.0,
                "asked_onset_s": onset,
                "measured_onset_s": onset,
                "onset_s": onset,
                "offset_s": onset + 0.4,
                **asked,
            }
        )
        planned.append({"event_id": event_id, "before": before})
    scene = {
        "scene_id": scene_id,
        "scenario_id": scenario.scenario_id,
        "template_id": scenario.template_id,
        "split": scenario.split,
        "duration_s": at + 1.0,
        "loudness_lufs": -23.0,
        "peak_dbfs": -1.0,
        "licence": "CC0-1.0",
        "location": scenario.location,
        "true_peak_dbtp": -0.9,
        "record": json.dumps({"events": planned}),
    }
    return scene, turns, events


@pytest.fixture(scope="module")
def all_made():
    banks = default_banks()
    pool = Pool({"train": frozenset(banks.sounds)})
    templates = write_templates(10, banks)
    scenarios = allocate(slots([(t, "train") for t in templates], SCENES), banks, pool)
    of = {t.template_id: t for t in templates}
    return templates, scenarios, [made(s, of[s.template_id], banks) for s in scenarios]


@pytest.fixture(scope="module")
def filled(all_made, tmp_path_factory):
    """The lake, and its scenes' ids."""
    templates, scenarios, scenes = all_made
    with Lake.create(tmp_path_factory.mktemp("scenes") / "lake") as lake:
        lake.declare(*(lake_spec(schema) for schema in ALL))
        asset = lake.media.put(silence())
        rows = {
            "templates": [
                {"template_id": t.template_id, "title": t.title, "description": t.description}
                | {"theme": t.theme, "category": t.category, "record": to_json(t)}
                for t in templates
            ],
            "scenarios": [
                {"scenario_id": s.scenario_id, "template_id": s.template_id, "composition": s.composition}
                | {"location": s.location, "relation": s.relation, "genders": s.genders, "record": to_json(s)}
                for s in scenarios
            ],
            "scenes": [{**scene, "asset_id": asset} for scene, _, _ in scenes],
            "turns": [
                {"scene_id": scene["scene_id"], **turn} for scene, turns, _ in scenes for turn in turns
            ],
            "scene_events": [
                {"scene_id": scene["scene_id"], "voice_s": None, **event}
                for scene, _, events in scenes
                for event in events
            ],
        }
        for name, some in rows.items():
            lake.table(name).append(some)
        return lake.root


@pytest.fixture(autouse=True)
def few_pairs(monkeypatch):
    """A threshold is calibrated on the topics of a few templates."""
    monkeypatch.setattr(validate_source, "CALIBRATING", 4)


def silence():
    return flac_bytes(np.zeros(16_000, dtype=np.int16), 16_000)


@pytest.fixture(scope="module")
def released(all_made, tmp_path_factory):
    """A release of the same scenes, as a team gets it."""
    _, scenarios, scenes = all_made
    topics = {s.scenario_id: s.topic for s in scenarios}
    rows = [
        {"item_id": scene["scene_id"], "licence": "CC0-1.0", "template_id": scene["template_id"]}
        | {
            "duration_s": scene["duration_s"],
            "topic": topics[scene["scenario_id"]],
            "record": scene["record"],
        }
        | {"turns": turns, "events": events}
        for scene, turns, events in scenes
    ]
    names = list(rows[0])
    config = Config(
        "cares", "Scenes", "Made-up scenes.", {"test": pa.Table.from_pylist(rows)}, dict.fromkeys(names, "x")
    )
    source = {"asset_id": "a" * 64, "source_id": "a", "licence": "CC0-1.0", "synthetic": True}
    source |= dict.fromkeys(("title", "author", "licence_url", "source_url", "changes"), "x")
    edges = [{"child": row["item_id"], "parent": "a" * 64, "role": "take"} for row in rows]
    edges += [{"child": row["item_id"], "parent": WRITER, "role": "writer"} for row in rows]
    writer = {**source, "asset_id": WRITER, "source_id": WRITER}
    tables = (pa.Table.from_pylist([source, writer]), pa.Table.from_pylist(edges))
    content = Content("demo", "0.1.0", "2026-11-30", "Demo", "Notes.", "CC0-1.0", (config,), *tables)
    folder = tmp_path_factory.mktemp("release") / "demo" / "0.1.0"
    build(content, lambda _: b"", folder)
    return folder


def test_a_person_reads_what_is_recovered_and_what_tells(cli, filled):
    said = cli("validate", "cares", lake=filled)
    assert said.exit_code == 0, said.stderr
    assert said.stdout.startswith("judge: embedded rules (no model)\n")
    assert "Cohen's kappa 0." in said.stdout
    assert "ROC AUC" in said.stdout
    assert "by reactions alone" in said.stdout
    assert "words a dialogue" in said.stdout
    assert "scenes of different templates share at most" in said.stdout
    assert "gap_s + level_lufs" in said.stdout


def test_a_program_reads_the_same(ask, filled, all_made):
    found = ask("validate", "cares", "dialogues", "shortcuts", lake=filled)
    events = sum(len(events) for _, _, events in all_made[2])
    dialogues = found["dialogues"]
    assert (dialogues["scenes"], dialogues["sounds"]) == (SCENES, events)
    assert dialogues["agreement"]["kappa"] > 0.6
    assert dialogues["self_check"] is False
    assert sum(sum(row.values()) for row in dialogues["confusion"].values()) == events
    words = [
        sum(len(re.sub(r"\[.*?\]", "", t["text"]).split()) for t in turns) for _, turns, _ in all_made[2]
    ]
    variety = dialogues["variety"]
    assert variety["dialogues"] == SCENES
    assert variety["words"] == pytest.approx([np.mean(words), np.std(words), min(words), max(words)])
    assert 0 < variety["distinct"][0] < variety["distinct"][1] < variety["distinct"][2] < 1
    assert 0 <= variety["pairs_over_limit"] <= variety["shared_most"] <= 1
    must = found["shortcuts"][0]
    assert (must["features"], must["must"], must["tells"]) == (["gap_s", "level_lufs"], True, False)


def test_a_level_that_leads_to_the_reaction_is_status_1(cli, filled, tmp_path):
    shutil.copytree(filled, tmp_path / "lake")
    with Lake.open(tmp_path / "lake") as lake, lake.transaction("louder") as tx:
        tx.sql(
            "UPDATE scene_events SET measured_level_lufs = CASE reaction WHEN 'ambient' THEN -10 ELSE -30 END"
        )
    said = cli("validate", "cares", "shortcuts", lake=tmp_path / "lake")
    assert said.exit_code == 1 and "ABOVE CHANCE, which must not be" in said.stdout


def test_a_release_is_validated_as_its_lake_is(ask, filled, released):
    here = ask("validate", "cares", "dialogues", "-n", 8, lake=filled)["dialogues"]
    there = ask("validate", "cares", "dialogues", "-n", 8, "--release", released)["dialogues"]
    assert there == here


def test_a_model_that_wrote_what_it_judges_is_called_so_at_an_address_too(ask, released, provider, site):
    provider.answer = lambda body: {"topic": "They talk.", "sounds": []}
    site.files = {
        f"/demo/{path.relative_to(released)}": path.read_bytes()
        for path in released.rglob("*")
        if path.is_file()
    }
    for judge, wrote in (("llama", True), ("mistral", False)):
        options = ["--judge", f"openai:{judge}@{provider.url}", "-n", 1, "--release", site.url("/demo")]
        assert ask("validate", "cares", "dialogues", *options)["dialogues"]["self_check"] is wrote


def test_scenes_of_a_split_and_a_number_of_them(ask, cli, filled):
    assert ask("validate", "cares", "dialogues", "-n", 3, lake=filled)["dialogues"]["scenes"] == 3
    none = cli("validate", "cares", "--split", "test", lake=filled)
    assert none.exit_code != 0
    assert "no scenes of CARES in this lake, split test" in none.stderr


def test_a_lake_without_scenes(cli, stocked):
    said = cli("validate", "cares", lake=stocked.root)
    assert said.exit_code != 0
    assert "no scenes of CARES" in said.stderr


def test_a_chat_model_judges_and_its_readings_are_kept(ask, filled, provider, tmp_path):
    def answer(body):
        marks = body["messages"][-1]["content"].count("[SOUND ")
        sounds = [{"number": n + 1, "reaction": "ambient"} for n in range(marks)]
        return {"topic": "They talk.", "sounds": sounds}

    provider.answer = answer
    kept = tmp_path / "readings.jsonl"
    options = ["--judge", f"openai:llama@{provider.url}", "--readings", kept, "-n", 8]
    first = ask("validate", "cares", "dialogues", *options, lake=filled)["dialogues"]
    asked = len(provider.requests)
    assert asked == 8
    assert first["topics"]["matched"] == 0.0
    assert first["agreement"]["kappa"] == pytest.approx(0.0)
    assert ask("validate", "cares", "dialogues", *options, lake=filled)["dialogues"] == first
    assert len(provider.requests) == asked


def test_a_scene_that_a_model_does_not_read_is_said_and_the_status_tells(cli, filled, provider):
    provider.answer = lambda body: "I would rather not."
    said = cli("validate", "cares", "dialogues", "-n", 2, "--judge", f"openai:m@{provider.url}", lake=filled)
    assert said.exit_code == 1
    assert "0 of 0 scenes pass whole" in said.stdout


def test_words_that_were_heard(ask, cli, filled, all_made, tmp_path):
    heard = tmp_path / "heard.jsonl"
    scripts = {s["scene_id"]: " ".join(turn["text"] for turn in turns) for s, turns, _ in all_made[2]}
    heard.write_text(
        "".join(json.dumps({"scene_id": name, "text": text}) + "\n" for name, text in scripts.items()),
        encoding="utf-8",
    )
    found = ask("validate", "cares", "words", "--heard", heard, lake=filled)["words"]
    assert (found["scenes"], found["rate"]["value"]) == (SCENES, 0.0)
    said = cli("validate", "cares", "words", "--heard", heard, lake=filled)
    assert said.stdout.startswith("word error rate by whisper:base: 0.00 % [0.00, 0.00]")


def test_words_heard_in_the_mixes_and_in_the_bare_voices(ask, cli, filled, released, all_made, tmp_path):
    """Two words of each scene's last turn are lost in the mix, one in the voice alone: twice as many."""
    heard = tmp_path / "heard.jsonl"
    scripts = {s["scene_id"]: " ".join(turn["text"] for turn in turns) for s, turns, _ in all_made[2]}
    for path, lost in ((heard, 2), (tmp_path / "heard.bare.jsonl", 1)):
        rows = [{"scene_id": name, "text": text.rsplit(maxsplit=lost)[0]} for name, text in scripts.items()]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = ask("validate", "cares", "words", "--bare", "--heard", heard, lake=filled)["words"]
    assert (found["deletions"], found["bare"]["deletions"]) == (2 * SCENES, SCENES)
    assert found["times"] == {"value": 2.0, "low": 2.0, "high": 2.0}
    said = cli("validate", "cares", "words", "--bare", "--heard", heard, lake=filled)
    assert said.stdout.splitlines()[-1] == "ratio of the mixes to the bare voices: 2.00 [2.00, 2.00]"
    refused = cli("validate", "cares", "words", "--bare", "--release", released)
    assert refused.exit_code == 2
    assert "a release cannot" in refused.stderr


def test_the_kit_and_what_comes_back(cli, ask, filled, tmp_path):
    page = tmp_path / "kit.html"
    said = cli("validate", "kit", page, "-n", 6, lake=filled)
    assert said.exit_code == 0, said.stderr
    assert " scenes" in said.stdout
    kit = json.loads(
        page.read_text(encoding="utf-8").split('type="application/json">')[1].split("</script>")[0]
    )
    scenes = [scene["scene_id"] for scene in kit["scenes"]]
    files = []
    for rater, answers in (("ann", ("ambient", "pivot")), ("bob", ("ambient", "verbal"))):
        places = [(scene["scene_id"], sound["event"]) for scene in kit["scenes"] for sound in scene["sounds"]]
        ratings = [
            {"scene_id": scene_id, "event": event, "reaction": answers[n % 2]}
            for n, (scene_id, event) in enumerate(places)
        ]
        files.append(tmp_path / f"{rater}.json")
        data = {"kit_id": kit["kit_id"], "scenes": scenes, "rater": rater, "ratings": ratings}
        files[-1].write_text(json.dumps(data), encoding="utf-8")
    found = ask("validate", "ratings", *files, lake=filled)
    assert found["sounds"] == len(places)
    assert found["between"][0]["observed"] == pytest.approx(-(-len(places) // 2) / len(places))
    shown = cli("validate", "ratings", *files, "--keep", lake=filled)
    assert "Fleiss' kappa" in shown.stdout
    assert f"{2 * len(places)} new judgements, 0 there already" in shown.stderr
    again = cli("validate", "ratings", *files, "--keep", lake=filled)
    assert f"0 new judgements, {2 * len(places)} there already" in again.stderr


def test_rules_of_the_fixture(all_made):
    """Turns follow one another, and every sound lies in a gap."""
    for _, turns, events in all_made[2]:
        assert all(a["end_s"] < b["start_s"] for a, b in pairwise(turns))
        assert all(any(t["end_s"] < e["onset_s"] < t["end_s"] + GAP_S for t in turns) for e in events)
