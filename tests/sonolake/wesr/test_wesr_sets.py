"""Training and benchmark sets: what overlaps, what is counted, what is drawn."""

import xml.dom.minidom

import numpy as np
import pytest

from sonolake.audio.fingerprint import fingerprint
from sonolake.wesr.sets.figures import bars, ring
from sonolake.wesr.sets.overlap import Overlap, Print, counted, overlaps, plain_words
from sonolake.wesr.sets.statistics import (
    Entry,
    language_table,
    markdown,
    statistics,
    table_3,
    table_5,
    tag_table,
)
from sonolake.wesr.taxonomy import TAGS

RATE = 16_000


def sound(seed):
    rng = np.random.default_rng(seed)
    t = np.arange(2 * RATE) / RATE
    x = np.convolve(rng.standard_normal(len(t)), np.hanning(4 + 9 * seed), "same")
    x *= 1 + np.sin(2 * np.pi * (2 + 3 * seed) * t)
    return 0.4 * x / np.abs(x).max()


def printed(name, sources=(), pcm="", x=None, words="", speaker=None):
    heard = "" if x is None else fingerprint(x, RATE)
    return Print(name, frozenset(sources), pcm or name, heard, words, speaker)


def test_every_way_of_being_in_the_benchmark():
    benchmark = [
        printed("b1", {"feed:1"}, "hash-1", sound(1), "so this is what they said", "p1"),
        printed("b2", {"feed:2"}, "hash-2", sound(2)),
    ]
    training = [
        printed("t-source", {"feed:9", "feed:2"}),
        printed("t-samples", pcm="hash-1"),
        printed("t-louder", x=0.5 * sound(2)),
        printed("t-words", words="so this is what they said"),
        printed("t-apart", {"feed:3"}, "hash-3", sound(3), "and nothing of it is here"),
        printed("t-speaker", {"feed:4"}, speaker="p1"),
        printed("t-stranger", {"feed:5"}, speaker="p2"),
        benchmark[0],
    ]
    found = overlaps(training, benchmark)
    assert [(o.utterance_id, o.of, o.how) for o in found] == [
        *(("b1", "b1", how) for how in ("source", "speaker", "samples", "sound", "transcript")),
        ("t-louder", "b2", "sound"),
        ("t-samples", "b1", "samples"),
        ("t-source", "b2", "source"),
        ("t-speaker", "b1", "speaker"),
        ("t-words", "b1", "transcript"),
    ]
    assert all(0.75 <= o.alike <= 1.0 for o in found)
    assert counted(found) == {"source": 2, "speaker": 2, "samples": 2, "sound": 2, "transcript": 2}
    assert counted(overlaps([training[4]], benchmark)) == dict.fromkeys(counted(found), 0)


def test_order_does_not_matter():
    benchmark = [printed(f"b{n}", {"s"}, words="a b c d e") for n in range(3)]
    training = [printed("t", {"s"}, words="a b c d e")]
    assert overlaps(training, benchmark) == overlaps(training, benchmark[::-1]) == [
        Overlap("t", "b0", "source", 1.0),
        Overlap("t", "b0", "transcript", 1.0),
    ]  # fmt: skip


def test_words_are_compared_without_tags_case_and_width():
    assert plain_words("Don’t [laughs] GO there， ＯＫ now!") == "don't go there ok now"
    assert plain_words("<singing>今天天气好</singing>") == "今 天 天 气 好"
    assert plain_words("yes, I do [sigh]") == "", "too few words to tell"


ENTRIES = [
    # the examples of the paper's table 2, and one without tags
    Entry("web", "en", 7.0, "Alexander! [laughs] Oh, my little warrior. Come here. Come on. [laughs]"),
    Entry("web", "zh", 3.5, "<shouting>住手,快点住手</shouting>[giggle]那我走了。"),
    Entry(
        "web", "en", 9.5,
        "<crying> Oh my face. </crying> <shouting> I brought. [inhale] I couldn’t. </shouting> [sobbing]",
    ),
    Entry("corpus:x", "zh", 3600.0, "好的，[clear_throat]那我们"),
    Entry("corpus:x", "", 16.0, "nothing [yawn]"),
    Entry("corpus:x", "zh", 0.0, "没有"),
]  # fmt: skip


def test_figures_by_hand():
    found = statistics(ENTRIES)
    assert (found.utterances, found.hours, found.occurrences) == (6, pytest.approx(3636 / 3600), 10)
    assert found.total == {"0": 1, "1": 2, "2": 2, "≥ 3": 1}
    assert found.unique == {"0": 1, "1": 3, "2": 1, "≥ 3": 1}
    points = {"laughs": 2, "giggle": 1, "sobbing": 1, "clear_throat": 1, "inhale": 1}
    assert {n: c for n, c in found.tags.items() if c} == points | {"shouting": 2, "crying": 1}
    assert found.unknown == {"yawn": 1}
    assert found.share("continuous") == pytest.approx(3 / 9)
    assert found.by_source["corpus:x"] == (3, pytest.approx(3616 / 3600), ("zh",))
    assert found.by_language == pytest.approx({"en": 16.5 / 3600, "unknown": 16 / 3600, "zh": 3603.5 / 3600})


def test_tables_have_the_papers_shape():
    found = statistics(ENTRIES)
    assert table_3(found) == [
        ["Metric", "# Tags", "# Utt.", "%"],
        ["Total Tags", "1", "2", "40.00"],
        ["", "2", "2", "40.00"],
        ["", "≥ 3", "1", "20.00"],
        ["Unique Tags", "1", "3", "60.00"],
        ["", "2", "1", "20.00"],
        ["", "≥ 3", "1", "20.00"],
    ]
    assert table_5(found, "WESR-Train") == [
        ["Data Source", "# Utt.", "Dur. (h)", "Language"],
        ["corpus:x", "3", "1.00", "ZH"],
        ["web", "3", "0.01", "EN, ZH"],
        ["WESR-Train", "6", "1.01", "EN, ZH"],
    ]
    # 16.5 s, 16 s and 3603.5 s of 3636 s; two of the ten tags are laughs, one is unknown.
    assert language_table(found) == [
        ["Language", "Dur. (h)", "%"],
        ["en", "0.00", "0.45"],
        ["unknown", "0.00", "0.44"],
        ["zh", "1.00", "99.11"],
    ]
    rows = tag_table(found)
    assert rows[:2] == [["Tag", "# Tags", "%"], ["`[laughs]`", "2", "20.00"]]
    assert ["`<shouting>`", "2", "20.00"] in rows and ["`[roar]`", "0", "0.00"] in rows
    assert rows[-1] == ["`yawn`", "1", "10.00"] and len(rows) == 1 + 21 + 1
    assert tag_table(statistics([Entry("web", "en", 1.0, "a [x|`y] b")]))[-1] == ["`x\\|'y`", "1", "100.00"]
    assert markdown(table_3(found)).splitlines()[:3] == [
        "| Metric | # Tags | # Utt. | % |",
        "| --- | --- | --- | --- |",
        "| Total Tags | 1 | 2 | 40.00 |",
    ]


def test_the_share_of_the_papers_table_3():
    # WESR, table 3: 657, 184 and 86 of 927 utterances
    texts = ["[sigh] a"] * 657 + ["[sigh] a [sigh]"] * 184 + ["[sigh] a [sigh] b [sigh]"] * 86
    found = statistics(Entry("web", "en", 1.0, text) for text in texts)
    assert [row[3] for row in table_3(found)[1:4]] == ["70.87", "19.85", "9.28"]


@pytest.mark.parametrize("tags", [{}, {"singing": 1}, {tag.name: n for n, tag in enumerate(TAGS)}])
def test_figures_are_well_formed_and_name_every_tag(tags):
    for draw in (ring, bars):
        root = xml.dom.minidom.parseString(draw(tags, "Tags <of> a & b")).documentElement
        assert root.getElementsByTagName("title")[0].firstChild.data == "Tags <of> a & b"
        said = root.toxml()
        assert "NaN" not in said
        assert all(tag.name in said for tag in TAGS if tags.get(tag.name))
