"""A sound's bytes to samples, by libsndfile alone."""

from __future__ import annotations

import io
from typing import Any

from numpy.typing import NDArray

from sonolake.errors import Damaged

DTYPES = ("float32", "float64", "int16", "int32")
"""What samples may be given as; the first two are in -1 to 1."""
ENCODED = "encoded"
"""No samples, but the bytes of the file."""


def samples_of(data: bytes, dtype: str, item_id: str) -> tuple[NDArray[Any], int]:
    """Samples ``(frames, channels)``, every channel kept, and the sample rate in Hz.

    Raises:
        Damaged: when libsndfile cannot decode them; the message names the item.
    """
    import soundfile

    try:
        samples, rate = soundfile.read(io.BytesIO(data), dtype=dtype, always_2d=True)
    except soundfile.LibsndfileError as error:
        raise Damaged(f"the sound of {item_id} cannot be decoded: {error.error_string}") from error
    return samples, int(rate)
