"""Templates that the embedded writer did not make: by a chat model, or from a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from sonolake.cares.records import Template
from sonolake.cares.topic_rules import topic_findings
from sonolake.cares.topics import write_topic
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.models.chat import Ask, Asker, Message
from sonolake.textfiles import numbered_lines

AT_ONCE = 10
"""Templates asked for in one request."""
TOPICS = 10
"""Topics of a template: one for each of its scenarios."""
IDLE = 5
"""Requests in a row that bring nothing new before the writer gives up."""
_SYSTEM = f"""You invent everyday situations that two adults could talk over, anywhere, for spoken dialogues. A situation is concrete and small: one thing that is to be decided, solved, planned or put up with. It must not depend on a place or on any sound. No children as speakers, no crime, nothing that needs pictures.

For each situation give a short title, a description of one or two sentences, and {TOPICS} different topics: what the two could discuss about it, each one sentence of 6 to 30 words, none of them a scene to be acted.

Answer with JSON."""  # noqa: E501
_ONE = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "description": {"type": "string"},
        "topics": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["title", "description", "topics"],
    "additionalProperties": False,
}
_SCHEMA = {
    "type": "object",
    "properties": {"situations": {"type": "array", "items": _ONE}},
    "required": ["situations"],
    "additionalProperties": False,
}


def chat_templates(n: int, asker: Asker, themes: Sequence[tuple[str, str]]) -> tuple[Template, ...]:
    """``n`` distinct templates of a chat model; asking for more keeps the first ones.

    Args:
        n: how many.
        asker: the model.
        themes: category and theme, which take turns.

    Raises:
        ItemRefused: ``no_answer``, when the model brings nothing new any more.
    """
    found: list[Template] = []
    seen: set[str] = set()
    broken: list[str] = []
    idle = 0
    for turn in count():
        if len(found) >= n:
            return tuple(found[:n])
        category, theme = themes[turn % len(themes)]
        before = len(found)
        told = [t.title for t in found if t.theme == theme][-60:]
        some = [_template(row, theme, category) for row in _rows(asker, category, theme, told, broken)]
        broken = []
        for template in filter(None, some):
            if findings := _broken(template):
                broken.append(f"{template.title}: {findings}")
            elif _plain(template.title) not in seen:
                seen.add(_plain(template.title))
                found.append(template)
        idle = idle + 1 if len(found) == before else 0
        if idle == IDLE:
            raise ItemRefused(
                "no_answer", f"after {len(found)} templates {IDLE} requests brought nothing new"
            )
    raise AssertionError("unreachable")


def import_templates(path: Path) -> tuple[Template, ...]:
    """Templates of a file: JSON lines with ``title``, ``description``, ``theme``, ``category``, perhaps ``topics``.

    Raises:
        InvalidInput: for what is no UTF-8, a line that is no such object, a template without a topic whose description
            is none either, or a template that comes twice, with the line.
    """
    found: dict[str, Template] = {}
    for where, line in numbered_lines(path.name, path.read_bytes()):
        allowed = "an object with title, description, theme, category and perhaps topics"
        try:
            row = json.loads(line)
            template = _template(row, row["theme"], row["category"])
        except (ValueError, LookupError, TypeError):
            template = None
        if template is None:
            raise InvalidInput(where, allowed, line[:80])
        if findings := _broken(template):
            raise InvalidInput(where, "a topic, or a description that can be one", template.title, findings)
        if template.template_id in found:
            raise InvalidInput(where, "every template once", template.title)
        found[template.template_id] = template
    return tuple(found.values())


def _rows(
    asker: Asker, category: str, theme: str, told: Iterable[str], broken: Sequence[str]
) -> Iterator[Any]:
    lines = [f"Category: {category}. Theme: {theme}. Give {AT_ONCE} situations."]
    if titles := list(told):
        lines += ["Not one of these again, nor anything close to them:", *(f"- {title}" for title in titles)]
    if broken:
        lines += ["Of your last answer these could not be used:", *(f"- {one}" for one in broken)]
    ask = Ask(_SYSTEM, (Message("user", "\n".join(lines)),), _SCHEMA, max_tokens=6000, temperature=1.0)
    try:
        rows = json.loads(asker.ask(ask).text)["situations"]
    except (ValueError, LookupError, TypeError, ItemRefused):
        return
    yield from rows if isinstance(rows, list) else ()


def _template(row: Any, theme: Any, category: Any) -> Template | None:
    """A template, None for what is none; topics that break a rule are left out."""
    if not isinstance(row, Mapping):
        return None
    given = row.get("topics") or []
    texts = (row.get("title"), row.get("description"), theme, category)
    if not all(map(_text, texts)) or not isinstance(given, list):
        return None
    topics = [t.strip() for t in given if _text(t) and not list(topic_findings(t.strip()))]
    details = {f"topic{n}": topic for n, topic in enumerate(dict.fromkeys(topics), 1)}
    return Template.make(row["title"].strip(), row["description"].strip(), theme, category, details)


def _broken(template: Template) -> str:
    """What is wrong with the topics of its scenarios, empty for nothing."""
    return "; ".join(map(str, topic_findings(write_topic(template, template.template_id))))


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _plain(title: str) -> str:
    return " ".join(title.casefold().split())
