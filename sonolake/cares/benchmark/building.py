"""Items from scenes: a pure function, so that they are built once and are the same for everybody.

Options are drawn as in the published code: a generator seeded by the item's id orders the candidates, the first three
are taken, the right one is added, and all four are ordered anew.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Sequence

from sonolake.cares.banks import Banks
from sonolake.cares.banks.model import RARE
from sonolake.cares.benchmark.records import HeardSound, Item, SceneFacts
from sonolake.cares.records import REACTIONS
from sonolake.errors import InvalidInput
from sonolake.ids import make_id

OPTIONS = 4


def build_items(scenes: Iterable[SceneFacts], banks: Banks) -> tuple[Item, ...]:
    """All items of all scenes, by task and id.

    Args:
        scenes: those of one split.
        banks: names of places and sounds, and which sounds belong to which place.

    Raises:
        InvalidInput: for a scene twice, a place or sound of no bank, or a place with too few sounds for distractors.
    """
    items: list[Item] = []
    seen: set[str] = set()
    for scene in scenes:
        if scene.scene_id in seen:
            raise InvalidInput("scenes", "every scene once", scene.scene_id)
        seen.add(scene.scene_id)
        items += _of_scene(scene, banks)
    return tuple(sorted(items, key=lambda item: (item.task, item.item_id)))


def _of_scene(scene: SceneFacts, banks: Banks) -> list[Item]:
    if scene.location not in banks.locations:
        raise InvalidInput(
            f"location of {scene.scene_id}", f"one of {sorted(banks.locations)}", scene.location
        )
    items = [_place(scene, banks)]
    for sound in scene.sounds:
        reaction = _item("reactions", scene, sound, REACTIONS, sound.reaction)
        muted = _item("muted", scene, sound, REACTIONS, sound.reaction, of=reaction.item_id)
        items += [reaction, muted, _tagging(scene, sound, banks)]
    if scene.sounds:
        item_id = make_id("summary", {"scene": scene.scene_id})
        items.append(Item(item_id, "summary", scene.scene_id, "", None, (), "", scene.sounds))
    return items


def sound_item_id(task: str, scene_id: str, event: str) -> str:
    """The id of the item that asks about a sound of a scene; the audio of a muted one is of that name."""
    return make_id(task, {"scene": scene_id, "event": event})


def _item(
    task: str, scene: SceneFacts, sound: HeardSound, options: Sequence[str], answer: str, of: str = ""
) -> Item:
    item_id = sound_item_id(task, scene.scene_id, sound.event)
    return Item(
        item_id, task, scene.scene_id, sound.event, round(sound.onset_s, 1), tuple(options), answer, of=of
    )


def _place(scene: SceneFacts, banks: Banks) -> Item:
    item_id = make_id("scene", {"scene": scene.scene_id, "asks": "place"})
    right = banks.locations[scene.location].name
    others = [place.name for key, place in banks.locations.items() if key != scene.location]
    return Item(item_id, "scene", scene.scene_id, "", None, _options(item_id, right, others), right)


def _tagging(scene: SceneFacts, sound: HeardSound, banks: Banks) -> Item:
    """Distractors are sounds of the same place that are not in the scene; for a rare sound, rare ones come first."""
    present = {one.event for one in scene.sounds}
    absent = [event for event in banks.pool(scene.location) if event not in present]
    item_id = make_id("sounds", {"scene": scene.scene_id, "event": sound.event})
    names = [banks.sounds[event].name for event in absent]
    if sound.event.startswith(f"{RARE}/"):
        rare = [banks.sounds[event].name for event in banks.rare(scene.location) if event not in present]
        missing = max(0, OPTIONS - 1 - len(rare))
        names = rare + (_shuffled(names, f"{item_id} ordinary")[:missing] if missing else [])
    options = _options(item_id, sound.name, names)
    return _item("sounds", scene, sound, options, sound.name)


def _options(item_id: str, right: str, candidates: Sequence[str]) -> tuple[str, ...]:
    wrong = sorted(set(candidates) - {right})
    if len(wrong) < OPTIONS - 1:
        raise InvalidInput(
            f"distractors of {item_id}", f"at least {OPTIONS - 1}", wrong, "a bank with few sounds"
        )
    taken = _shuffled(wrong, item_id)[: OPTIONS - 1]
    return tuple(_shuffled([*taken, right], f"{item_id} shown"))


def _shuffled(values: Sequence[str], seed: str) -> list[str]:
    """Values in an order drawn from ``seed``: by keys of ``random.random``, which no version of Python changes."""
    rng = random.Random(int(hashlib.sha1(seed.encode(), usedforsecurity=False).hexdigest()[:8], 16))
    keyed = [(rng.random(), value) for value in values]
    return [value for _, value in sorted(keyed)]
