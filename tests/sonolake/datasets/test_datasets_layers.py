"""Which sounds may be layers of a mix, and what follows from their licences."""

import pytest

from sonolake.datasets.layers import licences_of, mixed_licence, usable_assets
from sonolake.errors import ItemRefused


def test_only_what_may_be_mixed_and_handed_on_is_used(lake, add_assets):
    licences = {
        "free": "CC0-1.0",
        "credited": "CC-BY-4.0",
        "unclear": "LicenseRef-unclear",
        "unknown": "LicenseRef-unknown",
        "whole-only": "CC-BY-ND-4.0",
        "none": None,
    }
    add_assets(*({"name": name, "licence": licence} for name, licence in licences.items()))
    assert {asset["item"] for asset in usable_assets(lake, "take")} == {"free", "credited"}
    assert usable_assets(lake, "ambience") == []


def test_assets_come_with_their_partition_in_the_order_of_their_ids(lake, add_assets):
    ids = add_assets({"name": "b"}, {"name": "a"})
    lake.table("partitions").append(
        [{"item": ids[0], "kind": "take", "group_id": "g", "split": "test", "batch": "1"}]
    )
    assert [(a["item"], a["split"]) for a in usable_assets(lake, "take")] == [("a", None), ("b", "test")]


def test_licences_are_found_by_id(lake, add_assets):
    one, other = add_assets({"name": "one"}, {"name": "other", "licence": "CC-BY-4.0"})
    assert licences_of(lake, [one, other, one]) == {one: "CC0-1.0", other: "CC-BY-4.0"}
    assert licences_of(lake, []) == {}


@pytest.mark.parametrize(
    ("layers", "mix"),
    [
        (["CC0-1.0", "CC0-1.0"], "CC0-1.0"),
        (["CC0-1.0", "CC-BY-4.0"], "CC-BY-4.0"),
        (["CC0-1.0", "CC-BY-4.0", "CC-BY-NC-4.0"], "CC-BY-NC-4.0"),
    ],
)
def test_a_mix_has_the_strictest_licence_of_its_layers(layers, mix):
    assert mixed_licence(layers) == mix


@pytest.mark.parametrize("layers", [["CC-BY-SA-4.0", "CC-BY-NC-4.0"], ["CC0-1.0", "LicenseRef-unclear"]])
def test_layers_that_exclude_each_other_are_a_reason_to_set_the_mix_aside(layers):
    with pytest.raises(ItemRefused, match=layers[-1]) as refused:
        mixed_licence(layers)
    assert refused.value.reason == "licence_conflict"
