"""Allocation: a pure function of the pool's content, uniform, stable when it grows."""

from collections import Counter
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import InvalidInput
from sonolake.spatial.allocate import allocate
from sonolake.spatial.bands import band_edges
from sonolake.spatial.limits import Limits
from sonolake.spatial.plan import free_slots, in_sixes, slot, split_counts
from sonolake.spatial.pool import Pool, Response, Take, split_pools
from sonolake.spatial.records import ClipRecipe
from sonolake.spatial.timing import polyphony

NAMES = ("front", "front-left", "left", "rear-left", "rear", "rear-right", "right", "front-right")


def nearest(azimuth):
    """The sector by smallest angle to its centre."""
    return min(range(8), key=lambda i: abs((azimuth - 45 * i + 180) % 360 - 180))


@pytest.fixture(scope="module")
def recipes(pool):
    return allocate("train", range(540), pool)


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 40), st.integers(0, 40), st.randoms(use_true_random=False))
def test_order_and_number_do_not_matter(pool, clips, more, random):
    takes, responses, ambiences = list(pool.takes), list(pool.responses), list(pool.ambiences)
    for items in (takes, responses, ambiences):
        random.shuffle(items)
    again = allocate(
        "train", range(clips + more), Pool(tuple(takes + takes[:3]), tuple(responses), tuple(ambiences))
    )
    assert again[:clips] == allocate("train", range(clips), pool)
    assert allocate("train", range(clips, clips + more), pool) == again[clips:]


def test_recipes_are_valid(recipes, pool):
    lengths = {take.take_id: take.duration_s for take in pool.takes}
    events = {take.take_id: take.event for take in pool.takes}
    places = {r.response_id: r for r in pool.responses}
    for recipe in recipes:
        for source in recipe.sources:
            assert 0.29 < source.onset_s < source.offset_s < 9.71
            assert source.offset_s - source.onset_s <= min(4.0, lengths[source.take_id]) + 0.002
            assert events[source.take_id] == source.event
            assert places[source.response_id].room == recipe.room
            assert places[source.response_id].azimuth_deg == source.azimuth_deg
    assert len({recipe.clip_id for recipe in recipes}) == len(recipes)


def heard(recipe):
    """Sources, and the most of them at once."""
    return len(recipe.sources), polyphony([(s.onset_s, s.offset_s) for s in recipe.sources])


def test_numbers_of_sources_and_of_those_at_once_are_uniform(pool):
    """Ten blocks of six clips for each of four numbers: each number five times a block in the dimensions but SC."""
    recipes = allocate("train", range(240), pool)
    assert Counter(heard(r)[0] for r in recipes if r.dimension != "SC") == {1: 50, 2: 50, 3: 50, 4: 50}
    free = Counter(heard(r) for r in recipes if r.dimension in ("SL", "TD", "SR", "AP"))
    for n in range(2, 5):
        assert {at_once for m, at_once in free if m == n} == set(range(1, n + 1))
        counts = [free[n, at_once] for at_once in range(1, n + 1)]
        assert max(counts) - min(counts) <= 1


LIMITS = st.integers(4, 8).flatmap(lambda n: st.builds(Limits, st.just(n), st.integers(1, n)))


@settings(deadline=None, max_examples=12)
@given(LIMITS, st.integers(0, 10_000))
def test_no_clip_has_more_than_was_asked_and_what_was_asked_is_reached(pool, limits, first):
    recipes = allocate("validation", range(first, first + 6 * limits.sources), pool, limits)
    found = [heard(recipe) for recipe in recipes]
    assert max(n for n, _ in found) == limits.sources
    assert max(at_once for _, at_once in found) <= limits.at_once
    shifted = [  # by as much as the direct sounds of a room may be apart: 0.1 s are 34 m
        [(s.onset_s + i % 2 / 10, s.offset_s + i % 2 / 10) for i, s in enumerate(r.sources)] for r in recipes
    ]
    assert max(map(polyphony, shifted)) <= limits.at_once
    kinds = {r.kind for r in recipes}
    assert "count_simultaneous" not in kinds or limits.at_once >= 4
    assert "relation" not in kinds or limits.at_once >= 2


@pytest.mark.parametrize(
    ("given", "said"),
    [((3, 3), "counting questions"), ((9, 4), "told apart"), ((4, 5), "1 to 4"), ((4, 0), "1 to 4")],
)
def test_limits_out_of_bounds_are_refused(given, said):
    with pytest.raises(InvalidInput, match=said):
        Limits(*given)


def test_directions_classes_and_dimensions_are_uniform(recipes):
    sectors = Counter(nearest(s.azimuth_deg) for r in recipes for s in r.sources)
    mean = sum(sectors.values()) / 8
    assert all(abs(count - mean) < 0.15 * mean for count in sectors.values())
    classes = Counter(s.event for r in recipes for s in r.sources)
    assert max(classes.values()) < 1.4 * min(classes.values())
    assert set(Counter(r.dimension for r in recipes).values()) == {90}


def test_bands_by_hand():
    """0.8 to 5 m: three bands of 1.07 m up to what is far, 4 m, and one of 1 m beyond."""
    assert band_edges([0.8, 5.0, 2.0]) == pytest.approx((1.8667, 2.9333, 4.0), abs=1e-4)
    assert band_edges([1.0, 16.0]) == pytest.approx((4.0, 8.0, 12.0))
    assert band_edges([1.0, 3.0]) == pytest.approx((1.5, 2.0, 2.5))
    assert band_edges([1.5, 1.5]) == ()


def test_distances_are_as_often_in_each_band_though_most_responses_are_near(recipes, pool):
    """The pool of all tests has them evenly; here eight of ten responses are nearer than 2 m."""
    skewed = [
        Response(f"{r.response_id}-{i}", r.room, r.azimuth_deg, r.elevation_deg, 0.6 + i / 10)
        for r in pool.responses
        if r.distance_m < 2
        for i in range(8)
    ]
    for found in (pool.responses, (*pool.responses, *skewed)):
        made = recipes if found is pool.responses else allocate("train", range(240), Pool(pool.takes, found))
        edges = band_edges([r.distance_m for r in found])
        bands = Counter(sum(s.distance_m >= e for e in edges) for r in made for s in r.sources)
        mean = sum(bands.values()) / 4
        assert all(abs(count - mean) < 0.1 * mean for count in bands.values())


def test_sparse_rooms_give_what_they_have(pool):
    """Far is found in two sectors of one room alone: it is as frequent there as near is, and directions of clips that
    ask for them stay even."""
    near = [Response(f"{n}-{k}", f"room{n}", 45.0 * k - 180, 0.0, 1.0) for n in range(4) for k in range(8)]
    far = [Response(f"far-{azimuth}", "room0", azimuth, 0.0, 5.0) for azimuth in (0.0, 90.0)]
    made = allocate("train", range(480), Pool(pool.takes, (*near, *far)))
    alone = [s for r in made if len(r.sources) == 1 for s in r.sources if s.azimuth_deg in (0.0, 90.0)]
    assert 0.3 < sum(s.distance_m >= 4 for s in alone) / len(alone) < 0.7
    sectors = Counter(nearest(s.azimuth_deg) for r in made if r.dimension in ("SL", "AP") for s in r.sources)
    mean = sum(sectors.values()) / 8
    assert all(abs(count - mean) < 0.25 * mean for count in sectors.values())


def test_overlap_is_what_was_asked(recipes):
    for index, recipe in enumerate(recipes):
        place = slot("train", index)
        times = [(s.onset_s, s.offset_s) for s in recipe.sources]
        if place.kind == "count_simultaneous":
            assert polyphony(times) == int(place.answer)
        if place.kind in ("count_events", "first", "last"):
            assert all(a.offset_s < b.onset_s for a, b in pairwise(recipe.sources))


def test_counted_clips_hold_the_wanted_number(recipes):
    for index, recipe in enumerate(recipes):
        place = slot("train", index)
        names = Counter(s.event for s in recipe.sources)
        made = {
            "count_events": len(recipe.sources),
            "count_classes": len(names),
            "count_repeats": max(names.values()),
        }
        if place.kind in made:
            assert made[place.kind] == int(place.answer)


def test_compared_sources_differ_in_distance(recipes):
    for recipe in recipes:
        if recipe.dimension == "SR":
            distances = [s.distance_m for s in recipe.sources]
            assert max(distances) >= 1.29 * min(distances)


def test_sources_move_where_nothing_is_asked_of_their_place(recipes):
    moving = {r.dimension for r in recipes if any(s.path for s in r.sources)}
    assert moving == {"SC", "TD", "TR"}
    long = [s for r in recipes if r.dimension in moving for s in r.sources if s.offset_s - s.onset_s >= 1.5]
    # A third is drawn; some walks turn too little and are not taken.
    assert 0.15 < sum(bool(s.path) for s in long) / len(long) < 0.36


def test_record_gives_the_recipe_back(recipes):
    for recipe in recipes[:20]:
        assert ClipRecipe.from_record(recipe.to_record()) == recipe
    edited = {**recipes[0].to_record(), "snr_db": 3.0}
    with pytest.raises(InvalidInput, match="clip_id"):
        ClipRecipe.from_record(edited)


def test_small_pools_still_give_clips():
    pool = Pool((Take("t", "cat", 0.5),), (Response("r", "room", 10.0, 0.0, 1.0),))
    recipes = allocate("train", range(36), pool)
    assert {r.ambience_id for r in recipes} == {None}
    assert {s.event for r in recipes for s in r.sources} == {"cat"}


def test_empty_pools_are_refused():
    with pytest.raises(InvalidInput, match="takes"):
        Pool((Take("t", "cat", 0.1),), (Response("r", "room", 0.0, 0.0, 1.0),))
    with pytest.raises(InvalidInput, match="no room is assigned"):
        Pool((Take("t", "cat", 1.0),), ())


@given(st.integers(0, 400), st.integers(0, 60))
def test_shares_never_fall_and_add_up(clips, more):
    shares = {"train": 0.8, "validation": 0.1, "test": 0.1}
    before, after = split_counts(clips, shares), split_counts(clips + more, shares)
    assert sum(before.values()) == clips
    assert all(after[name] >= before[name] or before[name] % 6 for name in shares)


def test_shares_by_hand():
    assert split_counts(24, {"train": 2, "validation": 1, "test": 1}) == {
        "train": 12,
        "validation": 6,
        "test": 6,
    }


def test_free_slots_by_hand():
    shares = {"train": 6.0, "validation": 1.0}
    assert free_slots(6, shares, {}) == {"train": [0, 1, 2, 3, 4, 5], "validation": []}
    # Slot 2 is free again, and of the next six train lacks 12 * 6/7 - 6, validation 12 / 7: the seventh is train's.
    assert free_slots(7, shares, {"train": {0, 1, 3, 4, 5}}) == {"train": [2, 6], "validation": []}
    assert free_slots(4, shares, {"train": {0, 1, 3, 4, 5}}) == {"train": [], "validation": []}
    assert free_slots(8, {"train": 6.0}, {"validation": {0, 1}, "train": {1}}) == {"train": [0, 2, 3, 4, 5]}


COUNTS = st.dictionaries(st.sampled_from(["train", "validation", "test"]), st.sets(st.integers(0, 40)))


@settings(deadline=None)
@given(st.integers(0, 120), COUNTS, st.sets(st.sampled_from(["train", "validation"]), min_size=1))
def test_slots_fill_up_to_the_number_asked_and_never_one_that_is_taken(clips, taken, usable):
    shares = {name: {"train": 6.0, "validation": 1.0}[name] for name in usable}
    free = free_slots(clips, shares, taken)
    there = sum(map(len, taken.values()))
    assert sum(map(len, free.values())) == max(0, clips - there)
    assert all(not set(numbers) & taken.get(name, set()) for name, numbers in free.items())
    more = {name: taken.get(name, set()) | set(free.get(name, ())) for name in {*taken, *free}}
    assert sum(map(len, free_slots(max(clips, there), shares, more).values())) == 0


def test_pools_by_split_share_no_room_and_no_take(pool):
    splits = {t.take_id: ("train", "validation")[i % 2] for i, t in enumerate(pool.takes)}
    splits |= {"room0": "train", "room1": "train", "room2": "validation", "hum": "train", "rain": "test"}
    pools = split_pools(pool.takes, pool.responses, pool.ambiences, splits)
    assert set(pools) == {"train", "validation"}
    assert set(pools["train"].by_room) == {"room0", "room1"}
    assert (pools["train"].ambiences, pools["validation"].ambiences) == (("hum",), ())
    clips = [clip for split, some in pools.items() for clip in allocate(split, range(6), some)]
    used = {name: {s.take_id for c in clips if c.split == name for s in c.sources} for name in pools}
    assert not used["train"] & used["validation"]


@pytest.mark.parametrize(
    ("new", "there", "kept"),
    [
        ({"test": 5}, {}, {"test": 5}),
        ({"test": 6}, {}, {"test": 6}),
        ({"test": 20, "validation": 13}, {}, {"test": 18, "validation": 12}),
        ({"test": 9}, {"test": 6}, {"test": 6}),
        ({"test": 4}, {"test": 9}, {"test": 3}),
        ({"test": 1}, {"test": 9}, {}),
    ],
)
def test_clips_cut_from_recordings_come_in_sixes_where_there_are_six(new, there, kept):
    clips = [SimpleNamespace(split=split, n=n) for split, count in new.items() for n in range(count)]
    left = in_sixes(clips, there)
    assert {s: [c.n for c in left if c.split == s] for s in {c.split for c in left}} == {
        split: list(range(count)) for split, count in kept.items()
    }
