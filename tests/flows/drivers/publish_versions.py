"""Publish the versions that come in on standard input, each in a process of its own, which may be killed.

Says the number of each process when it begins; at the next line of input waits for it and says its exit status
(negative: the signal that ended it). Until then its number is nobody else's. The processes are forks, so that only the
first pays for the imports.

python publish_versions.py LAKE
"""

import os
import sys
import traceback

from sonolake.lake.run import running
from tasks.opening import lake_at
from tasks.publishing import publish_release


def publish(lake, version):
    with running(lake_at(lake), "release", {"version": version}) as run:
        publish_release.fn(lake, run.run_id, "kept", version, "2026-11-30")


def attempt(lake, version):
    try:
        publish(lake, version)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def say(number):
    os.write(1, b"%d\n" % number)


say(0)
while line := sys.stdin.readline():
    child = os.fork()
    if child == 0:
        attempt(sys.argv[1], line.strip())
    say(child)
    sys.stdin.readline()
    _, status = os.waitpid(child, 0)
    say(os.waitstatus_to_exitcode(status))
