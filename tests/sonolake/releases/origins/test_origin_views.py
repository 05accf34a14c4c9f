"""``views.sql`` by plain DuckDB, over a folder, HTTP and S3, with one variable set and nothing pulled."""

import os
import shutil

import duckdb
import pytest

from sonolake.releases import build, pull

COUNTS = 'SELECT split, count(*), count(audio.bytes) FROM "cares" GROUP BY ALL ORDER BY ALL'
EXPECTED = [("test", 2, 2), ("train", 6, 6), ("validation", 2, 2)]


@pytest.fixture
def plain():
    """DuckDB with the extension that reads over a network, from its wheel."""
    from sonolake.errors import MissingPackage
    from sonolake.lake.catalog import extension_path

    try:
        path = extension_path("httpfs")
    except MissingPackage as missing:
        pytest.skip(str(missing))
    with duckdb.connect(config={"autoinstall_known_extensions": "false"}) as link:
        link.execute(f"LOAD '{path}'")
        yield link


def views(link, root, folder):
    link.execute(f"SET VARIABLE root = '{root}'")
    link.execute((folder / "views.sql").read_text())


@pytest.mark.parametrize("slash", ["", "/"])
def test_over_http(plain, site, release, slash):
    views(plain, f"{site.address}/demo/0.1.0{slash}", release)
    assert plain.execute(COUNTS).fetchall() == EXPECTED
    assert plain.execute("SELECT count(*) FROM \"rms-aqa\" WHERE split = 'train'").fetchall() == [(2,)]
    assert plain.execute("SELECT count(*) FROM items JOIN cares USING (item_id)").fetchall() == [(10,)]
    one = plain.execute("SELECT audio.bytes FROM cares WHERE item_id = 'scene-test-000'").fetchone()[0]
    assert one[:4] == b"fLaC"


def test_over_s3(plain, s3, s3_server, release):
    host = s3_server.partition("//")[2]
    key, secret = os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
    plain.execute(
        f"CREATE SECRET (TYPE s3, KEY_ID '{key}', SECRET '{secret}', ENDPOINT '{host}', "
        "URL_STYLE 'path', USE_SSL false)"
    )
    views(plain, s3.demo, release)
    assert plain.execute(COUNTS).fetchall() == EXPECTED
    assert plain.execute("SELECT count(*) FROM attribution").fetchall() == [(3,)]


def test_over_a_folder_elsewhere_without_an_extension(release):
    with duckdb.connect() as link:
        views(link, release, release)
        assert link.execute(COUNTS).fetchall() == EXPECTED


def test_over_what_was_pulled_of_one(release, tmp_path):
    pull(release, tmp_path / "mine", ["test"])
    with duckdb.connect() as link:
        views(link, tmp_path / "mine", release)
        assert link.execute(COUNTS).fetchall() == [("test", 2, 2)]
        assert link.execute('SELECT count(*) FROM "rms-aqa"').fetchall() == [(0,)], "it has no test split"


def test_many_shards_are_one_table(make, store, tmp_path):
    build(make(rows_per_shard=1), store.__getitem__, tmp_path / "many")
    assert len(list((tmp_path / "many/data/cares").iterdir())) > 8
    shutil.move(tmp_path / "many", tmp_path / "moved")
    with duckdb.connect() as link:
        views(link, tmp_path / "moved", tmp_path / "moved")
        assert link.execute(COUNTS).fetchall() == EXPECTED
