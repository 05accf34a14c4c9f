"""S3 by boto3: its own search for credentials, region and endpoint is the only one; what it answers, in our words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from sonolake.errors import InvalidInput, MissingPackage, NotFound, Refused, Unreachable

CONNECTIONS = 64
_ADDRESS = re.compile(r"s3:/{1,2}([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?\Z")
_ABSENT = {"NoSuchKey", "NoSuchBucket", "404"}
_FORBIDDEN = {
    "AccessDenied",
    "403",
    "InvalidAccessKeyId",
    "SignatureDoesNotMatch",
    "ExpiredToken",
    "InvalidToken",
}


def is_s3(place: object) -> bool:
    """Whether ``place`` is an address in S3; a :class:`~pathlib.Path` has lost a slash of it."""
    return str(place).startswith("s3:/")


def parts_of(address: str) -> tuple[str, str]:
    """Bucket and prefix of ``s3://bucket/prefix``, the prefix without slashes at its ends.

    Raises:
        InvalidInput: for another address.
    """
    found = _ADDRESS.match(str(address))
    prefix = (found[2] or "").strip("/") if found else ""
    if found is None or any(part in ("", ".", "..") for part in prefix.split("/") if prefix):
        raise InvalidInput("address", "s3://bucket/prefix", str(address))
    return found[1], prefix


def session() -> Any:
    """A session of boto3, which searches for credentials once and renews them.

    Raises:
        MissingPackage: when boto3 is not installed.
    """
    try:
        import boto3
        import botocore.session
    except ModuleNotFoundError:
        raise MissingPackage("boto3", "S3", "pip install 'sonolake[s3]'") from None
    core = botocore.session.get_session()
    core.register_component("data_loader", _descriptions(core.get_config_variable("data_path")))
    return boto3.session.Session(botocore_session=core)


@cache
def _descriptions(folders: str | None) -> Any:
    """What describes S3 to boto3, read once a process: it takes a fifth of a second."""
    from botocore.loaders import create_loader

    return create_loader(folders)


def client(session: Any) -> Any:
    """A client of ``session``; several threads may use it."""
    from botocore.config import Config

    retries: Any = {"mode": "standard", "max_attempts": 4}
    return session.client("s3", config=Config(retries=retries, max_pool_connections=CONNECTIONS))


def code_of(error: Any) -> str:
    """The code of boto3's ``ClientError``."""
    return str(error.response.get("Error", {}).get("Code", ""))


@contextmanager
def answered(where: str) -> Iterator[None]:
    """What boto3 raises inside the block, as errors of :mod:`sonolake.errors`.

    Raises:
        NotFound: when there is no such object or bucket.
        Refused: when the credentials are missing, or others are needed.
        Unreachable: when S3 does not answer, or not as agreed.
    """
    from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError

    try:
        yield
    except ClientError as error:
        code = code_of(error)
        if code in _ABSENT:
            raise NotFound(f"{where} is not there ({code})") from None
        if code in _FORBIDDEN:
            raise Refused(f"{where}: S3 answered {code}: other credentials are needed") from None
        raise Unreachable(f"{where}: S3 answered {code}") from None
    except NoCredentialsError as error:
        raise Refused(
            f"{where}: {error} (boto3 looks in AWS_… variables, the profiles in ~/.aws, and what the machine is given)"
        ) from None
    except BotoCoreError as error:
        raise Unreachable(f"{where}: {error}") from None
