"""Which storage it is: a folder, or a prefix in S3. Nothing else asks which."""

from __future__ import annotations

from pathlib import Path

from sonolake.errors import InvalidInput
from sonolake.lake.storage import LocalStorage, Storage
from sonolake.s3 import is_s3


def storage_at(place: str | Path) -> Storage:
    """The folder or ``s3://bucket/prefix`` that ``place`` names.

    Raises:
        InvalidInput: for an address that is none.
        MissingPackage: for S3, when boto3 is not installed.
    """
    if is_s3(place):
        from sonolake.lake.s3_storage import S3Storage

        return S3Storage.at(str(place))
    if isinstance(place, str) and (not place.strip() or "://" in place):
        raise InvalidInput("lake", "a folder or s3://bucket/prefix", place)
    return LocalStorage(Path(place).absolute())
