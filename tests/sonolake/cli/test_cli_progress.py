"""How far a pull is: counts, bytes and time left on a terminal, nothing anywhere else."""

import io
import os
import pty
import re
import sys
import threading
from contextlib import suppress

import pytest

from sonolake.cli import progress
from sonolake.errors import Unreachable
from sonolake.releases import pull, pull_items, read_manifest
from sonolake.releases.offered import offered
from sonolake.releases.origins import FolderOrigin
from sonolake.releases.pace import Pace, Watch


@pytest.fixture
def folder(stocked):
    return stocked.root / "releases" / "demo" / "0.1.0"


@pytest.fixture
def terminal(monkeypatch):
    """What a block says on standard error where that is a terminal."""
    monkeypatch.setenv("COLUMNS", "120")

    def said(work):
        master, slave = pty.openpty()
        shown = []

        def read():
            with suppress(OSError):
                while data := os.read(master, 65536):
                    shown.append(data)

        reader = threading.Thread(target=read)
        reader.start()
        with os.fdopen(slave, "w") as stream, monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", stream)
            try:
                with progress.watching() as watch:
                    work(watch)
            except Unreachable as error:
                shown.append(f"<{error}>".encode())
        reader.join()
        os.close(master)
        return b"".join(shown).decode()

    return said


def sizes(folder):
    return [file.bytes for file in read_manifest(folder)]


def test_on_a_terminal_it_counts_files_and_bytes_to_the_end(folder, terminal, tmp_path):
    text = terminal(lambda watch: pull(folder, tmp_path / "mine", pace=Pace(2, watch=watch)))
    total = f"{sum(sizes(folder)) / 1e6:,.1f} MB"
    counts = [int(n) for n in re.findall(rf"(\d+) of {len(sizes(folder))} files, [\d.]+ MB of {total}", text)]
    assert counts == sorted(counts) and counts[0] == 0 and counts[-1] == len(sizes(folder))
    shares = [int(n) for n in re.findall(r"(\d+)%", text)]
    assert shares == sorted(shares) and shares[-1] == 100


def test_time_left_is_said_while_something_is_left(monkeypatch, terminal):
    clock = iter(range(10_000))
    monkeypatch.setattr("time.time", lambda: float(next(clock)))

    def work(watch):
        watch.begin(2, 4_000_000)
        for _ in range(3):
            watch.came(1_000_000)

    assert re.search(r"0 of 2 files, 3\.0 MB of 4\.0 MB .*00:00:\d\d", terminal(work))


def test_what_is_there_already_counts_and_what_is_chosen_ends_at_the_end(folder, terminal, tmp_path):
    for _ in range(2):
        text = terminal(
            lambda watch: pull_items(folder, tmp_path / "mine", "split = 'test'", pace=Pace(1, watch=watch))
        )
        files, of, came, size = re.findall(r"(\d+) of (\d+) files, ([\d.]+) MB of ([\d.]+) MB", text)[-1]
        assert files == of and came == size and text.count("100%") >= 1


def test_a_pull_that_fails_leaves_a_terminal_that_can_be_written_to(folder, terminal, tmp_path):
    class Broken(FolderOrigin):
        def stream(self, path, start=0, end=None):
            if path.startswith("data"):
                raise Unreachable("gone")
            return super().stream(path, start, end)

    source = offered(Broken(folder))
    text = terminal(lambda watch: pull(source, tmp_path / "mine", pace=Pace(1, watch=watch)))
    assert "<gone>" in text and text.replace("<gone>", "").endswith("\x1b[?25h\r\n"), (
        "the line is ended, and the cursor shown again"
    )


def test_elsewhere_nothing_is_said(folder, cli, monkeypatch, tmp_path):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress.watching() as watch:
        assert type(watch) is Watch
        pull(folder, tmp_path / "mine", pace=Pace(watch=watch))
    assert stream.getvalue() == ""
    assert cli("pull", folder, tmp_path / "again").stderr == ""
