"""The licence of a collection: separate items, side by side, each under its own."""

import dataclasses
import json

import pytest

from sonolake.errors import InvalidInput, Refused
from sonolake.releases import build, prove
from sonolake.releases.licences import LICENCE_URLS, PROFILES, licence_of_collection, why_not
from sonolake.releases.records import LeftOut
from sonolake.sources.licences import licence_of_mix

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


SOUNDS = {"voice": "CC0-1.0", "event": "CC-BY-4.0", "ambience": "CC-BY-NC-4.0"}
"""The layers of a scene that a release for commerce must not have."""


@pytest.mark.parametrize(
    ("licence", "profiles"),
    [
        ("CC0-1.0", {"commercial", "share-alike", "research"}),
        ("Apache-2.0", {"commercial", "share-alike", "research"}),
        ("CC-BY-3.0", {"commercial", "share-alike", "research"}),
        ("CC-BY-SA-4.0", {"share-alike", "research"}),
        ("CC-BY-NC-4.0", {"research"}),
        ("CC-BY-NC-SA-3.0", {"research"}),
        ("LicenseRef-Sampling-Plus-1.0", {"research"}),
        (licence_of_mix(SOUNDS.values()), {"research"}),
        ("CC-BY-ND-4.0", set()),
        ("LicenseRef-unknown", set()),
        (None, set()),
    ],
)
def test_each_profile_has_the_licences_that_go_with_it(licence, profiles):
    assert {profile for profile in PROFILES if why_not(profile, licence) is None} == profiles


@pytest.mark.parametrize(
    ("wish", "profiles"),
    [
        ("no-additional-preferences", {"commercial", "share-alike", "research"}),
        ("open-source-models", {"share-alike", "research"}),
        ("noncommercial-open-source-models", {"research"}),
        ("no-gen-ai", set()),
        ("wish-of-2030", set()),
    ],
)
def test_wishes_for_generative_models_are_honoured(wish, profiles):
    assert {profile for profile in PROFILES if why_not(profile, "CC0-1.0", [wish]) is None} == profiles


def test_the_proof_holds_a_release_to_its_profile(make, store, tmp_path):
    content = make()
    columns = {split: t.column_names.index("licence") for split, t in content.configs[0].splits.items()}
    scenes = dataclasses.replace(
        content.configs[0],
        splits={
            split: t.set_column(columns[split], "licence", [["CC-BY-NC-4.0"] * t.num_rows])
            for split, t in content.configs[0].splits.items()
        },
    )
    mixed = {"configs": (scenes, content.configs[1]), "licence": "CC-BY-NC-4.0"}
    build(make(**mixed), store.__getitem__, tmp_path / "research")
    assert "Profile: `research`" in (tmp_path / "research/README.md").read_text()
    with pytest.raises(Refused, match="licences: 10 rows, expected 0"):
        build(make(**mixed, profile="commercial"), store.__getitem__, tmp_path / "commercial")


def test_the_card_says_what_was_left_out_and_why(make, store, tmp_path):
    left_out = (LeftOut("cares", "CC-BY-NC-4.0 is not for commercial", 3),)
    build(make(profile="commercial", left_out=left_out), store.__getitem__, tmp_path / "0.1.0")
    card = (tmp_path / "0.1.0/README.md").read_text()
    assert "Profile: `commercial`: any use, also for money" in card
    assert "- `3` of `cares`: CC-BY-NC-4.0 is not for commercial." in card
    assert all(result.outcome == "holds" for result in prove(tmp_path / "0.1.0"))


@pytest.mark.parametrize(
    ("licence", "why"),
    [
        ("LicenseRef-unclear", "its origin is mixed or undocumented"),
        ("LicenseRef-unknown", "its source states none, or none that is understood"),
        (None, "its source states none, or none that is understood"),
        ("LicenseRef-CC-BY", "its source does not say which version"),
        ("CC-BY-ND-4.0", "it allows no derivatives"),
        ("GPL-3.0-only", "it is not one that is known here"),
    ],
)
def test_why_nobody_may_have_it_is_one_reason(licence, why):
    assert why_not("research", licence) == f"{licence or 'no licence'} may not be released: {why}"
