"""An encoder that lives in another environment, as a command: paths or texts in, Arrow vectors out.

Models whose packages do not go together with ours run where they do. The command is started with two more arguments,
what to do and a file to write; ``docs/models.md`` has worked examples:

- ``describe OUT`` writes a JSON object: ``dim``, ``sample_rate`` in Hz, ``weights_sha256``, and where they differ from
  the defaults ``name``, ``licence``, ``window_s``, ``hop_s``, and ``text``, whether it encodes text, too;
- ``audio OUT`` reads JSON lines ``{"path": …}`` of mono WAV files, ``text OUT`` of ``{"text": …}``, and writes an Arrow
  file or stream with a column ``vector``, a row a line in the same order.

Nothing it writes is trusted: another count, another length, null, NaN or infinity is refused.
"""

from __future__ import annotations

import json
import os
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.errors import InvalidInput, Unreachable
from sonolake.models.base import Vectors
from sonolake.models.checkpoints import UNKNOWN
from sonolake.models.exec_arrow import vectors_in
from sonolake.models.exec_run import run
from sonolake.models.signals import mono_at
from sonolake.models.windows import windows_of

TIMEOUT = "SONOLAKE_EXEC_TIMEOUT"
"""The environment variable with the longest time in seconds that one call may take."""
TIMEOUT_S = 600.0
CALL = 512
"""Windows, or texts, of one call: a command loads its model at each."""


@dataclass(frozen=True)
class Described:
    """What a command says of itself.

    Raises:
        InvalidInput: a value that no encoder has.
    """

    dim: int
    sample_rate: int
    weights_sha256: str
    name: str = ""
    licence: str = UNKNOWN.licence
    window_s: float = 2.0
    hop_s: float = 1.0
    text: bool = False

    def __post_init__(self) -> None:
        whole = {"dim": (self.dim, 1, 65_536), "sample_rate": (self.sample_rate, 1000, 384_000)}
        for name, (value, least, most) in whole.items():
            if not isinstance(value, int) or not least <= value <= most:
                raise InvalidInput(name, f"a whole number from {least} to {most}", value)
        digest = self.weights_sha256
        if not isinstance(digest, str) or len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
            raise InvalidInput(
                "weights_sha256", "64 hexadecimal digits: every vector names its weights", digest
            )
        times = (self.window_s, self.hop_s)
        if (
            not all(isinstance(one, int | float) for one in times)
            or not 0 < self.hop_s <= self.window_s <= 60
        ):
            raise InvalidInput("window_s and hop_s", "0 < hop_s <= window_s <= 60", times)


class ExecEncoder:
    """A :class:`~sonolake.models.base.JointEncoder`; :meth:`encode_text` only where the command says so.

    Args:
        command: as a shell splits it; no shell runs it.
        timeout_s: the longest time of one call; by default what :data:`TIMEOUT` says, else ten minutes.
    """

    def __init__(self, command: str, timeout_s: float | None = None) -> None:
        self.spec = f"exec:{command}"
        self._command = _split(command)
        self._timeout_s = _timeout() if timeout_s is None else timeout_s
        self._one_at_a_time = RLock()

    @cached_property
    def _described(self) -> Described:
        with self._one_at_a_time, tempfile.TemporaryDirectory(prefix="sonolake-") as folder:
            said = self._run("describe", Path(folder) / "described.json", "")
        try:
            return Described(**json.loads(said))
        except (ValueError, TypeError) as error:
            raise Unreachable(f"{self.spec} describe: {error}") from None

    @property
    def weights_sha256(self) -> str:
        """SHA-256 of the weights, as the command says."""
        return self._described.weights_sha256

    @property
    def licence(self) -> str:
        """The licence of the weights, as the command says."""
        return self._described.licence

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._described.dim

    @property
    def sample_rate(self) -> int:
        """The rate in Hz of the files that the command is given."""
        return self._described.sample_rate

    @property
    def window_s(self) -> float:
        """Length of a window in seconds; the last one of a sound may be shorter."""
        return self._described.window_s

    @property
    def hop_s(self) -> float:
        """From one window's start to the next one's, in seconds."""
        return self._described.hop_s

    @property
    def knows_text(self) -> bool:
        """Whether it encodes text, too."""
        return self._described.text

    @property
    def about(self) -> str:
        """The name that the command gives itself."""
        return self._described.name or f"a command, {self.dim}-d"

    def encode(self, x: npt.NDArray[Any], rate: int) -> Vectors:
        """Vectors ``(n_windows, dim)`` of a mono signal.

        Raises:
            InvalidInput: when the signal is empty, not mono, or not finite.
            Unreachable: when the command fails, takes too long, or does not answer as agreed.
        """
        return self.encode_many([(x, rate)])[0]

    def encode_many(self, signals: Sequence[tuple[npt.NDArray[Any], int]]) -> list[Vectors]:
        """:meth:`encode` of several signals with as few calls as there can be."""
        window, hop = (round(one * self.sample_rate) for one in (self.window_s, self.hop_s))
        cut = [windows_of(mono_at(x, rate, self.sample_rate), window, hop) for x, rate in signals]
        every = [one for windows in cut for one in windows]
        made = [self._heard(every[start : start + CALL]) for start in range(0, len(every), CALL)]
        return np.split(np.concatenate(made), np.cumsum([len(windows) for windows in cut])[:-1])

    def encode_text(self, texts: Sequence[str]) -> Vectors:
        """Vectors ``(len(texts), dim)``.

        Raises:
            InvalidInput: for a command that says it encodes sound only.
            Unreachable: as of :meth:`encode`.
        """
        if not self.knows_text:
            raise InvalidInput(
                self.spec, "an encoder of text", "one of sound only", "describe says text: false"
            )
        if not texts:
            return np.empty((0, self.dim), dtype=np.float32)
        return self._asked("text", [{"text": text} for text in texts])

    def _heard(self, windows: Sequence[npt.NDArray[Any]]) -> Vectors:
        import soundfile

        with tempfile.TemporaryDirectory(prefix="sonolake-") as folder:
            paths = [str(Path(folder) / f"{number:06}.wav") for number in range(len(windows))]
            for path, window in zip(paths, windows, strict=True):
                soundfile.write(path, window, self.sample_rate, subtype="FLOAT")
            return self._asked("audio", [{"path": path} for path in paths])

    def _asked(self, what: str, lines: Sequence[Mapping[str, str]]) -> Vectors:
        given = "".join(f"{json.dumps(line)}\n" for line in lines)
        with self._one_at_a_time, tempfile.TemporaryDirectory(prefix="sonolake-") as folder:
            written = self._run(what, Path(folder) / "vectors.arrow", given)
        try:
            return vectors_in(written, len(lines), self.dim)
        except InvalidInput as error:
            raise Unreachable(f"{self.spec} {what}: {error}") from None

    def _run(self, what: str, out: Path, given: str) -> bytes:
        said = run([*self._command, what, str(out)], given, self._timeout_s, f"{self.spec} {what}")
        if not out.is_file():
            raise Unreachable(f"{self.spec} {what}: it ended well and wrote no file {out.name}{said}")
        return out.read_bytes()


def _split(command: str) -> list[str]:
    try:
        parts = shlex.split(command)
    except ValueError as error:
        raise InvalidInput("exec", "a command", command, str(error)) from None
    if not parts:
        raise InvalidInput("exec", "a command", command)
    return [str(Path(parts[0]).expanduser()), *parts[1:]]


def _timeout() -> float:
    said = os.environ.get(TIMEOUT, str(TIMEOUT_S))
    try:
        seconds = float(said)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise InvalidInput(TIMEOUT, "seconds, more than 0", said)
    return seconds
