"""A lake's files in S3. Credentials, region and endpoint are boto3's, asked for whenever DuckDB or Lance go there."""

from __future__ import annotations

import tempfile
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from sonolake import s3
from sonolake.lake.catalog import quoted
from sonolake.lake.storage import Entry

if TYPE_CHECKING:
    import duckdb


class Access(NamedTuple):
    """What it takes to come to a bucket: keys, and where it is answered for."""

    key: str
    secret: str
    token: str
    region: str
    endpoint: str


class S3Storage:
    """Objects below ``s3://bucket/prefix``."""

    extensions: tuple[str, ...] = ("httpfs",)

    def __init__(self, bucket: str, prefix: str, session: Any, client: Any) -> None:
        self.bucket, self.prefix, self.client = bucket, prefix, client
        self._session = session
        self._given: weakref.WeakKeyDictionary[Any, Access] = weakref.WeakKeyDictionary()
        self._giving = threading.Lock()

    @classmethod
    def at(cls, address: str) -> S3Storage:
        """The storage at ``s3://bucket/prefix``.

        Raises:
            InvalidInput: for an address that is none.
            MissingPackage: when boto3 is not installed.
        """
        bucket, prefix = s3.parts_of(address)
        session = s3.session()
        return cls(bucket, prefix, session, s3.client(session))

    @property
    def uri(self) -> str:
        """See :class:`~sonolake.lake.storage.Storage`."""
        return f"s3://{self.bucket}/{self.prefix}".rstrip("/")

    def room(self, name: str) -> S3Storage:
        """See :class:`~sonolake.lake.storage.Storage`."""
        return S3Storage(self.bucket, self._key(name), self._session, self.client)

    def read(self, path: str) -> bytes:
        """See :class:`~sonolake.lake.storage.Storage`."""
        with s3.answered(f"{self.uri}/{path}"):
            body = self.client.get_object(Bucket=self.bucket, Key=self._key(path))["Body"]
            with body:
                return bytes(body.read())

    def write(self, path: str, data: bytes, *, new: bool = False) -> bool:
        """See :class:`~sonolake.lake.storage.Storage`."""
        from botocore.exceptions import ClientError

        condition = {"IfNoneMatch": "*"} if new else {}
        with s3.answered(f"{self.uri}/{path}"):
            try:
                self.client.put_object(Bucket=self.bucket, Key=self._key(path), Body=data, **condition)
            except ClientError as error:
                if s3.code_of(error) in ("PreconditionFailed", "412", "ConditionalRequestConflict"):
                    return False
                raise
        return True

    @contextmanager
    def staging(self, path: str) -> Iterator[Path]:
        """See :class:`~sonolake.lake.storage.Storage`."""
        with tempfile.TemporaryDirectory(prefix="sonolake-staging-") as folder:
            part = Path(folder) / path.rpartition("/")[2]
            yield part
            with s3.answered(f"{self.uri}/{path}"):
                self.client.upload_file(str(part), self.bucket, self._key(path))

    def copy(self, there: S3Storage, source: str, path: str) -> None:
        """Have ``path`` hold what ``there`` has at ``source``, at most 5 GiB, which does not pass through this machine.

        Raises:
            NotFound: when it is not there.
        """
        place = {"Bucket": there.bucket, "Key": there._key(source)}
        with s3.answered(f"{there.uri}/{source}"):
            self.client.copy_object(CopySource=place, Bucket=self.bucket, Key=self._key(path))

    def stat(self, path: str) -> Entry | None:
        """See :class:`~sonolake.lake.storage.Storage`."""
        from botocore.exceptions import ClientError

        with s3.answered(f"{self.uri}/{path}"):
            try:
                head = self.client.head_object(Bucket=self.bucket, Key=self._key(path))
            except ClientError as error:
                if s3.code_of(error) in ("404", "NoSuchKey"):
                    return None
                raise
        return Entry(path, int(head["ContentLength"]), head["LastModified"].timestamp())

    def entries(self, under: str = "") -> Iterator[Entry]:
        """See :class:`~sonolake.lake.storage.Storage`."""
        for page in self._pages(under):
            for one in page.get("Contents", ()):
                path = one["Key"][len(self.prefix) :].lstrip("/")
                yield Entry(path, int(one["Size"]), one["LastModified"].timestamp())

    def folders(self, under: str = "") -> list[str]:
        """See :class:`~sonolake.lake.storage.Storage`."""
        found = [
            one["Prefix"]
            for page in self._pages(under, Delimiter="/")
            for one in page.get("CommonPrefixes", ())
        ]
        return sorted(prefix.rstrip("/").rpartition("/")[2] for prefix in found)

    def delete(self, path: str) -> None:
        """See :class:`~sonolake.lake.storage.Storage`."""
        with s3.answered(f"{self.uri}/{path}"):
            self.client.delete_object(Bucket=self.bucket, Key=self._key(path))

    def access(self) -> Access:
        """The keys as boto3 has them now, renewed when they are about to expire.

        Raises:
            Refused: when it has none.
        """
        from botocore.exceptions import NoCredentialsError

        with s3.answered(self.uri):
            credentials = self._session.get_credentials()
            if credentials is None:
                raise NoCredentialsError
            keys = credentials.get_frozen_credentials()
        meta = self.client.meta
        return Access(keys.access_key, keys.secret_key, keys.token or "", meta.region_name, meta.endpoint_url)

    def authorise(self, con: duckdb.DuckDBPyConnection) -> None:
        """See :class:`~sonolake.lake.storage.Storage`."""
        access = self.access()
        with self._giving:
            if self._given.get(con) == access:
                return
            place = urlsplit(access.endpoint)
            options = {
                "KEY_ID": quoted(access.key),
                "SECRET": quoted(access.secret),
                "SESSION_TOKEN": quoted(access.token),
                "REGION": quoted(access.region),
                "ENDPOINT": quoted(place.netloc),
                "URL_STYLE": quoted("vhost" if _is_amazon(access) else "path"),
                "USE_SSL": str(place.scheme == "https").lower(),
                "SCOPE": quoted(f"{self.uri}/"),
            }
            said = ", ".join(f"{name} {value}" for name, value in options.items())
            con.execute(f"CREATE OR REPLACE SECRET sonolake (TYPE s3, {said})")
            self._given[con] = access

    def lance_options(self) -> dict[str, str]:
        """See :class:`~sonolake.lake.storage.Storage`."""
        access = self.access()
        return {
            "aws_access_key_id": access.key,
            "aws_secret_access_key": access.secret,
            **({"aws_session_token": access.token} if access.token else {}),
            "aws_region": access.region,
            "aws_endpoint": access.endpoint,
            "aws_virtual_hosted_style_request": "false",
            "allow_http": str(access.endpoint.startswith("http://")).lower(),
        }

    def _key(self, path: str) -> str:
        return f"{self.prefix}/{path}".strip("/")

    def _pages(self, under: str, **options: str) -> Iterator[dict[str, Any]]:
        prefix = f"{self._key(under)}/".lstrip("/")
        with s3.answered(f"{self.uri}/{under}"):
            pages = self.client.get_paginator("list_objects_v2").paginate(
                Bucket=self.bucket, Prefix=prefix, **options
            )
            yield from pages


def _is_amazon(access: Access) -> bool:
    return access.endpoint.endswith(".amazonaws.com")
