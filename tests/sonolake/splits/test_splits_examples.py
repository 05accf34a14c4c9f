"""The ledger's rules on cases small enough to work out by hand."""

import pytest

from sonolake.errors import InvalidInput
from sonolake.splits import (
    ASSETS,
    RECORDED_ROOMS,
    SIMULATED_ROOMS,
    TEMPLATES,
    LedgerRow,
    Member,
    Short,
    assign,
    close_groups,
    from_table,
    quotas_for,
    to_table,
)


def members(count, prefix="t", stratum="", key=None):
    keys = frozenset() if key is None else frozenset({key})
    return [Member(f"{prefix}{n:04}", keys, stratum) for n in range(count)]


def counts(rows, stratum=None):
    found = {"train": 0, "validation": 0, "test": 0}
    for row in rows:
        if stratum is None or row.stratum == stratum:
            found[row.split] += 1
    return found


def test_a_thousand_templates_split_800_100_100_as_in_the_paper():
    rows = assign("template", members(1000), [], TEMPLATES).rows
    assert counts(rows) == {"train": 800, "validation": 100, "test": 100}


def test_templates_of_ten_themes_of_ten_split_8_1_1_in_each():
    some = [one for theme in "abcdefghij" for one in members(10, theme, f"theme {theme}")]
    rows = assign("template", some, [], TEMPLATES, pooled=True).rows
    for theme in "abcdefghij":
        assert counts(rows, f"theme {theme}") == {"train": 8, "validation": 1, "test": 1}


def test_thirty_themes_of_one_template_have_the_quotas_in_all():
    some = [one for theme in range(30) for one in members(1, f"t{theme}-", f"theme {theme}")]
    assert counts(assign("template", some, [], TEMPLATES, pooled=True).rows) == {
        "train": 24,
        "validation": 3,
        "test": 3,
    }


def test_three_templates_of_three_themes_fill_all_splits():
    some = [one for theme in "abc" for one in members(1, theme, theme)]
    assert counts(assign("template", some, [], TEMPLATES, pooled=True).rows) == {
        "train": 1,
        "validation": 1,
        "test": 1,
    }


def test_thirty_takes_of_each_event_leave_five_for_test():
    both = members(30, "d", "dog_bark") + members(30, "r", "rain")
    rows = assign("take", both, [], ASSETS).rows
    for event in ("dog_bark", "rain"):
        assert counts(rows, event) == {"train": 20, "validation": 5, "test": 5}


def test_rooms_of_both_origins():
    simulated = assign("room", members(20, stratum="simulated"), [], SIMULATED_ROOMS).rows
    assert counts(simulated) == {"train": 18, "validation": 2, "test": 0}
    recorded = assign("room", members(18, "r", "recorded"), simulated, RECORDED_ROOMS).rows
    assert counts(recorded) == {"train": 0, "validation": 9, "test": 9}
    assert quotas_for("room", "simulated") == SIMULATED_ROOMS
    assert quotas_for("room", "stand-in") == RECORDED_ROOMS


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        (1, {"train": 1, "validation": 0, "test": 0}),
        (2, {"train": 1, "validation": 0, "test": 1}),
        (3, {"train": 1, "validation": 1, "test": 1}),
        (4, {"train": 2, "validation": 1, "test": 1}),
        (6, {"train": 4, "validation": 1, "test": 1}),
    ],
)
def test_small_strata_fill_train_then_test_then_validation(groups, expected):
    assignment = assign("take", members(groups, stratum="bell"), [], ASSETS)
    assert counts(assignment.rows) == expected
    missing = tuple(split for split in ("train", "validation", "test") if not expected[split])
    assert assignment.short == ((Short("bell", groups, missing),) if missing else ())


def test_small_strata_fill_up_one_arrival_at_a_time():
    ledger = []
    for n in range(3):
        ledger += assign("take", [Member(f"x{n}", stratum="bell")], ledger, ASSETS).rows
    assert [row.split for row in sorted(ledger)] == ["train", "test", "validation"]


def test_one_pack_of_thirty_is_one_group():
    assignment = assign("take", members(30, key="pack:farm", stratum="dog"), [], ASSETS)
    assert counts(assignment.rows) == {"train": 30, "validation": 0, "test": 0}
    assert assignment.short == (Short("dog", 1, ("validation", "test")),)
    assert len({row.group_id for row in assignment.rows}) == 1


def test_a_chain_of_shared_keys_is_one_group():
    chain = [
        Member("a", frozenset({"source:1"})),
        Member("b", frozenset({"source:1", "pcm:x"})),
        Member("c", frozenset({"pcm:x"})),
        Member("d", frozenset({"source:2"})),
    ]
    clusters = close_groups("take", chain, [])
    assert [[member.item for member in cluster.members] for cluster in clusters] == [["a", "b", "c"], ["d"]]


def old(item, split, *keys, kind="take"):
    return LedgerRow(item, kind, f"group-{item}", split, "batch-0", "", keys)


def test_a_newcomer_follows_the_group_it_is_tied_to():
    ledger = [old("a", "test", "source:1"), old("b", "train", "source:2")]
    rows = assign("take", [Member("c", frozenset({"source:1"}))], ledger, ASSETS).rows
    assert [(row.item, row.group_id, row.split) for row in rows] == [("c", "group-a", "test")]


def test_a_newcomer_follows_a_sound_of_another_kind():
    ledger = [old("rain.wav", "test", "pcm:x", kind="ambience")]
    rows = assign("take", [Member("drops.wav", frozenset({"pcm:x"}))], ledger, ASSETS).rows
    assert [(row.kind, row.split) for row in rows] == [("take", "test")]


def test_equal_names_of_two_kinds_are_not_one_sound():
    ledger = [old("kitchen", "test", kind="room")]
    rows = assign("ambience", [Member("kitchen")], ledger, ASSETS).rows
    assert [row.split for row in rows] == ["train"]


def test_one_sound_under_two_names_in_two_partitions_sets_the_newcomer_aside():
    ledger = [old("a", "test", "source:1"), old("b", "train", "pcm:x")]
    bridge = Member("c", frozenset({"source:1", "pcm:x"}))
    bystander = Member("d", frozenset({"source:1"}))
    tied_to_bridge = Member("e", frozenset({"source:9"}))
    assignment = assign("take", [bridge, bystander, tied_to_bridge], ledger, ASSETS, near=[("e", "c")])
    assert [(row.item, row.split) for row in assignment.rows] == [("d", "test")]
    assert [(line.item, line.reason) for line in assignment.set_aside] == [
        ("c", "ties_two_partitions"),
        ("e", "ties_two_partitions"),
    ]
    assert "source:1" in assignment.set_aside[0].detail and "pcm:x" in assignment.set_aside[0].detail


def test_a_tie_of_two_groups_in_one_split_is_kept_for_later():
    ledger = [old("a", "test", "source:1"), old("b", "test", "source:2")]
    ledger += assign("take", [Member("c", frozenset({"source:1"}))], ledger, ASSETS, near=[("b", "c")]).rows
    assert ledger[-1].split == "test"
    assert ledger[-1].keys == ("near:take:b", "source:1")


def test_near_pairs_tie_to_the_ledger_in_either_order():
    ledger = [old("m", "validation")]
    for newcomer in ("a", "z"):
        for pair in ((newcomer, "m"), ("m", newcomer)):
            rows = assign("take", [Member(newcomer)], ledger, ASSETS, near=[pair]).rows
            assert [row.split for row in rows] == ["validation"]


def test_a_removed_item_still_holds_its_place():
    ledger = [old("gone", "test", "pcm:x")]
    rows = assign("take", [Member("again", frozenset({"pcm:x"}))], ledger, ASSETS).rows
    assert rows[0].split == "test"
    assert assign("take", [Member("gone")], ledger, ASSETS).rows == ()


def test_a_known_item_lends_a_key_that_its_row_does_not_have():
    ledger = [old("a", "test")]
    batch = [Member("a", frozenset({"pack:farm"})), Member("b", frozenset({"pack:farm"}))]
    rows = assign("take", batch, ledger, ASSETS).rows
    assert [(row.item, row.split) for row in rows] == [("b", "test")]


@pytest.mark.parametrize(
    ("quotas", "message"),
    [
        ({"dev": 1}, "dev"),
        ({"train": 0}, "positive"),
        ({"train": -1, "test": 1}, "-1"),
        ({"train": 0.8, "test": 0.2}, "8, 1, 1"),
    ],
)
def test_quotas_that_make_no_sense_are_refused(quotas, message):
    with pytest.raises(InvalidInput, match=message):
        assign("take", members(3), [], quotas)


def test_one_item_in_two_strata_is_refused():
    with pytest.raises(InvalidInput, match="strata of a"):
        assign("take", [Member("a", stratum="dog"), Member("a", stratum="cat")], [], ASSETS)


@pytest.mark.parametrize("key", ["source:", "", "pcm", ":x"])
def test_a_key_that_names_nothing_would_tie_strangers(key):
    with pytest.raises(InvalidInput, match=r"keys of a.*strangers"):
        assign("take", [Member("a", frozenset({key})), Member("b", frozenset({key}))], [], ASSETS)


def test_ledger_rows_survive_the_table():
    rows = list(assign("take", members(5, key="pack:p", stratum="dog"), [], ASSETS).rows)
    assert from_table(to_table(rows)) == rows
    assert from_table(to_table([])) == []
