"""What the adapters that run on PyTorch share: whether it is there, where it runs, and checkpoints read safely.

On the processor a network runs with one thread and one window at a time, so that equal sounds give equal bytes however
they are batched. A graphics card runs them in batches; its bytes are equal on one kind of card at best.
"""

from __future__ import annotations

import pickle
from functools import cache
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput, NotFound
from sonolake.models.packages import ENCODERS_LINE, require

BATCH_ON_CARD = 32


def require_torch(role: str, *modules: str) -> None:
    """Make sure that PyTorch, and other ``modules``, can be imported, without importing them.

    Raises:
        MissingPackage: for the first that is not installed.
    """
    require(role, "torch", *modules, line=ENCODERS_LINE)


@cache
def device() -> str:
    """``cuda`` where PyTorch finds a card, else ``cpu``, which then runs with one thread."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    torch.set_num_threads(1)
    return "cpu"


def batch_size() -> int:
    """How many windows go through a network at once."""
    return BATCH_ON_CARD if device() == "cuda" else 1


def existing(path: str, what: str) -> Path:
    """The path as it is, with ``~`` resolved.

    Raises:
        NotFound: nothing is there.
    """
    found = Path(path).expanduser()
    if not found.exists():
        raise NotFound(f"{what}: no file or folder {found}")
    return found


def read_checkpoint(path: Path) -> dict[str, Any]:
    """A checkpoint's dictionary, its tensors in main memory; nothing in the file is run.

    Raises:
        InvalidInput: a file that is no checkpoint, or holds more than tensors, numbers and text.
    """
    import torch

    try:
        with torch.serialization.safe_globals(_numbers()):
            read = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, KeyError) as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InvalidInput("checkpoint", "tensors saved by PyTorch", str(path), said) from None
    if not isinstance(read, dict):
        raise InvalidInput("checkpoint", "a dictionary of tensors", type(read).__name__)
    return read


def _numbers() -> list[Any]:
    """NumPy's numbers, which some trainers save beside the tensors, by their old name and by their new one."""
    import numpy as np

    scalar = np._core.multiarray.scalar  # type: ignore[attr-defined]
    kinds = [type(np.dtype(kind)) for kind in ("f4", "f8", "i4", "i8", "b1")]
    return [(scalar, f"numpy.{core}.multiarray.scalar") for core in ("core", "_core")] + [np.dtype, *kinds]
