"""How many threads a process may compute with."""

from __future__ import annotations

import os
import re


def thread_limit() -> int | None:
    """What ``OMP_NUM_THREADS`` says, as numeric libraries read it (OpenMP 5.2, 21.1.2); None where it says nothing.

    Whoever runs several processes on a machine says it there: small statements cost DuckDB twice the time on two
    threads that each wait for the other.
    """
    said = re.match(r"\s*(\d+)", os.environ.get("OMP_NUM_THREADS", ""))
    return max(1, int(said[1])) if said else None
