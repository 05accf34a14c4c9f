"""Who asks: an API key for searches and previews, an OAuth2 log-in for originals.

Both come from a credential at https://freesound.org/apiv2/apply, and its client secret is the API key. They are read
from the environment (``FREESOUND_API_KEY``, ``FREESOUND_CLIENT_ID``); what a log-in gives is kept in a file for its
owner alone. An access token lasts a day; a refresh token gives the next one, once, together with its successor.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sonolake.errors import NotFound, Refused
from sonolake.sources.freesound.places import write_whole
from sonolake.sources.freesound.secrets import Secret

KEY_VARIABLE, CLIENT_VARIABLE = "FREESOUND_API_KEY", "FREESOUND_CLIENT_ID"
EARLY_S = 300.0
"""A token that ends so soon is renewed first."""

Exchange = Callable[[dict[str, str | Secret]], Mapping[str, object]]
"""Sends a form to the server's token endpoint; its answer, or Refused."""


class Access(Protocol):
    """What authorises a request."""

    def header(self) -> Secret:
        """The value of the header ``Authorization``."""

    def renew(self) -> bool:
        """After the server refused the header: whether there is another one to try."""


@dataclass(frozen=True)
class KeyAccess:
    """An API key."""

    key: Secret

    def header(self) -> Secret:
        """``Token`` and the key."""
        return Secret(f"Token {self.key.reveal()}")

    def renew(self) -> bool:
        """There is one key."""
        return False


@dataclass(frozen=True)
class Tokens:
    """What a log-in gave; ``expires`` is in seconds of the system's clock."""

    access: Secret
    refresh: Secret
    expires: float

    @classmethod
    def of(cls, answer: Mapping[str, object], now: float) -> Tokens:
        """The tokens in an answer of the token endpoint."""
        access, refresh = Secret(str(answer["access_token"])), Secret(str(answer["refresh_token"]))
        return cls(access, refresh, now + float(str(answer.get("expires_in", 86_400))))

    def text(self) -> Secret:
        """What is kept in the file of a log-in."""
        kept = {"access": self.access.reveal(), "refresh": self.refresh.reveal(), "expires": self.expires}
        return Secret(json.dumps(kept))


@dataclass
class LogIn:
    """An OAuth2 log-in of one application and one user, shared by the processes of one machine.

    Args:
        path: the file of its tokens; a lock stands beside it.
        client_id: the application.
        secret: its secret, which is the API key.
        exchange: sends forms to the token endpoint.
        clock: the time now.
    """

    path: Path
    client_id: str
    secret: Secret
    exchange: Exchange
    clock: Callable[[], float] = time.time

    def begin(self, code: str) -> None:
        """Log in with the code that the server showed; it is valid for ten minutes, once."""
        self._store(self._asked({"grant_type": "authorization_code", "code": Secret(code)}))

    def header(self) -> Secret:
        """``Bearer`` and the access token, renewed when it is about to end.

        Raises:
            Refused: nobody is logged in, or the server knows the log-in no more.
        """
        tokens = self._tokens()
        if tokens.expires - EARLY_S < self.clock():
            tokens = self._renewed(tokens)
        return Secret(f"Bearer {tokens.access.reveal()}")

    def renew(self) -> bool:
        """Exchange the refresh token, unless another process has done so meanwhile."""
        self._renewed(self._tokens())
        return True

    def known(self) -> bool:
        """Whether somebody is logged in."""
        return self.path.is_file()

    def _renewed(self, used: Tokens) -> Tokens:
        from filelock import FileLock

        with FileLock(self.path.with_suffix(".lock")):
            tokens = self._tokens()
            if tokens.access != used.access:
                return tokens
            return self._store(self._asked({"grant_type": "refresh_token", "refresh_token": tokens.refresh}))

    def _asked(self, form: dict[str, str | Secret]) -> Tokens:
        answer = self.exchange({"client_id": self.client_id, "client_secret": self.secret, **form})
        return Tokens.of(answer, self.clock())

    def _tokens(self) -> Tokens:
        tokens = self._kept()
        if tokens is None:
            raise Refused("originals need a log-in: sonolake freesound login")
        return tokens

    def _kept(self) -> Tokens | None:
        try:
            kept = json.loads(self.path.read_text(encoding="utf-8"))
            return Tokens(Secret(kept["access"]), Secret(kept["refresh"]), float(kept["expires"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _store(self, tokens: Tokens) -> Tokens:
        write_whole(self.path, tokens.text())
        return tokens


def api_key(environment: Mapping[str, str] = os.environ) -> Secret:
    """The API key that the environment names.

    Raises:
        NotFound: when it names none.
    """
    key = environment.get(KEY_VARIABLE, "").strip()
    if not key:
        raise NotFound(f"{KEY_VARIABLE} is not set: it is the key of https://freesound.org/apiv2/apply")
    return Secret(key)


def client_id(environment: Mapping[str, str] = os.environ) -> str:
    """The client id that the environment names; "" when it names none."""
    return environment.get(CLIENT_VARIABLE, "").strip()
