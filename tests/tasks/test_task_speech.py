"""Voices by name, kept answers, and traces of inline tags, in a lake's scenes."""

import functools
import json
from collections import Counter

import numpy as np
import pytest

from sonolake.audio.encode import quantise, wav_bytes
from sonolake.cares.banks import default_banks
from sonolake.cares.records import Timeline, Utterance
from sonolake.cares.vocabulary import TAG
from sonolake.cares.writer import write
from sonolake.datasets.crediting import credit, credit_of_writer
from sonolake.datasets.origins import lineage_of, sources_of
from sonolake.errors import InvalidInput
from sonolake.ids import sha256_hex
from sonolake.lake.gc import collect
from sonolake.lake.step import Counts
from sonolake.models import get
from sonolake.releases.rebuilding import makers_of
from sonolake.rendering import scenes
from sonolake.serial import to_json
from tasks.opening import lake_at
from tasks.scenes import render_scenes
from tasks.scripts import allocate_scenarios, scenarios, split_voices, template_of
from tasks.speech import LakeSpeech, voices_of


@pytest.fixture
def made(own_lake):
    """The lake; what a test's turns sound like is there from the test before it."""
    return lake_at(str(own_lake))


@pytest.fixture
def fresh(made):
    """A scenario without a scene, and its dialogue with a laugh and a lowered voice in its second turn."""
    allocate_scenarios.fn(str(made.root), "run", 8)
    have = {row["scenario_id"] for row in made.rows("SELECT scenario_id FROM scenes")}
    scenario = next(s for s in scenarios(made) if s.scenario_id not in have)
    timeline = write(scenario, template_of(made)[scenario.template_id], default_banks(), "short")
    second = [n for n, item in enumerate(timeline.items) if isinstance(item, Utterance)][1]
    said = timeline.items[second]
    tagged = Utterance(said.speaker, f"Well [laughs] now, we [quietly] may see. {said.text}")
    items = (*timeline.items[:second], tagged, *timeline.items[second + 1 :])
    row = {
        "scenario_id": scenario.scenario_id,
        "writer": "imported:theirs.jsonl",
        "length": "short",
        "utterances": 1,
        "words": 1,
        "timeline": json.dumps(Timeline(items).to_plain()),
    }
    made.table("dialogues").append([row])
    credit(made, "run", [credit_of_writer("imported:theirs.jsonl", "CC BY-SA 3.0")])
    return scenario


@functools.cache
def packaged(spec, text):
    """A text in a packaged voice; several tests say the same."""
    return get(spec).speak(text, 1)


@pytest.fixture
def speaking(speech_provider):
    """Providers whose voices are the packaged ones; tags are not spoken."""

    def speech(path, query, body):
        spec = "piper:joe" if "text-to-speech" in path else "hibari:heart"
        voice = get(spec)
        text = TAG.sub(" ", body.get("text") or body.get("input"))
        x = packaged(spec, text)
        if spec == "piper:joe":
            from sonolake.audio.resample import resample

            return 200, "audio/pcm", quantise(resample(x, voice.sample_rate, 44_100) * 0.5).tobytes()
        return 200, "audio/wav", wav_bytes(quantise(x), voice.sample_rate)

    speech_provider.speech = speech
    return (
        f"openai:tts-1/alloy@{speech_provider.url}=f:CC0-1.0",
        f"elevenlabs:abc@{speech_provider.url}=m:CC-BY-4.0",
    )


def render(lake, scenario, **more):
    return render_scenes.fn(str(lake.root), "run", [scenario], "short", **more)


def forget(lake, scenario):
    (scene,) = lake.rows("SELECT * FROM scenes WHERE scenario_id = ?", [scenario.scenario_id])
    with lake.transaction("forget") as tx:
        muted = "SELECT muted FROM scene_events WHERE scene_id = ? AND muted IS NOT NULL"
        tx.sql(f"DELETE FROM assets WHERE asset_id IN ({muted})", [scene["scene_id"]])
        for table in ("turns", "scene_events", "scenes"):
            tx.sql(f"DELETE FROM {table} WHERE scene_id = ?", [scene["scene_id"]])
        tx.sql("DELETE FROM assets WHERE asset_id = ?", [scene["asset_id"]])


def test_a_scene_of_voices_behind_endpoints_is_paid_for_once_and_made_again_alike(
    made, fresh, speaking, speech_provider
):
    assert render(made, fresh, voices=speaking) == Counts(taken=1, done=1, made=1)
    (scene,) = made.rows("SELECT * FROM scenes WHERE scenario_id = ?", [fresh.scenario_id])
    assert scene["licence"] == "CC-BY-SA-4.0", "what is said is under BY-SA 3.0, a voice under BY 4.0"
    credits = sources_of(
        made, made.snapshot, lineage_of(made, made.snapshot, [scene["scene_id"]])
    ).to_pylist()
    named = [s for s in credits if s["asset_id"].startswith(("voice:", "writer:"))]
    assert {(s["source_id"], s["licence"], s["changes"]) for s in named} == {
        (f"openai:tts-1/alloy@{speech_provider.url}", "CC0-1.0", "spoke the dialogue"),
        (f"elevenlabs:abc/eleven_v3@{speech_provider.url}", "CC-BY-4.0", "spoke the dialogue"),
        ("writer:imported:theirs.jsonl", "CC-BY-SA-3.0", "wrote the dialogues"),
    }
    assert "0" * 64 not in scene["record"]
    turns = made.rows("SELECT * FROM turns WHERE scene_id = ? ORDER BY turn", [scene["scene_id"]])
    asked = len(speech_provider.requests)
    assert asked == len(turns) == len(made.rows("SELECT * FROM speech_answers"))
    voices = made.rows("SELECT parent FROM lineage WHERE child = ? AND role = 'voice'", [scene["scene_id"]])
    assert {v["parent"] for v in voices} == {
        f"voice:openai:tts-1/alloy@{speech_provider.url}@unknown",
        f"voice:elevenlabs:abc/eleven_v3@{speech_provider.url}@unknown",
    }
    males = [t for t in turns if fresh.genders["AB".index(t["speaker"])] == "M"]
    for turn in males:
        assert {tag["becomes"] for tag in json.loads(turn["tags"])} <= {"engine", "pause"}
    texts = [body["text"] for path, body in speech_provider.requests if "text-to-speech" in path]
    assert sum("[" in text for text in texts) == sum("[" in turn["text"] for turn in males)
    forget(made, fresh)
    scenes._spoken.cache_clear()
    assert render(made, fresh, voices=speaking) == Counts(taken=1, done=1, made=1)
    assert len(speech_provider.requests) == asked
    assert made.rows("SELECT * FROM scenes WHERE scenario_id = ?", [fresh.scenario_id]) == [scene]
    scenes._spoken.cache_clear()
    remade = makers_of(made)["cares"]({**scene, "item_id": scene["scene_id"]}, {})
    assert sha256_hex(remade.sound) == scene["asset_id"] and len(speech_provider.requests) == asked
    kept = {row["media"] for row in made.rows("SELECT media FROM speech_answers")}
    assert not kept & set(collect(made, older_than_s=0.0).media)


def test_with_two_voices_of_each_gender_for_every_split_each_speaks_in_one(made, fresh, speaking):
    woman, man = speaking
    voices = [woman.replace("alloy", f"w{n}") for n in range(6)] + [
        man.replace("abc", f"m{n}") for n in range(6)
    ]
    root = str(made.root)
    assert split_voices.fn(root, "run", voices[:-1]) == Counts()
    assert split_voices.fn(root, "run", voices) == Counts(taken=12, done=12)
    assert split_voices.fn(root, "run", voices) == Counts(taken=12, already=12)
    rows = made.rows("SELECT item, split, stratum FROM splits WHERE kind = 'voice'")
    each = {(split, gender) for split in ("train", "validation", "test") for gender in "fm"}
    assert Counter((row["split"], row["stratum"]) for row in rows) == dict.fromkeys(each, 2)
    assert render(made, fresh, voices=voices) == Counts(taken=1, done=1, made=1)
    said = made.rows(
        "SELECT s.split, v.split AS of_voice FROM scenes s JOIN lineage l ON l.child = s.scene_id "
        "JOIN splits v ON l.parent = 'voice:' || v.item || '@unknown' WHERE s.scenario_id = ? AND l.role = 'voice'",
        [fresh.scenario_id],
    )
    assert [row["of_voice"] for row in said] == [fresh.split] * 2


def test_a_vocal_tag_is_heard_where_the_split_has_a_take(made, fresh):
    """The same scene with a take and without: a take in the lineage and the table, or a pause."""
    laugh = wav_bytes(quantise(0.3 * np.sin(np.arange(16_000) * 0.3)), 16_000)
    row = {
        "asset_id": made.media.put(laugh),
        "kind": "take",
        "item": "laugh",
        "source_id": "laugh",
        "licence": "CC0-1.0",
        "channels": 1,
        "event": "vocal/laughs",
        "pcm_hash": "laugh",
    }
    for take, becomes in ((False, "pause"), (True, "vocal")):
        if take:
            made.table("assets").append([row])
            made.table("partitions").append(
                [
                    {
                        "kind": "take",
                        "item": row["asset_id"],
                        "split": fresh.split,
                        "stratum": "vocal/laughs",
                        "keys": ["laugh"],
                    }
                ]
            )
            forget(made, fresh)
        assert render(made, fresh) == Counts(taken=1, done=1, made=1)
        (turn,) = made.rows(
            "SELECT t.* FROM turns t JOIN scenes s USING (scene_id) WHERE s.scenario_id = ? AND t.turn = 1",
            [fresh.scenario_id],
        )
        laughs, quietly = json.loads(turn["tags"])[:2]
        assert (laughs["tag"], laughs["becomes"]) == ("laughs", becomes)
        assert laughs["take_id"] == (row["asset_id"] if take else None)
        assert (quietly["tag"], quietly["becomes"]) == ("quietly", "delivery")
        words = json.loads(turn["words"])
        assert [word["text"] for word in words[:3]] == ["Well", "now", "we"]
        assert words[0]["end_s"] <= laughs["start_s"] + 0.4 and laughs["end_s"] <= words[1]["start_s"] + 0.05
        assert turn["confidence"] > 0.8 and all(0 <= word["confidence"] <= 1 for word in words)
        parents = made.rows(
            "SELECT parent FROM lineage WHERE child = ? AND role = 'take'", [turn["scene_id"]]
        )
        assert (row["asset_id"] in {p["parent"] for p in parents}) is take


def test_words_that_are_not_sure_enough_are_refused_and_tried_again_with_another_threshold(made, fresh):
    assert render(made, fresh, least_confidence=1.0) == Counts(taken=1, quarantined=1)
    (row,) = made.rows("SELECT reason, detail FROM quarantine WHERE step = 'render-scenes'")
    assert row["reason"] == "alignment_failed" and "of at least 1.00" in row["detail"]
    assert render(made, fresh, least_confidence=1.0) == Counts(taken=1, already=1)
    assert render(made, fresh) == Counts(taken=1, done=1, made=1)


def test_genders_that_no_voice_has_are_refused_and_tried_again_with_others(made, fresh):
    assert render(made, fresh, voices=("hibari:heart",)) == Counts(taken=1, quarantined=1)
    (row,) = made.rows("SELECT reason, detail FROM quarantine WHERE step = 'render-scenes'")
    assert row["reason"] == "no_voice" and f"cannot speak {fresh.genders}" in row["detail"]
    assert render(made, fresh, voices=("hibari:heart", "piper:joe")) == Counts(taken=1, done=1, made=1)


def test_voices_whose_speech_may_not_be_mixed_are_refused(lake, speech_provider):
    with (
        pytest.raises(InvalidInput, match="licence of elevenlabs:abc"),
        voices_of(lake, "run", (f"elevenlabs:abc@{speech_provider.url}=f",)),
    ):
        pass


def test_kept_speech_is_committed_and_found_by_the_next_run(lake):
    with LakeSpeech(lake, "run") as kept:
        kept.put("a" * 64, b"first", "openai:x/y@z")
        assert kept.get("a" * 64) == b"first" and kept.get("b" * 64) is None
        assert lake.rows("SELECT * FROM speech_answers") == []
    with LakeSpeech(lake, "next") as kept:
        assert kept.get("a" * 64) == b"first"
    assert to_json([r["voice"] for r in lake.rows("SELECT voice FROM speech_answers")]) == '["openai:x/y@z"]'
