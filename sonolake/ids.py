"""Identity and seeds.

Bytes are named by their SHA-256. What is made is named by a hash of what it is made from, so the same recipe
is the same id; everything random is seeded by the id of the thing it is for, never by order or worker.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from typing import Any

import numpy as np


def sha256_hex(data: bytes | memoryview) -> str:
    """SHA-256 of ``data``, 64 lower-case hexadecimal digits (FIPS 180-4)."""
    return hashlib.sha256(data).hexdigest()


def canonical_json(value: Any) -> str:
    """``value`` as JSON with sorted keys, no blanks and NFC text: equal values give equal text.

    Raises:
        ValueError: for NaN or infinity.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return unicodedata.normalize("NFC", text)


def make_id(kind: str, parts: Mapping[str, Any]) -> str:
    """The name of a made thing: ``kind-`` and 20 hexadecimal digits of the hash of what it is made from."""
    return f"{kind}-{sha256_hex(canonical_json({'kind': kind, **parts}).encode())[:20]}"


def seed_of(item_id: str, purpose: str = "") -> int:
    """A 63-bit seed from an item's id; ``purpose`` separates independent draws for one item."""
    digest = hashlib.sha256(f"{purpose}\0{item_id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def rng_of(item_id: str, purpose: str = "") -> np.random.Generator:
    """A generator (PCG64) seeded by :func:`seed_of`."""
    return np.random.Generator(np.random.PCG64(seed_of(item_id, purpose)))
