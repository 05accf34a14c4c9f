import json
import re
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.cares.banks import default_banks, load_banks
from sonolake.cares.banks.source import parse
from sonolake.cares.templates import write_templates
from sonolake.cares.vocabulary import forms, words_of
from sonolake.cares.writer import write as write_dialogue
from sonolake.errors import InvalidInput, NotFound
from sonolake.sources.procedural.catalog import LOCATIONS, TAKES, VOCALS

PLACE = {"location_id": "attic", "name": "an attic", "setting": "indoor", "wet": 0.1}
SOUND = {
    "event_id": "car/door_slam",
    "name": "door",
    "heard": ["that bang", "that thud"],
    "guesses": ["a", "b"],
}


MATTER = {
    "matter": "roof",
    "category": "home",
    "theme": "repairs",
    "thing": "the roof",
    "slips": ["the wall"],
    "troubles": [{"trouble": "leaks", "since": ["since May"], "signs": ["it drips", "it stains"]}],
    "fixes": [
        {"do": f"do {n}", "doing": f"doing {n}", "pros": ["a", "b"], "cons": ["c", "d"]} for n in "xyz"
    ],
    "people": [{"who": "my uncle", "says": ["yes"]}, {"who": "the mason", "says": ["no"]}],
    "facts": ["I a", "I b", "I c", "I d", "I e"],
    "stories": ["we had one"],
    "worries": ["it falls", "it costs"],
    "hopes": ["be dry", "be done"],
    "whens": ["by May"],
}


def write(folder, name, rows, **header):
    text = json.dumps({"version": 1, **header, name: rows}, indent=1)
    (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return folder


def test_sizes_are_the_papers(banks):
    """CARES, section 4: 13 locations, 24 pairs, 219 sounds in these families; registers as in its code."""
    assert tuple(banks.locations) == LOCATIONS
    assert len(banks.relations) == 24
    registers = {name: len(r.registers) for name, r in banks.reactions.items()}
    assert registers == {"pivot": 8, "verbal": 7, "behavioral": 7, "ambient": 0}
    assert sum(bool(r.tags) for r in banks.reactions["behavioral"].registers) == 2
    families = Counter(sound.namespace for sound in banks.sounds.values())
    assert families == {
        **dict(zip(LOCATIONS, (16, 14, 12, 12, 12, 11, 10, 13, 14, 11, 11, 13, 15), strict=True)),
        "shared": 4,
        "general": 21,
        "rare_events": 12,
        "vocal": 18,
    }
    assert len(banks.sounds) == 219
    assert len(banks.placeable) == 201


def test_every_sound_that_can_be_made_has_an_entry(banks):
    assert {kind.event_id for kind in (*TAKES, *VOCALS)} <= set(banks.sounds)


def test_what_a_benchmark_asks_for_has_one_name_each(banks):
    assert len({sound.name for sound in banks.sounds.values()}) == 219
    assert len({place.name for place in banks.locations.values()}) == 13


def test_vocal_sounds_are_the_trace_of_tags_and_never_placed(banks):
    vocal = {event for event in banks.sounds if event.startswith("vocal/")}
    assert {tag.vocal for tag in banks.tags.values() if tag.becomes == "vocal"} == vocal
    assert not vocal & {
        event for place in banks.locations for event in (*banks.pool(place), *banks.rare(place))
    }


def test_no_matter_calls_a_sound_by_its_label(banks):
    """Else no attempt at a dialogue of that matter with that sound could pass the checker."""
    labels = [sound.label_words for sound in banks.sounds.values() if len(sound.label_words) >= 2]
    named = [
        (label, phrase)
        for matter in banks.matters.values()
        for phrase in _phrases(asdict(matter))
        for said in [words_of(phrase)]
        for label in labels
        if sum(bool(said & forms(word)) for word in label) >= 2
    ]
    assert named == []


def _phrases(value):
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value
    return [phrase for item in items for phrase in _phrases(item)]


def test_every_place_has_sounds_of_each_family(banks):
    for place in banks.locations:
        spaces = {event.partition("/")[0] for event in banks.pool(place)}
        assert spaces == {place, "shared", "general"} or spaces == {place, "general"}, place
        assert len(banks.rare(place)) >= 2, place


def test_pools_leave_out_what_does_not_belong(banks):
    assert "shared/luggage_wheels" in banks.pool("airport")
    assert "shared/luggage_wheels" not in banks.pool("beach")
    assert not any(e.startswith("rare_events/") for e in banks.pool("office"))
    assert "rare_events/fire_alarm" not in banks.rare("beach")


def test_an_own_bank_replaces_ours_and_changes_the_hash(tmp_path, banks):
    own = load_banks(write(tmp_path, "relations", [{"relation_id": "twins", "roles": ["twin", "twin"]}]))
    assert list(own.relations) == ["twins"]
    assert own.sounds == banks.sounds
    assert own.sha256 != banks.sha256
    assert load_banks().sha256 == default_banks().sha256


def test_a_variable_names_the_folder_for_everything(tmp_path, banks, monkeypatch):
    monkeypatch.setenv("SONOLAKE_BANKS", str(write(tmp_path, "locations", [PLACE], adds=True)))
    assert "attic" in default_banks().locations
    monkeypatch.delenv("SONOLAKE_BANKS")
    assert default_banks() == banks


def test_an_own_bank_can_add_to_ours(tmp_path, banks):
    changed = {**PLACE, "location_id": "beach", "name": "the seaside", "setting": "outdoor"}
    own = load_banks(write(tmp_path, "locations", [PLACE, changed], adds=True, edition="mine"))
    assert list(own.locations) == [*banks.locations, "attic"]
    assert own.locations["beach"].name == "the seaside"
    assert "general/zip" in own.pool("attic")


def test_the_hash_is_of_the_content_and_not_of_the_layout(tmp_path, banks):
    rows = [{"tag": tag.tag, "becomes": tag.becomes} for tag in banks.tags.values()]
    for row, tag in zip(rows, banks.tags.values(), strict=True):
        row.update(
            {name: getattr(tag, name) for name in ("gain_db", "pause_s", "vocal") if getattr(tag, name)}
        )
    assert load_banks(write(tmp_path, "tags", rows, edition="another")).sha256 == banks.sha256


def refused(folder, match):
    with pytest.raises(InvalidInput, match=match):
        load_banks(folder)


def test_broken_json_is_refused_with_its_line(tmp_path):
    (tmp_path / "tags.json").write_text('{"version": 1,\n"tags": [\n}', encoding="utf-8")
    refused(tmp_path, r"tags\.json line 3")


@pytest.mark.parametrize(
    ("header", "match"),
    [
        ({"version": 2}, r"locations\.json line 1: expected version 1"),
        ({"titel": "x"}, r"line 1.*titel"),
        ({"adds": "yes"}, "adds as true or false"),
    ],
)
def test_a_strange_header_is_refused(tmp_path, header, match):
    refused(write(tmp_path, "locations", [PLACE], **header), match)


def test_a_misspelt_file_is_not_passed_over(tmp_path):
    refused(write(tmp_path, "event", [SOUND]), r"received \['event\.json'\].*misspelt")
    with pytest.raises(NotFound, match="no folder of banks"):
        load_banks(tmp_path / "nowhere")


ROWS = {
    "a label in a phrase": (
        "events",
        {**SOUND, "heard": ["that bang", "that slam"]},
        r"line 8: heard.*that slam",
    ),
    "a phrase of another form": ("events", {**SOUND, "heard": ["a bang", "that thud"]}, "begin with"),
    "one phrase": ("events", {**SOUND, "guesses": ["a"]}, "at least two phrases"),
    "an id with capitals": ("events", {**SOUND, "event_id": "Car/x"}, r"line 6: event_id"),
    "an unknown namespace": ("events", {**SOUND, "event_id": "moon/boots"}, r"line 6: expected a namespace"),
    "phrases for a vocal": ("events", {**SOUND, "event_id": "vocal/hum"}, "no phrases"),
    "a number for a text": ("events", {**SOUND, "name": 7}, r"line 7, name: expected text"),
    "text for a list": ("events", {**SOUND, "heard": "that bang"}, r"line 8, heard: expected a list"),
    "a missing field": ("events", {"event_id": "car/x"}, r"line 5: expected the fields.*no \['name'\]"),
    "an unknown field": ("locations", {**PLACE, "wett": 1}, r"line 10: expected the fields.*wett"),
    "a row that is no row": ("locations", "attic", r"line 5: expected a row"),
    "a wet share of two": ("locations", {**PLACE, "wet": 2.0}, r"line 9: wet: expected a share within 0"),
    "another setting": ("locations", {**PLACE, "setting": "space"}, r"line 8: setting"),
    "one role": ("relations", {"relation_id": "x", "roles": ["a"]}, "a list of two texts"),
    "a child": ("relations", {"relation_id": "x", "roles": ["mother", "small boy"]}, "two adult roles"),
    "an unknown place": ("forbidden", {"event_id": "general/zip", "locations": ["moon"]}, "known events and"),
    "a tag without trace": ("tags", {"tag": "sung", "becomes": "delivery"}, "a delivery with gain_db"),
    "a tag with two traces": (
        "tags",
        {"tag": "x", "becomes": "pause", "pause_s": 1, "gain_db": 2},
        "a pause",
    ),
    "a vocal without take": ("tags", {"tag": "x", "becomes": "vocal", "pause_s": 1}, "a vocal with vocal"),
    "an unknown vocal": (
        "tags",
        {"tag": "x", "becomes": "vocal", "vocal": "vocal/yodel", "pause_s": 1},
        r"line 8: expected an event of the bank",
    ),
    "a tag in brackets": ("tags", {"tag": "[x]", "becomes": "pause", "pause_s": 1}, "without brackets"),
    "an unknown reaction": ("reactions", {"reaction": "shrug", "meaning": "m", "registers": []}, "one of"),
    "ambient registers": (
        "reactions",
        {"reaction": "ambient", "meaning": "m", "registers": [{"register": "a", "meaning": "b"}]},
        "every reaction but ambient",
    ),
    "a register's unknown tag": (
        "reactions",
        {
            "reaction": "verbal",
            "meaning": "m",
            "registers": [{"register": "a", "meaning": "b", "tags": ["hissed"]}],
        },
        "known tags of delivery.*hissed",
    ),
    "a matter with two ways out": (
        "matters",
        {**MATTER, "fixes": MATTER["fixes"][:2]},
        r"fixes: expected at least 3, all different",
    ),
    "a matter with a clause twice": (
        "matters",
        {**MATTER, "facts": ["a", "a", "b", "c", "d"]},
        r"facts: expected at least 5, all different",
    ),
    "a trouble without signs": (
        "matters",
        {**MATTER, "troubles": [{"trouble": "leaks", "since": ["since May"]}]},
        "a list of troubles, each with trouble, since, signs",
    ),
    "reasons of a strange role": (
        "relations",
        {"relation_id": "x", "roles": ["cook", "guest"], "why": {"waiter": ["you eat"]}},
        "why: expected clauses of",
    ),
    "a register that is none": (
        "reactions",
        {"reaction": "verbal", "meaning": "m", "registers": ["a"]},
        "a list of",
    ),
}


@pytest.mark.parametrize("case", ROWS)
def test_a_bad_row_is_refused_with_line_and_reason(case, tmp_path):
    bank, row, match = ROWS[case]
    refused(
        write(tmp_path, bank, [row], adds=True), rf"{bank}\.json .*{match}" if "line" not in match else match
    )


def test_a_matter_of_ones_own_can_be_written_about(tmp_path, scenarios):
    own = load_banks(write(tmp_path, "matters", [MATTER]))
    templates = write_templates(3, own)
    assert [t.title for t in templates] == sorted(
        (t.title for t in templates), key=[t.title for t in templates].index
    )
    assert {t.title for t in templates} == {
        f"The roof leaks: do {a} or do {b}" for a, b in ("xy", "xz", "yz")
    }
    for scenario in scenarios[:20]:
        write_dialogue(scenario, templates[0], own)


LINES = {
    "no lines for a register": ({"verbal.in_passing": None}, "none for .*verbal.in_passing"),
    "an unknown slot": ({"owner.tell": ["I {feel} it."]}, r"lines\.json line 5: expected slots out of.*feel"),
    "an open choice": ({"owner.tell": ["I <saw|felt it."]}, "brackets that open and close"),
    "an open slot": ({"owner.tell": ["I saw {thing."]}, "brackets that open and close"),
    "a list that is not there": (
        {"owner.tell": ["I saw it, <~nothing>."]},
        r"lines\.json line 5: .*~nothing",
    ),
    "a sound in talk of the matter": ({"owner.tell": ["I saw {heard}."]}, "heard"),
}


@pytest.mark.parametrize("case", LINES)
def test_lines_that_would_leave_the_writer_without_words_are_refused(case, tmp_path, banks):
    changes, match = LINES[case]
    removed = [act for act, lines in changes.items() if lines is None]
    if removed:
        kept = {act: list(lines) for act, lines in banks.lines.items() if act not in removed}
        refused(write(tmp_path, "lines", kept), match)
    else:
        refused(write(tmp_path, "lines", changes, adds=True), match)


def test_a_row_twice_is_refused_with_both_lines(tmp_path):
    refused(
        write(tmp_path, "locations", [PLACE, PLACE]), r"line 11: expected every location_id once.*on line 4"
    )


def test_a_field_twice_is_refused(tmp_path):
    (tmp_path / "tags.json").write_text(
        '{"version": 1, "tags": [\n{"tag": "a", "tag": "b", "becomes": "pause"}]}', encoding="utf-8"
    )
    refused(tmp_path, r"tags\.json line 2: expected every field once")


def test_all_reactions_must_be_there(tmp_path):
    rows = [{"reaction": "ambient", "meaning": "m", "registers": []}]
    refused(write(tmp_path, "reactions", rows), "all of")


def test_the_example_of_the_guide_loads(tmp_path, banks):
    guide = (Path(__file__).parents[3] / "docs" / "cares-banks.md").read_text(encoding="utf-8")
    example = re.search(r"^```json\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)[1]
    (tmp_path / "events.json").write_text(example, encoding="utf-8")
    assert set(load_banks(tmp_path).sounds) - set(banks.sounds) == {"home_indoor/pressure_cooker"}
    (tmp_path / "events.json").write_text(example.replace("hiss on the stove", "cooker"), encoding="utf-8")
    said = re.search(r"^```text\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)[1].strip()
    refused(tmp_path, re.escape(said))


texts = st.text(min_size=1, max_size=8)


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.dictionaries(texts, texts | st.lists(texts, max_size=3), max_size=3), max_size=5),
    st.booleans(),
)
def test_rows_come_back_with_the_line_they_stand_on(rows, dense):
    text = json.dumps({"version": 1, "tags": rows}, indent=None if dense else 2, ensure_ascii=False)
    found = parse("tags", text).entries
    assert [entry.data for entry in found] == rows
    lines = text.split("\n")
    for entry in found:
        assert entry.text.split("\n")[0] in lines[entry.line - 1]
