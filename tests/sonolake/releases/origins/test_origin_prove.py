"""Proofs run where a release lies, in a bucket or on a web server, with nothing pulled."""

import base64
import importlib.util
import re

import pytest
from typer.testing import CliRunner

from sonolake.cli.app import app
from sonolake.errors import Damaged, InvalidInput, MissingPackage, NotFound, Refused, Unreachable
from sonolake.releases import build, prove
from sonolake.releases.finding import find_release

SHARD = "data/cares/test-00000-of-00001.parquet"

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("duckdb_extension_httpfs") is None, reason="pip install 'sonolake[s3]'"
)


def nowhere():
    raise AssertionError("no lake is asked")


def proven(address):
    return find_release(address, nowhere).prove()


def outcomes(results):
    return {r.proof.id: r.outcome for r in results}


def test_in_a_bucket_it_is_as_in_a_folder(s3, release):
    assert outcomes(proven(s3.demo)) == outcomes(prove(release)) and len(outcomes(prove(release))) > 9
    assert set(outcomes(proven(s3.demo)).values()) == {"holds"}


def test_in_a_bucket_what_is_wrong_is_found(s3, release):
    at = "releases/demo/0.1.0"
    s3.client.put_object(Bucket=s3.name, Key=f"{at}/more.txt", Body=b"x")
    card = (release / "README.md").read_text().replace("| `cares` | train | 6 |", "| `cares` | train | 7 |")
    s3.client.put_object(Bucket=s3.name, Key=f"{at}/README.md", Body=card.encode())
    failed = {r.proof.id: r.shown for r in proven(s3.demo) if r.outcome == "fails"}
    assert set(failed) == {"files", "counts-card", "figures"}
    assert failed["files"] == ("path more.txt, what extra",)
    s3.client.delete_object(Bucket=s3.name, Key=f"{at}/{SHARD}")
    assert "path data/cares/test-00000-of-00001.parquet, what missing" in next(
        r.shown for r in proven(s3.demo) if r.proof.id == "files"
    )


def test_other_objects_of_the_bucket_are_out_of_a_proof_s_reach(s3, release):
    from sonolake.lake.storages import storage_at
    from sonolake.releases.finding import over_http
    from sonolake.releases.proving import parse_proof, run_in, session

    s3.client.put_object(Bucket=s3.name, Key="releases/demo/0.1.0-private.txt", Body=b"secret")
    storage = storage_at(s3.demo)

    def admit(link):
        over_http(link)
        storage.authorise(link)

    head = "-- id: x\n-- policy: must\n-- meaning: X.\n-- expected: 0 rows\n"
    for sql in (f"FROM read_text('{s3.demo}-private.txt')", "FROM read_text('/etc/hostname')"):
        with session(s3.demo, admit) as opened, pytest.raises(Damaged, match="disabled by configuration"):
            run_in(opened, parse_proof(head + sql, "x.sql"))


@pytest.mark.parametrize("slash", ["", "/"])
def test_on_a_web_server(site, slash):
    results = proven(f"{site.address}/demo/0.1.0{slash}")
    assert set(outcomes(results).values()) == {"holds"} and "files" in outcomes(results)


def test_on_a_web_server_what_is_wrong_is_found(site, release):
    address = f"{site.address}/demo/0.1.0"
    card = (release / "README.md").read_text()
    (release / "README.md").write_text(card.replace("| `cares` | train | 6 |", "| `cares` | train | 16 |"))
    assert {r.proof.id for r in proven(address) if r.outcome == "fails"} == {
        "files",
        "counts-card",
        "figures",
    }
    (release / SHARD).unlink()
    with pytest.raises(Damaged, match=rf"proof counts-shards cannot run(.|\n)*{re.escape(SHARD)}(.|\n)*404"):
        proven(address)


def test_a_proof_that_is_not_the_release_s_own_is_not_run(site, release):
    proof = release / "proofs" / "split-take.sql"
    proof.write_text(proof.read_text().replace("expected: 0 rows", "expected: 7 rows"))
    with pytest.raises(Damaged, match=r"proofs/split-take\.sql is not what its manifest says"):
        proven(f"{site.address}/demo/0.1.0")


def test_a_pattern_of_an_older_release_is_not_run_and_says_why(site, make, store, monkeypatch, release):
    from sonolake.releases import proofs

    old = "SET VARIABLE shards = getvariable('root') || '/data/*/*.parquet';\n"
    monkeypatch.setattr(proofs, "_SHARDS", old)
    build(make(version="0.2.0"), store.__getitem__, release.parent / "0.2.0")
    results = {r.proof.id: r for r in proven(f"{site.address}/demo/0.2.0")}
    assert results["counts-shards"].outcome == "not run"
    assert "no web server answers: pull the release" in results["counts-shards"].why
    assert results["split-take"].outcome == "holds"


def test_an_address_with_a_query_and_one_with_a_password(site, release):
    with pytest.raises(InvalidInput, match=r"without a query: pull it first") as said:
        proven(f"{site.address}/demo/0.1.0?token=s3cret")
    assert "s3cret" not in str(said.value)
    site.password = "Basic " + base64.b64encode(b"ann:s3cret").decode()
    with pytest.raises(Refused, match="may not be read"):
        proven(f"{site.address}/demo/0.1.0")
    host = site.address.removeprefix("http://")
    results = proven(f"http://ann:s3cret@{host}/demo/0.1.0")
    assert set(outcomes(results).values()) == {"holds"}


def test_a_server_that_fails_is_not_a_damaged_release(site, monkeypatch):
    address = f"{site.address}/demo/0.1.0"
    site.faults[f"demo/0.1.0/{SHARD}"] = [("status", 503)] * 50
    with pytest.raises(Unreachable, match="503"):
        proven(address)


def test_what_is_no_release_is_said(site, s3):
    for address in (f"{site.address}/nothing", f"{s3.at}/nothing"):
        with pytest.raises(NotFound, match="not a whole release"):
            proven(address)


def test_the_command_line(site, release, monkeypatch):
    address = f"{site.address}/demo/0.1.0"
    said = CliRunner().invoke(app, ["prove", address])
    assert said.exit_code == 0 and "split-take" in said.output and "fails" not in said.output
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingPackage, match=r"pip install 'sonolake\[s3\]'"):
        proven(address)
