"""One page with the best candidates of each label, each with a player that starts at what was found, and why it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sonolake.releases.report.markup import Html, data_url, el, joined, readable, void

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; }
li { margin: 1rem 0; }
audio { width: 100%; }
pre { overflow-x: auto; }
p { margin: .2rem 0; }
.why { color: #555; font-size: .9rem; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } .why { color: #aaa; } }
"""
SCRIPT = """
for (const player of document.querySelectorAll("audio[data-at]"))
  player.addEventListener("play", () => { player.currentTime = Number(player.dataset.at); }, { once: true });
"""
LEAD_S = 0.5
"""How much is heard before what was found."""


@dataclass(frozen=True)
class Shown:
    """One candidate: why it was found, where in it, what is said in it, and its sound as a FLAC file.

    Attributes:
        rank: after fusion, from 1.
        query: the query that ranked it best.
        query_rank: its rank there; None where it is not on record.
        distance: to that query.
        onset_s: start of the window found, in seconds from the utterance's first sample.
        offset_s: its end; None where it is not on record.
        transcript: what is said, where the source says it.
        flac: the sound.
    """

    rank: int
    query: str
    query_rank: int | None
    distance: float
    onset_s: float
    offset_s: float | None
    transcript: str
    flac: bytes


def candidates_page(
    labels: Mapping[str, Sequence[Shown]],
    queries: Mapping[str, str],
    searched: Sequence[str],
    counts: Mapping[str, int],
    measured: str = "",
) -> str:
    """The page as HTML, whole in one file.

    Args:
        labels: the candidates that are shown, by label in order, best first.
        queries: text of each query by its id.
        searched: a line a vector space: how it is searched, with which recall against exact search.
        counts: candidates of each label in all.
        measured: what mining finds of known events, as text; nothing where none are known.
    """
    how = el("ul", None, joined([el("li", {"class": "why"}, line) for line in searched]))
    sections = [_section(label, shown, queries, counts.get(label, 0)) for label, shown in labels.items()]
    body = el(
        "body",
        None,
        el("h1", None, "Candidates for vocal events"),
        how,
        *([el("h2", None, "Known events"), el("pre", None, measured)] if measured else []),
        *sections,
        el("script", None, Html(SCRIPT)),
    )
    head = el(
        "head",
        None,
        void("meta", {"charset": "utf-8"}),
        el("title", None, "Candidates for vocal events"),
        el("style", None, Html(STYLE)),
    )
    return f"<!doctype html>\n{el('html', {'lang': 'en'}, head, body)}\n"


def _section(label: str, shown: Sequence[Shown], queries: Mapping[str, str], count: int) -> Html:
    title = el("h2", {"id": label}, f"{readable(label)}: {len(shown)} of {count}")
    return el("section", None, title, el("ol", None, joined([_item(one, queries) for one in shown])))


def _item(one: Shown, queries: Mapping[str, str]) -> Html:
    at = f"{max(0.0, one.onset_s - LEAD_S):.2f}"
    player = el(
        "audio", {"controls": True, "preload": "none", "src": data_url("audio/flac", one.flac), "data-at": at}
    )
    until = "" if one.offset_s is None else f" to {one.offset_s:.2f}"
    place = "" if one.query_rank is None else f", rank {one.query_rank} there"
    text = queries.get(one.query.removesuffix("/transcript"), "a take of it in the lake")
    kind = " in the transcript" if one.query.endswith("/transcript") else ""
    why = f"at {one.onset_s:.2f}{until} s; “{text}”{kind} ({one.query}){place}, distance {one.distance:.3f}"
    said = [el("p", None, one.transcript)] if one.transcript else []
    return el("li", {"value": one.rank}, player, *said, el("p", {"class": "why"}, why))
