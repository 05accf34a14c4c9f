"""Licences that a release may carry: SPDX id, the text's address, and the hub's word for it.

No-derivatives licences are missing on purpose (a mix is a derivative), and so is everything unknown.
"""

from __future__ import annotations

from collections.abc import Iterable

from sonolake.errors import InvalidInput, Refused
from sonolake.sources.licences import licence_of_mix

_AND = " AND "
_CC = "https://creativecommons.org/licenses"
LICENCE_URLS = {
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-BY-3.0": f"{_CC}/by/3.0/",
    "CC-BY-4.0": f"{_CC}/by/4.0/",
    "CC-BY-SA-3.0": f"{_CC}/by-sa/3.0/",
    "CC-BY-SA-4.0": f"{_CC}/by-sa/4.0/",
    "CC-BY-NC-3.0": f"{_CC}/by-nc/3.0/",
    "CC-BY-NC-4.0": f"{_CC}/by-nc/4.0/",
    "CC-BY-NC-SA-3.0": f"{_CC}/by-nc-sa/3.0/",
    "CC-BY-NC-SA-4.0": f"{_CC}/by-nc-sa/4.0/",
    "MIT": "https://spdx.org/licenses/MIT.html",
    "Apache-2.0": "https://spdx.org/licenses/Apache-2.0.html",
    "BSD-2-Clause": "https://spdx.org/licenses/BSD-2-Clause.html",
    "BSD-3-Clause": "https://spdx.org/licenses/BSD-3-Clause.html",
}
"""What may be released, and where its text is."""


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


def hub_licence(spdx: str) -> str:
    """The Hugging Face hub's word: the id in small letters, ``other`` for what it does not list."""
    return spdx.lower() if spdx in LICENCE_URLS else "other"
