"""The flow that divides annotated speech into a benchmark and a training set that share nothing."""

from __future__ import annotations

from prefect import flow

from flows.running import in_batches, pool, run_in
from sonolake.errors import NotFound, Refused
from sonolake.lake.step import Counts
from tasks.opening import lake_at
from tasks.wesr_sets import divide, keep_gold, print_utterances, report, wanted

BATCH = 100


@flow(
    task_runner=pool(),
    name="wesr-sets",
    description="Divide annotated speech into training and benchmark sets.",
)
def wesr_sets(lake: str, folder: str = "") -> dict[str, Counts]:
    """Take gold texts from the judgements, leave out of training what the benchmark has, and write what is in them.

    Raises:
        NotFound: when there is no annotation and no gold text.
        Refused: when something of the benchmark is still in the training set.
    """
    with run_in(lake, "wesr-sets", {}) as run:
        keep_gold(lake)
        utterances = wanted(lake_at(lake))
        if not utterances:
            raise NotFound("there is nothing annotated: take a corpus in, or collect annotations")
        in_batches(
            "print utterances", utterances, BATCH, lambda ids: print_utterances.submit(lake, run.run_id, ids)
        )
        divided = divide(lake)
        still = {name: count for name, count in divided.items() if name.startswith("still_") and count}
        if still:
            raise Refused(f"the sets are not apart: {still}")
        if folder:
            report(lake, folder)
        return run.counts()
