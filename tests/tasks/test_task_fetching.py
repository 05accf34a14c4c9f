"""Freesound into a lake: the same tables whatever goes wrong on the way, nothing asked for twice, the key nowhere."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from sonolake import Lake
from sonolake.errors import LimitReached, Unreachable
from sonolake.lake.step import Counts, batches
from sonolake.sources.freesound import Catalogue, Search
from sonolake.sources.freesound.secrets import Secret
from sonolake.sources.intake import Intake
from tasks.fetching import fetch_batch, find_sounds
from tasks.taking import take_batch

DRIVER = Path(__file__).parent / "drivers" / "fetch_sounds.py"
INTAKE = Intake("take")


def environment(freesound, key, state):
    return {
        "FREESOUND_API_KEY": key,
        "FREESOUND_CLIENT_ID": "fsclient",
        "FREESOUND_URL": freesound.url,
        "FREESOUND_LIMITS": "100000/minute,100000/day",
        "SONOLAKE_STATE": str(state),
    }


@pytest.fixture
def here(freesound, freesound_server, monkeypatch, tmp_path):
    """The environment of a user with a key, whose waits take no time."""
    variables = environment(freesound, freesound_server.KEY, tmp_path / "state")

    def catalogue(_=None):
        return Catalogue(
            Secret(variables["FREESOUND_API_KEY"]),
            tmp_path / "state",
            freesound.url,
            "fsclient",
            sleep=lambda s: None,
        )

    monkeypatch.setattr(Catalogue, "here", catalogue)
    return catalogue


@pytest.fixture
def dogs(freesound, freesound_server):
    """Six dogs: one silent, one the same sound as another, one under a licence of its own."""
    made = [freesound_server.made(n, name="dog bark", tags=("dog",)) for n in range(1, 6)]
    made[1].licence, made[2].licence = "Attribution", "Sampling+"
    silent = freesound_server.Sound(
        6, b"", freesound_server._packed(np.zeros(9600), "OGG", "VORBIS"), name="dog"
    )
    again = freesound_server.made(7, seed=4, name="dog again")
    freesound.add(*made, silent, again)
    return freesound


def fetch(path, words="dog", search=None, intake=INTAKE):
    """Everything in one batch."""
    wanted = search or Search(event="shared/dog_bark")
    found = find_sounds.fn(path, intake, words, wanted)
    return fetch_batch.fn(path, "run", intake, found.entries, wanted)


def downloads(server):
    return len(server.requests("^files"))


def test_what_a_search_finds_is_taken_with_what_freesound_says_of_it(lake, path, dogs, here):
    assert fetch(path) == Counts(taken=7, done=5, quarantined=1, duplicates=1)
    (row,) = lake.rows("SELECT * FROM assets WHERE item = 'freesound:2'")
    assert (row["source_id"], row["author"], row["title"]) == ("freesound:2", "ann", "dog bark")
    assert (row["licence"], row["licence_url"]) == (
        "CC-BY-4.0",
        "https://creativecommons.org/licenses/by/4.0/",
    )
    assert row["source_url"] == "https://freesound.org/people/ann/sounds/2/"
    assert row["event"] == "shared/dog_bark"
    assert '"gen_ai_preference":"no-additional-preferences"' in row["tags"]
    assert lake.rows("SELECT licence FROM assets WHERE item = 'freesound:3'") == [
        {"licence": "LicenseRef-Sampling-Plus-1.0"}
    ]
    assert lake.rows("SELECT item, reason FROM quarantine") == [{"item": "freesound:6", "reason": "silent"}]
    (again,) = lake.rows("SELECT item, source_id, how FROM duplicates")
    assert (again["item"], again["source_id"]) == ("freesound:7", "freesound:7"), "the first upload stays"


def test_seen_again_nothing_is_downloaded_and_the_downloads_are_gone(lake, path, dogs, here, tmp_path):
    fetch(path)
    assert list((tmp_path / "state").rglob("sounds/*")) == []
    before = len(dogs.asked)
    assert fetch(path) == Counts(taken=7, already=7)
    assert len(dogs.asked) == before


def test_what_was_refused_is_tried_again_when_the_options_change(lake, path, dogs, here):
    fetch(path)
    assert fetch(path, intake=Intake("take", licence="CC0-1.0")) == Counts(taken=7, already=6, quarantined=1)
    assert len(dogs.requests("^files.*/6_7")) == 2


def test_another_kind_is_refused_after_one_look(lake, path, dogs, here):
    fetch(path)
    speech = Intake("speech")
    counts = fetch(path, intake=speech)
    assert (counts.quarantined, counts.already) == (6, 1)
    before = downloads(dogs)
    assert fetch(path, intake=speech) == Counts(taken=7, already=7)
    assert downloads(dogs) == before


def test_sounds_that_are_gone_stay_gone_until_they_are_asked_for_anew(lake, path, dogs, here):
    found = find_sounds.fn(path, INTAKE, "dog", Search())
    dogs.sounds[1].deleted = True
    assert fetch_batch.fn(path, "run", INTAKE, found.entries, Search()).quarantined == 2
    assert lake.rows("SELECT reason FROM quarantine WHERE item = 'freesound:1'") == [{"reason": "gone"}]
    before = downloads(dogs)
    assert fetch_batch.fn(path, "run", INTAKE, found.entries, Search()).already == 7
    assert downloads(dogs) == before
    dogs.sounds[1].deleted = False
    anew = Search(anew=True)
    assert fetch_batch.fn(path, "run", INTAKE, found.entries, anew) == Counts(taken=7, done=1, already=6)
    assert lake.rows("SELECT reason FROM quarantine WHERE item = 'freesound:1'") == []


def test_what_could_not_be_downloaded_is_tried_again_in_the_next_run(lake, path, dogs, here):
    dogs.faults = lambda number, host, path: "cut" if "/2_7" in path else None
    assert fetch(path).quarantined == 2
    assert lake.rows("SELECT reason FROM quarantine WHERE item = 'freesound:2'") == [
        {"reason": "download_failed"}
    ]
    dogs.faults = lambda *_: None
    assert fetch(path) == Counts(taken=7, done=1, already=6)
    assert lake.rows("SELECT reason FROM quarantine WHERE item = 'freesound:2'") == []


def test_numbers_in_a_file(lake, path, dogs, here, tmp_path):
    (tmp_path / "ids.txt").write_text("5\n1\n99\n")
    search = Search(ids=str(tmp_path / "ids.txt"), event="shared/dog_bark")
    assert fetch(path, "", search) == Counts(taken=3, done=2, quarantined=1)
    assert lake.rows("SELECT item, reason FROM quarantine") == [{"item": "freesound:99", "reason": "gone"}]
    before = len(dogs.asked)
    assert fetch(path, "", search) == Counts(taken=3, already=3)
    assert len(dogs.asked) == before, "what is known is not even looked up"


def test_nulls_are_counted_and_the_best_few_are_taken_in_the_order_of_their_numbers(lake, path, dogs, here):
    dogs.sounds[7].deleted = True
    found = find_sounds.fn(path, INTAKE, "dog", Search(most=3))
    assert ([entry.id for entry in found.entries], found.nulls) == ([4, 5, 6], 1)


def test_originals_by_the_log_in(lake, path, dogs, freesound_server, here):
    with here() as one:
        one.log_in.begin(freesound_server.CODE)
    assert fetch(path, search=Search(originals=True)).done == 5
    assert {row["codec"] for row in lake.rows("SELECT codec FROM assets")} == {"pcm_s16"}


def test_a_lake_that_is_full_of_folders_knows_nothing_of_freesound(lake, path, dogs, here, tmp_path):
    """An item of a folder that is called like a sound is another item."""
    folder = tmp_path / "sounds"
    folder.mkdir()
    (folder / "a.wav").write_bytes(dogs.sounds[1].original)
    from sonolake.sources.folder import read_folder

    take_batch.fn(path, "run", INTAKE, read_folder(folder).items)
    assert fetch(path).duplicates == 2


def fetching(lake, server, key, state):
    command = [sys.executable, str(DRIVER), str(lake), "dog"]
    env = {**os.environ, **environment(server, key, state), "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finished(process):
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return said


def tables(root):
    names = {"assets": "*", "duplicates": "*", "quarantine": "*", "lineage": "* EXCLUDE (run_id)"}
    with Lake.open(root, read_only=True) as lake:
        assert (
            len({row["item"] for row in lake.rows("SELECT item FROM assets")})
            == lake.table("assets").scan().num_rows
        )
        return {name: lake.rows(f"SELECT {what} FROM {name} ORDER BY ALL") for name, what in names.items()}


def library(module):
    """Forty-five results: sounds, the same again, silence, no audio, deleted ones, and wishes."""
    rng = random.Random("library")
    for n in range(1, 46):
        sound = module.made(
            n, seed=rng.choice([0, 0, 0, max(1, n - 5)]), name="dog", licence=rng.choice([*module.DEEDS])
        )
        if n % 11 == 0:
            sound.preview = b"<html>no sound</html>"
        if n % 13 == 0:
            sound.deleted = True
        if n % 9 == 0:
            sound.preference = "no-gen-ai"
        yield sound


class Faults:
    """A third of all requests fails in some way, none more than three times at one path."""

    def __init__(self):
        self.rng, self.failed, self.count = random.Random("faults"), {}, 0

    def __call__(self, number, host, path):
        if self.failed.get(path, 0) >= 3 or self.rng.random() > 0.35:
            return None
        self.failed[path] = self.failed.get(path, 0) + 1
        self.count += 1
        return self.rng.choice(["500", "cut", "reset", "html", *(["minute"] if host == "api" else [])])


@pytest.mark.parametrize(
    "kills", [2, pytest.param(30, marks=pytest.mark.soak)], ids=["two kills", "thirty kills"]
)
def test_killed_and_with_every_fault_it_ends_with_the_tables_of_a_faultless_run(
    freesound, freesound_server, new_lake, here, tmp_path, kills
):
    server, key = freesound, freesound_server.KEY
    server.add(*library(freesound_server))
    search, said = Search(event="shared/dog_bark"), ""
    whole = new_lake("faultless")
    for chunk in batches(find_sounds.fn(whole, INTAKE, "dog", search).entries, 8):
        fetch_batch.fn(whole, "run", INTAKE, chunk, search)
    expected, faultless = tables(whole), len(server.asked)
    assert faultless == 1 + 45 - 3 - 5, "one page, and each preview once"
    reasons = [row["reason"] for row in expected["quarantine"]]
    assert {reason: reasons.count(reason) for reason in reasons} == {"no_gen_ai": 5, "not_audio": 4}
    assert len(expected["assets"]) + len(expected["duplicates"]) == 45 - 3 - 9
    assert len(expected["duplicates"]) >= 3
    rng = random.Random(f"kills {kills}")
    for round_ in range(kills // 2):
        server.asked.clear()
        server.faults = faults = Faults()
        lake, state = new_lake(f"lake-{round_}"), tmp_path / f"state-{round_}"
        for _ in range(2):
            said += killed(fetching(lake, server, key, state), rng)
        said += finished(fetching(lake, server, key, state))
        assert tables(lake) == expected
        asked = len(server.asked)
        assert faultless <= asked <= faultless + faults.count + 2 * 5, "five under way at each kill, at most"
    assert key not in said
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 50
    assert [path for path in written if key.encode() in path.read_bytes()] == []


def killed(process, rng):
    """Kill it at some moment: while it looks, downloads or takes, now and then while it starts."""
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        process.stdout.readline()
    time.sleep(rng.uniform(0, 0.4))
    process.kill()
    said, _ = process.communicate()
    return said


def test_a_day_that_ends_keeps_what_was_taken_and_says_when_it_goes_on(
    lake, path, dogs, freesound_server, here
):
    with here() as one:
        one.log_in.begin(freesound_server.CODE)
    search = Search(originals=True)
    found = find_sounds.fn(path, INTAKE, "dog", search)
    fetch_batch.fn(path, "run", INTAKE, found.entries[:3], search)
    dogs.faults = lambda number, host, path: "day" if "download" in path else None
    with pytest.raises(LimitReached, match="the same command goes on after"):
        fetch_batch.fn(path, "run", INTAKE, found.entries[3:], search)
    assert lake.table("assets").scan().num_rows == 3


def test_a_server_that_is_down_is_an_error_and_no_quarantine(lake, path, dogs, here):
    dogs.faults = lambda *_: "500"
    with pytest.raises(Unreachable):
        fetch(path)
    assert lake.rows("SELECT * FROM quarantine") == []
