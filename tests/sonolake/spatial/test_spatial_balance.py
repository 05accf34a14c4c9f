"""The assignment of dimensions, against what can be reasoned by hand."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.spatial.balance import balance

DIMS = ("SC", "SL", "TD", "SR", "TR", "AP")
CLIPS = st.dictionaries(
    st.text("abcdef0123456789", min_size=4, max_size=6), st.sets(st.sampled_from(DIMS)), max_size=40
)


def test_flexible_clips_give_way():
    possible = {f"only-{d}": (d,) for d in DIMS[1:]} | {"any": DIMS}
    assert balance(possible) == {**{f"only-{d}": d for d in DIMS[1:]}, "any": "SC"}


def test_wishes_are_kept_when_they_balance():
    possible = {f"{d}{i}": DIMS for d in DIMS for i in range(3)}
    wanted = {name: name[:2] for name in possible}
    assert balance(possible, wanted) == wanted


def test_surplus_is_left_out():
    possible = {f"c{i}": ("SC",) for i in range(10)} | {f"d{i}": DIMS[1:] for i in range(10)}
    counts = Counter(balance(possible).values())
    assert counts == dict.fromkeys(DIMS, 2)


def test_a_rest_of_six_is_within_one():
    counts = Counter(balance({f"c{i}": DIMS for i in range(20)}).values())
    assert sum(counts.values()) == 20
    assert max(counts.values()) - min(counts.values()) == 1


def test_from_ten_of_each_on_they_are_equal():
    assert Counter(balance({f"c{i}": DIMS for i in range(59)}).values()).total() == 59
    assert Counter(balance({f"c{i}": DIMS for i in range(65)}).values()) == dict.fromkeys(DIMS, 10)


@settings(deadline=None, max_examples=100)
@given(CLIPS, st.randoms(use_true_random=False))
def test_only_possible_dimensions_whatever_the_order(possible, random):
    order = list(possible)
    random.shuffle(order)
    rows = {name: sorted(possible[name]) for name in possible}
    chosen = balance(rows)
    assert chosen == balance({name: rows[name] for name in order})
    assert all(dimension in possible[name] for name, dimension in chosen.items())
    counts = Counter(chosen.values())
    assert max(counts.values(), default=0) - min(counts[d] for d in DIMS) <= 1
