"""A search on Freesound as the source of a flow, and of a command."""

import logging
import sys

import pytest

from flows import __main__ as command_line
from sonolake import Lake
from sonolake.lake.step import Counts
from sonolake.sources.freesound import Search


@pytest.fixture
def dogs(freesound, freesound_server, monkeypatch, tmp_path):
    monkeypatch.setenv("FREESOUND_API_KEY", freesound_server.KEY)
    monkeypatch.setenv("FREESOUND_URL", freesound.url)
    monkeypatch.setenv("SONOLAKE_STATE", str(tmp_path / "state"))
    freesound.add(*(freesound_server.made(n, name="dog bark") for n in (1, 2)))
    freesound.add(freesound_server.made(3, name="dog bark", deleted=True))
    return freesound


def test_a_flow_takes_what_a_search_finds(dogs, engine, freesound_server, tmp_path, caplog, capsys):
    from flows.ingesting import ingest_takes

    caplog.set_level(logging.DEBUG)
    lake = str(tmp_path / "lake")
    search = Search(event="shared/dog_bark", most=10)
    assert ingest_takes("freesound:dog bark", lake, search=search) == {"ingest-take": Counts(taken=2, done=2)}
    assert ingest_takes("freesound:dog bark", lake, search=vars(search)) == {
        "ingest-take": Counts(taken=2, already=2)
    }, "a deployment gives the options as JSON"
    out, err = capsys.readouterr()
    assert "1 results of the search were null" in err
    assert freesound_server.KEY not in out + err + caplog.text
    with Lake.open(lake, read_only=True) as opened:
        run = opened.rows("SELECT parameters FROM runs ORDER BY started LIMIT 1")[0]["parameters"]
        assert '"source":"freesound:dog bark"' in run and '"event":"shared/dog_bark"' in run
        assert [r["item"] for r in opened.rows("FROM assets ORDER BY item")] == ["freesound:1", "freesound:2"]


@pytest.mark.parametrize(
    ("source", "more", "message"),
    [
        ("freesound:dog", ["--manifest", "m.csv"], "--manifest and --map: expected a folder as the source"),
        ("freesound:dog", ["--sort", "loudest"], "--sort: expected one of score"),
        ("freesound:", [], "search: expected words after freesound:"),
        ("freesound:", ["--ids", "lost.txt"], "--ids lost.txt: there is no such file"),
        ("freesound:", ["--similar-to", "1", "--originals"], "FREESOUND_CLIENT_ID is not set"),
        (".", ["--most", "3"], "options of a search: expected a source such as freesound:dog bark"),
    ],
)
def test_a_mistake_is_said_before_anything_is_asked(
    dogs, capsys, monkeypatch, tmp_path, source, more, message
):
    lake = tmp_path / "lake"
    monkeypatch.setattr(sys, "argv", ["flows", "ingest-takes", source, "--lake", str(lake), *more])
    with pytest.raises(SystemExit) as ended:
        command_line.main()
    assert ended.value.code == 1
    assert message in capsys.readouterr().err
    assert dogs.asked == [] and not lake.exists()


def test_without_a_key_a_search_says_where_to_get_one(capsys, monkeypatch, tmp_path):
    monkeypatch.delenv("FREESOUND_API_KEY", raising=False)
    lake = str(tmp_path / "lake")
    monkeypatch.setattr(sys, "argv", ["flows", "ingest-takes", "freesound:dog", "--lake", lake])
    with pytest.raises(SystemExit) as ended:
        command_line.main()
    assert ended.value.code == 1
    assert "FREESOUND_API_KEY is not set" in capsys.readouterr().err
