"""What ``sonolake validate`` shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import typer

from sonolake.cli.grid import grid
from sonolake.cli.validate_parts import kappa_json

if TYPE_CHECKING:
    from sonolake.cares.validation import Kappa, RaterAgreement


def _number(kappa: float | None) -> str:
    return "-" if kappa is None else f"{kappa:.3f}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def show_dialogues(found: dict[str, Any]) -> None:
    """Agreement, confusion, topics and variety for a person."""
    note = " (a self-check: it wrote some of these dialogues itself)" if found["self_check"] else ""
    typer.echo(f"judge: {found['judge']}{note}")
    agreement, interval = found["agreement"], found["interval"]
    if agreement:
        spread = f" [{interval['low']:.3f}, {interval['high']:.3f}]" if interval else ""
        typer.echo(
            f"{found['sounds']} sounds in {found['scenes']} scenes: {_percent(agreement['observed'])} % as asked, "
            f"Cohen's kappa {_number(agreement['kappa'])}{spread}; "
            f"{found['missing']} sounds not typed, {found['unread']} scenes not read"
        )
    names = list(found["confusion"])
    rows = [[f"asked {a}", *(str(found["confusion"][a][b]) for b in names)] for a in names]
    for line in grid(["", *(f"found {name}" for name in names)], rows):
        typer.echo(f"  {line}")
    _show_topics(found["topics"])
    by = "reactions and topic" if (found["topics"] or {}).get("matched") is not None else "reactions alone"
    typer.echo(f"{len(found['passed'])} of {found['scenes']} scenes pass whole, by {by}")
    _show_variety(found["variety"])


def _show_variety(found: dict[str, Any]) -> None:
    mean, deviation, fewest, most = found["words"]
    distinct = ", ".join(f"{share:.3f}" for share in found["distinct"])
    typer.echo(
        f"variety: {mean:.0f} ± {deviation:.0f} words a dialogue ({fewest} to {most}); distinct-1, -2, -3 {distinct}; "
        f"{_percent(found['repeated_sentences'])} % of {found['sentences']} sentences are in another dialogue as well"
    )
    typer.echo(
        f"  scenes of different templates share at most {_percent(found['shared_most'])} % of their sentences; "
        f"{100 * found['pairs_over_limit']:.3g} % of the pairs share more than 5 %"
    )


def _show_topics(found: dict[str, Any] | None) -> None:
    if found is None:
        typer.echo("topics: not compared, none of these has a reformulation to calibrate on")
        return
    typer.echo(
        f"topics, by {found['encoder']}: tau {found['tau']:.3f} (Youden {found['youden']:.3f}, ROC AUC "
        f"{found['auc']:.3f}, on {found['positives']} pairs that belong together and {found['negatives']} that do not)"
    )
    if found["matched"] is None:
        typer.echo("  this judge only quotes, so nothing is held against tau")
    else:
        typer.echo(f"  {_percent(found['matched'])} % of the recovered topics match")
    if found["identified"] is not None:
        typer.echo(
            f"  {_percent(found['identified'])} % of {found['identified_of']} are told from the other topics of their "
            f"template (chance {_percent(found['chance'])} %)"
        )


def show_shortcuts(found: Sequence[dict[str, Any]]) -> None:
    """A line a set of features; 25 % is chance."""
    rows = [
        [
            " + ".join(one["features"]),
            _percent(one["accuracy"]),
            f"{_percent(one['low'])} to {_percent(one['high'])}",
            _verdict(one),
            f"{one['n']} sounds, {one['within']}",
        ]
        for one in found
    ]
    for line in grid(["features", "balanced accuracy, %", "chance, %", "", "of"], rows, whole_last=True):
        typer.echo(line)


def _verdict(one: dict[str, Any]) -> str:
    if not one["tells"]:
        return "chance"
    if one["tied"]:
        return "tied by the rules"
    return "ABOVE CHANCE, which must not be" if one["must"] else "above chance"


def show_words(found: dict[str, Any]) -> None:
    """The word error rate; that of the bare voices, and how many times it the first one is."""
    typer.echo(f"word error rate by {found['recogniser']}: {_words(found)}")
    if "bare" in found:
        typer.echo(f"of the bare voices: {_words(found['bare'])}")
        times = found["times"]
        said = (
            f"{times['value']:.2f} [{times['low']:.2f}, {times['high']:.2f}]" if times else "none, no errors"
        )
        typer.echo(f"ratio of the mixes to the bare voices: {said}")


def _words(found: dict[str, Any]) -> str:
    rate = found["rate"]
    return (
        f"{100 * rate['value']:.2f} % [{100 * rate['low']:.2f}, {100 * rate['high']:.2f}]; "
        f"{found['substitutions']} substituted, {found['deletions']} lost and {found['insertions']} added in "
        f"{found['words']} words of {found['scenes']} scenes"
    )


SHOW: dict[str, Callable[[Any], None]] = {
    "dialogues": show_dialogues,
    "shortcuts": show_shortcuts,
    "words": show_words,
}


def agreement_json(found: RaterAgreement) -> dict[str, Any]:
    """Everything, for a program."""
    return {
        "with_asked": {name: kappa_json(kappa) for name, kappa in found.with_right.items()},
        "pooled": kappa_json(found.pooled),
        "between": [{"raters": pair, **(kappa_json(kappa) or {})} for pair, kappa in found.between.items()],
        "all_raters": kappa_json(found.all_raters),
        "sounds": found.items,
    }


def show_agreement(found: RaterAgreement, right: str = "what was asked for", things: str = "sounds") -> None:
    """Kappas for a person, with ``right`` and among raters, on so many ``things``."""
    rows = [_agreeing(name, right, kappa) for name, kappa in found.with_right.items()]
    if found.pooled and len(found.with_right) > 1:
        rows.append(_agreeing("all of them", right, found.pooled))
    rows += [_agreeing(*pair, kappa) for pair, kappa in found.between.items()]
    for line in grid(["rater", "with", things, "Cohen's kappa"], rows):
        typer.echo(line)
    if found.all_raters is not None:
        typer.echo(f"all raters, {found.items} {things}: Fleiss' kappa {_number(found.all_raters.value)}")


def _agreeing(rater: str, other: str, kappa: Kappa) -> list[str]:
    return [rater, other, str(kappa.n), _number(kappa.value)]
