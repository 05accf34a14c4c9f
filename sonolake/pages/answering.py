"""Files of a page and calls of its script as routes; our own errors become statuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sonolake.errors import InvalidInput, ItemRefused, NotFound, Refused
from sonolake.pages.refusals import Conflict, NoKey

SHARED = ("style.css", "api.js", "sound.js", "elements.js")
"""What every page has: of this room's folder ``page``."""
_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}

Answer = Callable[[Request], Response]
Act = Callable[[Request, Any], Response]
"""From a request and its JSON body to an answer."""


def page(room: str, names: tuple[str, ...]) -> list[Route]:
    """Routes of a page's files: ``names`` of the folder ``page`` of a room, and the shared ones; without a key.

    Args:
        room: a package, such as ``sonolake.wesr.annotation``.
        names: of its own files; ``index.html`` is the page itself.
    """
    places = dict.fromkeys(names, room) | dict.fromkeys(SHARED, "sonolake.pages")
    return [_file(package, name) for name, package in places.items()]


def _file(package: str, name: str) -> Route:
    data = files(package).joinpath("page", name).read_bytes()
    kind = f"{_KINDS[PurePosixPath(name).suffix]}; charset=utf-8"
    return Route("/" if name == "index.html" else f"/{name}", lambda _: Response(data, media_type=kind))


def calls(gets: Mapping[str, Answer], posts: Mapping[str, Act]) -> list[Route]:
    """Routes of what the script asks and does, by path."""
    asked = [Route(path, _got(answer)) for path, answer in gets.items()]
    return asked + [Route(path, _posted(act), methods=["POST"]) for path, act in posts.items()]


def _got(answer: Answer) -> Answer:
    return lambda request: _answered(lambda: answer(request))


def _posted(act: Act) -> Callable[[Request], Any]:
    from starlette.concurrency import run_in_threadpool

    async def post(request: Request) -> Response:
        try:
            body = await request.json()
        except ValueError:
            return JSONResponse({"error": "no JSON"}, 400)
        return await run_in_threadpool(_answered, lambda: act(request, body))

    return post


_STATUSES: tuple[tuple[type[Exception], int], ...] = (
    (NoKey, 401),
    (Conflict, 409),
    (InvalidInput, 422),
    (ItemRefused, 422),
    (NotFound, 404),
    (Refused, 403),
)


def _answered(call: Callable[[], Response]) -> Response:
    try:
        return call()
    except tuple(kind for kind, _ in _STATUSES) as error:
        status = next(status for kind, status in _STATUSES if isinstance(error, kind))
        return JSONResponse({"error": str(error)}, status)


def rater_of(request: Request) -> str:
    """Who is working.

    Raises:
        InvalidInput: without a name.
    """
    name = request.query_params.get("rater", "").strip()
    if not name or len(name) > 100:
        raise InvalidInput("rater", "a name of 1 to 100 signs", name)
    return name
