"""Kill a pull, a rebuild or a publication at random moments, say after each what lies there, and let one finish.

python kills.py pull|rebuild|publish RELEASE LAKE DEST KILLS SEED

Everything is imported once; each run is a fork. Prints a line a kill, ``nothing``, ``begun`` or ``whole``, then the
manifest of what was finished. A folder that says it is whole and is not ends it with an error.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from sonolake import Lake, running
from sonolake.datasets import release as publish
from sonolake.releases import pull, verify
from sonolake.releases.finding import find_release
from sonolake.releases.layout import COMPLETE
from sonolake.releases.rebuilding import makers_of, rebuild

sys.path.insert(0, str(Path(__file__).parent))
from beeping import DATA_SET

what, release, lake, dest, kills, seed = sys.argv[1:]
dest = Path(dest)


def work():
    if what == "pull":
        pull(Path(release), dest)
        return
    if what == "publish":
        with Lake.open(lake) as opened, running(opened, "tests") as run:
            publish(run, [DATA_SET], dest.parent.name, dest.name, "2026-11-30")
        return
    with Lake.open(lake, read_only=True) as opened:
        offered = find_release(release, lambda: lake).offered
        made = rebuild(offered, dest, makers_of(opened, [DATA_SET]), 2, [DATA_SET])
        assert made.otherwise == (), made.otherwise


def begin():
    child = os.fork()
    if not child:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return child


def state():
    if not (dest / COMPLETE).exists():
        return "begun" if dest.exists() else "nothing"
    problems = verify(dest)
    assert not problems, problems
    return "whole"


rng = random.Random(int(seed))
began = time.monotonic()
assert os.waitpid(begin(), 0)[1] == 0
took = time.monotonic() - began
for kill in range(int(kills)):
    if state() == "whole":
        dest = dest.with_name(f"1.{kill + 1}.0")
    child = begin()
    time.sleep(rng.uniform(0.0, took))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    sys.stdout.write(f"{state()}\n")
if state() != "whole":
    assert os.waitpid(begin(), 0)[1] == 0
assert state() == "whole"
sys.stdout.write((dest / COMPLETE).read_text())
