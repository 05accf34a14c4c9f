"""A local server that behaves as providers of speech do: OpenAI's transcriptions and speech, ElevenLabs' speech."""

from __future__ import annotations

import email
import json
import threading
import time
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-speech-0123456789"


class SpeechProvider:
    """The server's state.

    Attributes:
        script: what the next requests get instead, one each: a status, ``(status, headers)``, raw bytes, seconds
            to wait (a float) before answering as usual, or ``"hang up"``.
        requests: ``(path, body)`` of what came: fields of a form, or JSON.
        plain: whether transcriptions are known in the form ``json`` only.
        heard: what a transcription answers.
        speech: from a path, its query and its JSON to the answer's type and bytes.
    """

    def __init__(self):
        self.script, self.requests, self.plain = [], [], False
        self.heard = {"text": "Hello there.", "language": "english", "duration": 1.0}
        self.heard["words"] = [
            {"word": "Hello", "start": 0.1, "end": 0.5},
            {"word": "there", "start": 0.5, "end": 0.9},
        ]
        self.speech = None
        self.lock = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def transcription(self, fields):
        wav = fields["file"]
        assert wav[:4] == b"RIFF" and wav[8:12] == b"WAVE"
        if self.plain and fields["response_format"] != "json":
            message = f"response_format '{fields['response_format']}' is not compatible with this model"
            return 400, {"error": {"message": message, "param": "response_format"}}
        return 200, {"text": self.heard["text"]} if self.plain else self.heard


def form(content_type, body):
    """Fields of a multipart form."""
    message = email.message_from_bytes(f"Content-Type: {content_type}\r\n\r\n".encode() + body, policy=HTTP)
    found = {}
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        data = part.get_payload(decode=True)
        found[name] = data if part.get_filename() else data.decode()
    return found


def _handler(provider):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_POST(self):
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            with provider.lock:
                step = provider.script.pop(0) if provider.script else None
            if step == "hang up":
                self.close_connection = True
                return
            if isinstance(step, float):
                time.sleep(step)
            elif isinstance(step, bytes):
                self.reply(200, step)
                return
            elif step is not None:
                status, headers = step if isinstance(step, tuple) else (step, {})
                self.reply(status, json.dumps({"error": {"message": f"scripted {status}"}}).encode(), headers)
                return
            self.route(sent)

        def route(self, sent):
            path, _, query = self.path.partition("?")
            eleven = path.startswith("/v1/text-to-speech/")
            given = self.headers.get("xi-api-key") if eleven else self.headers.get("Authorization")
            if given != (KEY if eleven else f"Bearer {KEY}"):
                self.reply(401, json.dumps({"error": {"message": f"Incorrect API key: {given}"}}).encode())
                return
            kind = self.headers["Content-Type"]
            body = json.loads(sent) if kind == "application/json" else form(kind, sent)
            with provider.lock:
                provider.requests.append((self.path, body))
            if path == "/v1/audio/transcriptions":
                status, answer = provider.transcription(body)
                self.reply(status, json.dumps(answer).encode())
            elif path == "/v1/audio/speech" or eleven:
                status, kind, data = provider.speech(path, query, body)
                self.reply(status, data, {"Content-Type": kind})
            else:
                self.reply(404, b'{"error": {"message": "no such path"}}')

        def reply(self, status, body, headers=None):
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler
