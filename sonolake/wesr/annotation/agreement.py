"""Agreement of annotators, position by position.

For each pair of annotators and each tag: Cohen's kappa (1960) over all positions of its kind in the tasks that both
have done, gaps for a discrete tag, words for a continuous one; each position says yes or no. Kappa is
(observed - expected) / (1 - expected) agreement; it is not defined where neither ever uses the tag. Several annotators:
the mean over pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from sonolake.wesr.annotation.editing import Marks
from sonolake.wesr.annotation.store import Project
from sonolake.wesr.tagged import words_of
from sonolake.wesr.taxonomy import BY_NAME, TAGS

Places = frozenset[tuple[str, int]]
"""(tag, position) pairs."""


@dataclass(frozen=True)
class Table:
    """Two annotators and one tag: positions that both, the first alone, the second alone, or neither marked."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa, -1 to 1; None where it is not defined."""
        n = self.both + self.first + self.second + self.neither
        if not n:
            return None
        a, b = (self.both + self.first) / n, (self.both + self.second) / n
        expected = a * b + (1 - a) * (1 - b)
        return None if expected == 1.0 else ((self.both + self.neither) / n - expected) / (1 - expected)

    def __add__(self, other: Table) -> Table:
        return Table(
            self.both + other.both,
            self.first + other.first,
            self.second + other.second,
            self.neither + other.neither,
        )


@dataclass(frozen=True)
class Agreement:
    """Agreement of a project.

    Attributes:
        annotators: who has done tasks.
        tasks: done by two or more of them.
        per_tag: mean kappa over pairs, None where it is not defined for any.
        overall: mean over pairs of the kappa of all tags and positions together.
        marked: positions that someone marked, by tag.
    """

    annotators: tuple[str, ...]
    tasks: int
    per_tag: Mapping[str, float | None]
    overall: float | None
    marked: Mapping[str, int]


def agreement(project: Project) -> Agreement:
    """Agreement on the tasks of a project; gold items are left out."""
    texts = {task.name: len(words_of(task.text)) for task in project.work}
    done = {
        rater: {name: places(state.marks) for name, state in states.items() if state.done and name in texts}
        for rater, states in project.states().items()
    }
    done = {rater: answers for rater, answers in done.items() if answers}
    pairs = [_pair(one, other, texts) for one, other in combinations(done.values(), 2)]
    shared = Counter(name for answers in done.values() for name in answers)
    marked = Counter(tag for answers in done.values() for found in answers.values() for tag, _ in found)
    return Agreement(
        annotators=tuple(done),
        tasks=sum(times > 1 for times in shared.values()),
        per_tag={tag.name: _mean(pair[tag.name].kappa for pair in pairs) for tag in TAGS},
        overall=_mean(sum(pair.values(), Table(0, 0, 0, 0)).kappa for pair in pairs),
        marked={tag.name: marked[tag.name] for tag in TAGS},
    )


def places(marks: Marks) -> Places:
    """Where the tags of an annotation are: gaps 2i, words 2i + 1."""
    found = {(name, 2 * gap) for gap, name in marks.points}
    for span in marks.spans:
        found |= {(span.label, 2 * word + 1) for word in range(span.first, span.last + 1)}
    return frozenset(found)


def table(tag: str, one: Iterable[Places], other: Iterable[Places], words: Iterable[int]) -> Table:
    """The table of two annotators for one tag.

    Args:
        tag: its name.
        one, other: places of each, task by task.
        words: words of each task.
    """
    made = Table(0, 0, 0, 0)
    for mine, theirs, count in zip(one, other, words, strict=True):
        a, b = ({place for name, place in marked if name == tag} for marked in (mine, theirs))
        size = count if BY_NAME[tag].form == "continuous" else count + 1
        made += Table(len(a & b), len(a - b), len(b - a), size - len(a | b))
    return made


def _pair(
    one: Mapping[str, Places], other: Mapping[str, Places], words: Mapping[str, int]
) -> dict[str, Table]:
    names = sorted(one.keys() & other.keys())
    columns = [one[n] for n in names], [other[n] for n in names], [words[n] for n in names]
    return {tag.name: table(tag.name, *columns) for tag in TAGS}


def _mean(kappas: Iterable[float | None]) -> float | None:
    known = [kappa for kappa in kappas if kappa is not None]
    return sum(known) / len(known) if known else None
