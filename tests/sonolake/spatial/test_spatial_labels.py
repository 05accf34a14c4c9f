"""Labels of recordings in both forms; a unit is stated, never guessed."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.errors import InvalidInput
from sonolake.spatial import labelfile
from sonolake.spatial.labels import read_labels
from sonolake.spatial.records import ClipEvent

CLASSES = ["dog", "bell"]
TABLE = "10,1,0,30,-5,250\n11,1,0,30,-5,250\n"


@pytest.mark.parametrize(("unit", "metres"), [("cm", 2.5), ("m", 250.0)])
def test_a_table_in_its_unit(unit, metres):
    assert read_labels(TABLE, CLASSES, unit) == [ClipEvent("bell", 1.0, 1.2, 30.0, -5.0, metres)]


@pytest.mark.parametrize("unit", ["", "mm", "CM"])
def test_distances_without_a_stated_unit_are_refused(unit):
    with pytest.raises(InvalidInput, match="distance_unit"):
        read_labels(TABLE, CLASSES, unit)


def test_a_table_without_distances_needs_no_unit():
    (event,) = read_labels("3,0,0,90,0\n", CLASSES, "")
    assert (event.event, event.onset_s, event.azimuth_deg) == ("dog", 0.3, 90.0)
    assert math.isnan(event.distance_m)


def test_a_table_needs_its_classes():
    with pytest.raises(InvalidInput, match="classes"):
        read_labels(TABLE, [""], "cm")
    with pytest.raises(InvalidInput, match="class index"):
        read_labels(TABLE, ["dog"], "cm")


@given(
    st.lists(st.tuples(st.floats(0, 9), st.floats(0.1, 1), st.sampled_from(CLASSES)), min_size=1, max_size=5)
)
def test_our_own_lines_need_neither(heard):
    events = [ClipEvent(name, on, on + length, 10.0, 0.0, 2.0) for on, length, name in heard]
    assert read_labels("\n" + labelfile.write(events), [], "") == sorted(
        events, key=lambda e: (e.onset_s, e.offset_s, e.event)
    )
