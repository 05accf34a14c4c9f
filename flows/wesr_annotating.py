"""The flow that writes vocal events into transcripts, and says how good that is where the right texts are known."""

from __future__ import annotations

from collections.abc import Sequence

from prefect import flow

from flows.running import in_batches, pool, run_in, up_to_limit
from sonolake.errors import NotFound
from sonolake.lake.catalog import among
from sonolake.lake.step import Counts
from sonolake.wesr.scorefiles import FileScores
from sonolake.wesr.scoring import score
from tasks.opening import lake_at
from tasks.wesr_annotating import EMBEDDED, Annotating, annotate_utterances

BATCH = 20
_WANTED = """
SELECT utterance_id FROM utterances
WHERE utterance_id IN (SELECT utterance_id FROM candidates UNION SELECT utterance_id FROM gold)
"""


@flow(task_runner=pool(), name="annotate-wesr", description="Write vocal events into transcripts by a model.")
def annotate(lake: str, how: Annotating, where: str = "") -> tuple[dict[str, Counts], FileScores | None]:
    """Annotate the utterances that were mined and those with a gold text.

    Args:
        lake: where the lake is.
        how: who annotates.
        where: which utterances instead, SQL over the columns of ``utterances``.

    Returns:
        The counts, and the scores of this model's texts against the gold ones; None without gold texts.

    Raises:
        NotFound: when there is no such utterance.
        LimitReached: at the budget, when what was annotated by then is in the lake.
    """
    chosen = f"SELECT utterance_id FROM utterances WHERE {where}" if where else _WANTED
    wanted = [r["utterance_id"] for r in lake_at(lake).rows(f"{chosen} ORDER BY utterance_id")]
    if not wanted:
        raise NotFound("there is no utterance to annotate: mine first (python -m flows wesr), or say --where")
    with run_in(lake, "annotate-wesr", {"model": how.model, "where": where}) as run:
        if how.model == EMBEDDED:
            in_batches(
                "annotate", wanted, BATCH, lambda ids: annotate_utterances.submit(lake, run.run_id, ids, how)
            )
        else:
            stopped = up_to_limit(
                "annotate", wanted, BATCH, lambda ids: annotate_utterances(lake, run.run_id, ids, how)
            )
            if stopped is not None:
                raise stopped
        return run.counts(), scored(lake, how.source, wanted)


def scored(lake: str, source: str, utterance_ids: Sequence[str]) -> FileScores | None:
    """The scores of a source's annotations against the gold texts; None without any.

    An utterance that was to be annotated and is not counts as one without a prediction.
    """
    rows = lake_at(lake).rows(
        "SELECT g.utterance_id, g.text AS gold, a.text FROM gold g LEFT JOIN annotations a "
        f"ON a.utterance_id = g.utterance_id AND a.source = ? WHERE g.utterance_id IN {among(utterance_ids)} "
        "ORDER BY g.utterance_id",
        [source],
    )
    if not rows:
        return None
    said = {row["utterance_id"]: row["text"] for row in rows if row["text"] is not None}
    return FileScores(score(((row["utterance_id"], row["gold"]) for row in rows), said), (), 0, 0, 0)
