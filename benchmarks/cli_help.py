"""CPU time of ``sonolake --help``, median of ten: wanted is under 0.5 s.

python benchmarks/cli_help.py
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("sonolake")
LIMIT_S = 0.5


def cpu_seconds(command: list[str]) -> float:
    """User and system time of one run of ``command``."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> int:
    """Measure and print; status 1 when it takes longer than the limit."""
    helped = statistics.median(cpu_seconds([str(PROGRAM), "--help"]) for _ in range(10))
    bare = statistics.median(cpu_seconds([sys.executable, "-c", "pass"]) for _ in range(10))
    print(
        f"sonolake --help: {helped:.3f} s of CPU ({helped / bare:.1f} times a bare Python, limit {LIMIT_S} s)"
    )
    return int(helped > LIMIT_S)


if __name__ == "__main__":
    sys.exit(main())
