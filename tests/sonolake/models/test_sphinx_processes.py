"""Alignments are done by processes beside the one that asks: what happens when either is killed."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sonolake.errors import ItemRefused
from sonolake.models.sphinx_processes import DecoderProcesses

ASKER = """
import sys, time
import numpy as np
from sonolake.errors import ItemRefused
from sonolake.models.registry import get
aligner = get("pocketsphinx")
while True:
    try:
        aligner.align(np.random.default_rng(1).normal(0.0, 0.1, 64000), 16000, ["told", "you"])
    except ItemRefused:
        pass
    print("aligned", flush=True)
"""


def children(pid):
    """Process ids of the decoders that a process has started."""
    found = Path(f"/proc/{pid}/task").glob("*/children")
    every = [int(child) for file in found for child in file.read_text().split()]
    return [child for child in every if b"sphinx_decoder" in command_of(child)]


def command_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def gone(pids, within_s=10.0):
    """Whether all have ended in time; those that nobody waits for are over, too."""
    until = time.monotonic() + within_s
    while any(command_of(pid) for pid in pids):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def test_threads_that_align_at_once_get_what_each_gets_alone(aligner, spaced):
    sentences, _, x, rate = spaced
    asked = [sentence.split() for sentence in sentences] * 2
    alone = [aligner.align(x, rate, words) for words in asked]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda words: aligner.align(x, rate, words), asked)) == alone


def test_decoders_that_were_killed_are_replaced(aligner, spaced):
    sentences, _, x, rate = spaced
    words = " ".join(sentences).split()
    first = aligner.align(x, rate, words)
    before = children(os.getpid())
    assert before
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    assert aligner.align(x, rate, words) == first


def test_a_decoder_killed_over_its_work_is_asked_again_in_a_new_process(aligner, spaced):
    sentences, _, x, rate = spaced
    words = " ".join(sentences).split()
    first = aligner.align(x, rate, words)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(aligner.align, x, rate, words)
        time.sleep(0.02)
        for pid in children(os.getpid()):
            os.kill(pid, signal.SIGKILL)
        assert asked.result() == first


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_decoders_go_with_the_process_that_asks(how):
    asker = subprocess.Popen(
        [sys.executable, "-c", ASKER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    with asker:
        assert asker.stdout.readline() == "aligned\n"
        decoders = children(asker.pid)
        assert decoders
        asker.send_signal(how)
    assert gone(decoders)


def test_speech_over_which_decoders_end_is_refused(aligner, spaced, tmp_path, monkeypatch):
    ends = tmp_path / "ends.py"
    ends.write_text("import sys\nsys.stdin.buffer.read(4)\n")
    monkeypatch.setattr("sonolake.models.sphinx_decoder.__file__", str(ends))
    monkeypatch.setattr("sonolake.models.sphinx._PROCESSES", DecoderProcesses())
    with pytest.raises(ItemRefused, match="alignment_failed: the decoder ended without an answer"):
        aligner.align(spaced[2], spaced[3], ["told"])
