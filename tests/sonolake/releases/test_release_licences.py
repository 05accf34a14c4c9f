"""The licence of a collection: separate items, side by side, each under its own."""

import dataclasses
import json

import pytest

from sonolake.errors import InvalidInput
from sonolake.releases import build, prove
from sonolake.releases.licences import LICENCE_URLS, licence_of_collection

SHARE, NONCOMMERCIAL = "CC-BY-SA-4.0", "CC-BY-NC-4.0"


@pytest.mark.parametrize(
    ("licences", "whole"),
    [
        (["CC0-1.0"], "CC0-1.0"),
        (["CC0-1.0", "CC-BY-4.0", "CC-BY-3.0"], "CC-BY-4.0"),
        (["CC-BY-4.0", "CC-BY-NC-4.0"], "CC-BY-NC-4.0"),
        ([SHARE, NONCOMMERCIAL], f"{NONCOMMERCIAL} AND {SHARE}"),
        ([SHARE, "CC0-1.0", NONCOMMERCIAL, "CC-BY-4.0"], f"{NONCOMMERCIAL} AND {SHARE}"),
        (["CC-BY-NC-SA-4.0", SHARE, "CC-BY-4.0"], f"CC-BY-NC-SA-4.0 AND {SHARE}"),
    ],
)
def test_it_asks_for_what_any_item_asks_for(licences, whole):
    assert licence_of_collection(licences) == whole
    assert licence_of_collection(reversed(licences)) == whole


def test_of_nothing_there_is_none():
    with pytest.raises(InvalidInput, match="licences of a collection"):
        licence_of_collection([])


def test_a_release_with_both_is_built_and_says_so(make, store, tmp_path):
    content = make()
    configs = [
        dataclasses.replace(
            config,
            splits={
                split: table.set_column(
                    table.column_names.index("licence"), "licence", [[licence] * table.num_rows]
                )
                for split, table in config.splits.items()
            },
        )
        for config, licence in zip(content.configs, (SHARE, NONCOMMERCIAL), strict=True)
    ]
    whole = licence_of_collection([SHARE, NONCOMMERCIAL])
    folder = tmp_path / "0.1.0"
    build(make(configs=tuple(configs), licence=whole), store.__getitem__, folder)
    assert all(result.outcome == "holds" for result in prove(folder))
    said = json.loads((folder / "croissant.json").read_text())["license"]
    assert said == [LICENCE_URLS[NONCOMMERCIAL], LICENCE_URLS[SHARE]]
    assert 'license_name: "cc-by-nc-4.0-and-cc-by-sa-4.0"' in (folder / "README.md").read_text()
