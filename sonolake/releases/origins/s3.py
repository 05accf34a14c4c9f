"""A release in an S3 bucket. Credentials, region and endpoint are those that boto3 finds, and no others."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from sonolake.errors import InvalidInput, MissingPackage, NotFound, Refused, Unreachable
from sonolake.releases.disk import BLOCK
from sonolake.releases.origins.base import Interrupted, Patience, resumed

CONNECTIONS = 64
_ABSENT = {"NoSuchKey", "NoSuchBucket", "404"}
_FORBIDDEN = {
    "AccessDenied",
    "403",
    "InvalidAccessKeyId",
    "SignatureDoesNotMatch",
    "ExpiredToken",
    "InvalidToken",
}


class S3Origin:
    """Objects below ``s3://bucket/prefix``."""

    def __init__(self, address: str, patience: Patience | None = None, client: Any = None) -> None:
        parts = urlsplit(address)
        if parts.scheme != "s3" or not parts.netloc or parts.query or parts.fragment:
            raise InvalidInput("address", "s3://bucket/prefix", address)
        self._bucket, self._prefix = parts.netloc, parts.path.strip("/")
        self._patience = patience or Patience()
        self._parent: S3Origin | None = None
        self._client = client
        if client is None:
            self._client = s3_client()
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
        from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError, IncompleteReadError
        from urllib3.exceptions import HTTPError

        key = f"{self._prefix}/{path}".lstrip("/")
        asked = (
            {"Range": f"bytes={start}-{'' if end is None else end - 1}"} if start or end is not None else {}
        )
        try:
            body = self._client.get_object(Bucket=self._bucket, Key=key, **asked)["Body"]
            with body:
                yield from body.iter_chunks(BLOCK)
        except ClientError as error:
            _raise_refusal(error, f"{self.name}/{path}")
        except (HTTPClientError, IncompleteReadError, HTTPError, OSError) as error:
            raise Interrupted(f"the connection broke ({error})") from error
        except BotoCoreError as error:
            raise Refused(
                f"{self.name}: {error} (boto3 looks for credentials in AWS_… variables, the profiles in ~/.aws, "
                "and what the machine is given)"
            ) from None


def s3_client() -> Any:
    """A client by boto3's own search for credentials, region and endpoint; several threads may use it.

    Raises:
        MissingPackage: when boto3 is not installed.
    """
    try:
        import boto3
        from botocore.config import Config
    except ModuleNotFoundError:
        raise MissingPackage("boto3", "reading from S3", "pip install 'sonolake[s3]'") from None
    retries: Any = {"mode": "standard", "max_attempts": 4}
    return boto3.session.Session().client(
        "s3", config=Config(retries=retries, max_pool_connections=CONNECTIONS)
    )


def _raise_refusal(error: Any, where: str) -> None:
    """Say in our words what S3 answered; an answer that comes after the last byte of a file is no mistake."""
    code = str(error.response.get("Error", {}).get("Code", ""))
    status = int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
    if code == "InvalidRange" or status == 416:
        return
    if code in _ABSENT:
        raise NotFound(f"{where} is not there ({code})") from None
    if code in _FORBIDDEN:
        raise Refused(f"{where} may not be read ({code}): other credentials are needed") from None
    if status >= 500 or status == 429:
        raise Interrupted(f"S3 answered {code or status}") from error
    raise Unreachable(f"{where}: S3 answered {code or status}") from None
