"""A local server that behaves as providers of chat models do, OpenAI's and Anthropic's, their batches included."""

from __future__ import annotations

import base64
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-local-0123456789"


class Provider:
    """The server's state.

    Attributes:
        answer: from a request's body to the text (or, with a schema, the object) that the model says.
        script: what the next requests get instead, one each: a status, ``(status, headers)``, raw bytes, seconds
            to wait (a float) before answering as usual, or ``"hang up"``.
        requests: bodies of chat requests as they came.
        batches: rounds that a batch is still at work when it is asked for.
        formats: kinds of ``response_format`` that the server knows.
    """

    def __init__(self):
        self.answer = lambda body: "yes"
        self.script, self.requests, self.paths = [], [], []
        self.rounds, self.formats = 1, {"json_schema", "json_object"}
        self.files, self.batches, self.busy, self.most_busy = {}, {}, 0, 0
        self.cut, self.lock = False, threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def openai(self, body):
        for message in body["messages"]:
            for part in message["content"] if isinstance(message["content"], list) else ():
                if part["type"] == "input_audio":
                    assert base64.b64decode(part["input_audio"]["data"])[:4] == b"RIFF"
        kind = (body.get("response_format") or {}).get("type")
        if kind and kind not in self.formats:
            return 400, {"error": {"message": f"'response_format.type' {kind} is not supported", "type": "x"}}
        if kind == "json_schema" and not body["response_format"]["json_schema"]["schema"]:
            return 400, {"error": {"message": "a json_schema needs its schema"}}
        said = self.answer(body)
        text = said if isinstance(said, str) else json.dumps(said)
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": "length" if self.cut else "stop",
        }
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        made = {"id": "chatcmpl-1", "object": "chat.completion", "model": body["model"]}
        return 200, {**made, "choices": [choice], "usage": usage}

    def anthropic(self, body):
        assert all(m["role"] in ("user", "assistant") for m in body["messages"])
        said = self.answer(body)
        if body.get("tool_choice"):
            name = body["tool_choice"]["name"]
            assert name in [tool["name"] for tool in body["tools"]]
            content = [{"type": "tool_use", "id": "toolu_1", "name": name, "input": said}]
        else:
            content = [{"type": "text", "text": said}]
        return 200, {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": "max_tokens"
            if self.cut
            else "tool_use"
            if body.get("tool_choice")
            else "end_turn",
            "usage": {"input_tokens": 100, "output_tokens": 10},
        }


def _handler(provider):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            self.answered("GET", b"")

        def do_POST(self):
            self.answered("POST", self.rfile.read(int(self.headers["Content-Length"])))

        def answered(self, method, sent):
            with provider.lock:
                provider.paths.append(f"{method} {self.path}")
                provider.busy += 1
                provider.most_busy = max(provider.most_busy, provider.busy)
                step = provider.script.pop(0) if provider.script and method == "POST" else None
            try:
                self.scripted(method, sent, step)
            finally:
                with provider.lock:
                    provider.busy -= 1

        def scripted(self, method, sent, step):
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
            self.route(method, sent)

        def route(self, method, sent):
            anthropic = self.path.startswith("/v1/messages")
            given = self.headers.get("x-api-key") if anthropic else self.headers.get("Authorization")
            if given != (KEY if anthropic else f"Bearer {KEY}"):
                self.reply(401, b'{"error": {"message": "Incorrect API key provided"}}')
            elif anthropic and not self.headers.get("anthropic-version"):
                self.reply(
                    400, b'{"type": "error", "error": {"message": "anthropic-version: header is required"}}'
                )
            elif method == "POST":
                self.post(sent)
            else:
                self.get()

        def post(self, sent):
            if self.path == "/v1/files":
                lines = sent.split(b"\r\n\r\n")[-1].split(b"\r\n--")[0]
                name = f"file-{len(provider.files)}"
                assert b'name="purpose"' in sent
                provider.files[name] = lines
                self.send({"id": name, "object": "file", "purpose": "batch"})
                return
            body = json.loads(sent)
            if self.path in ("/v1/chat/completions", "/v1/messages"):
                provider.requests.append(body)
                self.send(
                    *reversed((provider.anthropic if "messages" in self.path else provider.openai)(body))
                )
            elif self.path == "/v1/batches":
                assert body["endpoint"] == "/v1/chat/completions"
                lines = [json.loads(line) for line in provider.files[body["input_file_id"]].splitlines()]
                self.batch({line["custom_id"]: provider.openai(line["body"]) for line in lines})
            elif self.path == "/v1/messages/batches":
                asked = {r["custom_id"]: provider.anthropic(r["params"]) for r in body["requests"]}
                self.batch(asked)
            else:
                self.reply(404, b'{"error": {"message": "no such path"}}')

        def batch(self, answers):
            name = f"batch-{len(provider.batches)}"
            provider.batches[name] = [provider.rounds, answers]
            self.send({"id": name, "status": "validating", "processing_status": "in_progress"})

        def get(self):
            parts = self.path.split("/")
            if parts[2] == "files":
                self.reply(200, provider.files[parts[3]])
                return
            name = parts[-2] if parts[-1] == "results" else parts[-1]
            if name not in provider.batches:
                self.reply(404, b'{"error": {"message": "no such batch"}}')
                return
            state = provider.batches[name]
            if parts[-1] == "results":
                self.reply(200, self.results(state[1]))
                return
            state[0] -= 1
            done = state[0] < 0
            if done:
                provider.files[f"{name}-out"] = self.output(state[1])
            self.send(
                {
                    "id": name,
                    "status": "completed" if done else "in_progress",
                    "processing_status": "ended" if done else "in_progress",
                    "output_file_id": f"{name}-out" if done else None,
                    "results_url": f"{provider.url}/messages/batches/{name}/results" if done else None,
                }
            )

        def output(self, answers):
            lines = []
            for name, (status, body) in answers.items():
                response = {"status_code": status, "request_id": "r", "body": body}
                lines.append(json.dumps({"id": "x", "custom_id": name, "response": response, "error": None}))
            return "\n".join(lines).encode()

        def results(self, answers):
            lines = []
            for name, (status, body) in answers.items():
                result = (
                    {"type": "succeeded", "message": body}
                    if status == 200
                    else {"type": "errored", "error": body}
                )
                lines.append(json.dumps({"custom_id": name, "result": result}))
            return "\n".join(lines).encode()

        def send(self, body, status=200):
            self.reply(status, json.dumps(body).encode())

        def reply(self, status, body, headers=None):
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler
