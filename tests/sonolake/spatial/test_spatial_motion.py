"""Sources that move: where they are, what is heard, what is written."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.audio.foa import direction
from sonolake.errors import InvalidInput
from sonolake.ids import rng_of
from sonolake.spatial import dcase, labelfile
from sonolake.spatial.motion import TrackPoint, between, position
from sonolake.spatial.pool import Response
from sonolake.spatial.recorded import labels
from sonolake.spatial.records import ClipEvent, ClipRecipe, SourcePlacement, Waypoint
from sonolake.spatial.render import ClipInputs, render
from sonolake.spatial.walks import walk

RATE = 24000
TURN = tuple(TrackPoint(2.0 + i, -30.0 + 20 * i, 0.0, 2.0) for i in range(4))
TURNING = ClipEvent("steps", 2.0, 5.0, -30.0, 0.0, 2.0, moving=True, track=TURN)


def test_half_way_by_hand():
    assert between((-30, 0, 1), (30, 0, 2), 0.5) == pytest.approx((0, 0, 1.5))
    assert between((170, 0, 1), (-170, 0, 1), 0.5)[0] in (pytest.approx(180), pytest.approx(-180))
    assert between((0, 0, 1), (0, 90, 1), 0.5) == pytest.approx((0, 45, 1))
    assert between((0, 0, 1), (180, 0, 1), 0.5) == (0, 0, 1)


def test_before_and_after_the_track_it_stands():
    assert position(TURN, 0.0) == (-30, 0, 2) and position(TURN, 9.0) == (30, 0, 2)
    with pytest.raises(InvalidInput):
        position((), 1.0)


def turning():
    """A source that turns from -30 to 30 degrees in three seconds."""
    path = tuple(Waypoint(f"r{i}", -30.0 + 20 * i, 0.0, 2.0) for i in range(1, 4))
    source = SourcePlacement("steps", "t", "r0", 2.0, 5.0, -30.0, 0.0, 2.0, 0.0, path)
    return ClipRecipe("train", "room", "simulated", (source,), None, 15.0, -26.0, "SC", "count_events")


def rendered(anechoic):
    take = np.random.default_rng(1).standard_normal(3 * RATE) * 0.1
    responses = {f"r{i}": (anechoic(-30 + 20 * i, 0, 48), RATE) for i in range(4)}
    return render(turning(), ClipInputs({"t": (take, RATE)}, responses))


def test_what_is_heard_is_where_the_label_says(anechoic):
    clip = rendered(anechoic)
    (event,) = clip.events
    assert (event.onset_s, event.offset_s, event.moving) == (2.002, 5.002, True)
    for frame in range(21, 50):
        heard = direction(clip.samples[frame * 2400 : (frame + 1) * 2400].astype(float))
        said = event.position((frame + 0.5) * 0.1)
        assert heard[0] == pytest.approx(said[0], abs=3.0) and heard[1] == pytest.approx(0.0, abs=3.0)


def test_it_is_one_row_a_frame_and_turns_one_way(anechoic):
    # The complaint: a moving source that is written as many simultaneous rows.
    rows = dcase.frames_of(rendered(anechoic).events, ["steps"])
    assert [row.frame for row in rows] == list(range(20, 50))
    azimuths = [row.azimuth_deg for row in rows]
    assert azimuths == sorted(azimuths) and (azimuths[0], azimuths[-1]) == (-29, 29)
    (again,) = dcase.events_of(dcase.read(dcase.write(rows, "cm"), "cm"), ["steps"])
    assert again.moving and len(again.track) == 30
    assert again.position(3.5)[0] == pytest.approx(0.0, abs=1.5)


def test_a_window_begins_where_the_source_is_by_then():
    (event,) = labels([replace(TURNING, onset_s=2.0)], 3.0)
    assert (event.onset_s, event.offset_s, event.cut_start) == (0.0, 2.0, True)
    assert event.azimuth_deg == pytest.approx(-10.0)
    assert event.position(1.0)[0] == pytest.approx(10.0)


def test_records_give_source_and_event_back():
    recipe = turning()
    assert ClipRecipe.from_record(recipe.to_record()) == recipe
    assert labelfile.read(labelfile.write([TURNING])) == [TURNING]
    still = replace(recipe.sources[0], path=())
    assert "path" not in still.to_record() and still.response_ids == ("r0",)
    with pytest.raises(InvalidInput, match="edited"):
        ClipRecipe.from_record({**recipe.to_record(), "snr_db": 1.0})


places = st.tuples(st.floats(-180, 180), st.floats(-40, 40), st.floats(0.5, 6.0))


@given(st.lists(places, min_size=1, max_size=30), st.floats(0.25, 4.0), st.integers(0, 99))
def test_a_walk_turns_one_way_in_steps_that_fade(found, duration, seed):
    room = [Response(f"r{i}", "room", *place) for i, place in enumerate(found)]
    way = walk(rng_of(str(seed), "walk"), room[0], room, duration)
    steps = [
        (b.azimuth_deg - a.azimuth_deg + 180) % 360 - 180 for a, b in zip([room[0], *way], way, strict=False)
    ]
    assert len(way) <= duration / 0.75
    assert len({step > 0 for step in steps}) <= 1 and all(5 <= abs(step) <= 50 for step in steps)
    assert not way or sum(map(abs, steps)) > 20
