"""Which licences the items have, what each asks of whoever uses them, and for what they can be used."""

from __future__ import annotations

from sonolake.releases.licences import PROFILE_TEXTS, PROFILES
from sonolake.releases.records import Content
from sonolake.releases.report.markup import Html, el, joined
from sonolake.releases.report.proven import Answers, answer_grid, captioned, column
from sonolake.sources.licences import family_of


def licences_section(content: Content, answers: Answers) -> Html:
    """What the release is for; then a row a licence: items and sources under it, what it asks, where it fits."""
    table = answer_grid(
        answers["counts-licences"],
        "counts-licences",
        {
            "licence": column("licence"),
            "items": column("items"),
            "sources": column("sources"),
            "asks": lambda row: "; ".join(asks_of(row["licence"])) or "nothing",
            "profiles": lambda row: ", ".join(profiles_of(row["licence"])) or "none",
        },
    )
    profile = el(
        "p", None, "Profile ", el("code", None, content.profile), f": {PROFILE_TEXTS[content.profile]}"
    )
    notes = [
        el(
            "p",
            None,
            "An item has the licence that follows from all its layers; items stand side by side, each under its own.",
        ),
        el("p", None, "Who made what, and what was changed: ", el("code", None, "ATTRIBUTION.md"), "."),
    ]
    return el(
        "article",
        {"class": "card"},
        captioned("Items and sources", "counts-licences"),
        profile,
        table,
        joined(notes),
    )


def profiles_of(licence: str) -> list[str]:
    """The profiles of a release that an item under this licence fits."""
    return [profile for profile, families in PROFILES.items() if family_of(licence) in families]


def asks_of(licence: str) -> list[str]:
    """What a licence asks, in a few words each; an SPDX id of one that may be released."""
    if licence.startswith(("CC0", "CC-PDM")):
        return []
    if not licence.startswith("CC-"):
        return ["hand on its text and notices"]
    asked = ["name the authors and the changes"]
    asked += ["no commercial use"] if "-NC" in licence else []
    asked += ["hand on under the same licence"] if "-SA" in licence else []
    return asked
