"""Freesound as a source: searches, and items that an intake can take."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from sonolake.errors import ItemRefused, Refused, Unreachable
from sonolake.ids import sha256_hex
from sonolake.sources.freesound.access import KeyAccess, LogIn, api_key, client_id
from sonolake.sources.freesound.budget import Budget, Limits
from sonolake.sources.freesound.downloads import GONE, Downloads
from sonolake.sources.freesound.listing import Listing, Listings
from sonolake.sources.freesound.places import folder_of, state_folder
from sonolake.sources.freesound.query import Query, queries_by_ids
from sonolake.sources.freesound.secrets import Secret
from sonolake.sources.freesound.sounds import Sound, item_of
from sonolake.sources.freesound.transport import Transport, new_client
from sonolake.sources.records import Refusal, SourceItem

BASE, BASE_VARIABLE = "https://freesound.org/apiv2", "FREESOUND_URL"
AT_ONCE = 4
"""Downloads under way at once."""
FAILURES = 8
"""So many downloads in a row that fail end the run: the server is down, not the sounds."""


@dataclass
class Catalogue:
    """What one API key, and one log-in for originals, can see.

    Args:
        key: the API key.
        state: where listings, downloads, budgets and log-ins are remembered.
        base: address of the API.
        application: the client id, for the log-in that originals need; "" for none.
        limits: how many requests the key may make.
        clock: the time now.
        sleep: waits some seconds.
        client: the connections.
    """

    key: Secret
    state: Path
    base: str = BASE
    application: str = ""
    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    client: httpx.Client = field(default_factory=new_client)

    def __post_init__(self) -> None:
        folder = folder_of(self.base, self.state)
        name = sha256_hex(f"budget {self.key.reveal()}".encode())[:12]
        self.budget = Budget(folder / f"budget-{name}.json", self.limits, self.clock, self.sleep)
        self.transport = Transport(self.base, self.budget, self.client, self.sleep)
        self.access = KeyAccess(self.key)
        self.log_in = LogIn(
            folder / f"log-in-{name}.json",
            self.application,
            self.key,
            lambda form: self.transport.form("/oauth2/access_token/", form),
            self.clock,
        )
        (folder / "listings").mkdir(exist_ok=True)
        self.listings = Listings(folder / "listings", self.transport, self.clock)
        self.downloads = Downloads(folder / "sounds", self.transport)

    @classmethod
    def here(cls, environment: Mapping[str, str] = os.environ) -> Catalogue:
        """The catalogue of the key that the environment names.

        Raises:
            NotFound: when it names none.
        """
        return cls(
            api_key(environment),
            state_folder(environment),
            environment.get(BASE_VARIABLE) or BASE,
            client_id(environment),
            Limits.of(environment),
        )

    def __enter__(self) -> Catalogue:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def authorise_address(self) -> str:
        """The page on which a person allows the application to download, and is shown a code.

        Raises:
            Refused: when no application is named.
        """
        self._require_application()
        query = {"client_id": self.application, "response_type": "code"}
        return str(httpx.URL(f"{self.transport.base}/oauth2/authorize/", params=query))

    def find(self, query: Query, most: int | None = None, anew: bool = False) -> Listing:
        """What a search finds; see :meth:`Listings.find`."""
        return self.listings.find(query, self.access, most, anew)

    def by_ids(
        self, ids: Sequence[int], known: Container[int] = (), anew: bool = False
    ) -> tuple[list[Sound], list[Refusal]]:
        """The sounds of these numbers, without those ``known``, and the refusal ``gone`` of each that is there no more.

        One search asks for 150 of them; what it does not find is asked for alone, since an index may lag behind. With
        ``anew`` lists that are kept are asked for again.
        """
        found: list[Sound] = []
        gone: list[Refusal] = []
        for chunk, query in queries_by_ids(list(ids)):
            wanted = [number for number in chunk if number not in known]
            listed = {sound.id: sound for sound in self.find(query, anew=anew).sounds} if wanted else {}
            for number in wanted:
                sound = listed.get(number) or self.listings.sound(number, self.access)
                if sound is None:
                    gone.append(Refusal(item_of(number), "gone", GONE))
                else:
                    found.append(sound)
        return found, gone

    def offer(
        self, sounds: Sequence[Sound], extra: Mapping[str, str], originals: bool
    ) -> list[SourceItem | Refusal]:
        """Each sound as an item with its file, or refused; in the order given.

        Args:
            sounds: what is wanted.
            extra: fields that hold for all of them, such as ``event``.
            originals: the files that were uploaded, rather than previews.

        Raises:
            Refused: originals without a log-in.
            LimitReached: the day's requests are used up; what was downloaded is kept.
            Unreachable: several downloads in a row failed.
        """
        if originals:
            self.require_log_in()
        failures = 0
        offered: list[SourceItem | Refusal] = []
        with ThreadPoolExecutor(AT_ONCE) as pool:
            try:
                for entry in pool.map(lambda sound: self._offered(sound, extra, originals), sounds):
                    if not isinstance(entry, Refusal) or entry.reason != "download_failed":
                        failures = 0
                    elif (failures := failures + 1) == FAILURES:
                        raise Unreachable(
                            f"{FAILURES} downloads in a row failed, the last one: {entry.detail}"
                        )
                    offered.append(entry)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return offered

    def forget(self, offered: Iterable[SourceItem | Refusal]) -> None:
        """Remove the downloads of items that a lake has."""
        for entry in offered:
            if isinstance(entry, SourceItem):
                self.downloads.forget(entry.path)

    def require_log_in(self) -> None:
        """Let a run pass that may ask for originals.

        Raises:
            Refused: when no application is named, or nobody is logged in.
        """
        self._require_application()
        if not self.log_in.known():
            raise Refused("originals need a log-in: sonolake freesound login")

    def _require_application(self) -> None:
        if not self.application:
            raise Refused("originals need a log-in, and FREESOUND_CLIENT_ID is not set")

    def _offered(self, sound: Sound, extra: Mapping[str, str], originals: bool) -> SourceItem | Refusal:
        refusal = sound.refusal()
        if refusal is not None:
            return refusal
        try:
            path = self.downloads.original(sound, self.log_in) if originals else self.downloads.preview(sound)
        except ItemRefused as refused:
            return Refusal(sound.item, refused.reason, refused.detail)
        tags = {**sound.tags, "file": path.suffix[1:]}
        return SourceItem(sound.item, path, {**sound.fields, **extra}, tags)
