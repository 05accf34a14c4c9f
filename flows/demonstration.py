"""The whole way once: sounds in, a verified release out, in a folder of its own."""

from __future__ import annotations

import time
from pathlib import Path

from prefect import flow
from pyarrow import parquet

from flows import ingesting
from flows.cares_scenes import cares
from flows.progress import command, console, counts_table, tracking
from flows.releasing import release
from flows.rms_aqa_clips import rms_aqa
from flows.running import pool
from flows.splitting import split
from flows.vectors import embed
from flows.wesr_mining import wesr
from sonolake.errors import Damaged, Refused
from sonolake.lake.step import Counts
from sonolake.releases import prove, pull, verify
from sonolake.releases.finding import Found, find_release
from sonolake.s3 import is_s3
from sonolake.wesr.vetting import Cutting
from tasks.demo_sources import FOLDERS, write_folder
from tasks.opening import lake_at

NAME, VERSION, DATE = "demo", "0.1.0", "2026-11-30"
TEMPLATES, SCENES, CLIPS, QUOTA = 12, 28, 32, 10
"""A few more than two dozen of each: a scene that breaks a rule of the mix is set aside."""

INGESTS = {
    "take": ingesting.ingest_takes,
    "ambience": ingesting.ingest_ambiences,
    "response": ingesting.ingest_responses,
    "foa": ingesting.ingest_foa,
    "vocal": ingesting.ingest_vocals,
    "speech": ingesting.ingest_speech,
}

UNRATED = Cutting(quality="none", recogniser="none")
"""Nobody rates or hears speech: the demonstration is the same where models that can are installed and where not."""
STATEMENTS = (
    (
        "Which reactions are in which split?",
        "SELECT s.split, e.reaction, count(*) AS sounds FROM scene_events e JOIN scenes s USING (scene_id) "
        "GROUP BY ALL ORDER BY ALL",
    ),
    (
        "Which sounds come closest to the microphone?",
        "SELECT c.room, e.event, round(e.azimuth_deg) AS azimuth, round(e.distance_m, 1) AS metres "
        "FROM clip_events e JOIN clips c USING (clip_id) ORDER BY e.distance_m, c.room, e.event LIMIT 5",
    ),
    (
        "What did the search for vocal events find first?",
        "SELECT c.tag, a.title, round(u.start_s + c.onset_s, 1) AS at_s FROM candidates c JOIN utterances u "
        "USING (utterance_id) JOIN assets a USING (asset_id) WHERE c.rank = 1 AND c.tag IN "
        "('laughs', 'cough', 'sigh', 'breathing', 'scream') ORDER BY c.tag",
    ),
)


@flow(task_runner=pool(), name="demo", description="A small lake from nothing to a verified release.")
def demo(lake: str, pulled: str) -> dict[str, Counts]:
    """Build the demonstration lake at ``lake``, publish its release, and pull it into ``pulled``."""
    started = time.monotonic()
    counts: dict[str, Counts] = {}
    for name, folder in _sources(f"{_beside(lake)}-sources").items():
        _add(counts, INGESTS[FOLDERS[name][0]](folder, lake))
    _add(counts, split(lake))
    _add(counts, embed(lake))
    _add(counts, cares(lake, TEMPLATES, SCENES, short=True))
    _add(counts, rms_aqa(lake, CLIPS))
    _add(counts, wesr(lake, quota=QUOTA, cutting=UNRATED))
    try:
        _add(counts, release(NAME, VERSION, lake, DATE))
    except Refused as refused:
        hint = (
            "other flows added to the demonstration's lake: give it another one (make demo LAKE=another-lake)"
        )
        raise Refused(f"{refused}. Where {hint}") from None
    _check(lake, pulled)
    _say(lake, pulled, counts, time.monotonic() - started)
    return counts


def _add(counts: dict[str, Counts], more: dict[str, Counts]) -> None:
    for step, one in more.items():
        counts[step] = counts.get(step, Counts()) + one


def _sources(root: str) -> dict[str, str]:
    with tracking("write sources", len(FOLDERS)) as advance:
        futures = {name: write_folder.submit(root, name) for name in FOLDERS}
        folders = {}
        for name, future in futures.items():
            folders[name] = future.result()
            advance(1)
    return folders


def _check(lake: str, pulled: str) -> None:
    """Verify and prove the release, and pull it.

    Raises:
        Damaged: when a file is not what the manifest says.
    """
    found, dest = _published(lake), Path(pulled)
    pull(found.offered, dest)
    problems = [*found.verify(), *verify(dest)]
    if problems:
        raise Damaged("; ".join(f"{p.path}: {p.detail}" for p in problems))
    failed = [result for result in prove(dest) if result.outcome != "holds"]
    if failed:
        raise Damaged(f"proofs of the pulled release that do not hold: {[r.proof.id for r in failed]}")


def _say(lake: str, pulled: str, counts: dict[str, Counts], seconds: float) -> None:
    """The summary: what each step did, what to ask, where to look."""
    counts_table(counts, lake)
    total = sum(counts.values(), Counts())
    if total.done == 0:
        console.print(f"\nNothing to do: all {total.already:,} items are there already ({seconds:.0f} s).")
    for question, statement in STATEMENTS:
        console.print(
            f'\n[bold]{question}[/bold]\n[dim]{command()} --lake {lake} sql "{statement}"[/dim]',
            soft_wrap=True,
        )
        _print_rows(lake, statement)
    console.print(f"\n{_speech(lake, pulled)}", soft_wrap=True)
    console.print(f"\nRelease {NAME} {VERSION} is verified; its copy in {pulled} too ({seconds:.0f} s).")
    report = pulled if is_s3(lake) else _published(lake).name
    console.print(f"Look at it: [bold]{Path(report) / 'report.html'}[/bold]", soft_wrap=True)


def _speech(lake: str, pulled: str) -> str:
    """What became of all utterances."""
    (row,) = lake_at(lake).rows(
        "SELECT count(*) AS cut, count(*) FILTER (utterance_id IN (SELECT utterance_id FROM candidates)) AS found "
        "FROM utterances"
    )
    configs = parquet.read_table(Path(pulled) / "items.parquet", columns=["config"])["config"].to_pylist()
    released = configs.count("wesr")
    return (
        f"Of {row['cut']} utterances the search for vocal events found {row['found']}, and none in the other "
        f"{row['cut'] - row['found']}; {released} of those found are released, and {row['found'] - released} are not, "
        "for their licence."
    )


def _published(lake: str) -> Found:
    return find_release(f"{NAME}@{VERSION}", lambda: lake)


def _beside(lake: str) -> str:
    """The lake's place, or for one in a bucket a folder of its name here."""
    return lake.rstrip("/").rpartition("/")[2] if is_s3(lake) else lake


def _print_rows(lake: str, statement: str) -> None:
    rows = lake_at(lake).sql(statement)
    names = rows.column_names
    widths = [max(len(n), *(len(str(v)) for v in rows[n].to_pylist()), 0) for n in names]
    for line in [names, *([str(v) for v in row.values()] for row in rows.to_pylist())]:
        console.print("  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)))
