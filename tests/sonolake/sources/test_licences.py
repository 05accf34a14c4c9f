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


PD, MIT_, APACHE, BY3, BY4 = "CC0-1.0", "MIT", "Apache-2.0", "CC-BY-3.0", "CC-BY-4.0"
SA1, SA2, SA3, SA4 = (f"CC-BY-SA-{v}" for v in ("1.0", "2.0", "3.0", "4.0"))
NC3, NC4, NCSA1, NCSA4 = "CC-BY-NC-3.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-1.0", "CC-BY-NC-SA-4.0"
ND, NCND = "CC-BY-ND-4.0", "CC-BY-NC-ND-4.0"

# By hand from the licences' texts. BY 4.0, 3(a)(4): an adapter's licence must not keep others from giving the credit.
# BY-SA, 4(b) of 2.0 to 3.0: the same licence or a later version of it; of 1.0: the same. BY-SA 4.0, 3(b)(1): the same
# or later; creativecommons.org/compatiblelicenses adds none that is here. NC, 2(a)(1)(B) of 4.0: none for money,
# which BY-SA allows. ND, 2(a)(1)(B) of 4.0: adaptations are not shared.
MIXES = [
    ([PD], PD),
    ([PD, "CC-PDM-1.0"], PD),
    ([PD, MIT_, APACHE], APACHE),
    (["BSD-2-Clause", MIT_], "BSD-2-Clause"),
    ([APACHE, BY3], BY3),
    ([BY3, BY4], BY4),
    ([PD, BY4], BY4),
    ([BY4, SA3], SA4),
    ([BY3, SA4], SA4),
    ([SA2, SA3, SA4], SA4),
    ([SA1, BY4], SA1),
    ([PD, BY4, NC4], NC4),
    ([PD, BY4, NC3], NC4),
    ([NC4, NCSA4], NCSA4),
    ([BY3, NC3, "CC-BY-NC-SA-3.0"], "CC-BY-NC-SA-3.0"),
    ([NCSA1, NC4], NCSA1),
    (["LicenseRef-CC-BY", PD], "LicenseRef-CC-BY"),
    ([SAMPLING_PLUS, PD], SAMPLING_PLUS),
]
CLASHES = [
    ([PD, ND], "CC-BY-ND-4.0 forbids"),
    ([NCND], "CC-BY-NC-ND-4.0 forbids"),
    ([PD, UNKNOWN], f"{UNKNOWN} forbids or does not grant"),
    ([UNCLEAR, BY4], UNCLEAR),
    ([SA4, NC4, PD], "CC-BY-NC-4.0 and CC-BY-SA-4.0"),
    ([SA4, NCSA4], "CC-BY-NC-SA-4.0 and CC-BY-SA-4.0"),
    ([SA1, SA4], "CC-BY-SA-1.0 and CC-BY-SA-4.0"),
    ([NCSA1, NCSA4], "CC-BY-NC-SA-1.0 and CC-BY-NC-SA-4.0"),
    ([SAMPLING_PLUS, BY4], "CC-BY-4.0 and LicenseRef-Sampling"),
    (["GPL-3.0-or-later", PD], "GPL-3.0-or-later forbids or does not grant"),
]


@pytest.mark.parametrize(("layers", "mix"), MIXES)
def test_a_mix_has_the_licence_that_follows_from_all_layers(layers, mix):
    assert licence_of_mix(layers) == mix
    assert licence_of_mix(reversed(layers)) == mix


@pytest.mark.parametrize(("layers", "named"), CLASHES)
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


EVERY = sorted({spdx for layers, _ in (*MIXES, *CLASHES) for spdx in layers})


@given(st.permutations(EVERY).flatmap(lambda every: st.integers(1, 4).map(lambda n: every[:n])), st.data())
@settings(deadline=None, max_examples=300)
def test_order_and_steps_do_not_matter_and_nothing_becomes_freer(layers, data):
    at_once = _mix(layers)
    assert _mix(data.draw(st.permutations(layers))) == at_once
    cut = data.draw(st.integers(1, len(layers)))
    parts = [_mix(part) for part in (layers[:cut], layers[cut:]) if part]
    assert (None if None in parts else _mix(parts)) == at_once
    for asked in ("-NC", "-SA", "Sampling"):
        assert at_once is None or (asked in at_once) >= any(asked in layer for layer in layers)
    assert at_once is None or _mix([at_once]) == at_once
    assert at_once is None or not any("-ND" in layer or layer in (UNKNOWN, UNCLEAR) for layer in layers)
    if any(layer.startswith("CC-BY") for layer in layers):
        assert at_once is None or at_once.startswith("CC-BY")
