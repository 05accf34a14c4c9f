"""Which repository is meant."""

from __future__ import annotations

import re

from sonolake.errors import InvalidInput

SCHEME = "hf:"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")


def repository_in(address: str) -> str:
    """``owner/name`` of ``hf:owner/name``.

    Raises:
        InvalidInput: for anything else.
    """
    name = address.removeprefix(SCHEME)
    odd = "--" in name or ".." in name or name.endswith((".git", ".", "-"))
    if not address.startswith(SCHEME) or not _NAME.fullmatch(name) or odd:
        raise InvalidInput("repository", "hf:owner/name", address)
    return name
