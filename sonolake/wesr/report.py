"""How good mining is where events are known: figures by place and label, for each kind of query alone and fused.

Precision at 3 and 10, recall at 50, and the median error in time of what is right among the first ten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from sonolake.wesr.known_events import Placed
from sonolake.wesr.mining import TRANSCRIPT, Candidate, RankedList, mine
from sonolake.wesr.queries import Query

SHORT, LONG, DEPTH = 3, 10, 50
"""The places that precisions are of, and those that recall is of."""
LEGEND = (
    f"In each cell: precision at {SHORT}, at {LONG}, recall at {DEPTH}, and the median error of the onset among what "
    f"is right of the first {LONG}. n is how many utterances have it."
)
FUSED = "fused"


@dataclass(frozen=True)
class Figures:
    """How good a list of candidates is.

    Attributes:
        short: share of the first 3 places that are right; an empty place is wrong.
        long: share of the first 10.
        recall: share of the utterances with the event that are among the first 50 places.
        error_s: median of how far the windows of those that are right among the first 10 begin from the event, in
            seconds; None when none is right.
    """

    short: float
    long: float
    recall: float
    error_s: float | None

    @property
    def said(self) -> str:
        """In one cell of a table."""
        error = "" if self.error_s is None else f" {self.error_s:.2f} s"
        return f"{self.short:.2f} {self.long:.2f} {self.recall:.2f}{error}"


def figures(candidates: Iterable[Candidate], known: Placed, tag: str, place: str) -> Figures:
    """Figures of a label at one place.

    Utterances that have an event of the label at other places only are left out of the list.

    Args:
        candidates: those of ``tag`` count, by their rank.
        known: the events of the utterances that may be found.
        tag: the label.
        place: where the events are.
    """
    right: list[float | None] = []
    for one in sorted((one for one in candidates if one.tag == tag), key=lambda one: one.rank):
        at = known.onsets_s.get((one.utterance_id, tag), {})
        if place in at:
            right.append(min(abs(one.onset_s - onset) for onset in at[place]))
        elif not at:
            right.append(None)
    hits = [sum(error is not None for error in right[:k]) for k in (SHORT, LONG, DEPTH)]
    errors = [error for error in right[:LONG] if error is not None]
    there = known.labels(place).get(tag, 0)
    recall = hits[2] / there if there else 0.0
    return Figures(hits[0] / SHORT, hits[1] / LONG, recall, median(errors) if errors else None)


def mean(some: Sequence[Figures]) -> Figures:
    """The mean of each figure, the error of those that have one."""
    errors = [one.error_s for one in some if one.error_s is not None]
    error = fmean(errors) if errors else None
    return Figures(
        fmean(one.short for one in some),
        fmean(one.long for one in some),
        fmean(one.recall for one in some),
        error,
    )


def ways(lists: Iterable[RankedList], chosen: Sequence[Query]) -> dict[str, list[RankedList]]:
    """The lists by who asked: text queries, audio queries, and all; where recordings are asked, they and classes apart.

    Args:
        lists: the ranked lists, transcripts that text queries found included.
        chosen: the queries; a list of none of them is of an example in the lake.
    """
    texts = {query.query_id for query in chosen if query.modality == "text"}
    classes = {query.query_id for query in chosen if query.classes}
    every = list(lists)
    text = [one for one in every if one.query.removesuffix(f"/{TRANSCRIPT}") in texts]
    named = [one for one in every if one.query in classes]
    recordings = [one for one in every if one not in text and one not in named]
    audio = {"audio": [*named, *recordings]}
    if named and recordings:
        audio = {"names of classes": named, "recordings": recordings} | audio
    return {"text": text} | audio | {FUSED: every}


def measured(
    lists: Iterable[RankedList], chosen: Sequence[Query], known: Placed
) -> dict[str, dict[str, dict[str, Figures]]]:
    """Figures by place, label and way; a way that has no list of a label is missing there."""
    made = {way: (some, mine(some, 2 * DEPTH)) for way, some in ways(lists, chosen).items()}
    return {
        place: {
            tag: {
                way: figures(found, known, tag, place)
                for way, (some, found) in made.items()
                if any(one.tag == tag for one in some)
            }
            for tag in known.labels(place)
        }
        for place in known.places
    }


def tables(found: Mapping[str, Mapping[str, Mapping[str, Figures]]], known: Placed) -> str:
    """The figures of :func:`measured` as Markdown, a table a place, a row a label, and the means of the labels."""
    return "\n".join(_table(place, labels, known.labels(place)) for place, labels in found.items())


def _table(place: str, labels: Mapping[str, Mapping[str, Figures]], n: Mapping[str, int]) -> str:
    names = list(dict.fromkeys(way for row in labels.values() for way in row))
    names = [name for name in names if name != FUSED] + [name for name in names if name == FUSED]
    lines = [[place or "label", "n", *names], ["---", "--:", *("---" for _ in names)]]
    for tag, row in labels.items():
        lines.append([tag, str(n[tag]), *(row[name].said if name in row else "" for name in names)])
    means = [mean([row[name] for row in labels.values() if name in row]).said for name in names]
    lines.append(["mean", str(sum(n.values())), *means])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
