"""The audition's server: a page, candidates of an identifier as JSON, and decisions that go into the lake at once."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from dataclasses import asdict
from functools import lru_cache, partial
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sonolake.audition.candidates import Candidate, candidates
from sonolake.audition.coverage import coverage
from sonolake.audition.decisions import Kept, decide, decision_of
from sonolake.cares.banks import Banks
from sonolake.errors import InvalidInput, ItemRefused, NotFound
from sonolake.lake.lake import Lake
from sonolake.pages.answering import calls, page, rater_of
from sonolake.pages.guard import KEY_HEADER, LOCAL, Guard
from sonolake.pages.hearing import Shown, shown
from sonolake.pages.refusals import NoKey
from sonolake.serial import plain

PAGE = ("index.html", "audition.css", "main.js", "desk.js")
"""The page's own files."""
_TAKE = "/api/takes/{asset_id:str}"
_EVENT = "/api/events/{namespace:str}/{name:str}"


class Desk:
    """What the requests work on.

    Args:
        lake: opened for writing.
        banks: the identifiers.
        event: the one to begin with.
        most: candidates of an identifier that the search gives.
    """

    def __init__(self, lake: Lake, banks: Banks, event: str, most: int = 60) -> None:
        self.lake, self.banks, self.event, self.most = lake, banks, event, most
        self.key = secrets.token_urlsafe(24)
        self.show = lru_cache(maxsize=16)(self._show)

    def require_key(self, request: Request) -> None:
        """Let the page's own calls pass.

        Raises:
            NoKey: for any other.
        """
        if not secrets.compare_digest(request.headers.get(KEY_HEADER, "").encode(), self.key.encode()):
            raise NoKey

    def take(self, asset_id: str) -> dict[str, Any]:
        """The row of a take.

        Raises:
            NotFound: for what is none.
        """
        rows = self.lake.rows("SELECT * FROM assets WHERE asset_id = ? AND kind = 'take'", [asset_id])
        if not rows:
            raise NotFound(f"no take {asset_id}")
        return rows[0]

    def _show(self, asset_id: str) -> Shown:
        return shown(self.lake.media.read(self.take(asset_id)["asset_id"]))


def application(desk: Desk, hosts: Collection[str] = LOCAL) -> Starlette:
    """The server of an audition.

    Args:
        desk: the lake and where to begin.
        hosts: names under which it may be called.
    """
    asks: dict[str, Callable[[Desk, Request], Response]] = {
        "/api/coverage": _coverage,
        _EVENT: _event,
        _TAKE: _heard,
        f"{_TAKE}/sound.wav": _sound,
        f"{_TAKE}/spectrogram.png": _picture,
    }
    asked = {path: partial(_called, desk, ask) for path, ask in asks.items()}
    acts = {f"{_EVENT}/{{asset_id:str}}/actions": partial(_decided, desk)}
    routes = [*page("sonolake.audition", PAGE), *calls(asked, acts)]
    return Starlette(routes=routes, middleware=[Middleware(Guard, hosts=hosts)])


def _called(desk: Desk, ask: Callable[[Desk, Request], Response], request: Request) -> Response:
    desk.require_key(request)
    return ask(desk, request)


def _coverage(desk: Desk, _: Request) -> Response:
    return JSONResponse(
        {"begin": desk.event, "coverage": [asdict(row) for row in coverage(desk.lake, desk.banks)]}
    )


def _event_of(request: Request) -> str:
    return f"{request.path_params['namespace']}/{request.path_params['name']}"


def _event(desk: Desk, request: Request) -> Response:
    event = _event_of(request)
    found = candidates(desk.lake, event, desk.banks, desk.most)
    name = desk.banks.sounds[event].name
    made = {"event": event, "name": name, "ranked_by": found.ranked_by}
    return JSONResponse(made | {"takes": [_candidate(one) for one in found.takes]})


def _candidate(one: Candidate) -> dict[str, Any]:
    facts = ("asset_id", "title", "author", "licence", "duration_s", "event", "split", "source_url")
    made = {name: one.asset[name] for name in facts}
    return made | {"rank": one.rank, "found_by": one.found_by} | _state(one.kept)


def _state(kept: Kept) -> dict[str, Any]:
    return {"seq": kept.seq, "rater": kept.rater, "decision": plain(kept.decision)}


def _heard(desk: Desk, request: Request) -> Response:
    try:
        heard = desk.show(request.path_params["asset_id"])
    except (ItemRefused, OSError) as error:
        return JSONResponse({"fault": str(error), "duration_s": 0.0})
    return JSONResponse(
        {"fault": "", "duration_s": heard.duration_s, "start_s": heard.start_s, "end_s": heard.end_s}
    )


def _sound(desk: Desk, request: Request) -> Response:
    return Response(desk.show(request.path_params["asset_id"]).wav, media_type="audio/wav")


def _picture(desk: Desk, request: Request) -> Response:
    return Response(desk.show(request.path_params["asset_id"]).spectrogram, media_type="image/png")


def _decided(desk: Desk, request: Request, body: Any) -> Response:
    desk.require_key(request)
    event, take = _event_of(request), desk.take(request.path_params["asset_id"])
    if event not in desk.banks.sounds:
        raise NotFound(f"no sound {event!r} in the banks")
    if not isinstance(body, dict) or not isinstance(body.get("base"), int):
        raise InvalidInput("action", "an object with base and decision", body)
    decision = decision_of(body.get("decision"))
    if decision.trim_s and decision.trim_s[1] > round(take["duration_s"], 3) + 0.001:
        raise InvalidInput("trim_s", f"within {take['duration_s']:.3f} s", decision.trim_s)
    kept = decide(desk.lake, event, take["asset_id"], decision, rater_of(request), body["base"])
    return JSONResponse(_state(kept))
