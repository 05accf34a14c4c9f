"""What every flow does around its steps."""

import importlib
import io

import pytest
from prefect import flow, task
from rich.console import Console

from flows import progress, taken
from flows.ingesting import ingest_takes
from flows.running import in_batches, run_in
from flows.vectors import embed
from sonolake import Lake
from sonolake.errors import Damaged, NotFound
from sonolake.lake.step import Counts
from sonolake.sources.intake import Intake


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


def said_at(capsys, monkeypatch, total, moments):
    """What is said of batches of three that end at some moments, where there is no terminal."""
    now = iter([0.0, *moments, moments[-1] + 1.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    with progress.tracking("render clips", total) as advance:
        for _ in moments:
            advance(3)
    return capsys.readouterr().err.splitlines()


def test_counts_and_seconds_are_said_where_there_is_no_terminal(capsys, monkeypatch):
    # After the first three, which also took what is done once, three took 7 s: the other three take as long.
    assert said_at(capsys, monkeypatch, 9, [4.0, 11.0]) == [
        "render clips: 6/9, about 7 s left",
        "render clips: 6/9 in 12.0 s",
    ]


def test_no_time_is_said_before_it_means_something(capsys, monkeypatch):
    # The first batch says nothing of the others; three of the other 297 in a second say little; three more in the ten
    # seconds after it are a rate of 2 s each: 97 batches of three are left, 582 s, some 10 min.
    assert said_at(capsys, monkeypatch, 300, [30.0, 31.0, 42.0]) == [
        "render clips: 3/300",
        "render clips: 9/300, about 10 min left",
        "render clips: 9/300 in 43.0 s",
    ]


def test_what_an_earlier_run_made_does_not_shorten_the_time_that_is_left(capsys, monkeypatch):
    # A hundred batches of three are there already, then three take 6 s: the last 180 of 600 take six minutes.
    moments = [*[1.0] * 100, *(1.0 + 6.0 * k for k in range(1, 41))]
    assert "render clips: 420/600, about 6 min left" in said_at(capsys, monkeypatch, 600, moments)


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


def test_no_table_is_shown_where_nothing_was_done(capsys):
    progress.counts_table({}, "my-lake")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("counts", "refused", "said"),
    [
        (Counts(taken=3, done=2, quarantined=1), {"a"}, []),
        (Counts(taken=3, already=3), {"a"}, ["1 of the 3 that are there already were refused before"]),
        (Counts(taken=2, quarantined=2), {"a", "b"}, ["nothing was taken: all 2 items are set aside"]),
        (
            Counts(taken=2, already=1, quarantined=1),
            {"a", "b"},
            [
                "nothing was taken: all 2 items are set aside",
                "1 of the 1 that are there already were refused before",
            ],
        ),
    ],
)
def test_what_counts_do_not_say_of_an_ingest_is_said(capsys, monkeypatch, counts, refused, said):
    monkeypatch.setattr(taken, "lake_at", lambda lake: None)
    monkeypatch.setattr(taken, "refused_among", lambda *_: refused)
    taken.tell("my-lake", Intake("take"), ["a", "b", "c"], counts)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(said) and all(map(str.startswith, lines, said)), lines


def test_an_empty_source_is_said_and_done(engine, capsys, tmp_path):
    (tmp_path / "sounds").mkdir()
    (tmp_path / "sounds/.hidden.wav").touch()
    assert ingest_takes(str(tmp_path / "sounds"), str(tmp_path / "lake")) == {}
    assert f"nothing to take: there is no file in {tmp_path / 'sounds'}" in capsys.readouterr().err
    assert [run["outcome"] for run in runs(tmp_path / "lake")] == ["done"]
    assert embed(str(tmp_path / "lake")) == {}
    assert "nothing to embed: the lake has no sounds" in capsys.readouterr().err
