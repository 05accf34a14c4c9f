"""Publish the versions that come in on standard input, each in a process of its own, which may be killed.

Says the number of each process when it begins; at the next line of input waits for it and says its exit status
(negative: the signal that ended it). Until then its number is nobody else's. The processes are forks, so that only the
first pays for the imports; the first also reads the content, which the others find in a file, so that kills
hit the building and the recording.

python publish_versions.py LAKE CONTENT
"""

import dataclasses
import os
import pickle
import sys
import traceback
from pathlib import Path

from sonolake.lake.run import running
from sonolake.releases.publishing import publish
from tasks.contents import content_of
from tasks.opening import lake_at


def content_at(lake, version):
    kept = Path(sys.argv[2])
    if not kept.exists():
        kept.write_bytes(pickle.dumps(content_of(lake, "kept", version, "2026-11-30", lake.snapshot)))
    return dataclasses.replace(pickle.loads(kept.read_bytes()), version=version)


def attempt(path, version):
    try:
        lake = lake_at(path)
        with running(lake, "release", {"version": version}) as run:
            publish(run, content_at(lake, version), lake.snapshot)
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
