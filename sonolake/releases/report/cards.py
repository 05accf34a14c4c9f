"""A sample as a card: player, stage, and what goes with it: words, directions, questions."""

from __future__ import annotations

from sonolake.releases.records import Content
from sonolake.releases.report.marks import MARKS
from sonolake.releases.report.markup import Html, data_url, el, joined, readable, void
from sonolake.releases.report.proven import Answers, mark
from sonolake.releases.report.seen import Seen, seen
from sonolake.releases.report.timeline import clock, stage
from sonolake.releases.report.topview import top_view
from sonolake.releases.report.transcript import transcript
from sonolake.releases.samples import Quiz, ReportSample

_PLAY = Html('<svg viewBox="0 0 24 24" aria-hidden="true"><path class="go" d="M7 4v16l13-8z"/>')
_PAUSE = Html('<path class="stop" d="M6 4h4v16H6zM14 4h4v16h-4z"/></svg>')


def samples_section(content: Content, answers: Answers) -> Html:
    """All samples, by table."""
    groups = []
    for config in content.configs:
        proof = f"shown-{config.name}"
        shown = [s for s in content.samples if s.config == config.name]
        cards = [_card(s, seen(answers[proof], proof, s.item_id)) for s in shown]
        if cards:
            name = el("h3", {"class": "group", "data-quoted": True}, config.title)
            groups.append(el("section", {"class": "group"}, name, joined(cards)))
    return joined(groups)


def _card(sample: ReportSample, item: Seen) -> Html:
    parts = [_heading(sample, item), _transport(sample, item), stage(sample, item), _legend(sample)]
    below = []
    if sample.directions:
        below.append(_pane("Seen from above", top_view(sample.directions, item)))
    if sample.transcript:
        below.append(_pane("Words and sounds", transcript(sample, item)))
    if sample.quizzes:
        below.append(_pane("Questions", joined([_quiz(q, item) for q in sample.quizzes])))
    if below:
        parts.append(el("div", {"class": "below"}, joined(below)))
    about = {"class": "sample card", "data-duration": f"{sample.duration_s:.3f}", "data-item": sample.item_id}
    return el("article", {**about, "data-proof": item.proof, "data-row": item.row}, joined(parts))


def _heading(sample: ReportSample, item: Seen) -> Html:
    chips = [
        el("span", {"class": "chip"}, el("span", {"class": f"swatch split-{sample.split}"}), sample.split),
        *(
            el("span", {"class": "chip", **item.about(k, v)}, el("i", None, f"{k} "), readable(v))
            for k, v in sample.facts
        ),
    ]
    name = el("h4", item.about(sample.title), sample.title)
    made = el("a", {"href": "#lineage", "data-lineage": sample.item_id}, "made from")
    below = el("p", {"class": "under"}, el("code", None, sample.item_id), mark(item.proof), made)
    return el("header", None, name, el("p", {"class": "chips"}, joined(chips)), below)


def _transport(sample: ReportSample, item: Seen) -> Html:
    button = {
        "type": "button",
        "class": "play",
        "aria-label": f"Play {sample.title}",
        "aria-pressed": "false",
    }
    slider = {
        "type": "range",
        "class": "seek",
        "min": 0,
        "max": f"{sample.duration_s:.3f}",
        "step": "0.01",
        "value": 0,
        "aria-label": f"Position in {sample.title}, seconds",
    }
    source = {"controls": True, "preload": "metadata", "src": data_url("audio/mpeg", sample.mp3)}
    clocks = el("output", {"class": "clock"}, f"0:00 / {clock(sample.duration_s)}")
    pieces = [el("button", button, _PLAY, _PAUSE), void("input", slider), clocks, el("audio", source)]
    return el("div", {"class": "transport", **item.about(sample.title)}, *pieces)


def _legend(sample: ReportSample) -> Html:
    kinds = [k for k in MARKS if any(t.kind == k for t in sample.tracks)]
    keys = [el("li", None, el("span", {"class": f"key k-{k}"}, MARKS[k]), k) for k in kinds]
    return el("ul", {"class": "legend"}, joined(keys)) if keys else Html("")


def _pane(title: str, inside: Html) -> Html:
    return el("section", {"class": "pane"}, el("h5", None, title), inside)


def _quiz(quiz: Quiz, item: Seen) -> Html:
    options = [
        el("li", None, el("button", {"type": "button", "data-right": "yes" if o == quiz.answer else "no"}, o))
        for o in quiz.options
    ]
    topic = el("span", {"class": "chip"}, quiz.topic) if quiz.topic else Html("")
    answer = el("details", None, el("summary", None, "Answer"), el("p", None, quiz.answer))
    question = el("p", None, topic, el("span", None, quiz.question))
    about = item.about(quiz.topic, quiz.question, *quiz.options)
    return el("div", {"class": "quiz", **about}, question, el("ol", {"type": "A"}, joined(options)), answer)
