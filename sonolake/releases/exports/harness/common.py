"""What all tasks call: prompt and sound of a row. The sound lies beside the file that this ends up in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def prompt(doc: Mapping[str, Any], lmms_eval_specific_kwargs: Mapping[str, Any] | None = None) -> str:
    """The prompt, as it is: nothing is put before or after it."""
    return str(doc["prompt"])


def sound(
    doc: Mapping[str, Any], lmms_eval_specific_kwargs: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """The sound as samples, never mixed down.

    ``channels`` among the task's own arguments is ``first`` (of Ambisonics W, the sound at the place without
    directions) or ``all``, an array of frames and channels.
    """
    import soundfile

    path = Path(__file__).parent / doc["audio"]
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    whole = (lmms_eval_specific_kwargs or {}).get("channels", "first") == "all"
    return [{"array": samples if whole else samples[:, 0], "sampling_rate": int(rate)}]


NAMES = ("prompt", "sound")
