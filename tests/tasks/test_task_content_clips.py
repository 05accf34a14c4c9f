"""What card and report say of spatial clips: exactly which splits hold stand-ins, and how sounds are spread."""

import pyarrow as pa
import pytest

from sonolake.releases import Config
from tasks.contents.clips import spread_checks, stand_in_note


def sound(onset_s, offset_s, azimuth_deg, distance_m):
    return {
        "event": "dog bark", "onset_s": onset_s, "offset_s": offset_s, "azimuth_deg": azimuth_deg,
        "elevation_deg": 0.0, "distance_m": distance_m, "far": distance_m >= 4.0, "moving": False, "track": None,
    }  # fmt: skip


ONE, TWO = [sound(1.0, 2.0, 0.0, 1.0)], [sound(1.0, 3.0, 90.0, 2.0), sound(2.0, 4.0, -90.0, 5.0)]


def config(**origins):
    """A table a split, with clips of these origins."""
    tables = {
        split: pa.Table.from_pylist(
            [
                {
                    "item_id": f"{split}-{n}",
                    "licence": "CC0-1.0",
                    "origin": origin,
                    "events": TWO if n % 2 else ONE,
                }
                for n, origin in enumerate(found)
            ]
        )
        for split, found in origins.items()
    }
    meanings = dict.fromkeys(("item_id", "licence", "origin", "events"), "as it says")
    return Config(name="rms-aqa", title="t", description="d", splits=tables, meanings=meanings)


@pytest.mark.parametrize(
    ("origins", "said", "whole"),
    [
        ({"train": ["simulated"], "test": ["recorded"]}, None, None),
        ({"validation": ["simulated", "stand-in"], "test": ["recorded"]}, "1 of 2 clips of validation", None),
        ({"test": ["stand-in", "stand-in"]}, "2 of 2 clips of test", "The test set is synthetic."),
        (
            {"validation": ["stand-in"], "test": ["recorded", "stand-in", "recorded"]},
            "1 of 1 clips of validation and 1 of 3 clips of test",
            "The test set is synthetic, in part.",
        ),
    ],
)
def test_the_note_says_which_split_holds_how_many_stand_ins(origins, said, whole):
    note = stand_in_note(config(**origins))
    assert (note is None) is (said is None)
    if note:
        assert f": {said} are cut from such (" in note
        assert ("test set" in note) is (whole is not None) and note.endswith(whole or ").")


def test_the_spread_is_of_simulated_clips_alone():
    (check,) = spread_checks([config(train=["simulated", "simulated", "stand-in"], test=["recorded"])])
    found = dict(check.rows)
    assert check.title == "Spread of sounds in simulated clips, train"
    assert (found["clips by sounds: 1"], found["clips by sounds: 2"]) == ("1", "1")
    assert (found["clips by sounds at once: 1"], found["clips by sounds at once: 2"]) == ("1", "1")
    assert {name: found[f"sounds from {name}"] for name in ("front", "left", "right", "rear")} == {
        "front": "1", "left": "1", "right": "1", "rear": "0",
    }  # fmt: skip
    assert (found["near sounds"], found["far sounds"]) == ("2", "1")
    assert [found[f"sounds at {band}"] for band in ("1.0 to 2.0 m", "2.0 to 3.0 m", "4.0 to 5.0 m")] == list(
        "111"
    )
