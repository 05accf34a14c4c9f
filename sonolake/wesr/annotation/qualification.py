"""The qualification: an annotator's answers to the gold items against the right ones, by the benchmark's own scores."""

from __future__ import annotations

from dataclasses import dataclass

from sonolake.wesr.annotation.editing import NO_MARKS
from sonolake.wesr.annotation.store import Project, Verdict
from sonolake.wesr.comparing import compare
from sonolake.wesr.counts import Counts
from sonolake.wesr.mistakes import Mistake, mistakes
from sonolake.wesr.scoretext import surfaces


@dataclass(frozen=True)
class Standing:
    """Where an annotator stands.

    Attributes:
        qualified: whether real tasks are open to them; always, where a project has no gold items.
        left: gold items that are to be done.
        verdict: of the last try, None before the first.
    """

    qualified: bool
    left: int
    verdict: Verdict | None


def standing(project: Project, rater: str) -> Standing:
    """Where ``rater`` stands."""
    if not project.gold:
        return Standing(True, 0, None)
    verdict = project.verdict(rater)
    if verdict and verdict.passed:
        return Standing(True, 0, verdict)
    left = sum(not project.state(rater, task.name).done for task in project.gold)
    return Standing(False, left, verdict)


def feedback(project: Project, rater: str, name: str) -> list[Mistake]:
    """What ``rater`` got wrong in a gold item that they have done."""
    task = project.task(name)
    answer = project.state(rater, name).marks.on(task.text)
    return mistakes(compare(task.gold, answer), surfaces(task.gold))


def judge(project: Project, rater: str) -> Verdict | None:
    """The verdict, once all gold items are done: micro F1 over them against the project's threshold.

    It is kept; whoever failed finds the gold items open and empty again. None while items are left, or when ``rater``
    has passed before.
    """
    before = project.verdict(rater)
    if (before and before.passed) or standing(project, rater).left or not project.gold:
        return None
    states = {task.name: project.state(rater, task.name) for task in project.gold}
    counts = Counts()
    for task in project.gold:
        compared = compare(task.gold, states[task.name].marks.on(task.text))
        counts = sum(compared.per_tag.values(), counts)
    f1 = counts.f1 if counts != Counts() else 1.0
    verdict = Verdict(f1, f1 >= float(project.meta("threshold")))
    project.keep_verdict(rater, verdict)
    if not verdict.passed:
        for name, state in states.items():
            project.act(rater, name, "reopen", NO_MARKS, done=False, base=state.seq)
    return verdict
