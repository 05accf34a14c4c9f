"""``sonolake validate rms-aqa-text-only``: a lake keeps what models answered that heard nothing."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from sonolake.cli.clip_rows import rows_of_lake
from sonolake.cli.opening import LakeOption, open_lake
from sonolake.cli.score_options import named_paths

if TYPE_CHECKING:
    from sonolake.lake import Lake


def text_only(
    ctx: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(metavar="[MODEL=]FILE…", help="Answers from score rms-aqa --ask … --hear nothing."),
    ],
    lake: LakeOption = None,
) -> None:
    """Keep answers of models that heard nothing; releases report what they reach, beside other blind predictors."""
    from sonolake.spatial.benchmark import read_predictions
    from sonolake.spatial.benchmark.blindness import answers_of
    from sonolake.spatial.benchmark.files import record_of

    named = named_paths(files, "FILE")
    with ExitStack() as stack:
        opened = stack.enter_context(open_lake(ctx, lake, write=True))
        records = [record_of(row) for row in rows_of_lake(opened)]
        for model, path in named.items():
            answers = answers_of(read_predictions(path, records), records)
            new = _keep(opened, model, answers)
            typer.echo(f"{model}: {new} new answers, {len(answers) - new} there already")


def _keep(lake: Lake, model: str, answers: dict[str, str]) -> int:
    """Append a model's answers that are not there; how many."""
    from sonolake.spatial.benchmark.blindness import KEPT_AS

    query = "SELECT item, answer FROM judgements WHERE question = ? AND rater = ?"
    there = {(row["item"], row["answer"]) for row in lake.rows(query, [KEPT_AS, model])}
    now = datetime.now(UTC)
    rows = [
        {"item": item, "question": KEPT_AS, "answer": answer, "rater": model, "decided_at": now}
        for item, answer in sorted(answers.items())
        if (item, answer) not in there
    ]
    if rows:
        lake.table("judgements").append(rows, "answers without sound")
    return len(rows)
