"""Reciprocal rank fusion against the equation of Cormack, Clarke and Büttcher (2009), worked out by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.search.fusion import Window, fuse

IDS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)


def windows(ids):
    return [Window(one, float(n)) for n, one in enumerate(ids)]


def test_scores_are_the_sums_of_reciprocal_ranks():
    fused = fuse({"labels": windows("ab"), "text": windows("bc")})
    assert [one.asset_id for one in fused] == ["b", "a", "c"]
    assert [one.score for one in fused] == pytest.approx([1 / 62 + 1 / 61, 1 / 61, 1 / 62])
    assert [(f.query, f.rank) for f in fused[0].findings] == [("labels", 2), ("text", 1)]


def test_equal_scores_go_to_the_first_list_and_then_to_the_smaller_id():
    assert [one.asset_id for one in fuse({"labels": windows("ba"), "text": windows("ab")})] == ["b", "a"]
    assert [one.asset_id for one in fuse({"labels": windows("a"), "text": windows("b")})] == ["a", "b"]


def test_the_window_shown_is_the_best_ranked_one_that_has_a_time():
    (one,) = fuse(
        {
            "text": [Window("a", 0.1)],
            "labels": [Window("z", 0.0, 9.0, 9.96), Window("a", 0.2, 0.48, 1.44)],
        }
    )[:1]
    assert one.asset_id == "a" and (one.window.start_s, one.window.end_s) == (0.48, 1.44)
    assert fuse({"text": [Window("a", 0.1)]})[0].window is None


def test_no_list_no_asset():
    assert fuse({}) == [] and fuse({"labels": []}) == []


@settings(deadline=None, max_examples=50)
@given(IDS, IDS)
def test_better_in_every_list_is_better_fused(first, second):
    fused = [one.asset_id for one in fuse({"labels": windows(first), "text": windows(second)})]
    assert sorted(fused) == sorted(set(first) | set(second))
    for one in set(first) & set(second):
        for other in set(first) & set(second):
            if first.index(one) < first.index(other) and second.index(one) < second.index(other):
                assert fused.index(one) < fused.index(other)
