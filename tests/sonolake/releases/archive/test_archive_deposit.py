"""Drafts of Zenodo deposits, at a server that behaves like its API."""

import io
import shutil
import tarfile

import pytest
import yaml
from typer.testing import CliRunner

from sonolake.cli.app import app
from sonolake.errors import Refused, Unreachable
from sonolake.releases import verify
from sonolake.releases.archive import deposit
from sonolake.releases.archive.bundle import Bundle
from sonolake.releases.finding import find_release


@pytest.fixture(scope="module")
def module(stand_in):
    return stand_in("zenodo_server")


@pytest.fixture
def zenodo(module, monkeypatch):
    server = module.Zenodo()
    server.start()
    monkeypatch.setenv("ZENODO_URL", server.address)
    monkeypatch.setenv("ZENODO_TOKEN", module.TOKEN)
    yield server
    server.stop()


def put(folder):
    return deposit(find_release(str(folder), lambda: ""))


def test_a_draft_holds_the_release_and_its_documents(zenodo, release, tmp_path):
    made = put(release)
    assert (made.outcome, made.files, made.sent, made.doi) == ("deposited", 4, 4, "10.5281/zenodo.1000")
    assert zenodo.drafts[1000]["title"] == "Demo 0.1.0" and zenodo.drafts[1000]["license"] == "cc0-1.0"
    kept = zenodo.kept[1000]
    assert set(kept) == {"README.md", "CITATION.cff", "DATASHEET.md", "demo-0.1.0.tar"}
    assert yaml.safe_load(kept["CITATION.cff"])["version"] == "0.1.0"
    with tarfile.open(fileobj=io.BytesIO(kept["demo-0.1.0.tar"])) as tar:
        assert {(m.mtime, m.uid, m.uname, m.mode) for m in tar.getmembers()} == {(0, 0, "", 0o644)}
        tar.extractall(tmp_path, filter="data")
    assert verify(tmp_path / "demo-0.1.0") == []


def test_the_same_again_sends_nothing_and_what_broke_goes_on(zenodo, release):
    zenodo.break_after = 2
    with pytest.raises(Unreachable, match=r"Storage is away\. \(status 503\)"):
        put(release)
    zenodo.break_after = None
    rest = put(release)
    assert (rest.sent, zenodo.sent(), list(zenodo.drafts)) == (2, 5, [1000])
    again = put(release)
    assert (again.outcome, again.sent, zenodo.sent()) == ("already", 0, 5)


def test_a_draft_of_another_title_is_left_alone(zenodo, release):
    zenodo.drafts[1000] = {"title": "Demo 0.1.0 of somebody"}
    zenodo.kept[1000] = {}
    assert put(release).draft == 1001 and zenodo.kept[1000] == {}


def test_without_a_token_or_with_a_wrong_one_it_is_refused(zenodo, release, monkeypatch):
    monkeypatch.setenv("ZENODO_TOKEN", "wrong-token")
    with pytest.raises(Refused, match="Unauthorized") as said:
        put(release)
    assert "wrong-token" not in str(said.value)
    monkeypatch.delenv("ZENODO_TOKEN")
    with pytest.raises(Refused, match="set ZENODO_TOKEN"):
        put(release)


def test_what_is_not_as_published_is_refused(zenodo, release):
    (release / "README.md").write_text("Changed.")
    with pytest.raises(Refused, match=r"changed README\.md"):
        put(release)
    assert zenodo.calls == []


def test_the_command_says_where_to_look(zenodo, release, module):
    result = CliRunner().invoke(app, ["push", str(release), "zenodo"])
    assert result.exit_code == 0, result.stderr
    assert f"publish it: {zenodo.address}/deposit/1000" in result.stdout and module.TOKEN not in result.stdout
    assert CliRunner().invoke(app, ["push", str(release), "zenodo", "--private"]).exit_code == 2


def test_the_size_of_a_bundle_is_known_before_it_is_made(tmp_path):
    for name, size in (("a", 0), ("b", 1), ("c", 512), ("deep/d", 513), ("e", 30_000)):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(bytes(range(256)) * (size // 256 + 1))
        bundle = Bundle(tmp_path / "in", "top")
        data = b"".join(bundle.blocks())
        assert len(data) == bundle.size
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            assert tar.extractfile(f"top/{name}").read() == (tmp_path / "in" / name).read_bytes()
    shutil.rmtree(tmp_path / "in")
