"""A Freesound of our own: the API and the host of its previews, on two ports of this machine.

It answers as the server's public source says: searches (words that must all be there, ``-word``, filters, nulls,
pages, percent signs decoded twice), sounds, originals for an OAuth2 log-in, throttling in sliding windows without a
word on how long to wait. ``faults`` breaks answers: a function of the number of the request, its host and its path
that names one of ``500``, ``html``, ``cut``, ``short``, ``reset``, ``minute``, ``day``, ``suspended``, ``elsewhere``,
or nothing.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, unquote, urlsplit

import numpy as np
import soundfile

KEY, CLIENT_ID, CODE = "fs-key-0123456789abcdefghijklmnopqrstuvwxyz", "fsclient", "one-time-code"
SESSION = "session-of-a-browser"
DEEDS = {
    "Creative Commons 0": "http://creativecommons.org/publicdomain/zero/1.0/",
    "Attribution": "https://creativecommons.org/licenses/by/4.0/",
    "Attribution NonCommercial": "http://creativecommons.org/licenses/by-nc/3.0/",
    "Sampling+": "http://creativecommons.org/licenses/sampling+/1.0/",
}
DEFAULT_FIELDS = "id,name,tags,username,license"


@dataclass
class Sound:
    """One upload."""

    id: int
    original: bytes
    preview: bytes
    name: str = "a sound"
    username: str = "ann"
    tags: tuple[str, ...] = ()
    licence: str = "Creative Commons 0"
    description: str = ""
    preference: str = "no-additional-preferences"
    deleted: bool = False
    in_index: bool = True
    duration: float = 1.0
    vector: tuple[float, ...] = ()

    def record(self, server: Freesound) -> dict:
        page = f"https://freesound.org/people/{quote(self.username)}/sounds/{self.id}/"
        stem = f"{server.files}/previews/{self.id // 1000}/{self.id}_7"
        return {
            "id": self.id, "url": page, "name": self.name, "tags": list(self.tags), "username": self.username,
            "description": self.description, "category": "Sound effects", "subcategory": "Animals",
            "created": "2024-05-06T07:08:09Z", "license": DEEDS.get(self.licence, self.licence), "type": "wav",
            "filesize": len(self.original), "md5": hashlib.md5(self.original).hexdigest(), "pack_name": None,
            "duration": self.duration, "gen_ai_preference": self.preference, "geotag": None,
            "previews": {f"preview-{q}-{form}": f"{stem}-{q}.{form}" for q in ("hq", "lq") for form in ("mp3", "ogg")},
            "download": f"{server.url}/sounds/{self.id}/download/",
        }  # fmt: skip


def made(number: int, seed: int = 0, **facts: object) -> Sound:
    """An upload of 0.6 s that sounds like no other, unless it has the seed of another."""
    rng = np.random.default_rng(seed or number)
    t = np.arange(9600) / 16_000
    noise = np.convolve(rng.standard_normal(len(t)), rng.standard_normal(rng.integers(2, 30)), "same")
    x = noise * np.sin(np.pi * rng.uniform(1, 9) * t + rng.uniform(0, 6)) ** 2
    x += sum(
        rng.uniform(1, 3) * np.sin(2 * np.pi * rng.uniform(100, 6000) * t) * (t > rng.uniform(0, 0.5))
        for _ in range(3)
    )
    return Sound(
        number,
        *(_packed(0.5 * x / np.abs(x).max(), *form) for form in (("WAV", "PCM_16"), ("OGG", "VORBIS"))),
        **facts,
    )


def _packed(x: np.ndarray, form: str, coding: str) -> bytes:
    out = io.BytesIO()
    soundfile.write(out, x, 16_000, format=form, subtype=coding)
    return out.getvalue()


@dataclass
class Asked:
    """One request that came."""

    host: str
    method: str
    path: str
    headers: dict[str, str]
    params: dict[str, str]
    body: str = ""


@dataclass
class Freesound:
    """The server, and what tests set and read."""

    sounds: dict[int, Sound] = field(default_factory=dict)
    faults: Callable[[int, str, str], str | None] = lambda number, host, path: None
    rates: tuple[int, int] = (100_000, 100_000)
    asked: list[Asked] = field(default_factory=list)
    counted: list[float] = field(default_factory=list)
    access_token: str = "access-0"
    refresh_token: str = "refresh-0"
    expires_in: int = 86_400
    turns: int = 0
    url: str = ""
    files: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, *sounds: Sound) -> None:
        self.sounds |= {sound.id: sound for sound in sounds}

    def start(self) -> None:
        self._servers = [
            ThreadingHTTPServer(("127.0.0.1", 0), _handler(self, host)) for host in ("api", "files")
        ]
        ports = [server.server_address[1] for server in self._servers]
        self.url, self.files = f"http://127.0.0.1:{ports[0]}/apiv2", f"http://127.0.0.1:{ports[1]}"
        for server in self._servers:
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def requests(self, pattern: str = "") -> list[Asked]:
        return [one for one in self.asked if re.search(pattern, f"{one.host} {one.method} {one.path}")]

    def log_in(self) -> dict[str, object]:
        self.turns += 1
        self.access_token, self.refresh_token = f"access-{self.turns}-secret", f"refresh-{self.turns}-secret"
        return {
            "access_token": self.access_token,
            "refresh_token": self.refresh_token,
            "expires_in": self.expires_in,
            "scope": "read write",
        }


class Answer(Exception):
    """An answer that ends a request."""

    def __init__(self, status: int, value: object) -> None:
        super().__init__(status)
        self.status, self.value = status, value


def _handler(server: Freesound, host: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self._answered("GET", "")

        def do_POST(self) -> None:
            self._answered("POST", self.rfile.read(int(self.headers["Content-Length"])).decode())

        def _answered(self, method: str, body: str) -> None:
            parts = urlsplit(self.path)
            params = {
                name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()
            }
            asked = Asked(
                host, method, parts.path, {n.lower(): v for n, v in self.headers.items()}, params, body
            )
            with server.lock:
                server.asked.append(asked)
                number = len(server.asked)
                fault = server.faults(number, host, parts.path)
                try:
                    if fault in ("500", "minute", "day", "suspended"):
                        raise Answer(500, {"detail": "Server error"}) if fault == "500" else _throttled(fault)
                    status, value = (_api if host == "api" else _file)(server, asked)
                except Answer as answer:
                    status, value = answer.status, answer.value
            self._send(status, value, fault)

        def _send(self, status: int, value: object, fault: str | None) -> None:
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            kind = "application/octet-stream" if isinstance(value, bytes) else "application/json"
            if fault == "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                return
            if fault == "html":
                data, kind = b"<!DOCTYPE html><html>busy</html>", "text/html; charset=utf-8"
            if fault == "elsewhere":
                self.send_response(302)
                self.send_header(
                    "Location", f"{server.files.replace('127.0.0.1', 'localhost')}/elsewhere{self.path}"
                )
                data = b""
            else:
                self.send_response(status)
            self.send_header("Content-Type", kind)
            if host == "api":
                self.send_header("Set-Cookie", f"sessionid={SESSION}; Path=/; HttpOnly")
            self.send_header("Content-Length", str(len(data) if fault != "short" else len(data) // 2))
            self.end_headers()
            if fault == "cut":
                self.wfile.write(data[: len(data) // 2])
                self.close_connection = True
            else:
                self.wfile.write(data if fault != "short" else data[: len(data) // 2])

    return Handler


def _throttled(which: str) -> Answer:
    if which == "suspended":
        return Answer(
            429, {"detail": "Request was throttled because the ApiV2 credential has been suspended"}
        )
    rate = {"minute": "60/minute", "day": "2000/day"}[which]
    return Answer(
        429, {"detail": f"Request was throttled because of exceeding a request limit rate ({rate})"}
    )


def _file(server: Freesound, asked: Asked) -> tuple[int, object]:
    match = re.fullmatch(r"(?:/elsewhere.*)?/(?:previews/\d+|apiv2/sounds)/(\d+)\D.*", asked.path)
    sound = server.sounds.get(int(match[1])) if match else None
    if sound is None or sound.deleted:
        return 404, b"no such file"
    return 200, sound.original if "download" in asked.path else sound.preview


def _api(server: Freesound, asked: Asked) -> tuple[int, object]:
    if "text/html" in asked.headers.get("accept", ""):
        return 200, b"<html>the browsable API</html>"
    if asked.path == "/apiv2/oauth2/access_token/":
        return _token(server, asked)
    _authorise(server, asked)
    _throttle(server)
    if asked.path == "/apiv2/search/":
        return 200, _search(server, asked.params)
    match = re.fullmatch(r"/apiv2/sounds/(\d+)/(download/)?", asked.path)
    sound = server.sounds.get(int(match[1])) if match else None
    if sound is None or sound.deleted:
        return 404, {"detail": "No Sound matches the given query."}
    if match[2]:
        if not asked.headers.get("authorization", "").startswith("Bearer "):
            return 401, {"detail": "Authentication credentials were not provided."}
        return 200, sound.original
    return 200, _fields(sound.record(server), asked.params.get("fields") or "*")


def _authorise(server: Freesound, asked: Asked) -> None:
    given = asked.headers.get("authorization", "") or f"Token {asked.params.get('token', '')}"
    if given == f"Token {KEY}" or given == f"Bearer {server.access_token}":
        return
    raise Answer(401, {"detail": "Expired token" if given.startswith("Bearer") else "Invalid token"})


def _token(server: Freesound, asked: Asked) -> tuple[int, object]:
    form = {name: values[0] for name, values in parse_qs(asked.body).items()}
    good = form.get("client_id") == CLIENT_ID and form.get("client_secret") == KEY
    by_code = form.get("grant_type") == "authorization_code" and form.get("code") == CODE and not server.turns
    renewed = form.get("grant_type") == "refresh_token" and form.get("refresh_token") == server.refresh_token
    return (200, server.log_in()) if good and (by_code or renewed) else (400, {"error": "invalid_grant"})


def _throttle(server: Freesound) -> None:
    now = time.monotonic()
    for which, seconds, rate in (("minute", 60, server.rates[0]), ("day", 86_400, server.rates[1])):
        if sum(at > now - seconds for at in server.counted) >= rate:
            raise _throttled(which)
    server.counted.append(now)


def _fields(record: dict, wanted: str) -> dict:
    return record if wanted == "*" else {name: record[name] for name in wanted.split(",") if name in record}


def _search(server: Freesound, params: dict[str, str]) -> dict:
    if "filter" in params and not params["filter"].strip():
        raise Answer(400, {"detail": "Invalid filter."})
    page, size = _whole(params.get("page"), 1), min(_whole(params.get("page_size"), 15), 150)
    if page < 1 or size < 1:
        raise Answer(404, {"detail": "Not found"})
    found = _ranked(server, params)
    pages = max(1, math.ceil(len(found) / size))
    if page > pages and found:
        raise Answer(404, {"detail": "Not found"})
    results = [
        None if sound.deleted else _fields(sound.record(server), params.get("fields") or DEFAULT_FIELDS)
        for sound in found[(page - 1) * size : page * size]
    ]
    link = f"{server.url}/search/?&query={quote(params.get('query', ''), safe=',:[]*+()')}&weights=&page={page + 1}"
    return {
        "count": len(found),
        "previous": None,
        "next": link if page < pages else None,
        "results": results,
    }


def _whole(text: str | None, otherwise: int) -> int:
    try:
        return int(text or "")
    except ValueError:
        return otherwise


def _ranked(server: Freesound, params: dict[str, str]) -> list[Sound]:
    words = unquote(params.get("query", "")).lower().split()
    kept = [
        s for s in server.sounds.values() if s.in_index and _matches(s, unquote(params.get("filter", "")))
    ]
    if "similar_to" in params:
        return _similar(server, kept, params["similar_to"])
    for word in words:
        wanted, bare = not word.startswith("-"), word.lstrip("+-").strip('"')
        kept = [s for s in kept if (bare in f"{s.name} {' '.join(s.tags)} {s.description}".lower()) == wanted]
    by = params.get("sort", "score")
    return sorted(kept, key=lambda s: (-s.duration if by == "duration_desc" else 0, -s.id))


def _similar(server: Freesound, kept: list[Sound], target: str) -> list[Sound]:
    vector = json.loads(target) if target.startswith("[") else list(server.sounds[int(target)].vector)
    if len(vector) != 512:
        raise Answer(400, {"detail": "Search server error: the vector has another length"})
    near = [(sum(a * b for a, b in zip(vector, s.vector, strict=True)), s) for s in kept if s.vector]
    return [s for score, s in sorted(near, key=lambda pair: -pair[0]) if score >= 0.7 and str(s.id) != target]


def _matches(sound: Sound, text: str) -> bool:
    rest = text
    while rest.strip():
        match = re.match(r'\s*(\w+):("[^"]*"|\([^)]*\)|\[[^\]]*\]|\S+)', rest)
        if match is None:
            raise Answer(400, {"detail": f"Search server error: cannot parse {text!r}"})
        rest = rest[match.end() :]
        if not _passes(sound, match[1], match[2]):
            return False
    return True


def _passes(sound: Sound, name: str, value: str) -> bool:
    if name == "id":
        return str(sound.id) in value.strip("()").split(" OR ")
    if name == "tag":
        return value.strip('"') in sound.tags
    if name == "license":
        return sound.licence == value.strip('"')
    if name == "duration":
        low, high = (
            math.inf * sign if end == "*" else float(end)
            for sign, end in zip((-1, 1), value.strip("[]").split(" TO "), strict=True)
        )
        return low <= sound.duration <= high
    raise Answer(
        400, {"detail": f"Search server error: undefined field {name} (please check that your filter …)"}
    )
