"""Licences that a release may carry, and what it is for: SPDX id, the text's address, the hub's word, profiles.

No-derivatives licences are missing on purpose (a mix is a derivative), and so is everything unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from sonolake.errors import InvalidInput, Refused
from sonolake.sources.licences import (
    SAMPLING_PLUS,
    SPDX_PORTS,
    UNCLEAR,
    UNKNOWN,
    family_of,
    licence_of_mix,
    mixable,
    normalise,
)

_AND = " AND "
_CC = "https://creativecommons.org/licenses"
_VERSIONS = ("1.0", "2.0", "2.5", "3.0", "4.0")
LICENCE_URLS = {
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-PDM-1.0": "https://creativecommons.org/publicdomain/mark/1.0/",
    "MIT": "https://spdx.org/licenses/MIT.html",
    "Apache-2.0": "https://spdx.org/licenses/Apache-2.0.html",
    "BSD-2-Clause": "https://spdx.org/licenses/BSD-2-Clause.html",
    "BSD-3-Clause": "https://spdx.org/licenses/BSD-3-Clause.html",
    **{
        f"CC-{parts.upper()}-{version}": f"{_CC}/{parts}/{version}/"
        for parts in ("by", "by-sa", "by-nc", "by-nc-sa")
        for version in _VERSIONS
    },
    **{spdx: normalise(spdx).url for spdx in sorted(SPDX_PORTS) if mixable(spdx)},
    SAMPLING_PLUS: normalise(SAMPLING_PLUS).url,
}
"""What may be released, and where its text is."""

Profile = Literal["commercial", "share-alike", "research"]
_FREE = frozenset({"public", "MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "BY"})
_SHARED = _FREE | {"BY-SA", "BY-SA-1.0"}
PROFILES: Mapping[Profile, frozenset[str]] = {
    "commercial": _FREE,
    "share-alike": _SHARED,
    "research": _SHARED | {"BY-NC", "BY-NC-SA", "BY-NC-SA-1.0", "Sampling+"},
}
"""Families of licences by what a release is for, each holding the one before:

- commercial: any use, also for money, and nothing is asked for but credit and notices;
- share-alike: any use, also for money; what is made of it may have to be handed on under the same licence;
- research: use that is not for money, too.
"""
PROFILE_TEXTS: Mapping[Profile, str] = {
    "commercial": "any use, also for money, and nothing is asked for but credit and notices.",
    "share-alike": "any use, also for money; what is made of it may have to be under the same licence.",
    "research": "items for non-commercial use are among these; each says its licence.",
}
"""The same for the card."""
WISHES: Mapping[Profile, frozenset[str]] = {
    "commercial": frozenset({"", "no-additional-preferences"}),
    "share-alike": frozenset({"", "no-additional-preferences", "open-source-models"}),
    "research": frozenset(
        {"", "no-additional-preferences", "open-source-models", "noncommercial-open-source-models"}
    ),
}
"""Uploaders' wishes for generative models that go with each: models that are made of a release for commerce need not
be open, those of one for research are no business."""


def checked_profile(profile: str) -> Profile:
    """``profile`` if it is one.

    Raises:
        InvalidInput: when it is none.
    """
    for known in PROFILES:
        if profile == known:
            return known
    raise InvalidInput("--allow", f"one of {', '.join(PROFILES)}", profile)


def allowed_licences(profile: Profile) -> list[str]:
    """The licences that an item of a release for ``profile`` may have."""
    return [spdx for spdx in LICENCE_URLS if family_of(spdx) in PROFILES[profile]]


def why_not(profile: Profile, licence: str | None, wishes: Iterable[str] = ()) -> str | None:
    """Why an item is left out of a release for ``profile``; None for one that is not.

    Args:
        profile: what the release is for.
        licence: of the item, as it follows from all its layers.
        wishes: of the uploaders of what it is made from, for generative models.
    """
    if licence not in LICENCE_URLS:
        return f"{licence or 'no licence'} may not be released: {_why_nobody(licence or '')}"
    if family_of(licence) not in PROFILES[profile]:
        return f"{licence} is not for {profile}"
    refused = sorted(set(wishes) - WISHES[profile])
    return f"an uploader's wish for generative models is {refused[0]}" if refused else None


def _why_nobody(licence: str) -> str:
    """Why no release holds items of a licence."""
    if licence in ("", UNKNOWN):
        return "its source states none, or none that is understood"
    if licence == UNCLEAR:
        return "its origin is mixed or undocumented"
    if "-ND" in licence:
        return "it allows no derivatives"
    if licence.startswith("LicenseRef-CC-") and not any(map(str.isdigit, licence)):
        return "its source does not say which version"
    return "it is not one that is known here"


def licence_of_collection(licences: Iterable[str]) -> str:
    """The licence of separate items side by side: an SPDX expression that asks for all that any of them asks for.

    Nothing is mixed here, so licences that exclude each other in a mix are joined by ``AND``; one that another
    already includes, as CC-BY-NC includes what CC-BY asks for, is left out.

    Raises:
        InvalidInput: for no licences at all.
    """
    distinct = sorted(set(licences))
    if not distinct:
        raise InvalidInput("licences of a collection", "at least one", distinct)
    kept = [licence for licence in distinct if not any(_includes(other, licence) for other in distinct)]
    return _AND.join(kept)


def _includes(other: str, licence: str) -> bool:
    """Whether a mix of both would be under ``other``."""
    if other == licence:
        return False
    try:
        return licence_of_mix((other, licence)) == other
    except Refused:
        return False


def licence_urls(licence: str) -> list[str]:
    """Where the text of each licence of a collection is; the SPDX list's page when an id is not one of ours."""
    return [LICENCE_URLS.get(spdx, f"https://spdx.org/licenses/{spdx}.html") for spdx in licence.split(_AND)]


_HUB = frozenset(
    {
        "mit",
        "apache-2.0",
        "bsd-2-clause",
        "bsd-3-clause",
        "cc0-1.0",
        "cc-by-2.0",
        "cc-by-2.5",
        "cc-by-3.0",
        "cc-by-4.0",
    }
    | {"cc-by-sa-3.0", "cc-by-sa-4.0", "cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0"}
    | {"cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0"}
)
"""Of these licences, those that the hub lists (its documentation, Licenses); a card that names another is refused."""


def hub_licence(spdx: str) -> str:
    """The Hugging Face hub's word: the id in small letters, ``other`` for what it does not list."""
    return spdx.lower() if spdx.lower() in _HUB else "other"
