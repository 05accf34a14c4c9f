import itertools
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.releases import Check, Direction, Line, Quiz, ReportSample, Track, build
from sonolake.releases.report.licences import asks_of, profiles_of
from sonolake.releases.report.markup import Html, el
from sonolake.releases.report.timeline import clock, place
from sonolake.releases.report.topview import position, sector

SAMPLE = ReportSample(
    "scene-train-000",
    "cares",
    "train",
    "<script>alert(1)</script> & co",
    b"ID3 sound",
    b"\x89PNG picture",
    10.0,
    (
        Track("ambience", "cafe_restaurant", 0, 10, "ambience"),
        Track("voice A", "Hello there", 0.5, 2.5, "speech"),
        Track("events", "shared/dog_bark", 2.5, 5.0, "pivot"),
    ),
    (Line("A", "Hello [laughs] <b>there</b>", 0.5),),
    (Direction("dog_bark", 90, 2.0),),
    (Quiz("Where?", ("left", "right"), "left", "localization"),),
    (("place", "cafe_restaurant"),),
)
VOID = {"meta", "img", "input"}


class Balanced(HTMLParser):
    """Fails on an element that is not closed, and collects attributes."""

    def __init__(self, text):
        super().__init__()
        self.open, self.attributes = [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.attributes += [(tag, *a) for a in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture
def page(make, store, tmp_path):
    build(make(samples=(SAMPLE,)), store.__getitem__, tmp_path / "r")
    return (tmp_path / "r/report.html").read_text()


def test_the_page_needs_nothing_else(page):
    attributes = Balanced(page).attributes
    addresses = [
        value for _, name, value in attributes if name in ("src", "href", "srcset", "action", "data")
    ]
    assert addresses
    assert all(a.startswith(("data:", "#")) for a in addresses)
    assert "@import" not in page and "url(" not in page
    assert "https://" not in page and "http://" not in page


def test_text_from_outside_stays_text(page):
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; co" in page
    assert "&lt;b&gt;" in page
    assert page.count("<script>") == 1


def test_times_lie_in_the_scale_of_the_sound(page):
    style = re.search(r'class="block [a-z]+ k-pivot" style="([^"]+)"', page)[1]
    assert style.startswith("left:25.000%;width:25.000%")
    assert 'data-duration="10.000"' in page
    assert 'data-start="2.500" data-end="5.000"' in page


def test_colour_is_never_the_only_sign(page):
    assert "◆ dog bark" in page
    assert 'aria-label="Play from dog bark, pivot, 2.50 to 5.00 s"' in page


def test_what_is_counted_is_drawn(page):
    assert re.search(r'aria-label="Reactions: pivot 10"', page)
    assert re.search(r'aria-label="Items by table and split: CARES 10; RMS-AQA 3"', page)
    assert "<title>pivot, train: 6 events</title>" in page
    assert re.search(r'<dd><span data-proof="counts-items" data-row="\d+">13</span></dd>', page)


def test_everything_can_be_reached_and_named(page):
    attributes = Balanced(page).attributes
    images = [v for tag, name, v in attributes if tag == "img" and name == "alt"]
    assert images == ["Spectrogram of <script>alert(1)</script> & co"]
    assert page.count("<button") == page.count('<button type="button"')
    assert page.count('role="img"') == len(re.findall(r'<svg[^>]* role="img" aria-label="[^"]', page))


def test_what_was_looked_for_is_a_table(make, store, tmp_path):
    check = Check("Without <listening>", "none beats chance", ("predictor", "S1"), (("always A", "25.0"),))
    build(make(checks=(check,)), store.__getitem__, tmp_path / "r")
    page = (tmp_path / "r/report.html").read_text()
    Balanced(page)
    inside = page.partition('id="checks"')[2].partition("</section>")[0]
    assert "Without &lt;listening&gt;" in inside
    assert "none beats chance" in inside
    assert ">always A<" in inside and ">25.0<" in inside


def test_every_proof_stands_with_its_answer(page):
    section = page.partition('id="proofs"')[2].partition("</section>")[0]
    row = section.partition('id="proof-files"')[2].partition("</tr>")[0]
    assert "Every file of the manifest is on disk" in row
    assert re.findall(r">(\d+ rows)<", row) == ["0 rows", "0 rows"] and "holds" in row
    stated = (
        section.partition('id="proof-counts-licences"')[2]
        .partition("<details>")[2]
        .partition("</details>")[0]
    )
    assert re.findall(r"<td[^>]*>([^<]*)</td>", stated) == ["CC0-1.0", "13", "3", "8", "3", "2"]


def test_what_changed_is_told_as_in_the_changelog(page):
    section = page.partition('id="changes"')[2].partition("</section>")[0]
    assert "First version: 10 items of <code>cares</code>, 3 items of <code>rms-aqa</code>." in section
    assert re.findall(r'<td class="num">(\d+)</td>', section) == ["10", "3"]


@pytest.mark.parametrize(
    ("licence", "asked"),
    [
        ("CC0-1.0", []),
        ("MIT", ["hand on its text and notices"]),
        ("CC-BY-4.0", ["name the authors and the changes"]),
        (
            "CC-BY-NC-SA-3.0",
            ["name the authors and the changes", "no commercial use", "hand on under the same licence"],
        ),
    ],
)
def test_what_a_licence_asks(licence, asked):
    assert asks_of(licence) == asked


def test_what_a_licence_is_for(page):
    assert profiles_of("CC0-1.0") == ["commercial", "share-alike", "research"]
    assert profiles_of("CC-BY-SA-4.0") == ["share-alike", "research"]
    assert profiles_of("CC-BY-NC-4.0") == ["research"] and profiles_of("CC-BY-ND-4.0") == []
    assert "<p>Profile <code>research</code>: items for non-commercial use are among these" in page


def test_a_release_without_samples_has_a_report(release):
    page = (release / "report.html").read_text()
    Balanced(page)
    assert ">Listen<" not in page


@pytest.mark.parametrize(
    ("azimuth", "word"),
    [(0, "front"), (45, "front-left"), (90, "left"), (-90, "right"), (180, "rear"), (-180, "rear"), (-20, "front"),
     (-50, "front-right"), (130, "rear-left"), (-135, "rear-right"), (359, "front")],
)  # fmt: skip
def test_directions_have_eight_words(azimuth, word):
    assert sector(azimuth) == word


@pytest.mark.parametrize(
    ("azimuth", "x", "y"), [(0, 150, 38), (90, 38, 150), (-90, 262, 150), (180, 150, 262)]
)
def test_left_is_drawn_left_and_front_up(azimuth, x, y):
    assert position(azimuth, 4.0, 4.0) == pytest.approx((x, y))


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.tuples(st.floats(0, 9), st.floats(0, 1), st.sampled_from(["a", "a long label"])), max_size=12)
)
def test_bars_of_one_row_never_overlap(spans):
    blocks = place([Track("l", label, start, start + length) for start, length, label in spans], 10.0)
    assert len(blocks) == len(spans)
    for row in {b.row for b in blocks}:
        tracks = [b.track for b in blocks if b.row == row]
        assert all(a.end_s <= b.start_s for a, b in itertools.pairwise(tracks))


@settings(deadline=None, max_examples=50)
@given(st.text(), st.text())
def test_what_is_not_marked_as_html_is_escaped(text, value):
    read = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs):
            read.append((tag, attrs))

        def handle_data(self, data):
            read.append(data)

    reader = Reader()
    reader.feed(el("p", {"title": value}, text))
    reader.close()
    assert [r[0] for r in read if isinstance(r, tuple)] == ["p"]
    assert el("p", None, Html("<b>")) == "<p><b></p>"


def test_clocks():
    assert [clock(s) for s in (0, 9.99, 65, 3600)] == ["0:00", "0:09", "1:05", "60:00"]
