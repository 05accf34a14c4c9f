"""What is looked for in the content of a release: whether RMS-AQA questions can be answered without listening."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

import pyarrow as pa

from sonolake.releases import Check, Config, OwnProof
from sonolake.releases.figures import proof_link
from sonolake.spatial.benchmark.blindness import FAMILY_LEVEL, blindness, cells, guessed, verdict
from sonolake.spatial.benchmark.files import record_of
from sonolake.spatial.benchmark.records import Record
from sonolake.spatial.dimensions import DIMENSIONS, STAGE_1

PROOF = "blind-rms-aqa"
ANSWERS = "rms-aqa/blind-answers.csv"
"""Under ``benchmark/``: what predictors answer that look at the options alone, so that their score can be counted."""
_PREDICTORS = ("longest option", "most frequent answer")


def checks_of(configs: Iterable[Config]) -> tuple[Check, ...]:
    """A table a split with questions."""
    return tuple(blindness_check(_title(split), records) for split, records in _asked(configs).items())


def blindness_check(title: str, records: list[Record]) -> Check:
    """What predictors that hear nothing reach on these questions."""
    findings = blindness(records)
    head, *lines = cells(findings)
    level = f"{100 * FAMILY_LEVEL:.0f} %"
    said = verdict(findings).replace(level, f"`{level}`")
    text = f"{said}. What beats it is marked with !. Counted by {proof_link(PROOF)}."
    return Check(title, text, tuple(head), tuple(map(tuple, lines)), PROOF)


def blind_answers(configs: Iterable[Config]) -> dict[str, bytes]:
    """The file of answers by its path under ``benchmark/``; nothing where there are no questions."""
    asked = _asked(configs)
    if not asked:
        return {}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["question_id", *_PREDICTORS])
    for records in asked.values():
        answers = guessed(records)
        for question in sorted({q.question_id for r in records for q in (r.stage_1, r.stage_2)}):
            writer.writerow([question, *(answers[name][question] for name in _PREDICTORS)])
    return {ANSWERS: out.getvalue().encode()}


def blind_proofs(configs: Iterable[Config]) -> tuple[OwnProof, ...]:
    """The proof that counts what the checks say; none where there are no questions."""
    if not _asked(configs):
        return ()
    meaning = (
        "Right answers without listening, in percent: always one letter, the longest option, and the answers in "
        f"benchmark/{ANSWERS}, which sonolake score rms-aqa --blindness makes again."
    )
    return (OwnProof(PROOF, "report", meaning, _sql(), "rms-aqa"),)


def _title(split: str) -> str:
    return f"Answers without listening, {split}"


def _asked(configs: Iterable[Config]) -> Mapping[str, list[Record]]:
    """Records by split."""
    return {
        split: _records(table)
        for config in configs
        if config.name == "rms-aqa"
        for split, table in config.ordered
        if table.num_rows
    }


def _records(table: pa.Table) -> list[Record]:
    return [record_of(row) for row in table.select(_COLUMNS).to_pylist()]


_COLUMNS = ["item_id", "origin", "events", "questions"]


def _sql() -> str:
    dimensions = (STAGE_1, *DIMENSIONS)
    columns = ",\n  ".join(
        f"coalesce(max(told) FILTER (dimension = '{d}'), '') AS \"{d}\"" for d in dimensions
    )
    chosen = "\n    UNION ALL ".join(
        f"SELECT split, dimension, answer, '{name}' AS line, {place} AS place, \"{name}\" AS guess FROM answered"
        for place, name in enumerate(_PREDICTORS, 4)
    )
    return _BLIND.format(columns=columns, chosen=chosen, answers=ANSWERS)


_BLIND = """WITH
  asked AS (
    SELECT regexp_extract(filename, '([a-z]+)-[0-9]+-of-[0-9]+[.]parquet$', 1) AS split,
      q.question_id, q.dimension, q.answer, json_keys(q.options) AS letters
    FROM read_parquet(getvariable('shards'), filename = true, hive_partitioning = false), unnest(questions) AS t(q)
  ),
  answered AS (
    FROM asked JOIN read_csv(
      getvariable('root') || '/benchmark/{answers}', header = true, all_varchar = true) USING (question_id)
  ),
  letters AS (SELECT DISTINCT split, unnest(letters) AS letter FROM asked),
  guesses AS (
    SELECT split, dimension, answer, 'always ' || letter AS line, 3 AS place, letter AS guess
    FROM asked JOIN letters USING (split)
    UNION ALL {chosen}
  ),
  lines AS (
    SELECT split, dimension, 'questions' AS line, 1 AS place, count(*)::VARCHAR AS told FROM asked GROUP BY ALL
    UNION ALL
    SELECT split, dimension, 'chance', 2, printf('%.1f', 100 * (fsum(1 / len(letters)) / count(*)))
    FROM asked GROUP BY ALL
    UNION ALL
    SELECT split, dimension, line, place, printf('%.1f', 100 * (count(*) FILTER (guess = answer) / count(*)))
    FROM guesses GROUP BY ALL
    UNION ALL
    SELECT split, 'S1', 'tests', 9, count(DISTINCT (line, dimension))::VARCHAR FROM guesses GROUP BY ALL
  )
SELECT 'Answers without listening, ' || split AS title, line,
  {columns}
FROM lines
GROUP BY split, place, line
ORDER BY list_position(['train', 'validation', 'test'], split), place, line"""
