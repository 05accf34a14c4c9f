"""``DATASHEET.md``: the seven parts of Datasheets for Datasets (Gebru et al., 2021), as far as the release tells.

What nobody can know from the release is said to be unknown, for those who publish it to fill in.
"""

from __future__ import annotations

from collections.abc import Iterable

from sonolake.plural import counted
from sonolake.releases.exports.deposit.facts import Facts, in_order

UNKNOWN = "*Unknown: the release does not say.*"
_ROLES = {
    "take": "recordings of sound events",
    "ambience": "recordings of places",
    "response": "room responses",
    "speech": "recordings of speech",
    "foa": "four-channel recordings",
    "template": "situations that dialogues are about",
    "room": "rooms",
    "voice": "voices",
    "writer": "writers of dialogues",
}
Section = tuple[str, list[tuple[str, str]]]


def datasheet_md(facts: Facts) -> str:
    """The datasheet."""
    lines = [f"# Datasheet of {facts.title} {facts.about.version}", ""]
    lines += ["Filled in from the release itself; what it does not say is marked as unknown.", ""]
    for make in (_motivation, _composition, _collection, _processing, _uses, _distribution, _maintenance):
        title, answers = make(facts)
        lines += [f"## {title}", ""]
        for question, answer in answers:
            lines += [f"**{question}**", "", answer, ""]
    return "\n".join(lines)


def _motivation(facts: Facts) -> Section:
    return "Motivation", [
        ("What is it, and for what?", f"{facts.summary} {_joined(facts.tables.values())}".strip()),
        ("Who made it?", facts.creator),
        ("Who paid for it?", UNKNOWN),
    ]


def _composition(facts: Facts) -> Section:
    rows = ["| table | split | items | hours | channels |", "|---|---|---|---|---|"]
    for part in in_order(facts.parts):
        channels = ", ".join(map(str, part.channels)) or "-"
        rows.append(f"| `{part.config}` | {part.split} | {part.items} | {part.hours:.2f} | {channels} |")
    labels = [
        f"- `{config}`: " + "; ".join(f"`{name}` {meaning}" for name, meaning in columns.items() if meaning)
        for config, columns in facts.columns.items()
    ]
    return "Composition", [
        ("What are the items, and how many are there?", "\n".join(rows)),
        ("What does each item consist of?", "\n".join(labels) or UNKNOWN),
        (
            "Are there recommended splits?",
            "Yes, those in the table; what is kept apart is proven in `proofs/`.",
        ),
        ("Is anything missing, or known to be wrong?", _list(facts.notes)),
        (
            "Does it hold anything that is personal, confidential or offensive?",
            f"{_share(facts)} Of recordings, the release does not say whether people can be recognised: unknown.",
        ),
    ]


def _collection(facts: Facts) -> Section:
    kinds = [f"{_ROLES[role]}: {n:,}" for role, n in facts.roles.items() if role in _ROLES]
    return "Collection process", [
        (
            "How was it come by?",
            f"It is made from {_joined(kinds, '; ') or 'what is unknown'}; `lineage.parquet` has it for each item.",
        ),
        ("Who was involved, and how were they paid?", UNKNOWN),
        ("Over what time was it collected?", UNKNOWN),
        ("Was there an ethical review?", UNKNOWN),
        ("Did the people concerned know, and consent?", f"{_credit(facts)} Beyond these licences: unknown."),
    ]


def _processing(facts: Facts) -> Section:
    made = [
        f"- {role}: {', '.join(f'`{name}`' for name in names)}" for role, names in facts.made_with.items()
    ]
    return "Preprocessing, cleaning and labelling", [
        ("What was done to it?", "`changes` in `ATTRIBUTION.csv` says it for every source."),
        ("With which programs, models and voices?", "\n".join(made) or UNKNOWN),
        (
            "Is what it was made from kept?",
            "It is no part of the release. Whether its makers keep it is unknown.",
        ),
        (
            "Are the programs available?",
            "sonolake is (Apache-2.0); of models, the lineage gives names and hashes.",
        ),
    ]


def _uses(facts: Facts) -> Section:
    return "Uses", [
        ("What has it been used for?", UNKNOWN),
        (
            "What could it be used for?",
            f"{_joined(facts.tables.values())} Words: {', '.join(facts.keywords)}.",
        ),
        ("What should it not be used for?", f"{_list(facts.notes)}\n\nBeyond these limits: unknown."),
    ]


def _distribution(facts: Facts) -> Section:
    licences = [f"- {name}: {counted(count, 'item')}" for name, count in facts.licences.items()]
    return "Distribution", [
        (
            "How is it handed on?",
            f"As release {facts.about.release}, dated {facts.about.date}, {_where(facts)}.",
        ),
        ("Under which licence?", f"As a whole: {facts.licence}.\n\n" + "\n".join(licences)),
        ("Do others have rights in it?", _credit(facts)),
        ("Do export controls apply?", UNKNOWN),
    ]


def _maintenance(facts: Facts) -> Section:
    return "Maintenance", [
        (
            "Who keeps it, and how are they reached?",
            f"{facts.creator}. {facts.url or 'An address is unknown.'}",
        ),
        ("Will it be changed?", "This version never is. `CHANGELOG.md` says what each version brings."),
        (
            "What becomes of older versions?",
            "They stay as they are; one that may not be used any more is retracted.",
        ),
        ("Can others add to it?", UNKNOWN),
        ("SHA-256 of its manifest", f"`{facts.about.manifest_sha256}`"),
    ]


def _share(facts: Facts) -> str:
    return f"{facts.synthetic:,} of {facts.sources:,} sources were made by a program, not recorded."


def _credit(facts: Facts) -> str:
    several = ", ".join(f"{name} ({count:,})" for name, count in facts.source_licences.items())
    return f"Sources are used under their licences: {several or 'none'}; `ATTRIBUTION.md` credits each."


def _where(facts: Facts) -> str:
    return (
        f"DOI {facts.doi}"
        if facts.doi
        else f"at {facts.url}"
        if facts.url
        else "where it is handed on is unknown"
    )


def _list(notes: Iterable[str]) -> str:
    return "\n".join(f"- {note}" for note in notes) or UNKNOWN


def _joined(parts: Iterable[str], between: str = " ") -> str:
    return between.join(part for part in parts if part)
