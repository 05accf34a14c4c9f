"""A server that behaves like the Hugging Face hub, as far as data set repositories are written and read.

Repositories with commits, a branch and tags; small text files as Git blobs, others as large files through the batch API
to a storage address of their own; a card whose head is not valid is refused; the wrong parent is refused. Tokens are
asked for to write, and to read what is private; storage addresses are asked for without any.
"""

import base64
import hashlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import yaml

TOKEN = "hf_writes"
READER = "hf_reads"
LARGE = (".parquet", ".flac", ".wav", ".tar", ".gz")
LICENCES = {
    *(
        "apache-2.0",
        "mit",
        "bsd",
        "bsd-2-clause",
        "bsd-3-clause",
        "bsd-3-clause-clear",
        "cc",
        "cc0-1.0",
        "pddl",
    ),
    *("cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0", "cc-by-nd-4.0"),
    *("cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0"),
    *("cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "odc-by", "odbl", "unknown", "other"),
}
"""Those of its documentation that data have."""
SIZES = {"n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B"}
ROUTES = {
    ("POST", r"/api/repos/create"): "create",
    ("POST", r"/api/validate-yaml"): "validate",
    ("GET", r"/api/datasets/([^/]+/[^/]+)/refs"): "refs",
    ("GET", r"/api/datasets/([^/]+/[^/]+)/tree/([^/]+)"): "tree",
    ("GET", r"/api/datasets/([^/]+/[^/]+)/revision/([^/]+)"): "info",
    ("GET", r"/api/datasets/([^/]+/[^/]+)"): "info",
    ("POST", r"/api/datasets/([^/]+/[^/]+)/preupload/([^/]+)"): "preupload",
    ("POST", r"/datasets/([^/]+/[^/]+)\.git/info/lfs/objects/batch"): "batch",
    ("PUT", r"/storage/([0-9a-f]{64})"): "store",
    ("GET", r"/storage/([0-9a-f]{64})"): "stored",
    ("POST", r"/api/datasets/([^/]+/[^/]+)/commit/([^/]+)"): "commit",
    ("POST", r"/api/datasets/([^/]+/[^/]+)/tag/([^/]+)"): "tag",
    ("GET", r"/datasets/([^/]+/[^/]+)/resolve/([^/]+)/(.+)"): "resolve",
    ("HEAD", r"/datasets/([^/]+/[^/]+)/resolve/([^/]+)/(.+)"): "resolve",
}
OPEN = {"store", "stored", "validate"}
WRITES = {"create", "preupload", "batch", "commit", "tag"}


def blob(data):
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def pointer(oid, size):
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {size}\n".encode()


class Repository:
    """Commits by id, each a tree of (kind, content) by path; kind is ``regular`` with bytes or ``lfs`` with an oid."""

    def __init__(self, private):
        self.private, self.commits, self.tags, self.messages = private, {}, {}, []
        self.head = self.add({".gitattributes": ("regular", b"*.parquet filter=lfs\n")}, "initial commit")

    def add(self, tree, message):
        text = json.dumps([message, len(self.commits), sorted(tree)])
        oid = hashlib.sha1(text.encode()).hexdigest()
        self.commits[oid] = tree
        self.messages.append(message)
        self.head = oid
        return oid

    def revision(self, name):
        name = unquote(name)
        found = self.head if name == "main" else self.tags.get(name, name)
        return found if found in self.commits else None


class Hub(ThreadingHTTPServer):
    """The server; ``calls`` are what was asked for, ``break_after`` lets so many more large files come."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.repositories, self.storage = {}, {}
        self.calls, self.headers, self.break_after = [], [], None
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        self.store = f"http://localhost:{self.server_address[1]}"  # another host, which gets no token

    def start(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self):
        self.shutdown()
        self.server_close()

    def sent(self):
        """Large files that were sent."""
        return sum(name == "store" for name in self.calls)

    def tree(self, repository, revision="main"):
        found = self.repositories[repository]
        return found.commits[found.revision(revision)]

    def content(self, repository, path, revision="main"):
        kind, content = self.tree(repository, revision)[path]
        return content if kind == "regular" else self.storage[content]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.send_header("Content-Length", str(headers.get("size", len(data))))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def refuse(self, status, message, code="", **more):
        headers = {"X_Error_Message": message} | ({"X_Error_Code": code} if code else {})
        self.answer(status, {"error": message, **more}, **headers)

    def handle_any(self):
        hub, path = self.server, urlsplit(self.path).path
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Transfer-Encoding") == "chunked":
            self.body = self.chunks()
        for (method, pattern), name in ROUTES.items():
            match = re.fullmatch(pattern, path)
            if match and method == self.command:
                hub.calls.append(name)
                if self.may(name, match):
                    getattr(self, name)(*match.groups())
                return
        self.refuse(404, f"no such place: {self.command} {path}")

    do_GET = do_POST = do_PUT = do_HEAD = handle_any

    def chunks(self):
        data = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    def may(self, name, match):
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        if name in OPEN:
            assert name == "validate" or not token, "the storage is no business of a token"
            return True
        if name in WRITES and token != TOKEN:
            self.refuse(
                403 if token else 401,
                "You don't have the rights" if token else "Invalid username or password.",
            )
            return False
        if name == "create":
            return True
        repository = self.server.repositories.get(match[1])
        if repository is None or (repository.private and token not in (TOKEN, READER)):
            self.refuse(404, "Repository not found", "RepoNotFound")
            return False
        self.repository = repository
        return True

    def create(self):
        asked = json.loads(self.body)
        name = f"{asked['organization']}/{asked['name']}"
        assert asked["type"] == "dataset"
        place = f"{self.server.address}/datasets/{name}"
        if name in self.server.repositories:
            return self.refuse(409, "You already created this dataset repo", url=place)
        self.server.repositories[name] = Repository(asked.get("visibility") == "private")
        return self.answer(200, {"url": place})

    def validate(self):
        errors = problems(json.loads(self.body)["content"])
        self.answer(400 if errors else 200, {"errors": [{"message": one} for one in errors], "warnings": []})

    def refs(self, _):
        tags = [
            {"name": n, "ref": f"refs/tags/{n}", "targetCommit": c} for n, c in self.repository.tags.items()
        ]
        main = {"name": "main", "ref": "refs/heads/main", "targetCommit": self.repository.head}
        self.answer(200, {"branches": [main], "converts": [], "tags": tags})

    def commit_of(self, revision):
        found = self.repository.revision(revision)
        if found is None:
            self.refuse(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return found

    def entry(self, path, kind, content):
        if kind == "regular":
            return {"type": "file", "path": path, "size": len(content), "oid": blob(content)}
        size = len(self.server.storage[content])
        lfs = {"oid": content, "size": size, "pointerSize": len(pointer(content, size))}
        return {"type": "file", "path": path, "size": size, "oid": blob(pointer(content, size)), "lfs": lfs}

    def tree(self, _, revision):
        commit = self.commit_of(revision)
        if commit:
            tree = self.repository.commits[commit]
            folders = {p.rpartition("/")[0] for p in tree} - {""}
            rows = [{"type": "directory", "path": f, "oid": "0" * 40, "size": 0} for f in sorted(folders)]
            self.answer(200, rows + [self.entry(path, *tree[path]) for path in sorted(tree)])

    def info(self, name, revision="main"):
        commit = self.commit_of(revision)
        if commit:
            files = [{"rfilename": path} for path in sorted(self.repository.commits[commit])]
            facts = {
                "id": name,
                "sha": commit,
                "private": self.repository.private,
                "siblings": files,
                "tags": [],
            }
            self.answer(200, {**facts, "disabled": False, "gated": False, "downloads": 0, "likes": 0})

    def preupload(self, _, revision):
        tree = self.repository.commits[self.repository.revision(revision)]
        rows = []
        for file in json.loads(self.body)["files"]:
            base64.b64decode(file["sample"])
            large = file["path"].endswith(LARGE) or file["size"] > 10_000_000
            row = {"path": file["path"], "uploadMode": "lfs" if large else "regular", "shouldIgnore": False}
            if file["path"] in tree:
                kind, content = tree[file["path"]]
                row["oid"] = content if kind == "lfs" else blob(content)
            rows.append(row)
        self.answer(200, {"files": rows})

    def batch(self, _):
        asked = json.loads(self.body)
        assert asked["operation"] == "upload" and asked["hash_algo"] == "sha256"
        objects = []
        for one in asked["objects"]:
            place = f"{self.server.store}/storage/{one['oid']}?signature=secret"
            actions = (
                {}
                if one["oid"] in self.server.storage
                else {"actions": {"upload": {"href": place, "header": {}}}}
            )
            objects.append({"oid": one["oid"], "size": one["size"], **actions})
        self.answer(200, {"transfer": "basic", "objects": objects})

    def store(self, oid):
        hub = self.server
        if hub.break_after is not None:
            hub.break_after -= 1
            if hub.break_after < 0:
                return self.refuse(400, "storage is full")
        if hashlib.sha256(self.body).hexdigest() != oid:
            return self.refuse(400, "other bytes than announced")
        hub.storage[oid] = self.body
        return self.answer(200)

    def stored(self, oid):
        self.answer(200, self.server.storage[oid], ETag=f'"{oid}"')

    def commit(self, name, revision):
        head, *operations = [json.loads(line) for line in self.body.splitlines()]
        assert revision == "main" and head["key"] == "header"
        if head["value"].get("parentCommit", self.repository.head) != self.repository.head:
            return self.refuse(412, "A commit has happened since. Please refresh and try again.")
        tree = dict(self.repository.commits[self.repository.head])
        for operation in operations:
            key, value = operation["key"], operation["value"]
            if key == "file":
                tree[value["path"]] = ("regular", base64.b64decode(value["content"]))
            elif key == "lfsFile":
                assert len(self.server.storage[value["oid"]]) == value["size"]
                tree[value["path"]] = ("lfs", value["oid"])
            else:
                assert key == "deletedFile"
                del tree[value["path"]]
        if errors := problems(tree["README.md"][1].decode()):
            return self.refuse(400, "; ".join(errors))
        oid = self.repository.add(tree, head["value"]["summary"])
        place = f"{self.server.address}/datasets/{name}/commit/{oid}"
        return self.answer(200, {"success": True, "commitOid": oid, "commitUrl": place, "hookOutput": ""})

    def tag(self, _, revision):
        tag, commit = json.loads(self.body)["tag"], self.commit_of(revision)
        if tag in self.repository.tags:
            return self.refuse(409, "Tag already exists")
        self.repository.tags[tag] = commit
        return self.answer(200, {})

    def resolve(self, _, revision, path):
        commit = self.commit_of(revision)
        if not commit:
            return None
        if unquote(path) not in self.repository.commits[commit]:
            return self.refuse(404, "Entry not found", "EntryNotFound")
        kind, content = self.repository.commits[commit][unquote(path)]
        if kind == "regular":
            return self.answer(200, content, ETag=f'"{blob(content)}"', X_Repo_Commit=commit)
        size = len(self.server.storage[content])
        place = f"{self.server.store}/storage/{content}?signature=secret"
        linked = {"X_Linked_Etag": f'"{content}"', "X_Linked_Size": size, "X_Repo_Commit": commit}
        return self.answer(302, b"", Location=place, **linked)


def problems(card):
    """What is wrong with a card's head, by the hub's rules as documented."""
    parts = card.split("---\n")
    if len(parts) < 3 or parts[0]:
        return ["no head"]
    head = yaml.safe_load(parts[1])
    found = []
    if head.get("license") not in LICENCES:
        found.append(f'"license" must be one of {sorted(LICENCES)}')
    if head.get("license") == "other" and not re.fullmatch(r"[a-z0-9.-]+", head.get("license_name", "")):
        found.append('"license_name" must be an id')
    if not re.fullmatch(r"LICENSE(\.md)?|https?://.+", head.get("license_link", "LICENSE")):
        found.append('"license_link" must be LICENSE, LICENSE.md or a URL')
    if not set(head.get("size_categories", [])) <= SIZES:
        found.append('"size_categories" is not known')
    for config in head.get("configs", []):
        if not isinstance(config.get("config_name"), str) or not config.get("data_files"):
            found.append('"configs" needs config_name and data_files')
    if sum(bool(config.get("default")) for config in head.get("configs", [])) > 1:
        found.append("two default configs")
    return found
