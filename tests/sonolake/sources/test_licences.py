import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import InvalidInput, Refused
from sonolake.sources.licences import SAMPLING_PLUS, UNCLEAR, UNKNOWN, licence_of_mix, normalise, releasable


@pytest.mark.parametrize(
    ("text", "spdx"),
    [
        ("http://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
        ("https://creativecommons.org/licenses/by/3.0/", "CC-BY-3.0"),
        ("https://creativecommons.org/licenses/by/4.0/", "CC-BY-4.0"),
        ("HTTPS://WWW.CreativeCommons.org/licenses/by-nc/3.0/", "CC-BY-NC-3.0"),
        ("//creativecommons.org/licenses/by-nc/4.0/deed.fr", "CC-BY-NC-4.0"),
        ("creativecommons.org/licenses/by-nc-sa/4.0/legalcode", "CC-BY-NC-SA-4.0"),
        ("http://creativecommons.org/licenses/by-nd-nc/1.0/", "CC-BY-NC-ND-1.0"),
        ("http://creativecommons.org/licenses/sampling+/1.0/", SAMPLING_PLUS),
        ("https://creativecommons.org/licenses/by-sa/3.0/de/", "CC-BY-SA-3.0-DE"),
        ("https://creativecommons.org/licenses/by/2.0/fr/", "LicenseRef-CC-BY-2.0-FR"),
        ("Creative Commons 0", "CC0-1.0"),
        ("CC0 1.0 Universal", "CC0-1.0"),
        ("Attribution", "LicenseRef-CC-BY"),
        ("Attribution NonCommercial", "LicenseRef-CC-BY-NC"),
        ("Attribution Noncommercial 3.0", "CC-BY-NC-3.0"),
        ("Sampling+", SAMPLING_PLUS),
        ("cc by-nc-sa 3.0", "CC-BY-NC-SA-3.0"),
        ("Creative Commons Attribution-ShareAlike 4.0 International License", "CC-BY-SA-4.0"),
        ("CC BY-ND v4.0", "CC-BY-ND-4.0"),
        ("The MIT License", "MIT"),
        ("Apache License, Version 2.0", "Apache-2.0"),
        ("BSD 3-Clause License", "BSD-3-Clause"),
        ("LicenseRef-unclear", UNCLEAR),
        ("", UNKNOWN),
        ("all rights reserved", UNKNOWN),
        ("by-nc", UNKNOWN),
        ("CC BY-SA-ND 4.0", UNKNOWN),
        ("CC BY 3.0 4.0", UNKNOWN),
        ("https://opendatacommons.org/licenses/by/1-0/", UNKNOWN),
        ("https://creativecommons.org.example/licenses/by/4.0/", UNKNOWN),
    ],
)
def test_every_way_of_writing_a_licence_becomes_its_spdx_identifier(text, spdx):
    assert normalise(text).spdx == spdx


def test_url_is_that_of_the_deed():
    assert normalise("CC BY-NC 4.0").url == "https://creativecommons.org/licenses/by-nc/4.0/"
    assert (
        normalise("http://creativecommons.org/licenses/by/3.0/at/").url
        == "https://creativecommons.org/licenses/by/3.0/at/"
    )
    assert normalise("nothing known").url == ""


@given(st.text(max_size=60))
@settings(deadline=None, max_examples=200)
def test_normalising_never_fails_and_settles_at_once(text):
    spdx = normalise(text).spdx
    assert normalise(spdx).spdx == spdx


_PARTS = st.sampled_from(["by", "by-nc", "by-sa", "by-nd", "by-nc-sa", "by-nc-nd"])


@given(
    _PARTS, st.sampled_from(["2.0", "2.5", "3.0", "4.0"]), st.sampled_from(["http://", "https://", "//", ""])
)
@settings(deadline=None, max_examples=60)
def test_deed_url_and_name_of_one_licence_agree(parts, version, scheme):
    expected = f"CC-{parts.upper()}-{version}"
    assert normalise(f"{scheme}creativecommons.org/licenses/{parts}/{version}/").spdx == expected
    assert normalise(f"Creative Commons {parts.upper()} {version}").spdx == expected
    assert normalise(normalise(expected).url).spdx == expected


@pytest.mark.parametrize(
    "spdx", ["CC0-1.0", "CC-BY-4.0", "CC-BY-NC-3.0", "CC-BY-ND-4.0", SAMPLING_PLUS, "MIT"]
)
def test_known_licences_may_be_handed_on(spdx):
    assert releasable(spdx)


@pytest.mark.parametrize("spdx", [UNKNOWN, UNCLEAR, "LicenseRef-anything", "GPL-3.0-or-later", ""])
def test_unknown_and_unclear_are_never_released(spdx):
    assert not releasable(spdx)


@pytest.mark.parametrize(
    ("layers", "mix"),
    [
        (["CC0-1.0"], "CC0-1.0"),
        (["CC0-1.0", "CC-PDM-1.0"], "CC0-1.0"),
        (["CC0-1.0", "Apache-2.0", "MIT"], "Apache-2.0"),
        (["Apache-2.0", "CC-BY-3.0"], "CC-BY-3.0"),
        (["CC-BY-3.0", "CC-BY-4.0"], "CC-BY-4.0"),
        (["CC0-1.0", "CC-BY-4.0", "CC-BY-NC-3.0"], "CC-BY-NC-4.0"),
        (["CC-BY-4.0", "CC-BY-SA-3.0"], "CC-BY-SA-4.0"),
        (["CC-BY-NC-4.0", "CC-BY-NC-SA-4.0"], "CC-BY-NC-SA-4.0"),
        (["LicenseRef-CC-BY", "CC0-1.0"], "LicenseRef-CC-BY"),
        ([SAMPLING_PLUS, "CC0-1.0"], SAMPLING_PLUS),
    ],
)
def test_a_mix_has_its_strictest_layers_licence(layers, mix):
    assert licence_of_mix(layers) == mix


@pytest.mark.parametrize(
    ("layers", "named"),
    [
        (["CC0-1.0", "CC-BY-ND-4.0"], "CC-BY-ND-4.0"),
        (["CC0-1.0", UNKNOWN], UNKNOWN),
        (["CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC0-1.0"], "CC-BY-NC-4.0 and CC-BY-SA-4.0"),
        ([SAMPLING_PLUS, "CC-BY-4.0"], "CC-BY-4.0 and LicenseRef-Sampling"),
    ],
)
def test_a_mix_that_no_licence_allows_names_the_culprits(layers, named):
    with pytest.raises(Refused, match=named.replace("+", r"\+")):
        licence_of_mix(layers)


def test_a_mix_of_nothing_is_a_mistake():
    with pytest.raises(InvalidInput, match="at least one"):
        licence_of_mix([])


def _mix(layers):
    try:
        return licence_of_mix(layers)
    except Refused:
        return None


_KNOWN = [
    "CC0-1.0",
    "MIT",
    "Apache-2.0",
    "CC-BY-3.0",
    "CC-BY-4.0",
    "CC-BY-SA-4.0",
    "CC-BY-NC-4.0",
    "CC-BY-NC-SA-4.0",
]


@pytest.mark.parametrize(
    "layers", list(itertools.combinations([*_KNOWN, SAMPLING_PLUS, "BSD-3-Clause", UNKNOWN], 3))
)
def test_mixing_in_two_steps_is_mixing_at_once(layers):
    first = _mix(layers[:2])
    in_steps = None if first is None else _mix([first, layers[2]])
    at_once = _mix(layers)
    assert in_steps == at_once or (in_steps is None and at_once is None)
