"""WESR's training and benchmark sets: gold from judgements, prints of utterances, and what must be kept apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from prefect import task

from schemas import Gold, SetOverlaps, Sets, UtterancePrints, valid_rows
from sonolake.audio.decode import decode
from sonolake.audio.fingerprint import fingerprint
from sonolake.audio.pcmhash import pcm_hash
from sonolake.datasets.ledgers import duplicate_sources
from sonolake.datasets.making import make
from sonolake.lake import Lake
from sonolake.lake.catalog import among
from sonolake.lake.step import Counts, Done, Outcome
from sonolake.splits import known_speaker
from sonolake.wesr.sets.figures import bars, ring
from sonolake.wesr.sets.overlap import Overlap, Print, counted, overlaps, plain_words
from sonolake.wesr.sets.statistics import (
    Entry,
    Statistics,
    language_table,
    markdown,
    statistics,
    table_3,
    table_5,
    tag_table,
)
from tasks.opening import lake_at, run_of

CODE_VERSION = "1"
STEP = "print-utterances"
TITLES = {"benchmark": ("WESR-Bench", ring), "training": ("WESR-Train", bars)}
"""Parts that are described: their name, and how their tags are drawn."""
_PREFERRED = ("person:", "corpus:", "model:")
"""Of several texts of an utterance, whose is taken."""


@task(persist_result=False)
def keep_gold(lake: str) -> int:
    """The last adjudication of each utterance as its gold text; how many there are."""
    rows = lake_at(lake).rows(
        "SELECT item AS utterance_id, arg_max(answer, decided_at) AS text, arg_max(rater, decided_at) AS decided_by"
        " FROM judgements SEMI JOIN utterances ON item = utterance_id WHERE question = 'wesr:gold' GROUP BY item"
    )
    lake_at(lake).table("gold").merge(valid_rows(Gold, rows), "gold texts from judgements")
    return len(rows)


def wanted(lake: Lake) -> list[str]:
    """The utterances that have a gold text or an annotation, by id."""
    rows = lake.rows(
        "SELECT utterance_id FROM gold UNION SELECT utterance_id FROM annotations ORDER BY utterance_id"
    )
    return [row["utterance_id"] for row in rows]


@task(retries=1, retry_delay_seconds=5, persist_result=False)
def print_utterances(lake: str, run_id: str, utterance_ids: Sequence[str]) -> Counts:
    """Work out the hash and fingerprint of one batch of utterances."""
    run = run_of(lake, STEP, run_id)
    rows = run.lake.rows(
        f"SELECT utterance_id, audio FROM utterances WHERE utterance_id IN {among(utterance_ids)}"
    )
    sounds = {row["utterance_id"]: (row["utterance_id"], row["audio"]) for row in rows}
    return make(
        run,
        STEP,
        sounds,
        "utterance_prints",
        "utterance_id",
        lambda one: _print(run.lake, *one),
        code_version=CODE_VERSION,
    )


def _print(lake: Lake, utterance_id: str, audio: str) -> Outcome:
    decoded = decode(lake.media.read(audio), audio)
    row = {
        "utterance_id": utterance_id,
        "pcm_hash": pcm_hash(decoded),
        "fingerprint": fingerprint(decoded.samples, decoded.sample_rate),
    }
    return Done({"utterance_prints": valid_rows(UtterancePrints, [row])})


@task(persist_result=False)
def divide(lake: str) -> dict[str, int]:
    """Put every utterance into the benchmark, the training set, or among those left out, with the proof.

    Returns:
        Utterances of each part, and under ``still_source`` and the like how many of the training set are in the
        benchmark after all: 0.
    """
    root = lake_at(lake)
    benchmark, training = _texts(root)
    prints = _prints(root, {**training, **benchmark})
    bench_prints = [prints[name] for name in benchmark if name in prints]
    found = overlaps((prints[name] for name in training if name in prints), bench_prints)
    out = {one.utterance_id for one in found}
    rows = [_row(name, "benchmark", *text) for name, text in benchmark.items()]
    rows += [_row(name, "left_out" if name in out else "training", *text) for name, text in training.items()]
    _replace(root, rows, found)
    kept = [prints[name] for name in training if name in prints and name not in out]
    still = counted(overlaps(kept, bench_prints))
    parts = {part: sum(row["part"] == part for row in rows) for part in ("benchmark", "training", "left_out")}
    return {**parts, **{f"still_{how}": count for how, count in still.items()}}


@task(persist_result=False)
def report(lake: str, folder: str) -> list[str]:
    """Write what is in the sets: tables in Markdown, figures as SVG; the files' names."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    root = lake_at(lake)
    made = files_of({part: _entries(root, part) for part in TITLES}, left_out(root))
    for name, content in made.items():
        (out / name).write_text(content, encoding="utf-8")
    return sorted(made)


def files_of(sets: Mapping[str, Sequence[Entry]], out: Mapping[str, int]) -> dict[str, str]:
    """What is in sets, by file name: ``statistics.md``, and a figure of each set's tags.

    Args:
        sets: what is in each part that is described.
        out: how many were left out of training, by how the benchmark has them.
    """
    made: dict[str, str] = {}
    text = ["# WESR: training and benchmark sets\n"]
    for part, entries in sets.items():
        name, draw = TITLES[part]
        found = statistics(entries)
        text.append(_described(name, found))
        made[f"{part}-tags.svg"] = draw(found.tags, f"Tags of the {part} set")
    made["statistics.md"] = "\n".join([*text, _proof(out)])
    return made


def left_out(lake: Lake, snapshot: int | None = None) -> dict[str, int]:
    """How many utterances were left out of training, by how the benchmark has them."""
    query = "SELECT how, count(*) AS n FROM set_overlaps GROUP BY how ORDER BY how"
    rows = lake.sql(query, at=snapshot).to_pylist()
    return {row["how"]: row["n"] for row in rows}


def _described(name: str, found: Statistics) -> str:
    shares = " and ".join(f"{100 * found.share(form):.1f} % {form}" for form in ("discrete", "continuous"))
    head = f"{found.utterances:,} utterances, {found.hours:.2f} h, {found.occurrences:,} tags: {shares}."
    rows = table_3(found), table_5(found, name), language_table(found), tag_table(found)
    tables = [markdown(one) for one in rows]
    return "\n".join([f"## {name}\n", head, "", *tables])


def _proof(out: Mapping[str, int]) -> str:
    lines = [
        ["Left out of training: in the benchmark by", "# Utt."],
        *([how, f"{n:,}"] for how, n in out.items()),
    ]
    return "## Kept apart\n\n" + markdown(lines)


def _entries(lake: Lake, part: str) -> list[Entry]:
    rows = lake.rows(
        "SELECT s.source, u.language, u.end_s - u.start_s AS seconds, s.text FROM sets s JOIN utterances u"
        " USING (utterance_id) WHERE part = ? ORDER BY utterance_id",
        [part],
    )
    return [Entry(row["source"], row["language"] or "", row["seconds"], row["text"]) for row in rows]


def _texts(lake: Lake) -> tuple[dict[str, tuple[str, str]], dict[str, tuple[str, str]]]:
    """(source, text) by utterance, of the benchmark and of what may be trained on."""
    benchmark = {
        row["utterance_id"]: ("gold", row["text"]) for row in lake.rows("FROM gold ORDER BY utterance_id")
    }
    training: dict[str, tuple[str, str]] = {}
    rows = lake.rows("FROM annotations")
    for row in sorted(rows, key=lambda row: (row["utterance_id"], _rank(row["source"]), row["source"])):
        if row["utterance_id"] not in benchmark:
            training.setdefault(row["utterance_id"], (row["source"], row["text"]))
    return benchmark, training


def _rank(source: str) -> int:
    return next(
        (rank for rank, prefix in enumerate(_PREFERRED) if source.startswith(prefix)), len(_PREFERRED)
    )


def _prints(lake: Lake, texts: Mapping[str, tuple[str, str]]) -> dict[str, Print]:
    others = duplicate_sources(lake)
    rows = lake.rows(
        "SELECT p.*, a.asset_id, a.source_id, a.speaker FROM utterance_prints p JOIN utterances u USING (utterance_id)"
        " JOIN assets a USING (asset_id)"
    )
    return {
        row["utterance_id"]: Print(
            row["utterance_id"],
            frozenset({f"source:{row['source_id']}", *others[row["asset_id"]]}),
            row["pcm_hash"],
            row["fingerprint"],
            plain_words(texts[row["utterance_id"]][1]),
            known_speaker(row["speaker"]),
        )
        for row in rows
        if row["utterance_id"] in texts
    }


def _row(utterance_id: str, part: str, source: str, text: str) -> dict[str, Any]:
    return {"utterance_id": utterance_id, "part": part, "source": source, "text": text}


def _replace(lake: Lake, rows: Sequence[dict[str, Any]], found: Sequence[Overlap]) -> None:
    """Sets and overlaps as they are now, in one commit; rows that are no longer so go."""
    with lake.transaction("training and benchmark sets") as tx:
        tx.delete("sets", lake.rows("SELECT utterance_id FROM sets"))
        tx.delete("set_overlaps", lake.rows("SELECT utterance_id, how FROM set_overlaps"))
        tx.append("sets", valid_rows(Sets, rows))
        tx.append("set_overlaps", valid_rows(SetOverlaps, [_overlap(one) for one in found]))


def _overlap(one: Overlap) -> dict[str, Any]:
    return {"utterance_id": one.utterance_id, "how": one.how, "of": one.of, "distance": 1.0 - one.alike}
