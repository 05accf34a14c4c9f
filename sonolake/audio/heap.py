"""Memory of large arrays, kept by the process instead of given back after each use."""

from __future__ import annotations

import ctypes
import sys
from functools import cache

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_LARGEST_BYTES = 64 << 20
_KEPT_BYTES = 1 << 30
_ARENAS = 2


@cache
def keep_memory() -> bool:
    """Let the C library keep freed memory of up to 1 GiB for the next array; whether it does.

    GNU's gives arrays of more than 128 KiB back to the system when they are freed (mallopt(3), ``M_MMAP_THRESHOLD``),
    and the system clears every page of the next one: with arrays of a few megabytes that takes as long as the
    arithmetic. What is free at the end of the heap it gives back as well (``M_TRIM_THRESHOLD``), as it is between two
    items: a scene of two minutes leaves some 200 MiB. And it gives threads heaps of their own, up to eight a processor,
    each of which would keep what the largest item took there: no more are opened (``M_ARENA_MAX``). It settles how many
    there may be when it opens the ninth, so this is to be called before many threads are at work. For processes that
    render or analyse one item after the other. Other C libraries are left as they are.
    """
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and bool(
        mallopt(_ARENA_MAX, _ARENAS)
        and mallopt(_MMAP_THRESHOLD, _LARGEST_BYTES)
        and mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
    )
