"""DCASE label files: both distance units, events to frames and back."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import InvalidInput
from sonolake.spatial.dcase import FrameLabel, events_of, frames_of, read, write
from sonolake.spatial.records import ClipEvent

CLASSES = ("cat", "dog", "clock")

ROWS = st.lists(
    st.builds(
        FrameLabel,
        st.integers(0, 600),
        st.integers(0, 12),
        st.integers(0, 3),
        st.integers(-180, 179),
        st.integers(-90, 90),
        st.integers(0, 2000).map(lambda cm: cm / 100),
    ),
    unique=True,
)


@settings(deadline=None, max_examples=60)
@given(ROWS, st.sampled_from(["m", "cm"]))
def test_rows_survive_text(rows, unit):
    again = read(write(rows, unit), unit)
    assert [r.distance_m for r in again] == pytest.approx([r.distance_m for r in sorted(rows)])
    assert [(r.frame, r.class_index, r.source, r.azimuth_deg, r.elevation_deg) for r in again] == [
        (r.frame, r.class_index, r.source, r.azimuth_deg, r.elevation_deg) for r in sorted(rows)
    ]


def test_starss_lines_by_hand():
    rows = read("10,1,0,-50,30,181\n11,1,1,10,-20,243\n", "cm")
    assert rows == [
        FrameLabel(10, 1, 0, -50, 30, pytest.approx(1.81)),
        FrameLabel(11, 1, 1, 10, -20, pytest.approx(2.43)),
    ]
    assert write(rows, "cm") == "10,1,0,-50,30,181\n11,1,1,10,-20,243\n"
    assert write(rows, "m") == "10,1,0,-50,30,1.810\n11,1,1,10,-20,2.430\n"


def test_five_columns_have_no_distance():
    assert read("0,2,0,180,0\n", "m") == [FrameLabel(0, 2, 0, -180, 0, None)]
    assert write([FrameLabel(0, 2, 0, -180, 0)], "cm") == "0,2,0,-180,0\n"
    assert math.isnan(events_of([FrameLabel(0, 2, 0, 0, 0)], CLASSES)[0].distance_m)


@pytest.mark.parametrize(
    "line",
    [
        "frame,class,source,azimuth,elevation",
        "1,2,3",
        "0,0,0,0,100,1",
        "0,0,0,0,0,-1",
        "0,0,0,0,0,nan",
        "a,b",
    ],
)
def test_other_lines_are_refused_with_their_number(line):
    with pytest.raises(InvalidInput, match="line 2"):
        read(f"0,0,0,0,0,1\n{line}\n", "m")


def test_unit_must_be_stated():
    with pytest.raises(InvalidInput, match="unit"):
        write([], "km")


def test_frames_of_an_event_by_hand():
    rows = frames_of([ClipEvent("dog", 0.96, 1.24, 90.4, -10.0, 1.5)], CLASSES)
    assert rows == [FrameLabel(10, 1, 0, 90, -10, 1.5), FrameLabel(11, 1, 0, 90, -10, 1.5)]


def test_sources_restart_for_each_class_and_are_reused():
    events = [
        ClipEvent("dog", 0, 1, 0, 0, 1),
        ClipEvent("dog", 0.5, 2, 90, 0, 1),
        ClipEvent("cat", 0.5, 1, 0, 0, 1),
        ClipEvent("dog", 1.5, 3, 0, 0, 1),
    ]
    rows = frames_of(events, CLASSES)
    sources = {(r.class_index, r.source) for r in rows}
    assert sources == {(0, 0), (1, 0), (1, 1)}
    assert {r.source for r in rows if r.class_index == 1 and r.frame >= 20} == {0}


GRID = st.lists(
    st.tuples(
        st.sampled_from(CLASSES),
        st.integers(0, 80),
        st.integers(1, 19),
        st.integers(-180, 179),
        st.integers(-90, 90),
    ),
    max_size=6,
)


@settings(deadline=None, max_examples=60)
@given(GRID)
def test_events_on_the_grid_come_back(rows):
    events = [
        ClipEvent(n, on / 10, (on + length) / 10, float(az), float(el), 1.25)
        for n, on, length, az, el in rows
    ]
    touching = any(
        a.event == b.event and a is not b and a.onset_s <= b.offset_s and b.onset_s <= a.offset_s
        for a in events
        for b in events
    )
    if not touching:
        assert events_of(frames_of(events, CLASSES), CLASSES) == sorted(
            events, key=lambda e: (e.onset_s, e.offset_s, e.event)
        )


def test_a_turning_source_is_moving():
    rows = [FrameLabel(i, 0, 0, 170 + 3 * i if 170 + 3 * i < 180 else 3 * i - 190, 0, 1.0) for i in range(6)]
    assert events_of(rows, CLASSES)[0].moving
    assert not events_of(rows[:2], CLASSES)[0].moving


def test_unknown_classes_are_refused():
    with pytest.raises(InvalidInput, match="class index"):
        events_of([FrameLabel(0, 5, 0, 0, 0)], CLASSES)
    with pytest.raises(InvalidInput, match="event"):
        frames_of([ClipEvent("cow", 0, 1, 0, 0, 1)], CLASSES)
