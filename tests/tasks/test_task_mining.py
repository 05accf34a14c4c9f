"""Mining: what was planted is found, and says where."""

import json

import numpy as np
import pytest

from sonolake.audio.encode import flac_bytes
from sonolake.errors import InvalidInput
from sonolake.lake.step import Counts
from sonolake.wesr.known_events import KnownEvent
from sonolake.wesr.queries import load
from tasks.known_events import found_of_known
from tasks.listing import lists_of
from tasks.mining import mine_events
from tasks.mining_page import write_page
from tasks.opening import lake_at
from tasks.partitioning import split_sources
from tasks.utterances import cut_recordings, recordings

FOUND = """
SELECT c.rank, c.query, c.onset_s + u.start_s AS at_s, a.labels FROM candidates c
JOIN utterances u USING (utterance_id) JOIN assets a USING (asset_id) WHERE c.tag = ? ORDER BY c.rank
"""
WINDOW_S = 0.96
"""Length of YAMNet's windows."""


def sha(name):
    return name.encode().hex().ljust(64, "0")


@pytest.fixture
def made(own_lake):
    return lake_at(str(own_lake))


def test_who_laughs_is_found_before_who_does_not(made):
    rows = made.rows(FOUND, ["laughs"])
    assert [bool(row["labels"]) for row in rows] == [True, True, False, False]


def test_the_window_that_is_found_overlaps_the_planted_laugh(made):
    for row in made.rows(FOUND, ["laughs"])[:2]:
        start, end, tag = row["labels"].split("\t")
        assert tag.strip() == "laughs"
        assert row["at_s"] < float(end) and row["at_s"] + WINDOW_S > float(start)


def test_every_candidate_names_a_query_of_its_label(made):
    queries = {r["query_id"]: r["tag"] for r in made.rows("SELECT * FROM queries")}
    per_label = made.rows("SELECT tag, modality, count(*) AS n FROM queries GROUP BY ALL")
    # WESR, section 4.1: three text queries and three audio queries a label; 21 labels.
    assert len(per_label) == 42 and {row["n"] for row in per_label} == {3}
    for row in made.rows("SELECT tag, query FROM candidates"):
        query = row["query"].removesuffix("/transcript")
        tag = queries.get(query) or query.partition("/example/")[0]
        assert tag == row["tag"]


def test_an_example_in_the_lake_is_a_query_of_its_own(made):
    """The lake has laughs among its vocal takes: without the other queries they find the same."""
    with made.transaction("forget") as tx:
        tx.sql("DELETE FROM candidates")
    made.vectors.delete("classes", made.vectors.ids("classes"))
    mine_events.fn(str(made.root), "run", "", 5)
    rows = made.rows(FOUND, ["laughs"])
    assert rows and all(row["query"].startswith("laughs/example/") for row in rows)
    assert made.rows(FOUND, ["cough"]) == []


def test_a_query_file_names_sounds_of_the_lake_and_training_has_others_than_the_benchmark(made, tmp_path):
    """Of the laughs, three are the benchmark's and the next three training's, unless a file names what to ask."""
    with made.transaction("as laughs") as tx:
        tx.sql("UPDATE assets SET kind = 'vocal', event = 'vocal/laughs' WHERE kind = 'take'")
    laughs = [r["asset_id"] for r in made.rows("FROM assets WHERE event = 'vocal/laughs' ORDER BY asset_id")]
    assert len(laughs) >= 8
    examples = {
        purpose: [one.query for one in lists_of(made, load(purpose), 4) if "/example/" in one.query]
        for purpose in ("benchmark", "training")
    }
    of = {
        purpose: [name.removeprefix("laughs/example/") for name in found]
        for purpose, found in examples.items()
    }
    assert of == {"benchmark": laughs[:3], "training": laughs[3:6]}
    named = made.rows("SELECT item FROM assets WHERE asset_id = ?", [laughs[7]])[0]["item"]
    sets = {
        purpose: {
            "text": [f"{purpose} {n}" for n in "abc"],
            "audio": [f"take:{take}", ["Laughter", name], ["Giggle", name]],
        }
        for purpose, take, name in (("benchmark", named, "Snicker"), ("training", "nowhere.wav", "Whimper"))
    }
    (tmp_path / "queries.json").write_text(json.dumps({"queries": {"laughs": sets}}))
    queries = load("benchmark", tmp_path / "queries.json")
    (one,) = [q for q in queries if q.take]
    lists = {found.query: found for found in lists_of(made, queries, 4)}
    assert not any("/example/" in name for name in lists) and lists[one.query_id].evidence == "example"
    assert len(lists[one.query_id].hits) == 4
    with pytest.raises(
        InvalidInput, match=r"laughs/training/audio/1@\w{8}: .*received 'nowhere.wav'.*not taken in"
    ):
        lists_of(made, load("training", tmp_path / "queries.json"), 4)


def test_another_file_s_query_is_another_query(made, tmp_path):
    """What a candidate was found by is what its query says, whatever files were asked before."""
    for word in ("first", "second"):
        sets = {
            p: {"text": [f"{word} {p} {n}" for n in "abc"], "audio": [[n, p] for n in "abc"]}
            for p in ("benchmark", "training")
        }
        (tmp_path / f"{word}.json").write_text(json.dumps({"queries": {"cough": sets}}))
    ids = [
        {q.query_id for q in load("benchmark", tmp_path / f"{word}.json") if q.modality == "text"}
        for word in ("first", "second")
    ]
    assert len(ids[0] | ids[1]) == 6


def test_mined_again_nothing_is_new(made):
    before = made.sql("SELECT * FROM candidates ORDER BY ALL")
    mined = mine_events.fn(str(made.root), "run", "", 5)
    assert mined.counts == Counts(taken=21, already=21)
    assert made.sql("SELECT * FROM candidates ORDER BY ALL") == before
    check_known(made, mined.lists)


def check_known(made, lists):
    """The two that laugh are the first of four: precision at 3 is 2/3, at 10 it is 2/10, and both are found."""
    path, chosen = str(made.root), load("benchmark")
    rows = made.rows(
        "SELECT item, asset_id, source_id, labels FROM assets WHERE kind = 'speech' ORDER BY item"
    )
    (one, two), silent = (
        [row for row in rows if row["labels"]],
        next(row for row in rows if not row["labels"]),
    )

    def event(row, name):
        start, end, tag = row["labels"].split("\t")
        return KnownEvent(row[name], tag.strip(), float(start), float(end), "planted", 2)

    laughs = [event(one, "item"), event(two, "asset_id")]
    late, lost = KnownEvent(silent["item"], "laughs", 900, 901), KnownEvent("x.wav", "laughs", 0, 1)
    said = found_of_known(path, [*laughs, late, lost], lists, chosen)
    (row,) = [line for line in said.splitlines() if line.startswith("| laughs | 2 |")]
    assert row.split(" | ")[-1].startswith("0.67 0.20 1.00 ")
    assert "| planted | n | text | names of classes | recordings | audio | fused |" in said
    assert "Of 4 known events: 1 in recordings that the lake does not have; 1 in no utterance." in said
    (first,) = made.rows("SELECT utterance_id FROM utterances WHERE asset_id = ?", [one["asset_id"]])
    others = f"utterance_id <> '{first['utterance_id']}'"
    said = found_of_known(path, laughs, lists, chosen, others)
    assert "| laughs | 1 |" in said and "2 known events: 1 in utterances that may not be found." in said
    said = found_of_known(path, [late], lists, chosen)
    assert said.strip() == "None of 1 known event can be found: 1 in no utterance."
    with pytest.raises(InvalidInput, match=r"known events: .*, received 'x\.wav \(line 0\)'"):
        found_of_known(path, [lost], lists, chosen)


def test_mined_in_steps_ranks_go_on_and_the_quota_is_for_all(made):
    root, query = str(made.root), "SELECT * FROM candidates WHERE tag = 'laughs' ORDER BY rank"
    whole = [row["utterance_id"] for row in made.rows(query)]
    with made.transaction("forget") as tx:
        tx.sql("DELETE FROM candidates")
    mine_events.fn(root, "run", "", 1)
    (first,) = made.rows(query)
    mine_events.fn(root, "run", "", 3)
    rows = made.rows(query)
    assert rows[0] == first
    assert [row["rank"] for row in rows] == [1, 2, 3]
    assert [row["utterance_id"] for row in rows] == whole[:3], "nothing new came: the order is that of one go"
    assert mine_events.fn(root, "run", "", 2).counts == Counts(taken=21, already=21)
    coughs = made.rows("SELECT count(*) AS n FROM candidates WHERE tag = 'cough'")
    mine_events.fn(root, "run", "", 1, quotas={"laughs": 4})
    assert [row["utterance_id"] for row in made.rows(query)] == whole[:4], "one label has a quota of its own"
    assert made.rows("SELECT count(*) AS n FROM candidates WHERE tag = 'cough'") == coughs


def test_a_label_for_which_nothing_is_found_is_set_aside_once(lake, path):
    assert mine_events.fn(path, "run", "", 5).counts == Counts(taken=21, quarantined=21)
    assert mine_events.fn(path, "run", "", 5).counts == Counts(taken=21, already=21)
    rows = lake.rows("SELECT DISTINCT step, reason FROM quarantine")
    assert rows == [{"step": "mine", "reason": "nothing_found"}]


def test_queries_for_training_are_none_of_the_benchmarks(lake, path):
    for purpose in ("benchmark", "training"):
        mine_events.fn(path, "run", "", 5, "", purpose)
    rows = lake.rows(
        "SELECT split_part(query_id, '/', 2) AS of, list(query) AS texts FROM queries GROUP BY 1"
    )
    # WESR, sections 4.1 and 5.1: 21 labels with three texts and three sounds, others for training.
    assert {row["of"]: len(row["texts"]) for row in rows} == {"benchmark": 126, "training": 126}


def test_a_class_that_audioset_does_not_have_is_said(lake, path, tmp_path):
    sets = {
        purpose: {"text": [f"{purpose} {n}" for n in "abc"], "audio": [[name, purpose] for name in "abc"]}
        for purpose in ("benchmark", "training")
    }
    (tmp_path / "queries.json").write_text(json.dumps({"queries": {"cough": sets}}))
    with pytest.raises(
        InvalidInput, match=r"cough/benchmark/audio/1@\w{8}: expected classes of AudioSet.*'benchmark'"
    ):
        mine_events.fn(path, "run", str(tmp_path / "queries.json"), 5)


def test_ranks_go_from_one_without_gaps_up_to_the_quota(made):
    rows = made.rows("SELECT tag, list(rank ORDER BY rank) AS ranks FROM candidates GROUP BY tag")
    assert all(row["ranks"] == list(range(1, len(row["ranks"]) + 1)) for row in rows)
    assert max(len(row["ranks"]) for row in rows) <= 5


def test_utterances_are_two_to_thirty_seconds_and_keep_their_words(made):
    rows = made.rows(
        "SELECT u.*, a.duration_s, a.transcript AS said FROM utterances u JOIN assets a USING (asset_id)"
    )
    assert len(rows) == 4
    for row in rows:
        # WESR, section 4.1: utterances of 2 to 30 s.
        assert 2.0 <= row["end_s"] - row["start_s"] <= 30.0 and row["end_s"] <= row["duration_s"] + 1e-6
        assert row["transcript"] == row["said"]


def test_cut_and_split_again_nothing_is_new(made):
    root = str(made.root)
    assert cut_recordings.fn(root, "run", recordings(made)) == Counts(taken=4, already=4)
    assert split_sources.fn(root, "run") == Counts(taken=4, already=4)


def test_a_recording_without_speech_is_set_aside(made):
    t = np.arange(4 * 16000) / 16000
    silent = made.media.put(flac_bytes(np.round(3000 * np.sin(2 * np.pi * 440 * t)).astype(np.int16), 16000))
    made.table("assets").append([{"asset_id": silent, "kind": "speech", "item": "hum", "source_id": "hum"}])
    assert cut_recordings.fn(str(made.root), "run", [silent]) == Counts(taken=1, quarantined=1)
    (row,) = made.rows("SELECT * FROM quarantine WHERE step = 'cut-utterances'")
    assert (row["item"], row["reason"]) == (silent, "no_speech")


def test_two_sources_that_offer_one_recording_are_in_one_split(lake, path):
    """A second feed repeats an episode of the first: neither feed's other episodes may part from it."""
    lake.table("assets").append(
        [
            {
                "asset_id": sha(name),
                "kind": "speech",
                "item": name,
                "source_id": f"feed-{name[0]}",
                "pcm_hash": name,
            }
            for name in (f"{feed}{episode}" for feed in "abcdefghij" for episode in range(2))
        ]
    )
    lake.table("duplicates").append(
        [{"item": "b9", "asset_id": "d" * 64, "of": sha("a0"), "how": "sound", "source_id": "feed-b"}]
    )
    assert split_sources.fn(path, "run") == Counts(taken=10, done=10)
    rows = {r["item"]: r for r in lake.rows("SELECT item, group_id, split FROM splits WHERE kind = 'source'")}
    assert rows["feed-a"]["group_id"] == rows["feed-b"]["group_id"]
    assert rows["feed-a"]["split"] == rows["feed-b"]["split"]
    assert len({r["group_id"] for r in rows.values()}) == 9


def spoken(lake, *recordings):
    """Recordings of (name, source, speaker)."""
    lake.table("assets").append(
        [
            {"asset_id": sha(name), "kind": "speech", "item": name, "pcm_hash": name}
            | {"source_id": source, "speaker": speaker}
            for name, source, speaker in recordings
        ]
    )


def speaker_rows(lake, kind):
    return {row["item"]: row["split"] for row in lake.rows("FROM splits WHERE kind = ?", [kind])}


def test_what_a_speaker_says_is_in_one_split_whatever_source_it_is_from(lake, path):
    spoken(lake, *((f"{n}", f"talk-{n}", f"p{n % 4}") for n in range(12)))
    spoken(
        lake, *((f"nobody-{n}", f"street-{n}", name) for n, name in enumerate(["Unknown", "", None, "n/a"]))
    )
    assert split_sources.fn(path, "run") == Counts(taken=16, done=16)
    sources, speakers = speaker_rows(lake, "source"), speaker_rows(lake, "speaker")
    assert set(speakers) == {"p0", "p1", "p2", "p3"}
    assert all(sources[f"talk-{n}"] == speakers[f"p{n % 4}"] for n in range(12))
    # Eight groups: four speakers, and four that nobody ties together.
    (row,) = lake.rows("SELECT count(DISTINCT group_id) AS n FROM splits WHERE kind = 'source'")
    assert row["n"] == 8
    spoken(lake, ("later", "talk-later", " p2 "))
    assert split_sources.fn(path, "run") == Counts(taken=17, already=16, done=1)
    assert speaker_rows(lake, "source")["talk-later"] == speakers["p2"]


def test_a_speaker_who_was_in_two_splits_before_speakers_were_looked_at_stays_there(lake, path):
    old = {
        "item": "a",
        "kind": "source",
        "group_id": "g",
        "split": "train",
        "batch": "b",
        "stratum": "",
        "keys": [],
    }
    lake.table("splits").append(
        [
            old | {"keys": ["source:a"]},
            old | {"item": "b", "group_id": "h", "split": "test", "keys": ["source:b"]},
        ]
    )
    spoken(lake, ("one", "a", "p1"), ("two", "b", "p1"), ("three", "c", "p1"))
    assert split_sources.fn(path, "run") == Counts(taken=3, already=2, quarantined=1)
    assert speaker_rows(lake, "source") == {"a": "train", "b": "test"} and speaker_rows(lake, "speaker") == {}
    aside = {(row["step"], row["item"]): row["reason"] for row in lake.rows("FROM quarantine")}
    assert aside == dict.fromkeys([("split-source", "c"), ("split-speaker", "p1")], "ties_two_partitions")


def forget(made):
    with made.transaction("forget") as tx:
        tx.sql("DELETE FROM candidates")


def mined(made):
    return {row["utterance_id"] for row in made.rows("SELECT DISTINCT utterance_id FROM candidates")}


def test_only_what_fulfils_the_condition_and_has_no_annotation_is_found(made):
    forget(made)
    first, second, *_ = sorted(row["utterance_id"] for row in made.rows("SELECT * FROM utterances"))
    made.table("annotations").append([{"utterance_id": first, "source": "person:ann", "text": "[cough]"}])
    mine_events.fn(str(made.root), "run", "", 5)
    assert first not in mined(made) and len(mined(made)) == 3
    forget(made)
    mine_events.fn(str(made.root), "run", "", 5, f"utterance_id = '{second}' AND split IS NOT NULL")
    assert mined(made) == {second}
    with pytest.raises(
        InvalidInput, match=r"an SQL condition over utterance_id, .*split, received 'colour = 1'"
    ):
        mine_events.fn(str(made.root), "run", "", 5, "colour = 1")
    with pytest.raises(InvalidInput, match="a semicolon"):
        mine_events.fn(str(made.root), "run", "", 5, "true); DROP TABLE candidates; SELECT (1")


def test_a_transcript_that_says_it_is_found_by_a_text_query(made):
    forget(made)
    (row, *_) = made.rows("SELECT * FROM utterances ORDER BY utterance_id")
    made.table("utterances").merge([{**row, "transcript": "and then a dry cough was heard"}])
    mine_events.fn(str(made.root), "run", "", 5)
    (found,) = made.rows(
        "SELECT * FROM candidates WHERE tag = 'cough' AND utterance_id = ?", [row["utterance_id"]]
    )
    assert found["query_rank"] >= 1 and found["offset_s"] > found["onset_s"]
    lists = lists_of(made, load("benchmark"), 5)
    words = [one for one in lists if one.query.endswith("/transcript") and one.hits and one.tag == "cough"]
    assert {hit.utterance_id for one in words for hit in one.hits} == {row["utterance_id"]}


def test_every_list_is_as_long_as_it_can_be_however_few_windows_are_asked_at_first(made, monkeypatch):
    asked = [query for query in load("benchmark") if query.tag in ("laughs", "cough")]
    other = "utterance_id <> (SELECT min(utterance_id) FROM utterances)"
    whole = [lists_of(made, asked, 4, where) for where in ("", other)]
    assert whole[0] != whole[1]
    monkeypatch.setattr("tasks.window_search.WINDOWS", 1)
    assert lists_of(made, asked, 4) == whole[0]
    # In a large space what may not be found is left out of the answer, and not told to the search.
    monkeypatch.setattr("tasks.window_search.WindowSearch._is_worth_it", lambda search, space: True)
    assert [lists_of(made, asked, 4, where) for where in ("", other)] == whole


def test_the_page_has_a_player_for_each_of_the_best_and_says_why(made, tmp_path):
    write_page(str(made.root), str(tmp_path / "page.html"))
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    shown = made.rows("SELECT count(*) AS n FROM candidates WHERE rank <= 5")[0]["n"]
    assert html.count('<audio controls preload="none" src="data:audio/flac;base64,ZkxhQ') == shown
    assert '<h2 id="laughs">laughs: ' in html and "classes: exact over" in html
    assert "laughs/" in html and "http" not in html
    write_page(str(made.root), str(tmp_path / "again.html"))
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "page.html").read_bytes()
