import json

import pytest

from sonolake.cares.banks import default_banks, load_banks
from sonolake.errors import InvalidInput
from sonolake.sources.procedural.catalog import LOCATIONS, TAKES


def write(folder, name, rows):
    (folder / f"{name}.json").write_text(json.dumps({"version": 1, name: rows}, indent=1), encoding="utf-8")
    return folder


def test_sizes_are_the_papers(banks):
    assert tuple(banks.locations) == LOCATIONS
    assert len(banks.relations) == 24
    registers = {name: len(r.registers) for name, r in banks.reactions.items()}
    assert registers == {"pivot": 8, "verbal": 7, "behavioral": 7, "ambient": 0}
    voice_only = [r for r in banks.reactions["behavioral"].registers if r.tags]
    assert len(voice_only) == 2


def test_every_sound_that_can_be_made_has_an_entry(banks):
    assert {kind.event_id for kind in TAKES} <= set(banks.sounds)


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


def test_broken_json_is_refused_with_its_line(tmp_path):
    (tmp_path / "tags.json").write_text('{"version": 1,\n"tags": [\n}', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"tags\.json line 3"):
        load_banks(tmp_path)


def test_a_bad_record_is_refused_with_line_and_reason(tmp_path):
    sound = {
        "event_id": "car/door_slam",
        "name": "door",
        "heard": ["that bang", "that slam"],
        "guesses": ["a", "b"],
    }
    with pytest.raises(InvalidInput, match=r"events\.json line 5: car/door_slam phrase.*that slam"):
        load_banks(write(tmp_path, "events", [sound]))


def test_a_record_twice_or_with_other_fields_is_refused(tmp_path):
    place = {"location_id": "attic", "name": "an attic", "setting": "indoor", "wet": 0.1}
    with pytest.raises(InvalidInput, match="every location_id once"):
        load_banks(write(tmp_path, "locations", [place, place]))
    with pytest.raises(InvalidInput, match="the fields of the bank"):
        load_banks(write(tmp_path, "locations", [{"location_id": "attic"}]))
    with pytest.raises(InvalidInput, match="share within 0 and 0"):
        load_banks(write(tmp_path, "locations", [{**place, "wet": 2.0}]))


def test_references_must_be_known(tmp_path):
    rows = [{"event_id": "general/zip", "locations": ["moon"]}]
    with pytest.raises(InvalidInput, match="known events and locations"):
        load_banks(write(tmp_path, "forbidden", rows))
    rows = [{"tag": "sung", "becomes": "delivery"}]
    with pytest.raises(InvalidInput, match="a delivery with gain_db or a pause"):
        load_banks(write(tmp_path, "tags", rows))
