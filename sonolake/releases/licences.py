"""Licences that a release may carry: SPDX id, the text's address, and the hub's word for it.

No-derivatives licences are missing on purpose (a mix is a derivative), and so is everything unknown.
"""

from __future__ import annotations

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


def licence_url(spdx: str) -> str:
    """Where the licence's text is; the SPDX list's page when the id is not one of ours."""
    return LICENCE_URLS.get(spdx, f"https://spdx.org/licenses/{spdx}.html")


def hub_licence(spdx: str) -> str:
    """The Hugging Face hub's word: the id in small letters, ``other`` for what it does not list."""
    return spdx.lower() if spdx in LICENCE_URLS else "other"
