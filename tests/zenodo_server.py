"""A server that behaves like Zenodo's deposit API, as far as drafts are made and filled."""

import hashlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

TOKEN = "writes-deposits"
NEEDED = ("title", "upload_type", "description", "creators")
LICENCES = {"cc0-1.0", "cc-by-4.0", "cc-by-sa-4.0", "cc-by-nc-4.0", "apache-2.0"}
ROUTES = {
    ("GET", r"/api/deposit/depositions"): "listed",
    ("POST", r"/api/deposit/depositions"): "create",
    ("PUT", r"/api/deposit/depositions/(\d+)"): "describe",
    ("GET", r"/api/deposit/depositions/(\d+)/files"): "files",
    ("PUT", r"/api/files/bucket-(\d+)/([^/]+)"): "store",
}


class Zenodo(ThreadingHTTPServer):
    """The server: drafts by number, their files by name; ``break_after`` lets so many more files come whole."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.drafts, self.kept, self.calls, self.break_after = {}, {}, [], None
        self.address = f"http://127.0.0.1:{self.server_address[1]}"

    def start(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self):
        self.shutdown()
        self.server_close()

    def sent(self):
        return sum(name == "store" for name in self.calls)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def handle_any(self):
        place = urlsplit(self.path)
        self.query = parse_qs(place.query)
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.answer(401, {"status": 401, "message": "Unauthorized"})
        for (method, pattern), name in ROUTES.items():
            match = re.fullmatch(pattern, place.path)
            if match and method == self.command:
                self.server.calls.append(name)
                return getattr(self, name)(*match.groups())
        return self.answer(404, {"status": 404, "message": "Not found."})

    do_GET = do_POST = do_PUT = handle_any

    def shown(self, number):
        metadata = dict(self.server.drafts[number])
        metadata["prereserve_doi"] = {"doi": f"10.5281/zenodo.{number}", "recid": number}
        links = {"bucket": f"{self.server.address}/api/files/bucket-{number}"}
        links["html"] = f"{self.server.address}/deposit/{number}"
        return {
            "id": number,
            "submitted": False,
            "state": "unsubmitted",
            "metadata": metadata,
            "links": links,
        }

    def listed(self):
        wanted = re.fullmatch(r'title:"(.*)"', self.query["q"][0])[1].lower().split()
        numbers = [n for n, m in self.server.drafts.items() if set(wanted) & set(m["title"].lower().split())]
        self.answer(200, [self.shown(number) for number in numbers])

    def create(self):
        number = 1000 + len(self.server.drafts)
        self.put(number, 201)

    def describe(self, number):
        self.put(int(number), 200)

    def put(self, number, status):
        metadata = json.loads(self.body)["metadata"]
        errors = [
            {"field": f"metadata.{name}", "message": "required"} for name in NEEDED if not metadata.get(name)
        ]
        if metadata.get("license", "cc0-1.0") not in LICENCES:
            errors.append({"field": "metadata.license", "message": "not known"})
        if errors:
            return self.answer(400, {"status": 400, "message": "Validation error.", "errors": errors})
        self.server.drafts[number] = metadata
        self.server.kept.setdefault(number, {})
        return self.answer(status, self.shown(number))

    def files(self, number):
        rows = self.server.kept[int(number)].items()
        facts = [(name, hashlib.md5(data).hexdigest(), len(data)) for name, data in rows]
        self.answer(200, [{"filename": name, "checksum": md5, "filesize": size} for name, md5, size in facts])

    def store(self, number, name):
        server = self.server
        if server.break_after is not None:
            server.break_after -= 1
            if server.break_after < 0:
                return self.answer(503, {"status": 503, "message": "Storage is away."})
        server.kept[int(number)][name] = self.body
        checksum = f"md5:{hashlib.md5(self.body).hexdigest()}"
        return self.answer(201, {"key": name, "size": len(self.body), "checksum": checksum})
