"""Lists of addresses and podcast feeds: what they name, and what is declared of it."""

import httpx
import pytest

from sonolake.errors import InvalidInput, ItemRefused, NotFound
from sonolake.sources.licences import normalise
from sonolake.sources.web.feeds import entries_of
from sonolake.sources.web.lists import Entry, entry_of, read_list

NAMESPACES = (
    'xmlns:creativeCommons="http://backend.userland.com/creativeCommonsRssModule" '
    'xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:atom="http://www.w3.org/2005/Atom" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


def rss(items, channel=""):
    return (
        f'<?xml version="1.0"?><rss version="2.0" {NAMESPACES}><channel><title>Talk</title>'
        f"<language>en-GB</language>{channel}{items}</channel></rss>"
    ).encode()


def item(address, more="", kind="audio/mpeg"):
    return (
        '<item><title>One</title><guid isPermaLink="false">g1</guid>'
        f"{more}"
        f'<enclosure url="{address}" length="1" type="{kind}"/></item>'
    )


FEED = entry_of("feed:https://pod.example/feed.xml")


def test_a_text_has_an_address_a_line(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text(
        "# shows\nhttps://a.example/x.mp3\n\nfeed:https://b.example/f.xml\nhttps://a.example/x.mp3\nftp://c/x\nhello\n"
    )
    entries, refusals = read_list(str(path))
    assert [(one.item, one.is_feed) for one in entries] == [
        ("https://a.example/x.mp3", False),
        ("https://b.example/f.xml", True),
    ]
    assert [(one.item, one.reason) for one in refusals] == [
        ("list.txt:6", "malformed_row"),
        ("list.txt:7", "malformed_row"),
    ]


def test_a_table_says_more(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text("address,Licence,language,show\nhttps://a.example/x.mp3,CC-BY-4.0,de,Plausch\n")
    (entry,), _ = read_list(str(path), {"address": "url"})
    assert entry.fields["licence"] == "CC-BY-4.0" and entry.fields["language"] == "de"
    assert entry.fields["source_id"] == "https://a.example/x.mp3" == entry.fields["url"]
    assert entry.tags == {"show": "Plausch"}
    with pytest.raises(InvalidInput, match="a header 'url'"):
        read_list(str(path))
    with pytest.raises(NotFound):
        read_list(str(tmp_path / "lost.txt"))


def test_passwords_and_queries_are_in_no_name():
    entry = entry_of("https://ann:s3cret@a.example/x.mp3?token=abc#t=3")
    assert "s3cret" not in entry.item + repr(entry) and "abc" not in entry.item + repr(entry)
    assert entry.item.startswith("https://a.example/x.mp3?")
    assert entry_of("https://a.example/x.mp3?token=b").item != entry.item
    assert entry.fields["url"] == "https://a.example/x.mp3"


CC = "https://creativecommons.org/licenses/by-sa/4.0/"


@pytest.mark.parametrize(
    ("channel", "episode", "spdx"),
    [
        (f"<creativeCommons:license>{CC}</creativeCommons:license>", "", "CC-BY-SA-4.0"),
        ("", f"<creativeCommons:license>{CC}</creativeCommons:license>", "CC-BY-SA-4.0"),
        ("", f'<atom:link rel="license" href="{CC}"/>', "CC-BY-SA-4.0"),
        ("<podcast:license>cc-by-4.0</podcast:license>", "", "CC-BY-4.0"),
        (f'<podcast:license url="{CC}">our own words</podcast:license>', "", "CC-BY-SA-4.0"),
        ("<dc:rights>CC BY 4.0</dc:rights>", "", "CC-BY-4.0"),
        ("<podcast:license>cc-by-4.0</podcast:license>", f'<atom:link rel="license" href="{CC}"/>', "CC-BY-SA-4.0"),
        ("<copyright>(c) 2025 Ann, all rights reserved</copyright>", "", "LicenseRef-unknown"),
        ("", "", "LicenseRef-unknown"),
    ],
)  # fmt: skip
def test_the_declared_licence_is_the_episodes_else_the_feeds(channel, episode, spdx):
    (entry,) = entries_of(rss(item("https://m.example/1.mp3", episode), channel), FEED)
    assert normalise(entry.fields.get("licence", "")).spdx == spdx
    assert entry.tags.get("declared_licence", "") == entry.fields.get("licence", "")


def test_episodes_are_recordings_with_what_the_feed_says():
    page = "<link>https://pod.example/1</link>"
    body = (
        item("https://m.example/1.mp3", page)
        + item("https://m.example/cover.jpg", kind="image/jpeg")
        + item("https://m.example/1.mp3")
        + item("javascript:alert(1)")
        + "<item><title>no sound</title></item>"
    )
    (entry,) = entries_of(rss(body), FEED)
    assert entry.item == "https://m.example/1.mp3"
    assert entry.fields == {
        "source_id": "https://pod.example/feed.xml",
        "title": "One",
        "language": "en-GB",
        "url": "https://pod.example/1",
    }
    assert entry.tags == {"feed": "https://pod.example/feed.xml", "guid": "g1"}


def test_the_list_goes_before_the_feed():
    feed = entry_of(
        "feed:https://pod.example/feed.xml", {"language": "de", "licence": "CC0-1.0"}, {"show": "x"}
    )
    (entry,) = entries_of(rss(item("https://m.example/1.mp3")), feed)
    assert (entry.fields["language"], entry.fields["licence"], entry.tags["show"]) == ("de", "CC0-1.0", "x")


def test_atom_is_read_too():
    atom = (
        b'<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><rights>CC0 1.0</rights><entry><title>One</title>'
        b'<id>i</id><link rel="enclosure" type="audio/ogg" href="https://m.example/1.ogg"/></entry></feed>'
    )
    (entry,) = entries_of(atom, FEED)
    assert normalise(entry.fields["licence"]).spdx == "CC0-1.0"


def test_a_private_feeds_password_goes_to_its_episodes_on_the_same_host_alone():
    feed = entry_of("feed:https://ann:pw@pod.example/feed.xml")
    body = item("https://pod.example/1.mp3") + item("https://cdn.example/2.mp3")
    own, other = entries_of(rss(body), feed)
    assert own.url.userinfo == b"ann:pw" and other.url.userinfo == b""


@pytest.mark.parametrize("data", [b"", b"<html><body>hi</body></html>", b"\x00\x01", b"{}"])
def test_what_is_no_feed_is_refused(data):
    with pytest.raises(ItemRefused, match="malformed_feed"):
        entries_of(data, Entry(httpx.URL("https://pod.example/feed.xml"), True))


def test_a_body_that_names_a_file_or_an_address_is_not_opened(tmp_path, site):
    (tmp_path / "own.xml").write_bytes(rss(item("https://m.example/1.mp3")))
    site.files["/own.xml"] = rss(item("https://m.example/1.mp3"))
    for body in (str(tmp_path / "own.xml"), site.url("/own.xml")):
        with pytest.raises(ItemRefused, match="malformed_feed"):
            entries_of(body.encode(), FEED)
    assert site.asked == []
