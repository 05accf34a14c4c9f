"""Any recording as FLAC, so that a time in it is the same time for everybody.

Positions inside Vorbis and MP3 depend on who seeks: what is to be timed is decoded once, from its beginning. A long
recording is read in pieces and becomes several files, each cut where it is quietest within the last minute it may have,
so that five hours need no more memory than ten minutes.
"""

from __future__ import annotations

import mmap
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from sonolake.audio import libav
from sonolake.audio.containers import identify
from sonolake.audio.decode import MAX_SECONDS, MAX_VALUES, decode, length_flags, promise_of
from sonolake.audio.encode import flac_bytes, quantise
from sonolake.audio.promise import Promise
from sonolake.audio.reading import Limits, Unreadable
from sonolake.audio.signals import Signal
from sonolake.errors import ItemRefused

HEAD = 1 << 20
"""Bytes in which a header is looked for; a smaller file is decoded rather than asked how long it is."""
WHOLE_BYTES = 128 << 20
"""A larger file is not read into memory."""
BLOCK_FRAMES = 1 << 16
QUIET_S = 0.5
"""Length of the stretch that must be quiet around a cut."""
SEARCH_S = 60.0
"""The last seconds of a part, in which it is cut."""
MOST_FLAC_CHANNELS = 8


@dataclass(frozen=True)
class Piece:
    """One file.

    Attributes:
        path: a FLAC file of 16 bits.
        start_s, end_s: where in the recording it lies.
        codec: of the recording, libav's name; empty where it was read in pieces.
        flags: what was odd about the recording, as in :class:`~sonolake.audio.decode.Decoded`; of parts the last one
            has them.
    """

    path: Path
    start_s: float
    end_s: float
    codec: str = ""
    flags: tuple[str, ...] = ()


def canonical(path: Path, folder: Path, part_s: float) -> list[Piece]:
    """``path`` as FLAC files in ``folder``, each at most ``part_s`` seconds long; itself where it is one.

    Samples over full scale, which lossy codecs make, are set to full scale.

    Raises:
        ItemRefused: as :func:`sonolake.audio.decode.decode`, ``too_long`` apart.
    """
    if path.stat().st_size <= WHOLE_BYTES:
        try:
            return [_short(path, folder, part_s)]
        except ItemRefused as refused:
            if refused.reason != "too_long":
                raise
    return list(parts(path, folder, part_s))


def parts(path: Path, folder: Path, part_s: float) -> Iterator[Piece]:
    """The same always in pieces, each given as soon as it is written: whoever is done with one may delete it.

    Raises:
        ItemRefused: when what is wrong is come to, which may be after some pieces.
    """
    return _Parts(path.name, folder, part_s).of(path)


def declares_more(path: Path, seconds: float = MAX_SECONDS) -> bool:
    """Whether the header says that there is more than ``seconds`` of sound, or than is decoded at once.

    False where it does not say, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            promise = identify(file.read(HEAD))
        found = _declared(path, promise) if promise else None
        return found is not None and found[0] > Limits(seconds, MAX_VALUES).frames(*found[1:])
    except (OSError, Unreadable, ItemRefused):
        return False


def _declared(path: Path, promise: Promise) -> tuple[int, int, int] | None:
    """Frames, Hz and channels by the header, None where libav does not know the frames."""
    if not promise.soundfile:
        return libav.declared(str(path), promise.demuxer)
    import soundfile

    try:
        with soundfile.SoundFile(path) as file:
            return file.frames, file.samplerate, file.channels
    except soundfile.LibsndfileError as error:
        raise Unreadable(str(error.error_string)) from error


def _short(path: Path, folder: Path, part_s: float) -> Piece:
    decoded = decode(path.read_bytes(), path.name, part_s)
    seconds = len(decoded.samples) / decoded.sample_rate
    if decoded.container == "flac":
        return Piece(path, 0.0, seconds, decoded.codec, decoded.flags)
    _require_few(decoded.samples.shape[1])
    target = folder / f"{path.name}.flac"
    target.write_bytes(flac_bytes(quantise(np.clip(decoded.samples, -1.0, 1.0)), decoded.sample_rate))
    return Piece(target, 0.0, seconds, decoded.codec, decoded.flags)


def _require_few(channels: int) -> None:
    if channels > MOST_FLAC_CHANNELS:
        raise ItemRefused("unsupported_codec", f"{channels} channels; FLAC has at most {MOST_FLAC_CHANNELS}")


def _promised(path: Path) -> Promise:
    """What a file of any size promises; of a large one only those pages are read in which headers are."""
    if path.stat().st_size <= WHOLE_BYTES:
        return promise_of(path.read_bytes())
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return promise_of(cast("bytes", data))


def _blocks(path: Path, promise: Promise) -> Generator[tuple[Signal, int], None, bool]:
    """The recording in order: samples ``(frames, channels)`` and Hz; gives back whether its end does not decode.

    As :func:`~sonolake.audio.decode.decode`, libav goes on where libsndfile fails or stops short of the promise.
    """
    try:
        given = (yield from _sndfile_blocks(path, promise)) if promise.soundfile else 0
        if given is None:
            return False
        return (yield from _after(libav.blocks(str(path), promise.demuxer), given))
    except Unreadable as error:
        reason = "unsupported_codec" if error.unsupported else "corrupt"
        raise ItemRefused(reason, f"{promise.container}: {error}") from error


def _sndfile_blocks(path: Path, promise: Promise) -> Generator[tuple[Signal, int], None, int | None]:
    """The blocks that libsndfile gives; then how many frames these were, where libav may know more, else None."""
    import soundfile

    frames = 0
    try:
        with soundfile.SoundFile(path) as file:
            while len(block := file.read(BLOCK_FRAMES, dtype="float64", always_2d=True)):
                yield block, file.samplerate
                frames += len(block)
    except soundfile.LibsndfileError as error:
        if promise.demuxer:
            return frames
        raise Unreadable(str(error.error_string)) from error
    whole = promise.cut or frames >= (promise.frames or 0)
    return None if whole or not promise.demuxer else frames


def _after(
    blocks: Generator[tuple[Signal, int], None, bool], frames: int
) -> Generator[tuple[Signal, int], None, bool]:
    """``blocks`` without the first ``frames``."""
    while True:
        try:
            block, rate = next(blocks)
        except StopIteration as end:
            return bool(end.value)
        rest, frames = block[frames:], max(0, frames - len(block))
        if len(rest):
            yield rest, rate


@dataclass
class _Parts:
    """The parts of one recording as they are written."""

    name: str
    folder: Path
    part_s: float
    waiting: list[Signal] = field(default_factory=list)
    held: int = 0
    written: int = 0
    begun: int = 0
    count: int = 0
    most: int = 0
    rate: int = 0
    file: Any = None

    def of(self, path: Path) -> Iterator[Piece]:
        """The parts of ``path``."""
        promise = _promised(path)
        try:
            ended_badly = yield from self._cut(_blocks(path, promise))
            frames = self.begun + self.written + self.held
            if not frames:
                raise ItemRefused("truncated" if promise.cut else "empty", "a header without samples")
            flags = length_flags(promise, promise.frames, frames, ended_badly)
            self._write(self.held)
            yield replace(self._closed(), flags=flags)
        finally:
            if self.file is not None:
                self.file.close()

    def _cut(self, blocks: Generator[tuple[Signal, int], None, bool]) -> Generator[Piece, None, bool]:
        """The parts but the last one; gives back what ``blocks`` do."""
        while True:
            try:
                block, rate = next(blocks)
            except StopIteration as end:
                return bool(end.value)
            self._take(block, rate)
            while self.written + self.held > self.most:
                room = self.most - self.written
                self._write(_quietest(np.concatenate(self.waiting)[:room], self.rate))
                yield self._closed()
            if self.held > 2 * SEARCH_S * self.rate:
                self._write(int(self.held - SEARCH_S * self.rate))

    def _take(self, block: Signal, rate: int) -> None:
        if not self.rate:
            self.most = Limits(self.part_s, MAX_VALUES).frames(rate, block.shape[1])
            _require_few(block.shape[1])
            self.rate = rate
        if rate != self.rate or (self.waiting and block.shape[1] != self.waiting[0].shape[1]):
            raise ItemRefused("corrupt", "the format changes inside the stream")
        if not np.isfinite(block.sum()):
            raise ItemRefused("corrupt", "samples that are not finite numbers")
        self.waiting.append(block)
        self.held += len(block)

    def _write(self, frames: int) -> None:
        """Write the first ``frames`` of what waits to the part that is open."""
        if not frames:
            return
        whole = np.concatenate(self.waiting)
        if self.file is None:
            self.file = self._opened(whole.shape[1])
        self.file.write(quantise(np.clip(whole[:frames], -1.0, 1.0)))
        self.waiting, self.held = [whole[frames:]], self.held - frames
        self.written += frames

    def _opened(self, channels: int) -> Any:
        import soundfile

        path = self.folder / f"{self.name}.{self.count}.flac"
        return soundfile.SoundFile(path, "w", self.rate, channels, "PCM_16", format="FLAC")

    def _closed(self) -> Piece:
        """The part that was open."""
        path, end = Path(self.file.name), self.begun + self.written
        self.file.close()
        piece = Piece(path, self.begun / self.rate, end / self.rate)
        self.begun, self.written, self.count, self.file = end, 0, self.count + 1, None
        return piece


def _quietest(x: Signal, rate: int) -> int:
    """The middle of the quietest half second of the last minute, a frame from 1 on; the later one of equals."""
    width = max(1, int(QUIET_S * rate))
    first = max(0, len(x) - int(SEARCH_S * rate))
    tail = x[first:]
    if len(tail) <= width:
        return len(x)
    energy = np.concatenate([[0.0], np.cumsum(np.square(tail).sum(axis=1))])
    starts = np.arange(len(tail) - width, -1, -max(1, rate // 100))
    quietest = starts[int(np.argmin(energy[starts + width] - energy[starts]))]
    return first + int(quietest) + width // 2
