"""Files that killed writers began to put into S3 and never finished: nobody sees them, and they are paid for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sonolake import s3
from sonolake.lake.s3_storage import S3Storage
from sonolake.lake.storage import Entry


@dataclass(frozen=True)
class Upload(Entry):
    """A multipart upload: the path that it was for, the bytes that came, when the last of them did, and its id."""

    id: str


def unfinished(storage: S3Storage) -> Iterator[Upload]:
    """The multipart uploads below the storage that were neither finished nor given up.

    Raises:
        Refused: when they may not be listed; that needs ``s3:ListBucketMultipartUploads``.
    """
    prefix = f"{storage.prefix}/".lstrip("/")
    with s3.answered(f"{storage.uri} (its unfinished uploads)"):
        pages = storage.client.get_paginator("list_multipart_uploads")
        for page in pages.paginate(Bucket=storage.bucket, Prefix=prefix):
            for one in page.get("Uploads", ()):
                if one["Key"].startswith(prefix):
                    yield _upload(storage, one["Key"], one["UploadId"], one["Initiated"].timestamp())


def give_up(storage: S3Storage, upload: Upload) -> None:
    """Delete what came of an upload; nothing when it was finished or given up meanwhile."""
    key = f"{storage.prefix}/{upload.path}".lstrip("/")
    with s3.answered(f"{storage.uri}/{upload.path}"), _perhaps_gone():
        storage.client.abort_multipart_upload(Bucket=storage.bucket, Key=key, UploadId=upload.id)


def _upload(storage: S3Storage, key: str, upload_id: str, begun: float) -> Upload:
    path = key[len(storage.prefix) :].lstrip("/")
    parts = _parts(storage, key, upload_id)
    last = max((part["LastModified"].timestamp() for part in parts), default=begun)
    return Upload(path, sum(int(part["Size"]) for part in parts), max(begun, last), upload_id)


def _parts(storage: S3Storage, key: str, upload_id: str) -> list[dict[str, Any]]:
    pages = storage.client.get_paginator("list_parts").paginate(
        Bucket=storage.bucket, Key=key, UploadId=upload_id
    )
    with _perhaps_gone():
        return [part for page in pages for part in page.get("Parts", ())]
    return []


@contextmanager
def _perhaps_gone() -> Iterator[None]:
    """An upload that ended meanwhile is none."""
    from botocore.exceptions import ClientError

    try:
        yield
    except ClientError as error:
        if s3.code_of(error) not in ("NoSuchUpload", "404"):
            raise
