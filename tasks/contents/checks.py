"""What is looked for in the content of a release: whether RMS-AQA questions can be answered without listening."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa

from sonolake.lake import Lake
from sonolake.releases import Check, Config, OwnProof
from sonolake.releases.figures import proof_link
from sonolake.spatial.benchmark.blindness import (
    FAMILY_LEVEL,
    KEPT_AS,
    TEXT_MODEL,
    TEXT_ONLY,
    Told,
    blindness,
    cells,
    guessed,
    verdict,
)
from sonolake.spatial.benchmark.files import record_of
from sonolake.spatial.benchmark.guessing import LEARNT
from sonolake.spatial.benchmark.records import Record
from sonolake.spatial.dimensions import DIMENSIONS, STAGE_1

PROOF = "blind-rms-aqa"
ANSWERS = "rms-aqa/blind-answers.csv"
"""Under ``benchmark/``: what predictors answer that read the text alone, so that their score can be counted."""


def told_without_sound(lake: Lake, snapshot: int) -> Told:
    """What models answered that heard nothing, as the lake keeps it; of several answers to a question the last one."""
    rows = lake.sql(
        "SELECT rater, item, arg_max(answer, decided_at) AS answer FROM judgements "
        f"WHERE question = '{KEPT_AS}' GROUP BY rater, item ORDER BY rater, item",
        at=snapshot,
    ).to_pylist()
    told: dict[str, dict[str, str]] = {}
    for row in rows:
        told.setdefault(f"{TEXT_MODEL} {row['rater']}", {})[row["item"]] = row["answer"]
    return told


def checks_of(configs: Iterable[Config], told: Told | None = None) -> tuple[Check, ...]:
    """A table a split with questions."""
    return tuple(
        blindness_check(_title(split), records, _about(records, told))
        for split, records in _asked(configs).items()
    )


def blindness_check(title: str, records: list[Record], told: Told | None = None) -> Check:
    """What predictors that hear nothing reach on these questions."""
    findings = blindness(records, told)
    head, *lines = cells(findings)
    level = f"{100 * FAMILY_LEVEL:.0f} %"
    said = verdict(findings).replace(level, f"`{level}`")
    text = f"{said}. What beats it is marked with !. Counted by {proof_link(PROOF)}."
    return Check(title, text, tuple(head), tuple(map(tuple, lines)), PROOF)


def blind_answers(configs: Iterable[Config], told: Told | None = None) -> dict[str, bytes]:
    """The file of answers by its path under ``benchmark/``; nothing where there are no questions."""
    asked = _asked(configs)
    if not asked:
        return {}
    names = _predictors(asked, told)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["question_id", *names])
    for records in asked.values():
        answers = guessed(records, _about(records, told))
        for question in sorted(_questions(records)):
            writer.writerow([question, *(answers.get(name, {}).get(question, "") for name in names)])
    return {ANSWERS: out.getvalue().encode()}


def blind_proofs(configs: Iterable[Config], told: Told | None = None) -> tuple[OwnProof, ...]:
    """The proof that counts what the checks say; none where there are no questions."""
    asked = _asked(configs)
    if not asked:
        return ()
    meaning = (
        "Right answers without listening, in percent: always one letter, and the answers in "
        f"benchmark/{ANSWERS}, which sonolake score rms-aqa --blindness makes again but for those of models."
    )
    return (OwnProof(PROOF, "report", meaning, _sql(_predictors(asked, told)), "rms-aqa"),)


def _predictors(asked: Mapping[str, list[Record]], told: Told | None) -> list[str]:
    """Those that have a column of answers: a model has one when it was asked about any of these questions."""
    about = (_about(records, told) for records in asked.values())
    return [*LEARNT, *sorted({name for one in about for name in one})]


def _about(records: Iterable[Record], told: Told | None) -> Told:
    """The models that answered any of these questions."""
    ids = _questions(records)
    return {name: answers for name, answers in (told or {}).items() if ids & answers.keys()}


def _questions(records: Iterable[Record]) -> set[str]:
    return {query.question_id for record in records for query in (record.stage_1, record.stage_2)}


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


def _sql(predictors: Sequence[str]) -> str:
    dimensions = (STAGE_1, *DIMENSIONS)
    columns = ",\n  ".join(
        f"coalesce(max(told) FILTER (dimension = '{d}'), '') AS \"{d}\"" for d in dimensions
    )
    chosen = "\n    UNION ALL ".join(
        f"SELECT split, dimension, answer, {_text(name)} AS line, {place} AS place, {_column(name)} AS guess "
        f"FROM answered{_asked_in(name)}"
        for place, name in enumerate(predictors, 4)
    )
    last = 4 + len(predictors)
    return _BLIND.format(columns=columns, chosen=chosen, answers=ANSWERS, last=last, read=TEXT_ONLY)


def _asked_in(name: str) -> str:
    """A model stands in the tables of those splits about whose questions it was asked."""
    if name in LEARNT:
        return ""
    return f" WHERE split IN (SELECT split FROM answered WHERE {_column(name)} IS NOT NULL)"


def _text(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def _column(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


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
    SELECT split, 'S1', 'tests', {last}, count(DISTINCT (line, dimension))::VARCHAR
    FROM guesses WHERE NOT (starts_with(line, '{read}') AND dimension = 'AP') GROUP BY ALL
  )
SELECT 'Answers without listening, ' || split AS title, line,
  {columns}
FROM lines
GROUP BY split, place, line
ORDER BY list_position(['train', 'validation', 'test'], split), place, line"""
