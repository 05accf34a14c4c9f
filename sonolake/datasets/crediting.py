"""Who is to be credited beside the sounds of a lake: voices and writers, with the licence of what they made."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sonolake.errors import InvalidInput
from sonolake.lake.catalog import among
from sonolake.lake.lake import Lake
from sonolake.sources.licences import UNKNOWN, mixable, normalise


@dataclass(frozen=True)
class Credit:
    """A voice or a writer.

    Attributes:
        name: in the lineage of what it took part in: ``voice:SPEC@WEIGHTS`` or ``writer:NAME``.
        title: for readers.
        author: who made it, as far as that is known.
        licence: of what it made.
        changes: what became of that.
    """

    name: str
    title: str
    author: str
    licence: str
    changes: str


def stated_licence(what: str, text: str, example: str) -> str:
    """The licence that a user states for what nobody else states it for.

    Args:
        what: of what.
        text: the licence.
        example: how to say it.

    Raises:
        InvalidInput: for none, or one that forbids mixing.
    """
    spdx = normalise(text).spdx
    if not mixable(spdx):
        unknown = text.strip() and spdx == UNKNOWN
        cause = "a slip of the pen" if unknown else ""
        raise InvalidInput(f"licence of {what}", f"one that allows mixing, as in {example}", text, cause)
    return spdx


def credit_of_voice(spec: str, weights_sha256: str, licence: str) -> Credit:
    """A synthetic voice that spoke dialogues."""
    name = name_of_voice(spec, weights_sha256)
    return Credit(name, f"Synthetic voice {spec}", spec.partition(":")[0], licence, "spoke the dialogue")


def name_of_voice(spec: str, weights_sha256: str) -> str:
    """A voice in lineage and credits."""
    return f"voice:{spec}@{weights_sha256 or 'unknown'}"


def credit_of_writer(writer: str, licence: str, wrote: str = "dialogues") -> Credit:
    """Who wrote.

    Args:
        writer: its name: ``embedded-grammar:N``, ``chat:SPEC`` or ``imported:FILE``.
        licence: of what it writes.
        wrote: what that is.
    """
    kind, _, name = writer.partition(":")
    titles = {"chat": f"Language model {name}", "imported": f"Texts of {name}"}
    title, author = (titles[kind], "") if kind in titles else (f"Embedded writer {writer}", "sonolake")
    return Credit(f"writer:{writer}", title, author, normalise(licence).spdx, f"wrote the {wrote}")


def credit(lake: Lake, run_id: str, credits: Iterable[Credit]) -> None:
    """Put them on record, before anything is made of what they give.

    Raises:
        InvalidInput: for one of which something was made under another licence.
    """
    by_name = {one.name: one for one in credits}
    licences = {name: one.licence for name, one in by_name.items()}
    if credited(lake, by_name) == licences:
        return
    names = among(sorted(by_name))
    with lake.transaction("credits", run_id=run_id) as tx:
        used = tx.sql(
            "SELECT DISTINCT name, licence FROM credits JOIN lineage ON parent = name "
            f"WHERE name IN {names} ORDER BY name"
        )
        for row in used.to_pylist():
            if (stated := licences[row["name"]]) != row["licence"]:
                cause = "something was made under it already, in this lake"
                raise InvalidInput(f"licence of {row['name']}", row["licence"], stated, cause)
        tx.merge("credits", [vars(one) for _, one in sorted(by_name.items())])


def credited(lake: Lake, names: Collection[str]) -> dict[str, str]:
    """Licence by name of those that are on record."""
    rows = lake.rows(f"SELECT name, licence FROM credits WHERE name IN {among(sorted(names))}")
    return {row["name"]: row["licence"] for row in rows}
