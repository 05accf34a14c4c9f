"""Files whose bytes depend on their content alone: JSON, gzip and tar without clock, user or host."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

MODE = 0o644


def json_text(value: Any) -> str:
    """``value`` as one line of JSON; NaN and infinities, which JSON has not, are null, bytes hexadecimal."""
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False)


def plain(value: Any) -> Any:
    """``value`` in JSON's types."""
    if isinstance(value, float):
        return value if value - value == 0 else None
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value.hex() if isinstance(value, bytes) else str(value)


class Lines:
    """A file of JSON lines, packed with gzip where its name ends in ``.gz``; used as a context manager."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("wb")
        packed = path.suffix == ".gz"
        self._out: Any = gzip.GzipFile("", "wb", 6, self._file, mtime=0) if packed else self._file

    def write(self, value: Any) -> None:
        """Add a line."""
        self._out.write(json_text(value).encode() + b"\n")

    def close(self) -> None:
        """Finish the file."""
        self._out.close()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def member(name: str, size: int) -> tarfile.TarInfo:
    """What a tar archive says of a file of ``size`` bytes: no time, user or group."""
    info = tarfile.TarInfo(name)
    info.size, info.mode, info.mtime = size, MODE, 0
    return info


class Tar:
    """A tar archive (POSIX ustar; longer names by PAX) whose members have no time, user or group."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._tar = tarfile.open(path, "w", format=tarfile.PAX_FORMAT)  # noqa: SIM115 (closed by close)
        self.size = 0

    def add(self, name: str, data: bytes) -> None:
        """Add a member."""
        self._tar.addfile(member(name, len(data)), io.BytesIO(data))
        self.size += len(data)

    def close(self) -> None:
        """Finish the archive."""
        self._tar.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
