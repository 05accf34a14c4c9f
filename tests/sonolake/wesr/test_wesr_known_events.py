"""Known events: read, placed in utterances, and how many of them a list finds, worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.errors import InvalidInput, NotFound
from sonolake.wesr.known_events import KnownEvent, Placed, placed, read_known
from sonolake.wesr.mining import Candidate, Hit, RankedList
from sonolake.wesr.queries import Query
from sonolake.wesr.report import Figures, figures, mean, measured, tables

HEAD = "item,tag,onset_s,offset_s,place\n"


def candidates(*found):
    return [Candidate(name, "cough", "q", rank, 0.0, at) for rank, (name, at) in enumerate(found, start=1)]


def test_events_are_read_from_tables_and_json_lines(tmp_path):
    wanted = [
        KnownEvent("a.wav", "cough", 1.5, 2.0, "pause", 2),
        KnownEvent("b.wav", "sigh", 0.0, 0.25, "", 3),
    ]
    (tmp_path / "known.csv").write_text(f"{HEAD}a.wav,cough,1.5,2,pause\nb.wav, sigh ,0,0.25,\n")
    assert read_known(tmp_path / "known.csv") == wanted
    (tmp_path / "known.jsonl").write_text(
        '\n{"item": "a.wav", "tag": "cough", "onset_s": 1.5, "offset_s": 2.0, "place": "pause"}\n'
        '{"item": "b.wav", "tag": "sigh", "onset_s": 0, "offset_s": "0.25"}\n'
    )
    assert read_known(tmp_path / "known.jsonl") == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("item,tag,onset_s\n", "expected the columns item, tag, onset_s, offset_s, and place if you like, "),
        (f"{HEAD}a.wav,cough,0,1,\n,cough,0,1,\n", "line 3, item: expected a recording, "),
        (f"{HEAD}a.wav,yawn,0,1,\n", "line 2, tag: expected one of laughs, "),
        (f"{HEAD}a.wav,cough,soon,1,\n", "line 2, onset_s: expected seconds .*, received 'soon'"),
        (f"{HEAD}a.wav,cough,-1,1,\n", "line 2, onset_s: expected seconds .* 0 or more, received '-1'"),
        (f"{HEAD}a.wav,cough,0,inf,\n", "line 2, offset_s: .* received 'inf'"),
        (f"{HEAD}a.wav,cough,2,1,\n", "line 2, offset_s: expected seconds after the onset, 2, received '1'"),
        (f"{HEAD}a.wav,cough,2\n" + "a,b,c,d,e,f\n", "known events k.csv, line 3: expected 5 values"),
    ],
)
def test_a_row_that_is_no_event_is_said_with_its_line(tmp_path, text, said):
    (tmp_path / "k.csv").write_text(text)
    with pytest.raises(InvalidInput, match=said):
        read_known(tmp_path / "k.csv")


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(NotFound, match=r"known events .*lost\.csv: there is no such file"):
        read_known(tmp_path / "lost.csv")


def test_an_event_belongs_to_the_utterance_that_holds_its_middle():
    rows = [
        {"utterance_id": "u1", "start_s": 1.0, "end_s": 4.0},
        {"utterance_id": "u2", "start_s": 5.0, "end_s": 9.0},
    ]
    events = [
        KnownEvent("a", "cough", 3.0, 4.5, "pause"),  # middle 3.75
        KnownEvent("a", "cough", 4.5, 6.0, "speech"),  # middle 5.25, begins before its utterance
        KnownEvent("a", "sigh", 4.0, 5.0, "pause"),  # middle 4.5, between the two
    ]
    found = placed([("recording", event) for event in events] + [("another", events[0])], {"recording": rows})
    assert found == Placed(
        {("u1", "cough"): {"pause": [2.0]}, ("u2", "cough"): {"speech": [-0.5]}}, outside=2
    )
    assert (found.places, found.labels("pause"), found.events) == (["pause", "speech"], {"cough": 1}, 2)
    assert found.among(["u2"]).labels("pause") == {}


KNOWN = Placed(
    {
        ("a", "cough"): {"pause": [1.0]},
        ("b", "cough"): {"speech": [1.0]},
        ("c", "cough"): {"pause": [2.0, 5.0], "speech": [9.0]},
        ("x", "cough"): {"pause": [0.0]},
        ("y", "cough"): {"pause": [0.0]},
        ("n", "sigh"): {"pause": [0.0]},
    }
)


def test_figures_by_hand():
    found = candidates(("b", 1.0), ("a", 1.25), ("n", 0.0), ("c", 4.0), ("m", 0.0))
    # In pauses b is left out: right, wrong, right, wrong; errors 0.25 and |4 - 5|; there are a, c, x, y.
    assert figures(found, KNOWN, "cough", "pause") == Figures(2 / 3, 0.2, 0.5, 0.625)
    # Over speech a is left out: right, wrong, right, wrong; errors 0 and |4 - 9|; there are b and c.
    assert figures(found, KNOWN, "cough", "speech") == Figures(2 / 3, 0.2, 1.0, 2.5)
    assert figures([], KNOWN, "cough", "pause") == Figures(0.0, 0.0, 0.0, None)
    assert mean([Figures(1.0, 0.5, 0.0, None), Figures(0.0, 0.0, 1.0, 0.4)]) == Figures(0.5, 0.25, 0.5, 0.4)


def test_each_kind_of_query_has_its_figures_and_one_that_asks_nothing_has_none():
    def listing(query, *names):
        return RankedList("cough", query, tuple(Hit(name, 0.0, 1.0) for name in names), query)

    chosen = [
        Query("t", "cough", "benchmark", "text", "a cough"),
        Query("c", "cough", "benchmark", "audio", "Cough", ("Cough",)),
        Query("r", "cough", "benchmark", "audio", "take:a", take="a"),
    ]
    lists = [listing("t", "m", "a"), listing("t/transcript"), listing("c", "a"), listing("r", "c", "a")]
    found = measured(lists, chosen, KNOWN)
    assert list(found) == ["pause", "speech"] and list(found["pause"]) == ["cough", "sigh"]
    assert found["pause"]["sigh"] == {}, "nobody asked for sighs"
    # P@3: one of text's two, a; a of the classes; c and a of the recording; a and c of all three.
    precision = {way: round(3 * one.short) for way, one in found["pause"]["cough"].items()}
    assert precision == {"text": 1, "names of classes": 1, "recordings": 2, "audio": 2, "fused": 2}
    head, _, row, *_ = tables(found, KNOWN).splitlines()
    assert head == "| pause | n | text | names of classes | recordings | audio | fused |"
    assert row.startswith("| cough | 4 | 0.33 0.10 0.25 0.00 s | ")
    without = measured(lists[:3], chosen, KNOWN)["pause"]["cough"]
    assert list(without) == ["text", "audio", "fused"]


UTTERANCES = [f"u{n}" for n in range(80)]


@given(st.permutations(UTTERANCES), st.sets(st.sampled_from(UTTERANCES), min_size=1), st.integers(0, 80))
def test_figures_are_shares_and_a_list_of_nothing_else_is_all_right(order, there, length):
    known = Placed({(name, "cough"): {"": [1.0]} for name in there})
    found = figures(candidates(*((name, 1.0) for name in order[:length])), known, "cough", "")
    assert all(0.0 <= share <= 1.0 for share in (found.short, found.long, found.recall))
    assert found.error_s in (None, 0.0)
    first = sorted(order, key=lambda name: name not in there)
    best = figures(candidates(*((name, 1.0) for name in first)), known, "cough", "")
    n = len(there)
    assert best == Figures(min(n, 3) / 3, min(n, 10) / 10, min(n, 50) / n, 0.0)
    assert (best.short, best.long, best.recall) >= (found.short, found.long, found.recall)
