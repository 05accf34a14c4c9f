"""Zenodo's deposit API, as far as a draft is made and filled (https://developers.zenodo.org).

The token comes from ``ZENODO_TOKEN`` and is never said; the address, such as the sandbox's, from ``ZENODO_URL``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

import httpx

from sonolake.errors import LimitReached, Refused, Unreachable

TOKEN = "ZENODO_TOKEN"
ADDRESS = "ZENODO_URL"
HOME = "https://zenodo.org"
_DRAFTS = "/api/deposit/depositions"
_TIMEOUT_S = 60.0


class Zenodo:
    """The API, used as a context manager.

    Raises:
        Refused: without a token.
    """

    def __init__(self) -> None:
        token = os.environ.get(TOKEN)
        if not token:
            raise Refused(f"Zenodo asks for a token: set {TOKEN} to one that may write deposits")
        headers = {"Authorization": f"Bearer {token}"}
        place = os.environ.get(ADDRESS, HOME).rstrip("/")
        self._client = httpx.Client(base_url=place, headers=headers, timeout=_TIMEOUT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def drafts(self, title: str) -> list[dict[str, Any]]:
        """Drafts of that very title."""
        found = self._asked(
            "GET", _DRAFTS, params={"q": f'title:"{title}"', "status": "draft", "size": "100"}
        )
        return [
            one for one in found if one.get("metadata", {}).get("title") == title and not one.get("submitted")
        ]

    def create(self, metadata: dict[str, Any]) -> dict[str, Any]:
        """A new draft."""
        return dict(self._asked("POST", _DRAFTS, json={"metadata": metadata}))

    def describe(self, draft: dict[str, Any], metadata: dict[str, Any]) -> dict[str, Any]:
        """Give a draft this metadata."""
        return dict(self._asked("PUT", f"{_DRAFTS}/{draft['id']}", json={"metadata": metadata}))

    def files(self, draft: dict[str, Any]) -> dict[str, str]:
        """MD5 of each file of a draft, by name."""
        rows = self._asked("GET", f"{_DRAFTS}/{draft['id']}/files")
        return {row["filename"]: str(row["checksum"]).removeprefix("md5:") for row in rows}

    def send(self, draft: dict[str, Any], name: str, blocks: Iterator[bytes], size: int) -> str:
        """Put a file into a draft; the MD5 that was received."""
        headers = {"Content-Length": str(size), "Content-Type": "application/octet-stream"}
        place = f"{draft['links']['bucket']}/{name}"
        return str(self._asked("PUT", place, content=blocks, headers=headers)["checksum"]).removeprefix(
            "md5:"
        )

    def _asked(self, method: str, place: str, **more: Any) -> Any:
        try:
            answer = self._client.request(method, place, **more)
        except httpx.HTTPError as error:
            raise Unreachable(f"Zenodo does not answer ({type(error).__name__})") from None
        if answer.is_success:
            return self._read(answer)
        said = f"{_message(answer)} (status {answer.status_code})"
        if answer.status_code in (401, 403):
            raise Refused(
                f"Zenodo does not let us: {said}; {TOKEN} must hold a token that may write deposits"
            )
        if answer.status_code == 429:
            raise LimitReached(f"Zenodo asks us to wait: {said}; the same command goes on later")
        if 400 <= answer.status_code < 500:
            raise Refused(f"Zenodo refused it: {said}")
        raise Unreachable(f"Zenodo answered: {said}")

    def _read(self, answer: httpx.Response) -> Any:
        try:
            return answer.json()
        except ValueError:
            raise Unreachable("Zenodo answered something that is not JSON") from None


def _message(answer: httpx.Response) -> str:
    try:
        said = answer.json()
        errors = [f"{one.get('field')}: {one.get('message')}" for one in said.get("errors", ())]
        return "; ".join([str(said.get("message", "no reason given")), *errors])
    except (ValueError, AttributeError):
        return "no reason given"
