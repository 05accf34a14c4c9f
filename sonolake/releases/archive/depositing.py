"""A release into a draft deposit: the release as one tar archive, and its documents beside it.

The draft of this title is taken where there is one, so that an interrupted deposit goes on; a file that is there with
the right MD5 is not sent again. Nothing is published: a person looks at the draft first.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sonolake.errors import Damaged, Refused
from sonolake.loading.table import readable
from sonolake.releases.archive.bundle import Bundle, Document
from sonolake.releases.archive.client import Zenodo
from sonolake.releases.exports.deposit.citation import citation_cff
from sonolake.releases.exports.deposit.datasheet import datasheet_md
from sonolake.releases.exports.deposit.facts import Facts, facts_of
from sonolake.releases.exports.deposit.zenodo import metadata_of
from sonolake.releases.exports.source import chosen
from sonolake.releases.finding import Found
from sonolake.releases.handing import require_whole, whole_folder
from sonolake.releases.layout import CARD

FILES = 4
"""Files of a deposit: card, citation, datasheet, and the release."""


@dataclass(frozen=True)
class Deposited:
    """What a deposit came to.

    Attributes:
        draft: its number. page: where a person finds it. doi: reserved for it; empty when Zenodo said none.
        outcome: ``already`` when every file was there.
        files, sent, sent_bytes: files of the draft; those that were sent.
    """

    draft: int
    page: str
    doi: str
    outcome: Literal["deposited", "already"]
    files: int
    sent: int
    sent_bytes: int


def deposit(found: Found) -> Deposited:
    """Make or fill the draft of a release.

    Raises:
        Refused: for a release that may not be handed on, without a token, or when Zenodo does not let us.
        Unreachable: when it does not answer, or not as agreed.
        Damaged: when it received other bytes than were sent.
    """
    require_whole(found)
    with whole_folder(found) as folder, Zenodo() as archive:
        facts = facts_of(chosen(readable(found), (), (), None))
        draft = _draft(archive, metadata_of(facts))
        there = archive.files(draft)
        sent = []
        for file in _files(folder, facts):
            if there.get(file.name) != (md5 := file.md5()):
                received = archive.send(draft, file.name, file.blocks(), file.size)
                _require_same(file.name, received, md5)
                sent.append(file.size)
    links, metadata = draft.get("links", {}), draft.get("metadata", {})
    reserved = metadata.get("prereserve_doi")
    doi = str(reserved.get("doi", "")) if isinstance(reserved, dict) else ""
    outcome: Literal["deposited", "already"] = "deposited" if sent else "already"
    page = str(links.get("html", ""))
    return Deposited(int(draft["id"]), page, doi, outcome, FILES, len(sent), sum(sent))


def _draft(archive: Zenodo, metadata: dict[str, Any]) -> dict[str, Any]:
    """The draft of this title, with this metadata; a new one where there is none."""
    drafts = archive.drafts(metadata["title"])
    if len(drafts) > 1:
        raise Refused(f"Zenodo has {len(drafts)} drafts called {metadata['title']!r}: delete all but one")
    return archive.describe(drafts[0], metadata) if drafts else archive.create(metadata)


def _files(folder: Path, facts: Facts) -> list[Document | Bundle]:
    return [
        Document(CARD, (folder / CARD).read_bytes()),
        Document("CITATION.cff", citation_cff(facts).encode()),
        Document("DATASHEET.md", datasheet_md(facts).encode()),
        Bundle(folder, f"{facts.about.name}-{facts.about.version}"),
    ]


def _require_same(name: str, received: str, sent: str) -> None:
    if received != sent:
        raise Damaged(
            f"Zenodo received {name} with MD5 {received}, it was sent with {sent}: the same command sends it again"
        )
