"""Sources asked again: what was deleted, relicensed or is not wished for any more, and which releases it touches."""

import csv
import json

import pytest

from sonolake.sources.freesound import Catalogue, Search
from sonolake.sources.freesound.secrets import Secret
from sonolake.sources.intake import Intake
from sonolake.sources.web import WebSettings
from tasks.fetching import fetch_batch, find_sounds
from tasks.rechecking import find_sources, recheck_batch, touched_releases

SETTINGS = WebSettings(pause_s=0)


@pytest.fixture
def dogs(freesound, freesound_server, monkeypatch, tmp_path, path):
    """A lake with four sounds of Freesound."""
    catalogue = lambda _=None: Catalogue(  # noqa: E731
        Secret(freesound_server.KEY), tmp_path / "state", freesound.url, "fsclient", sleep=lambda s: None
    )
    monkeypatch.setattr(Catalogue, "here", catalogue)
    freesound.add(*(freesound_server.made(n, name="dog bark", tags=("dog",)) for n in range(1, 5)))
    found = find_sounds.fn(path, Intake("take"), "dog", Search())
    assert fetch_batch.fn(path, "run", Intake("take"), found.entries, Search()).done == 4
    return path


def recheck(path):
    known = find_sources.fn(path)
    return {one.item: one for one in recheck_batch.fn(path, "again", known, SETTINGS)}


def test_what_is_as_it_was_is_no_news(dogs, lake):
    assert [one.source_id for one in find_sources.fn(dogs)] == [f"freesound:{n}" for n in range(1, 5)]
    assert recheck(dogs) == {}
    assert lake.rows("FROM source_checks") == []


def test_what_freesound_says_otherwise_is_put_on_record_and_nothing_is_deleted(dogs, lake, freesound):
    freesound.sounds[1].deleted = True
    freesound.sounds[2].licence = "Attribution NonCommercial"
    freesound.sounds[3].preference = "no-gen-ai"
    new = recheck(dogs)
    assert {name: one.found for name, one in new.items()} == {
        "freesound:1": "gone",
        "freesound:2": "relicensed",
        "freesound:3": "wish",
    }
    assert new["freesound:2"].detail == "its licence was CC0-1.0 and is CC-BY-NC-3.0"
    rows = {row["source_id"]: row for row in lake.rows("FROM source_checks")}
    assert rows["freesound:2"]["licence"] == "CC-BY-NC-3.0" and rows["freesound:3"]["wish"] == "no-gen-ai"
    assert lake.rows("SELECT count(*) AS n FROM assets") == [{"n": 4}]
    assert recheck(dogs) == {}
    freesound.sounds[1].deleted = False
    assert {name: one.found for name, one in recheck(dogs).items()} == {"freesound:1": "same"}
    counts = lake.rows(
        "SELECT sum(done) AS done, sum(already) AS already FROM step_counts WHERE step = 'recheck'"
    )
    assert counts == [{"done": 4, "already": 8}]


def test_addresses_of_the_web_are_asked_on_their_terms(path, lake, site, monkeypatch, tmp_path):
    monkeypatch.setenv("SONOLAKE_STATE", str(tmp_path / "state"))
    names = ("there", "changed", "gone", "private")
    site.files |= {f"/{name}.mp3": b"sound of " + name.encode() for name in names}
    lake.table("assets").append(
        [
            {
                "asset_id": name,
                "kind": "speech",
                "item": site.url(f"/{name}.mp3") + "#t=0.000,9.000",
                "source_id": "a feed",
                "licence": "CC-BY-4.0",
                "tags": json.dumps({"web_etag": site.etag(site.files[f"/{name}.mp3"])}),
            }
            for name in names
        ]
    )
    site.files |= {"/changed.mp3": b"another sound", "/robots.txt": b"User-agent: *\nDisallow: /private\n"}
    del site.files["/gone.mp3"]
    assert {item.rpartition("/")[2]: one.found for item, one in recheck(path).items()} == {
        "changed.mp3": "changed",
        "gone.mp3": "gone",
        "private.mp3": "unknown",
    }
    assert {one.path: one.status for one in site.asked}.items() >= {
        "/there.mp3": 304,
        "/gone.mp3": 404,
    }.items()
    assert "/private.mp3" not in {one.path for one in site.asked}


def test_the_releases_that_credit_a_source_are_listed(path, lake):
    lake.table("releases").append(
        [
            {"name": "demo", "version": v, "snapshot": n, "manifest_sha256": "0" * 64, "state": s}
            for n, (v, s) in enumerate(
                [("1.0.0", "retracted"), ("1.1.0", "published"), ("1.2.0", "published")]
            )
        ]
    )
    many = " ".join(f"scene-{number:020d}" for number in range(6000))
    ours = [("a", "one two"), ("a", f"two {many}"), ("b", "two")]
    for version, rows in (("1.0.0", ours[:1]), ("1.1.0", ours), ("1.2.0", ours[2:])):
        with lake.storage.staging(f"releases/demo/{version}/ATTRIBUTION.csv") as part, part.open("w") as file:
            table = csv.writer(file)
            table.writerows([("source_id", "items"), *rows])
    assert touched_releases.fn(path, ["a", "c"]) == {"demo@1.1.0": {"a": 6002}}
