"""What mining found, as a page to listen to."""

from __future__ import annotations

from pathlib import Path

from sonolake.errors import Unwritable
from sonolake.lake import Lake
from sonolake.search.current import in_use
from sonolake.search.embedding import SOUND_SPACE
from sonolake.wesr.candidates_page import Shown, candidates_page
from sonolake.wesr.taxonomy import TAGS
from tasks.embedding import CLASS_SPACE
from tasks.opening import lake_at

SHOWN = 5
"""Candidates of each label on the page."""
_BEST = """
SELECT c.*, u.audio, u.transcript, count(*) OVER (PARTITION BY c.tag) AS candidates
FROM candidates c JOIN utterances u USING (utterance_id)
QUALIFY row_number() OVER (PARTITION BY c.tag ORDER BY c.rank) <= ? ORDER BY c.tag, c.rank
"""


def write_page(lake: str, path: str, measured: str = "") -> None:
    """Write the page of the lake's candidates, the sound of each in it; equal candidates give equal bytes.

    ``measured`` is what they find of known events (:func:`tasks.known_events.found_of_known`).

    Raises:
        Unwritable: the file cannot be written.
    """
    opened = lake_at(lake)
    rows = opened.rows(_BEST, [SHOWN])
    labels: dict[str, list[Shown]] = {tag.name: [] for tag in TAGS}
    for row in rows:
        said = (
            row["rank"],
            row["query"],
            row["query_rank"],
            row["distance"],
            row["onset_s"],
            row["offset_s"],
        )
        labels[row["tag"]].append(Shown(*said, row["transcript"] or "", opened.media.read(row["audio"])))
    queries = {row["query_id"]: row["query"] for row in opened.rows("SELECT query_id, query FROM queries")}
    counts = {row["tag"]: row["candidates"] for row in rows}
    found = {tag: shown for tag, shown in labels.items() if shown}
    html = candidates_page(found, queries, _searched(opened), counts, measured)
    try:
        Path(path).write_text(html, encoding="utf-8")
    except OSError as error:
        raise Unwritable(f"the page {path} cannot be written: {error.strerror}") from None


def _searched(lake: Lake) -> list[str]:
    spaces = dict.fromkeys([CLASS_SPACE, SOUND_SPACE, *(one.space for one in in_use(lake).values())])
    return [lake.vectors.searched(space).said for space in spaces if lake.vectors.count(space)]
