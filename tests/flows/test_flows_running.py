"""What every flow does around its steps."""

import importlib
import io

import pytest
from prefect import flow, task
from rich.console import Console

from flows import progress
from flows.running import in_batches, run_in
from sonolake import Lake
from sonolake.errors import Damaged, NotFound
from sonolake.lake.step import Counts


@task(persist_result=False)
def double(numbers):
    if 7 in numbers:
        raise Damaged("seven is not to be read")
    return [2 * n for n in numbers]


@flow
def doubling(lake, numbers, size):
    futures = []

    def submit(some):
        futures.append(double.submit(some))
        return futures[-1]

    with run_in(lake, "doubling", {"size": size}):
        in_batches("double", numbers, size, submit)
    return [future.result() for future in futures]


def runs(folder):
    with Lake.open(folder, read_only=True) as lake:
        return lake.rows("SELECT flow, parameters, outcome FROM runs")


def test_batches_have_the_size_asked(engine, tmp_path):
    assert doubling(str(tmp_path / "lake"), [1, 2, 3, 4, 5], 2) == [[2, 4], [6, 8], [10]]
    (run,) = runs(tmp_path / "lake")
    assert (run["flow"], run["parameters"], run["outcome"]) == ("doubling", '{"size":2}', "done")


def test_what_a_task_raises_ends_the_flow_and_the_run(engine, tmp_path):
    with pytest.raises(Damaged, match="seven"):
        doubling(str(tmp_path / "lake"), [5, 6, 7, 8], 2)
    (run,) = runs(tmp_path / "lake")
    assert run["outcome"] not in ("done", None)


def test_nothing_to_do_is_done(engine, tmp_path):
    assert doubling(str(tmp_path / "lake"), [], 2) == []


def test_counts_and_seconds_are_said_where_there_is_no_terminal(capsys, monkeypatch):
    now = iter([0.0, 4.0, 11.0, 12.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    with progress.tracking("render clips", 9) as advance:
        for _ in range(2):
            advance(3)
    # Six of nine after 11 s: the other three take 5.5 s.
    assert capsys.readouterr().err.splitlines() == [
        "render clips: 6/9, about 6 s left",
        "render clips: 6/9 in 12.0 s",
    ]


def test_a_bar_is_shown_on_a_terminal(monkeypatch):
    screen = io.StringIO()
    monkeypatch.setattr(progress, "console", Console(file=screen, force_terminal=True, width=100))
    with progress.tracking("render clips", 4) as advance:
        advance(4)
    assert "render clips" in screen.getvalue() and "4/4" in screen.getvalue()


def test_the_table_of_counts_points_at_what_was_refused(capsys, monkeypatch):
    monkeypatch.setattr(progress, "console", Console(stderr=True, highlight=False))
    progress.counts_table({"ingest-take": Counts(taken=1200, done=1199, quarantined=1)}, "my-lake")
    out, err = capsys.readouterr()
    assert out.split()[:7] == ["step", "taken", "done", "already", "quarantined", "duplicates", "made"]
    assert out.split()[7:] == ["ingest-take", "1,200", "1,199", "·", "1", "·", "·"]
    assert "sonolake --lake my-lake quarantine --summary" in err


@pytest.mark.parametrize(
    ("module", "name", "message"),
    [
        ("cares_scenes", "cares", "no place has an ambience in every split: take in three or more ambiences"),
        (
            "rms_aqa_clips",
            "rms_aqa",
            "no clip can be made: it takes four-channel responses of rooms and takes",
        ),
        ("wesr_mining", "wesr", "there is no speech to mine: take some in first"),
        ("releasing", "release", "nothing to release"),
    ],
)
def test_a_lake_with_nothing_to_make_from_is_said(engine, tmp_path, module, name, message):
    made = getattr(importlib.import_module(f"flows.{module}"), name)
    lake = str(tmp_path / "lake")
    with pytest.raises(NotFound, match=message):
        made(**({"name": "demo", "version": "0.1.0", "lake": lake} if name == "release" else {"lake": lake}))
