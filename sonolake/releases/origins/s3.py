"""A release in an S3 bucket. Credentials, region and endpoint are those that boto3 finds, and no others."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

from sonolake import s3
from sonolake.releases.disk import BLOCK
from sonolake.releases.origins.base import Interrupted, Patience, resumed

_PAST_THE_END = ("InvalidRange", "416")


class S3Origin:
    """Objects below ``s3://bucket/prefix``."""

    def __init__(self, address: str, patience: Patience | None = None, client: Any = None) -> None:
        self._bucket, self._prefix = s3.parts_of(address)
        self._patience = patience or Patience()
        self._client = client
        self._parent: S3Origin | None = None
        if client is None:
            self._client = s3.client(s3.session())
            weakref.finalize(self, self._client.close)

    @property
    def name(self) -> str:
        """The address."""
        return f"s3://{self._bucket}/{self._prefix}".rstrip("/")

    @property
    def address(self) -> str:
        """The address; credentials are found anew."""
        return self.name

    def below(self, path: str) -> S3Origin:
        """The prefix ``path`` under this one, by the same client."""
        place = S3Origin(f"{self.name}/{path}", self._patience, self._client)
        place._parent = self
        return place

    def stream(self, path: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """See :meth:`~sonolake.releases.origins.base.Origin.stream`."""
        if end is not None and end <= start:
            return iter(())
        return resumed(lambda at: self._once(path, at, end), start, f"{self.name}/{path}", self._patience)

    def _once(self, path: str, start: int, end: int | None) -> Iterator[bytes]:
        from botocore.exceptions import HTTPClientError, IncompleteReadError
        from urllib3.exceptions import HTTPError

        body = self._body(path, start, end)
        if body is None:
            return
        try:
            with body:
                yield from body.iter_chunks(BLOCK)
        except (HTTPClientError, IncompleteReadError, HTTPError, OSError) as error:
            raise Interrupted(f"the connection broke ({error})") from error

    def _body(self, path: str, start: int, end: int | None) -> Any:
        """The body from ``start`` on; None when that is past the end of the object."""
        from botocore.exceptions import ClientError

        key = f"{self._prefix}/{path}".lstrip("/")
        ranged = start > 0 or end is not None
        asked = {"Range": f"bytes={start}-{'' if end is None else end - 1}"} if ranged else {}
        with s3.answered(f"{self.name}/{path}"):
            try:
                return self._client.get_object(Bucket=self._bucket, Key=key, **asked)["Body"]
            except ClientError as error:
                if s3.code_of(error) in _PAST_THE_END:
                    return None
                raise
