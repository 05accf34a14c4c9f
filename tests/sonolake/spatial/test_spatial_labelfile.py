"""Our own label lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.errors import InvalidInput
from sonolake.spatial.labelfile import read, write
from sonolake.spatial.records import ClipEvent

EVENTS = st.lists(
    st.builds(
        lambda name, on, length, az, el, dist, moving: ClipEvent(name, on, on + length, az, el, dist, moving),
        st.text(min_size=1),
        st.floats(0, 100),
        st.floats(0.01, 10),
        st.floats(-180, 180),
        st.floats(-90, 90),
        st.floats(0, 50),
        st.booleans(),
    )
)


@given(EVENTS)
def test_events_survive(events):
    again = read(write(events))
    assert [e.onset_s for e in again] == sorted(e.onset_s for e in events)
    assert write(again) == write(events)


def test_a_line_by_hand():
    line = '{"event": "cat", "onset_s": 1, "offset_s": 2.5, "azimuth_deg": 90, "elevation_deg": 0, "distance_m": 4}'
    assert read(f"\n{line}\n") == [ClipEvent("cat", 1, 2.5, 90, 0, 4)]


@pytest.mark.parametrize("line", ["{", "[]", '{"event": "cat"}', '{"event": "cat", "onset": 1}'])
def test_bad_lines_are_named(line):
    with pytest.raises(InvalidInput, match="line 2"):
        read(f"\n{line}\n")
