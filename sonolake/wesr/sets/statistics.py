"""What is in a set: utterances by number of tags (the paper's table 3), hours by source (table 5), languages, tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sonolake.wesr.tagged import parse
from sonolake.wesr.taxonomy import BY_NAME, TAGS

SIZES = ("1", "2", "≥ 3")
"""Numbers of tags that table 3 tells apart."""


@dataclass(frozen=True)
class Entry:
    """An utterance of a set: who wrote its text, language (BCP-47, or empty), seconds, tagged text."""

    source: str
    language: str
    duration_s: float
    text: str


@dataclass(frozen=True)
class Statistics:
    """Figures of a set.

    Attributes:
        utterances: how many.
        hours: how long.
        total: utterances by number of tags, a span counting as one; those without are under ``0``.
        unique: utterances by number of different tags.
        tags: occurrences by tag of the taxonomy, in its order.
        unknown: occurrences of other tags.
        by_source: utterances, hours and languages of each source.
        by_language: hours of each language.
    """

    utterances: int
    hours: float
    total: Mapping[str, int]
    unique: Mapping[str, int]
    tags: Mapping[str, int]
    unknown: Mapping[str, int]
    by_source: Mapping[str, tuple[int, float, tuple[str, ...]]]
    by_language: Mapping[str, float]

    @property
    def occurrences(self) -> int:
        """Tags in all."""
        return sum(self.tags.values()) + sum(self.unknown.values())

    def share(self, form: str) -> float:
        """Share of the taxonomy's tags that are ``discrete`` or ``continuous``, 0 to 1."""
        known = sum(self.tags.values())
        return sum(n for name, n in self.tags.items() if BY_NAME[name].form == form) / known if known else 0.0


def statistics(entries: Iterable[Entry]) -> Statistics:
    """Figures of a set, in one pass."""
    total, unique, tags = Counter[str](), Counter[str](), Counter[str]()
    sources: dict[str, tuple[int, float, frozenset[str]]] = {}
    spoken: dict[str, float] = {}
    for entry in entries:
        found = parse(entry.text)
        labels = [label for _, label in found.points] + [span.label for span in found.spans]
        total[_size(len(labels))] += 1
        unique[_size(len(set(labels)))] += 1
        tags.update(labels)
        count, seconds, languages = sources.get(entry.source, (0, 0.0, frozenset()))
        known = languages | ({entry.language} if entry.language else set())
        sources[entry.source] = (count + 1, seconds + entry.duration_s, known)
        name = entry.language or "unknown"
        spoken[name] = spoken.get(name, 0.0) + entry.duration_s
    return Statistics(
        utterances=sum(total.values()),
        hours=sum(spoken.values()) / 3600,
        total={size: total[size] for size in ("0", *SIZES)},
        unique={size: unique[size] for size in ("0", *SIZES)},
        tags={tag.name: tags[tag.name] for tag in TAGS},
        unknown={name: tags[name] for name in sorted(tags) if name not in BY_NAME},
        by_source={
            source: (count, seconds / 3600, tuple(sorted(languages)))
            for source, (count, seconds, languages) in sorted(sources.items())
        },
        by_language={name: seconds / 3600 for name, seconds in sorted(spoken.items())},
    )


def _size(number: int) -> str:
    return str(number) if number < 3 else SIZES[-1]


def table_3(found: Statistics) -> list[list[str]]:
    """Rows of the paper's table 3, its heading first; utterances without tags are left out of the percentages."""
    rows = [["Metric", "# Tags", "# Utt.", "%"]]
    for metric, counts in (("Total Tags", found.total), ("Unique Tags", found.unique)):
        tagged = sum(counts[size] for size in SIZES)
        for size in SIZES:
            share = 100 * counts[size] / tagged if tagged else 0.0
            rows.append([metric if size == "1" else "", size, str(counts[size]), f"{share:.2f}"])
    return rows


def table_5(found: Statistics, name: str) -> list[list[str]]:
    """Rows of the paper's table 5, its heading first: hours and languages by source, then all together."""
    rows = [["Data Source", "# Utt.", "Dur. (h)", "Language"]]
    for source, (count, hours, languages) in found.by_source.items():
        rows.append(
            [source, f"{count:,}", f"{hours:,.2f}", ", ".join(language.upper() for language in languages)]
        )
    spoken = sorted({language for _, _, languages in found.by_source.values() for language in languages})
    return [*rows, [name, f"{found.utterances:,}", f"{found.hours:,.2f}", ", ".join(spoken).upper()]]


def tag_table(found: Statistics) -> list[list[str]]:
    """Occurrences of each tag, its heading first; tags outside the taxonomy come last, where there are any."""
    total = found.occurrences
    counts = {BY_NAME[name].text: n for name, n in found.tags.items()}
    counts |= {name.replace("`", "'").replace("|", "\\|"): n for name, n in found.unknown.items()}
    cells = [[name, f"{n:,}", f"{100 * n / total if total else 0.0:.2f}"] for name, n in counts.items()]
    return [["Tag", "# Tags", "%"], *([f"`{name}`", *rest] for name, *rest in cells)]


def language_table(found: Statistics) -> list[list[str]]:
    """Hours of each language and their share, the heading first."""
    share = {
        name: 100 * hours / found.hours if found.hours else 0.0 for name, hours in found.by_language.items()
    }
    rows = [[name, f"{hours:,.2f}", f"{share[name]:.2f}"] for name, hours in found.by_language.items()]
    return [["Language", "Dur. (h)", "%"], *rows]


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a Markdown table."""
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
