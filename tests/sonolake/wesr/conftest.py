"""A server on this machine that answers like an OpenAI-compatible endpoint, errors included."""

import base64
import io
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

import pytest
import soundfile

KEY = "sk-local-0123456789"


class ChatServer:
    """Answers each recording with ``text``; ``script`` holds what happens before that, one item a request.

    An item is a status, a (status, headers) pair, raw bytes of a 200 answer, or "hang up".
    """

    def __init__(self):
        self.script, self.requests, self.text, self.lock = [], [], "one [laughs] two", Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.answer(self, json.loads(body))

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def stop(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def answer(self, handler, asked):
        with self.lock:
            self.requests.append(asked)
            step = self.script.pop(0) if self.script else 200
        if step == "hang up":
            handler.close_connection = True
            handler.connection.close()
            return
        if isinstance(step, bytes):
            self.send(handler, 200, step)
            return
        status, headers = step if isinstance(step, tuple) else (step, {})
        if status == 200:
            status, body = self.completion(handler, asked)
        else:
            # some servers repeat the key that they refuse
            body = error(f"refused {handler.headers['Authorization']}", "server_error")
        self.send(handler, status, json.dumps(body).encode(), headers)

    def completion(self, handler, asked):
        if handler.path != "/v1/chat/completions":
            return 404, error("no such address", "invalid_request_error")
        if handler.headers["Authorization"] != f"Bearer {KEY}":
            return 401, error("Incorrect API key provided", "invalid_request_error")
        kinds = [part["type"] for message in asked["messages"] for part in message["content"]]
        if kinds != ["text", "input_audio"] or asked["messages"][0]["role"] != "user":
            return 400, error("a text and a recording are wanted", "invalid_request_error")
        sound = asked["messages"][0]["content"][1]["input_audio"]
        assert sound["format"] == "wav"
        info = soundfile.info(io.BytesIO(base64.b64decode(sound["data"], validate=True)))
        assert (info.samplerate, info.channels, info.format, info.subtype) == (16_000, 1, "WAV", "PCM_16")
        text = self.text(info) if callable(self.text) else self.text
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        return 200, {"id": "c1", "object": "chat.completion", "model": asked["model"], "choices": [choice]}

    def send(self, handler, status, body, headers=None):
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)


def error(message, kind):
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}


@pytest.fixture
def chat_server():
    server = ChatServer()
    yield server
    server.stop()


@pytest.fixture
def chat_key():
    return KEY
