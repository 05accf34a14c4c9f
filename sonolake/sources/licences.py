"""Licences of sounds: one SPDX identifier for every way of writing them, and the licence of a mix.

Identifiers are those of the SPDX License List; what has none is ``LicenseRef-…``. A licence that a source names
without its version ("Attribution") stays without one: a version is never invented.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from sonolake.errors import InvalidInput, Refused

UNKNOWN = "LicenseRef-unknown"
"""Nothing is stated, or what is stated is not understood. Never released."""
UNCLEAR = "LicenseRef-unclear"
"""Of mixed or undocumented origin. May be mined locally, never released."""
SAMPLING_PLUS = "LicenseRef-Sampling-Plus-1.0"

_CC = "https://creativecommons.org"
_PLAIN_URLS = {
    "CC0-1.0": f"{_CC}/publicdomain/zero/1.0/",
    "CC-PDM-1.0": f"{_CC}/publicdomain/mark/1.0/",
    SAMPLING_PLUS: f"{_CC}/licenses/sampling+/1.0/",
    "MIT": "https://spdx.org/licenses/MIT.html",
    "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "BSD-2-Clause": "https://spdx.org/licenses/BSD-2-Clause.html",
    "BSD-3-Clause": "https://spdx.org/licenses/BSD-3-Clause.html",
}

_PERMISSIVE = ("public", "MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0")
_MAY_CONTAIN: dict[str, frozenset[str]] = {
    "public": frozenset({"public"}),
    "MIT": frozenset({"public", "MIT"}),
    "BSD-2-Clause": frozenset({"public", "MIT", "BSD-2-Clause"}),
    "BSD-3-Clause": frozenset({"public", "MIT", "BSD-2-Clause", "BSD-3-Clause"}),
    "Apache-2.0": frozenset(_PERMISSIVE),
    "BY": frozenset({*_PERMISSIVE, "BY"}),
    "BY-SA": frozenset({*_PERMISSIVE, "BY", "BY-SA"}),
    "BY-NC": frozenset({*_PERMISSIVE, "BY", "BY-NC"}),
    "BY-NC-SA": frozenset({*_PERMISSIVE, "BY", "BY-NC", "BY-NC-SA"}),
    "BY-SA-1.0": frozenset({*_PERMISSIVE, "BY", "BY-SA-1.0"}),
    "BY-NC-SA-1.0": frozenset({*_PERMISSIVE, "BY", "BY-NC", "BY-NC-SA-1.0"}),
    "Sampling+": frozenset({*_PERMISSIVE, "Sampling+"}),
}
"""Mildest first: a mix under the key may contain layers of these families, which the licences' own texts allow.

- CC0 and the public domain mark ask for nothing; MIT, BSD and Apache-2.0 for their notice, in this order more of it.
- CC-BY may go under any licence that keeps the credit (4.0, 3(a)(4): an adapter's licence must not prevent that).
- CC-BY-SA 4.0, 3(b)(1): an adaptation is under the same licence, a later version or a BY-SA compatible licence; so
  BY-SA takes in BY and never goes back. From 2.0 on a later version will do (4(b)); 1.0 wants itself, and is apart.
- CC-BY-NC 4.0, 2(a)(1)(B): adaptations for non-commercial purposes only; so NC stays, and BY-SA, which allows
  commerce, cannot be its mix: the two exclude each other. BY-NC-SA takes in BY-NC, not BY-SA.
- No-derivatives families are absent: a mix, and a cut, is a derivative.
- Sampling+ 1.0 forbids advertising, which no other licence here does, and says nothing of a licence for what is made
  of it: it is mixed with nothing that asks for a licence or credit of its own.
"""
_CC_ID = re.compile(r"(?:LicenseRef-)?CC-(BY(?:-NC)?(?:-SA|-ND)?)(?:-(\d\.\d)(?:-([A-Z]+))?)?")
_CC_URL = re.compile(
    r"(?:https?:)?(?://)?(?:[\w-]+\.)*creativecommons\.org/"
    r"(?:publicdomain/(?P<public>zero|mark)|licenses/(?P<licence>[a-z+-]+))/(?P<version>\d\.\d)(?:/(?P<port>[a-z]{2}|igo|scotland))?(?:/.*)?"
)
_LICENCE_REF = re.compile(r"LicenseRef-[A-Za-z0-9.-]+")
_OTHER_TEXTS = {
    **dict.fromkeys(("cc0", "cc 0", "cczero", "creative commons 0", "creative commons zero"), "CC0-1.0"),
    **dict.fromkeys(
        ("cc0 1.0", "cc 0 1.0", "creative commons 0 1.0", "creative commons zero 1.0"), "CC0-1.0"
    ),
    **dict.fromkeys(("public domain mark", "public domain mark 1.0", "cc pdm 1.0"), "CC-PDM-1.0"),
    **dict.fromkeys(("sampling+", "sampling plus", "sampling+ 1.0", "sampling plus 1.0"), SAMPLING_PLUS),
    **dict.fromkeys(("cc sampling+ 1.0", "cc sampling plus 1.0"), SAMPLING_PLUS),
    **dict.fromkeys(("mit", "expat", "mit x11"), "MIT"),
    **dict.fromkeys(("apache 2.0", "apache 2", "apache2", "apache2.0"), "Apache-2.0"),
    **dict.fromkeys(("bsd 2 clause", "2 clause bsd", "simplified bsd"), "BSD-2-Clause"),
    **dict.fromkeys(("bsd 3 clause", "3 clause bsd", "new bsd", "modified bsd"), "BSD-3-Clause"),
}
_CC_WORDS = {
    "attribution": "BY",
    "by": "BY",
    "nc": "NC",
    "noncommercial": "NC",
    "sa": "SA",
    "sharealike": "SA",
}
_CC_WORDS |= dict.fromkeys(("nd", "noderivs", "noderivatives"), "ND")
_FILLER = re.compile(r"the|a|licen[cs]ed?|under|v|version|international|unported|generic|universal")
SPDX_PORTS = frozenset(
    f"CC-{licence}-{port}"
    for licence, ports in {
        "BY-2.5": "AU",
        "BY-3.0": "AT AU DE IGO NL US",
        "BY-NC-3.0": "DE",
        "BY-NC-ND-3.0": "DE IGO",
        "BY-NC-SA-2.0": "DE FR UK",
        "BY-NC-SA-3.0": "DE IGO",
        "BY-ND-3.0": "DE",
        "BY-SA-2.0": "UK",
        "BY-SA-2.1": "JP",
        "BY-SA-3.0": "AT DE IGO",
    }.items()
    for port in ports.split()
)
"""National ports of deeds that the SPDX list has; others become ``LicenseRef-CC-…``."""


class Licence(NamedTuple):
    """A licence: its SPDX identifier (or ``LicenseRef-…``) and the address of its text ("" when there is none)."""

    spdx: str
    url: str


@lru_cache(maxsize=1024)
def normalise(text: str) -> Licence:
    """The licence that a text, a Freesound name, an SPDX identifier or a deed's URL stands for.

    Never raises: what is blank or not understood is :data:`UNKNOWN`.
    """
    cleaned = unicodedata.normalize("NFKC", text).strip()
    address = _CC_URL.fullmatch(cleaned.lower())
    if address:
        return _with_url(_of_address(address))
    if _LICENCE_REF.fullmatch(cleaned) or cleaned in SPDX_PORTS:
        return _with_url(cleaned)
    return _with_url(_of_words(cleaned))


def releasable(spdx: str) -> bool:
    """Whether a sound under ``spdx`` (an answer of :func:`normalise`) may be handed on, on its licence's terms."""
    family = family_of(spdx)
    return family in _MAY_CONTAIN or forbids_changes(spdx)


def mixable(spdx: str) -> bool:
    """Whether a sound under ``spdx`` may be cut and mixed into something that is handed on."""
    return family_of(spdx) in _MAY_CONTAIN


def forbids_changes(spdx: str) -> bool:
    """Whether a sound under ``spdx`` must not be cut, whoever gets to hear it: all that allow no derivatives."""
    return family_of(spdx).endswith("-ND")


def mixes() -> list[tuple[str, str]]:
    """Pairs of families: of a mix, and of a layer that it may contain."""
    return [(family, part) for family, parts in _MAY_CONTAIN.items() for part in sorted(parts)]


def version_of(spdx: str) -> str | None:
    """The version of a Creative Commons licence that asks for credit, such as ``4.0``; None for others."""
    match = _CC_ID.fullmatch(spdx)
    return match[2] if match else None


def licence_of_mix(licences: Iterable[str]) -> str:
    """The mildest licence that respects every layer's: that of a scene made of sounds under ``licences``.

    Raises:
        InvalidInput: for no licences at all.
        Refused: when no licence fits, naming the layer that forbids mixing, or the two that exclude each other.
    """
    layers = sorted(set(licences))
    if not layers:
        raise InvalidInput("licences of a mix", "at least one", layers)
    for spdx in layers:
        if family_of(spdx) not in _MAY_CONTAIN:
            raise Refused(f"licence of a mix: {spdx} forbids or does not grant mixing")
    if not (clash := _clash(layers)):
        families = {family_of(spdx) for spdx in layers}
        return _of_family(next(f for f, held in _MAY_CONTAIN.items() if families <= held), layers)
    first, second = clash
    raise Refused(f"licence of a mix: {first} and {second} exclude each other, no licence satisfies both")


def _of_address(match: re.Match[str]) -> str:
    version = match["version"]
    if match["public"]:
        return f"{'CC0' if match['public'] == 'zero' else 'CC-PDM'}-{version}"
    if match["licence"] == "sampling+":
        return f"LicenseRef-Sampling-Plus-{version}"
    spdx = _creative_commons(match["licence"].split("-"), version)
    if not match["port"] or spdx == UNKNOWN:
        return spdx
    ported = f"{spdx}-{match['port'].upper()}"
    return ported if ported in SPDX_PORTS else f"LicenseRef-{ported}"


def _of_words(text: str) -> str:
    words = re.sub(r"[\s_,()\-/]+", " ", text.lower()).strip()
    words = re.sub(r"non commercial", "noncommercial", words)
    words = re.sub(r"share alike", "sharealike", words)
    words = re.sub(r"no deriv(ative work|ative|)s", "noderivs", words)
    kept = [re.sub(r"^v(?=\d)", "", word) for word in words.split() if not _FILLER.fullmatch(word)]
    plain = " ".join(kept)
    if plain in _OTHER_TEXTS:
        return _OTHER_TEXTS[plain]
    versions = [word for word in kept if re.fullmatch(r"\d\.\d", word)]
    names = [word for word in kept if word not in versions]
    if len(versions) > 1 or not {"cc", "commons", "attribution"} & set(names):
        return UNKNOWN
    return _creative_commons([word for word in names if word not in ("cc", "creative", "commons")], *versions)


def _creative_commons(parts: list[str], version: str = "") -> str:
    """CC identifier from parts such as ``by``, ``nc``; SPDX's order is BY-NC-ND, whatever the deed's was."""
    found = {_CC_WORDS.get(part, "?") for part in parts}
    if "BY" not in found or "?" in found or {"SA", "ND"} <= found:
        return UNKNOWN
    name = "-".join(["CC", *(part for part in ("BY", "NC", "SA", "ND") if part in found)])
    return f"{name}-{version}" if version else f"LicenseRef-{name}"


def _with_url(spdx: str) -> Licence:
    match = _CC_ID.fullmatch(spdx)
    if match and match[2]:
        port = f"{match[3].lower()}/" if match[3] else ""
        return Licence(spdx, f"{_CC}/licenses/{match[1].lower()}/{match[2]}/{port}")
    return Licence(spdx, _PLAIN_URLS.get(spdx, ""))


def family_of(spdx: str) -> str:
    """What ``spdx`` asks for: ``public``, ``MIT``, ``BSD-3-Clause``, ``Apache-2.0``, ``Sampling+``, or the parts of a
    Creative Commons licence such as ``BY-NC``; "" where that is not known."""
    if spdx in ("CC0-1.0", "CC-PDM-1.0"):
        return "public"
    if spdx == SAMPLING_PLUS:
        return "Sampling+"
    match = _CC_ID.fullmatch(spdx)
    if match and match[1].endswith("-SA") and match[2] == "1.0":
        return f"{match[1]}-1.0"
    return match[1] if match else (spdx if spdx in _PERMISSIVE[1:] else "")


def _of_family(family: str, layers: list[str]) -> str:
    """The family's identifier, in the highest version among the Creative Commons layers."""
    if family == "public":
        return "CC0-1.0"
    if family == "Sampling+":
        return SAMPLING_PLUS
    if family in _PERMISSIVE:
        return family
    if family.endswith("-1.0"):
        return f"CC-{family}"
    versions = [match[2] for spdx in layers if (match := _CC_ID.fullmatch(spdx)) and match[2]]
    return f"CC-{family}-{max(versions)}" if versions else f"LicenseRef-CC-{family}"


def _clash(layers: list[str]) -> tuple[str, str] | None:
    """Two layers that no licence takes in together; None where one takes in all: the table is closed under pairs."""
    for index, first in enumerate(layers):
        for second in layers[index + 1 :]:
            pair = {family_of(first), family_of(second)}
            if not any(pair <= held for held in _MAY_CONTAIN.values()):
                return first, second
    return None
