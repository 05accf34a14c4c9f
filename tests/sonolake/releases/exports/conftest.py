"""A release with all that formats can hold: talk with words, sounds with and without end, four channels, odd names."""

import contextlib
import gc
import hashlib
import io
import warnings

import numpy as np
import pyarrow as pa
import pytest
import soundfile

from sonolake.cares.benchmark import HeardSound, Item, files_of
from sonolake.loading.table import readable
from sonolake.releases import Config, Content, build
from sonolake.releases.exports import export, format_of
from sonolake.releases.finding import find_release

RATE = 8000
ODD = "Track 2.0 (Clean)"
TYPES = {
    "text": pa.string(),
    "number": pa.float64(),
    "whole": pa.int64(),
    "small": pa.int32(),
    "flag": pa.bool_(),
}


def columns(text, **more):
    """Columns from ``name:type`` words and lists of structs."""
    plain = [(name, TYPES[kind]) for name, kind in (word.split(":") for word in text.split())]
    return plain + [(name, pa.list_(pa.struct(fields))) for name, fields in more.items()]


SOUND = "item_id:text audio_asset:text duration_s:number sample_rate:small channels:small licence:text "
WORD = columns("text:text start_s:number end_s:number confidence:number")
TURN = columns("speaker:text text:text start_s:number end_s:number", words=WORD)
EVENT = columns("event:text reaction:text onset_s:number offset_s:number")
PLACED = columns(
    "event:text onset_s:number offset_s:number azimuth_deg:number elevation_deg:number distance_m:number moving:flag"
)
QUESTION = columns(
    "question_id:text stage:whole dimension:text kind:text question:text options:text answer:text"
)
CANDIDATE = columns("tag:text rank:whole onset_s:number")
SCENES = pa.schema(columns(SOUND + "genders:text location:text", turns=TURN, events=EVENT))
CLIPS = pa.schema(columns(SOUND + "origin:text", events=PLACED, questions=QUESTION))
SPEECH = pa.schema(columns(SOUND + "speaker:text language:text tagged_text:text", candidates=CANDIDATE))
NOTES = pa.schema(columns("item_id:text licence:text text:text"))
WORDS = [("Hello", 0.05, 0.2, 0.9), ("there", 0.2, 0.45, 0.8)]


def samples_of(item_id, channels=1):
    """The samples of an item, which depend on its id alone."""
    seed = int.from_bytes(hashlib.sha256(item_id.encode()).digest()[:4], "big")
    return np.random.default_rng(seed).integers(-20000, 20000, (RATE, channels), dtype=np.int16)


def common(store, item_id, channels=1, form="FLAC"):
    out = io.BytesIO()
    soundfile.write(out, samples_of(item_id, channels), RATE, format=form, subtype="PCM_16")
    asset = hashlib.sha256(out.getvalue()).hexdigest()
    store[asset] = out.getvalue()
    return {
        "item_id": item_id,
        "audio_asset": asset,
        "duration_s": 1.0,
        "sample_rate": RATE,
        "channels": channels,
        "licence": "CC-BY-4.0",
    }


def scene(store, item_id, **more):
    words = [dict(zip(("text", "start_s", "end_s", "confidence"), word, strict=True)) for word in WORDS]
    turns = [
        {"speaker": "A", "text": "Hello there", "start_s": 0.05, "end_s": 0.45, "words": words},
        {"speaker": "B", "text": "[softly] Oh.", "start_s": 0.5, "end_s": 0.9, "words": None},
    ]
    events = [
        {"event": "dog bark", "reaction": "pivot", "onset_s": 0.3, "offset_s": 0.6},
        {"event": "click", "reaction": "ambient", "onset_s": 0.7, "offset_s": None},
    ]
    return common(store, item_id, **more) | {
        "genders": "FM",
        "location": "cafe",
        "turns": turns,
        "events": events,
    }


def placed(onset_s, offset_s, azimuth_deg, elevation_deg, distance_m):
    place = {"azimuth_deg": azimuth_deg, "elevation_deg": elevation_deg, "distance_m": distance_m}
    return {"event": "fan", "onset_s": onset_s, "offset_s": offset_s, "moving": False, **place}


def question(item_id, stage):
    return {
        "question_id": f"q{stage}-{item_id}",
        "stage": stage,
        "dimension": "SL" if stage == 2 else "S1",
        "kind": "event_at",
        "question": "Which one?",
        "options": '{"A":"fan","B":"dog","C":"rain","D":"bell"}',
        "answer": "A",
    }


def clip(store, item_id):
    events = [placed(0.0, 0.5, 90.0, -10.0, 2.0), placed(0.2, 0.4, -45.0, 0.0, 4.5)]
    questions = [question(item_id, stage) for stage in (1, 2)]
    return common(store, item_id, channels=4) | {
        "origin": "recorded",
        "events": events,
        "questions": questions,
    }


def utterance(store, item_id):
    said = {"speaker": "ann", "language": "en", "tagged_text": "Well [laughs] yes."}
    return common(store, item_id) | said | {"candidates": [{"tag": "laughs", "rank": 1, "onset_s": 0.4}]}


def source(split):
    return {
        "asset_id": hashlib.sha256(split.encode()).hexdigest(),
        "source_id": f"lib:dog-{split}",
        "title": "Dog",
        "author": "Ann",
        "licence": "CC-BY-4.0",
        "licence_url": "https://creativecommons.org/licenses/by/4.0/",
        "source_url": f"https://example.org/dog/{split}",
        "changes": "cut",
        "synthetic": False,
    }


def asked():
    """What the benchmark asks about ``scene-9``."""
    bark = HeardSound("dog bark", "a dog barking", "pivot", 0.3)
    reactions = ("pivot", "verbal", "behavioral", "ambient")
    places = ("cafe", "beach", "office", "park")
    sounds = ("a dog barking", "a bell", "rain", "a fan")
    return [
        Item("rc-1", "reactions", "scene-9", "dog bark", 0.3, reactions, "pivot"),
        Item("asc-1", "scene", "scene-9", "", None, places, "cafe"),
        Item("at-1", "sounds", "scene-9", "dog bark", 0.3, sounds, "a dog barking"),
        Item("sum-1", "summary", "scene-9", "", None, (), "", (bark,)),
    ]


def content(store):
    scenes = {
        "train": [scene(store, name) for name in ("scene-1", "scene-2", ODD)],
        "test": [scene(store, "scene-9", form="WAV")],
    }
    tables = {
        "cares": (SCENES, scenes),
        "rms-aqa": (CLIPS, {"test": [clip(store, "clip-1"), clip(store, "clip-2")]}),
        "wesr-bench": (SPEECH, {"test": [utterance(store, "utterance-1")]}),
        "notes": (NOTES, {"train": [{"item_id": "note-1", "licence": "CC-BY-4.0", "text": "No sound."}]}),
    }
    configs = []
    for name, (schema, splits) in tables.items():
        made = {split: pa.Table.from_pylist(rows, schema) for split, rows in splits.items()}
        meanings = {column: f"the {column}" for column in schema.names if column != "audio_asset"}
        configs.append(Config(name, name, f"Made-up {name}.", made, meanings, ("audio-classification",), 2))
    sources = [source(split) for split in ("train", "test")]
    edges = [
        {"child": row["item_id"], "parent": source(split)["asset_id"], "role": "take"}
        for _, splits in tables.values()
        for split, rows in splits.items()
        for row in rows
    ]
    return Content(
        name="demo", version="1.2.0", date="2026-11-01", title="Demo", summary="Made-up sounds.",
        licence="CC-BY-4.0", configs=tuple(configs), sources=pa.Table.from_pylist(sources),
        lineage=pa.Table.from_pylist(edges), notes=("Nothing here is real.",), languages=("en",),
        benchmark={f"cares/{name}": data for name, data in files_of(asked()).items()},
    )  # fmt: skip


@pytest.fixture(scope="session")
def rich(tmp_path_factory):
    """The folder of the release ``demo 1.2.0``; nobody changes it."""
    folder = tmp_path_factory.mktemp("rich") / "demo" / "1.2.0"
    folder.parent.mkdir()
    store = {}
    build(content(store), store.__getitem__, folder)
    return folder


@pytest.fixture(scope="session")
def table(rich):
    return readable(find_release(str(rich), lambda: ""))


@pytest.fixture
def made(table, tmp_path):
    """From a format's name to the folder of an export, and what it came to."""

    def make(name, *configs, splits=(), where=None, to="out"):
        return tmp_path / to, export(table, format_of(name), tmp_path / to, configs, splits, where)

    return make


@pytest.fixture(scope="session")
def samples():
    return samples_of


@contextlib.contextmanager
def _leaving_files_open():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        yield
        gc.collect()


@pytest.fixture(scope="session")
def leaving_files_open():
    """Around readers of others that leave their files to the collector."""
    return _leaving_files_open


@pytest.fixture(scope="session")
def asked_items():
    return asked()
