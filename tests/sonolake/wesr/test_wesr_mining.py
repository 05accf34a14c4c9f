"""Fusion and quotas against hand calculation, and their properties."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import InvalidInput
from sonolake.wesr.mining import SENTENCE, TRANSCRIPT, Candidate, Hit, RankedList, fuse, mine, ranked


def listing(tag, query, *names):
    return RankedList(tag, query, tuple(Hit(name, i / 10, float(i)) for i, name in enumerate(names)))


def test_fusion_by_hand():
    # k = 60: b = 1/62 + 1/61, a = 1/61, c = 1/62, d = 1/63
    fused = fuse([listing("cough", "q1", "a", "b", "d"), listing("cough", "q2", "b", "c")])
    assert [c.utterance_id for c in fused] == ["b", "a", "c", "d"]
    assert fused[0] == Candidate("b", "cough", "q2", 1, 0.0, 0.0, None, 1)
    assert fused[3] == Candidate("d", "cough", "q1", 4, 0.2, 2.0, None, 3)


def test_lists_of_one_kind_of_evidence_share_a_vote():
    def of(evidence, query, *names):
        return replace(listing("cough", query, *names), evidence=evidence)

    # Three lists of classes say a before b, one example says b before c.
    lists = [of("classes", f"q{n}", "a", "b") for n in range(3)] + [of("yamnet", "q9", "b", "c")]
    # a: 3 · (1/3)/61; b: 3 · (1/3)/62 + 1/61; c: 1/62.
    assert [c.utterance_id for c in fuse(lists)] == ["b", "a", "c"]
    lists = [of("classes", f"q{n}", "a") for n in range(3)] + [of("yamnet", "q9", "b", "c")]
    # a: 1/61, b: 1/61, equal, so by name.
    assert [c.utterance_id for c in fuse(lists)] == ["a", "b", "c"]


def test_what_is_said_counts_a_third_of_what_is_heard():
    said = replace(listing("cough", "q1", "a"), evidence=TRANSCRIPT)
    heard = replace(listing("cough", "q2", "x", *(f"y{n:02}" for n in range(99)), "b"), evidence="classes")
    # a: (1/3)/61 = 1/183, less than b's, the hundred and first that is heard: 1/161.
    assert [c.utterance_id for c in fuse([said, heard])][-2:] == ["b", "a"]
    empty = replace(listing("cough", "q3"), evidence=TRANSCRIPT)
    assert fuse([said, empty, heard]) == fuse([said, heard]), "a list without hits takes no share"


def test_class_names_guessed_from_a_sentence_count_a_third_of_class_names():
    guessed = replace(listing("cough", "q1", "a"), evidence=SENTENCE)
    named = replace(listing("cough", "q2", "x", *(f"y{n:02}" for n in range(99)), "b"), evidence="classes")
    # a: (1/3)/61 = 1/183; b, the hundred and first: 1/161.
    assert [c.utterance_id for c in fuse([guessed, named])][-2:] == ["b", "a"]


def test_what_answers_to_another_label_stands_behind_by_hand():
    lists = [listing("cough", "q1", "a", "b", "c"), listing("sigh", "q2", "a")]
    # Of cough a has 1/61 and less 0.3 of as much for sigh, 0.01148; b has 1/62 = 0.01613 and c 1/63 = 0.01587.
    assert [(c.utterance_id, c.rank) for c in mine(lists, 9) if c.tag == "cough"] == [
        ("b", 1),
        ("c", 2),
        ("a", 3),
    ]
    assert [c.utterance_id for c in mine(lists[:1], 9)] == ["a", "b", "c"], "of one label nothing is taken"
    assert [c.utterance_id for c in fuse(lists[:1])] == ["a", "b", "c"]


def test_ties_go_to_the_better_rank_then_the_id():
    fused = fuse([listing("cough", "q1", "z", "m"), listing("cough", "q2", "a", "n")])
    assert [c.utterance_id for c in fused] == ["a", "z", "m", "n"]


def test_windows_are_reduced_to_their_nearest():
    made = ranked("sigh", "q", ["u1", "u2", "u1", "u3"], [0, 0, 1.5, 0], [0.9, 0.5, 0.1, 0.5], top=2)
    assert made.hits == (Hit("u1", 0.1, 1.5), Hit("u2", 0.5, 0.0))


def test_quotas_and_exclusions():
    lists = [listing("cough", "q1", "a", "b", "c"), listing("sigh", "q2", "a", "b", "c")]
    made = mine(lists, {"cough": 2}, exclude=[("a", "cough")])
    assert [(c.utterance_id, c.tag, c.rank) for c in made] == [("b", "cough", 1), ("c", "cough", 2)]
    assert [c.tag for c in mine(lists, 1)] == ["cough", "sigh"]


LISTS = st.lists(
    st.tuples(
        st.sampled_from(["cough", "sigh", "singing"]),
        st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=8),
    ),
    max_size=6,
).map(lambda rows: [listing(tag, f"q{i}", *names) for i, (tag, names) in enumerate(rows)])


@settings(deadline=None, max_examples=100)
@given(LISTS, st.integers(0, 12), st.randoms(use_true_random=False))
def test_each_tag_gets_its_quota_whatever_the_order(lists, quota, random):
    made = mine(lists, quota)
    shuffled = list(lists)
    random.shuffle(shuffled)
    assert mine(shuffled, quota) == made
    for tag in {one.tag for one in lists}:
        mine_of = [c for c in made if c.tag == tag]
        there = {hit.utterance_id for one in lists if one.tag == tag for hit in one.hits}
        assert len(mine_of) == min(quota, len(there))
        assert [c.rank for c in mine_of] == list(range(1, len(mine_of) + 1))
        assert len({c.utterance_id for c in mine_of}) == len(mine_of)
    longer = mine(lists, quota + 1)
    assert all(c in longer for c in made)


@given(st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1), st.integers(1, 4))
def test_lists_that_agree_keep_their_order(names, copies):
    fused = fuse([listing("cough", f"q{i}", *names) for i in range(copies)])
    assert [c.utterance_id for c in fused] == names


def test_bad_lists_are_refused():
    with pytest.raises(InvalidInput, match="each utterance once"):
        listing("cough", "q", "a", "a")
    with pytest.raises(InvalidInput, match="tag"):
        listing("yawn", "q", "a")
    with pytest.raises(InvalidInput, match="each query once"):
        fuse([listing("cough", "q", "a"), listing("cough", "q", "b")])
    with pytest.raises(InvalidInput, match="NaN"):
        ranked("cough", "q", ["a"], [0.0], [float("nan")], 1)
    with pytest.raises(InvalidInput, match="one utterance, onset and distance"):
        ranked("cough", "q", ["a"], [0.0, 1.0], [0.0], 1)
