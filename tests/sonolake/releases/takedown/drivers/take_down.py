"""Take something down in a lake again and again, each time in a process of its own, which may be killed.

Reads lines ``LAKE`` from standard input; says the number of each process when it begins, waits for the next line, and
says the exit status (negative: the signal that ended it). The processes are forks: only the first pays for imports.
"""

import os
import sys
import traceback

import lancedb  # noqa: F401
import numpy  # noqa: F401
import pyarrow.compute  # noqa: F401

import sonolake.audio.encode
import sonolake.audio.spectrogram
import sonolake.datasets.samples  # noqa: F401
from sonolake import Lake
from sonolake.releases.takedown import Target, take_down


def attempt(place):
    try:
        with Lake.open(place) as lake:
            done = take_down(lake, Target("source", "freesound:1"), "The author asked for it.")
        os._exit(0 if done.gone else 2)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def say(number):
    os.write(1, b"%d\n" % number)


say(0)
while line := sys.stdin.readline():
    child = os.fork()
    if child == 0:
        attempt(line.strip())
    say(child)
    sys.stdin.readline()
    _, status = os.waitpid(child, 0)
    say(os.waitstatus_to_exitcode(status))
