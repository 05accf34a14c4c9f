"""Speech of the web into a lake: everything accounted for, FLAC, licences as declared, nothing sent twice."""

import io
import json

import numpy as np
import pytest
import soundfile

from sonolake.audio.decode import decode
from sonolake.lake.step import Counts, batches
from sonolake.sources.intake import Intake
from sonolake.sources.web import WebSettings
from tasks.web import fetch_recordings, find_recordings

INTAKE = Intake("speech")
RATE = 16_000
QUICK = WebSettings(pause_s=0)


def sound(seed, form=("MP3", "MPEG_LAYER_III"), seconds=1.0, level=0.5):
    rng = np.random.default_rng(seed)
    t = np.arange(int(seconds * RATE)) / RATE
    x = sum(
        rng.uniform(0.2, 1) * np.sin(2 * np.pi * rng.uniform(100, 4000) * t * rng.uniform(0.5, 2))
        for _ in range(5)
    )
    x = x * np.sin(np.pi * rng.uniform(1, 9) * t) ** 2
    out = io.BytesIO()
    soundfile.write(out, level * x / max(1e-9, np.abs(x).max()), RATE, format=form[0], subtype=form[1])
    return out.getvalue()


def video():
    import av

    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as container:
        stream = container.add_stream("mpeg4", 25)
        stream.width = stream.height = 32
        for _ in range(3):
            frame = av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8))
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return out.getvalue()


@pytest.fixture
def state(monkeypatch, tmp_path):
    monkeypatch.setenv("SONOLAKE_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def show(site, state, tmp_path):
    """A list of a feed under a licence, and of addresses of which most are of no use."""
    ogg = ("OGG", "VORBIS")
    site.files |= {
        "/1.mp3": sound(1), "/2.ogg": sound(2, ogg), "/3.flac": sound(3, ("FLAC", "PCM_16")),
        "/again.mp3": sound(1), "/silence.mp3": sound(4, level=0.0), "/text.mp3": b"no sound at all, but text " * 99,
        "/video.mp4": video(),
    }  # fmt: skip
    enclosures = "".join(
        f'<item><guid isPermaLink="false">{n}</guid><enclosure url="{site.url(n)}" type="audio/mpeg"/></item>'
        for n in ("/1.mp3", "/2.ogg")
    )
    site.files["/feed.xml"] = (
        '<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><language>de</language>'
        f"<podcast:license>cc-by-4.0</podcast:license>{enclosures}</channel></rss>"
    ).encode()
    path = tmp_path / "list.txt"
    rest = ("/3.flac", "/again.mp3", "/silence.mp3", "/text.mp3", "/video.mp4", "/gone.mp3")
    path.write_text("\n".join([f"feed:{site.url('/feed.xml')}", *map(site.url, rest), "no address"]))
    return str(path)


def take(lake, source, settings=QUICK, intake=INTAKE):
    counts = Counts()
    for chunk in batches(find_recordings.fn(source, settings), 3):
        counts += fetch_recordings.fn(lake, "run", intake, chunk, settings)
    return counts


def test_every_address_is_accounted_for(lake, path, show, site, state):
    assert take(path, show) == Counts(taken=9, done=3, quarantined=5, duplicates=1)
    reasons = {row["item"].rpartition("/")[2]: row["reason"] for row in lake.rows("FROM quarantine")}
    assert reasons == {
        "list.txt:8": "malformed_row",
        "silence.mp3": "silent",
        "text.mp3": "not_audio",
        "video.mp4": "no_audio_stream",
        "gone.mp3": "gone",
    }
    assert list((state / "web" / "sounds").glob("*")) == [], "downloads are not kept"


def test_what_is_taken_is_flac_with_what_the_feed_declares(lake, path, show, site):
    take(path, show)
    rows = {row["item"].rpartition("/")[2]: row for row in lake.rows("FROM assets")}
    assert {row["container"] for row in rows.values()} == {"flac"}
    one, three = rows["1.mp3"], rows["3.flac"]
    assert (one["licence"], one["language"], one["source_id"]) == ("CC-BY-4.0", "de", site.url("/feed.xml"))
    assert (three["licence"], three["flags"]) == ("LicenseRef-unknown", ["unknown_licence"])
    tags = json.loads(one["tags"])
    assert tags["web_codec"] == "mp3" and tags["web_etag"] == site.etag(site.files["/1.mp3"])
    assert tags["declared_licence"] == "cc-by-4.0"
    heard = decode(lake.media.read(one["asset_id"])).samples
    whole = decode(site.files["/1.mp3"]).samples
    assert heard.shape == whole.shape and np.abs(heard - whole).max() <= 2**-16, (
        "the timing of a whole decode"
    )


def test_a_second_run_asks_for_no_recording(lake, path, show, site):
    take(path, show)
    before = len(site.asked)
    assert take(path, show) == Counts(taken=9, already=9)
    assert [(one.path, one.status) for one in site.asked[before:]] == [("/feed.xml", 304)]


def test_anew_asks_for_all_and_is_sent_what_changed(lake, path, show, site):
    take(path, show)
    before = len(site.asked)
    site.files["/2.ogg"] = sound(9, ("OGG", "VORBIS"))
    del site.files["/3.flac"]
    counts = take(path, show, WebSettings(pause_s=0, anew=True))
    assert (counts.taken, counts.done) == (9, 1)
    sent = {one.path: one.status for one in site.asked[before:]}
    assert sent["/1.mp3"] == 304 and sent["/2.ogg"] == 200 and sent["/again.mp3"] == 304
    assert lake.rows("SELECT reason FROM quarantine WHERE item LIKE '%/3.flac'") == [{"reason": "gone"}]


def test_another_lake_is_sent_what_the_first_one_has(path, new_lake, show, site):
    take(path, show)
    other = new_lake("other")
    assert take(other, show, WebSettings(pause_s=0, anew=True)).done == 3


def test_what_failed_is_tried_again_and_goes_on(lake, path, show, site, monkeypatch):
    from sonolake.releases.origins.base import Patience
    from sonolake.sources.web.transport import Transport

    plain = Transport.__init__
    monkeypatch.setattr(
        Transport, "__init__", lambda *a, **k: plain(*a, **{**k, "patience": Patience(tries=1, first_s=0)})
    )
    site.faults = lambda number, path: "cut" if path == "/2.ogg" else None
    assert take(path, show).quarantined == 6
    site.faults = lambda number, path: None
    assert take(path, show) == Counts(taken=9, done=1, already=8)
    assert [one.status for one in site.requests("/2.ogg")] == [200, 206]


def test_a_long_recording_becomes_parts_of_one_source(lake, path, site, state, tmp_path):
    x = np.concatenate([np.full(int(70 * RATE), 0.3), np.zeros(RATE), np.full(int(60 * RATE), 0.3)])
    x *= np.sin(np.arange(len(x)) * 0.05 * (1 + np.arange(len(x)) / len(x)))
    out = io.BytesIO()
    with soundfile.SoundFile(out, "w", RATE, 1, "VORBIS", format="OGG") as file:
        for second in range(0, len(x), RATE):
            file.write(x[second : second + RATE])
    site.files["/long.ogg"] = out.getvalue()
    (tmp_path / "list.txt").write_text(site.url("/long.ogg"))
    settings = WebSettings(pause_s=0, part_minutes=1.5)
    assert take(path, str(tmp_path / "list.txt"), settings) == Counts(taken=2, done=2)
    first, second = lake.rows("FROM assets ORDER BY item")
    assert first["source_id"] == second["source_id"] == site.url("/long.ogg")
    assert first["frames"] + second["frames"] == len(x)
    assert 70 < first["duration_s"] < 71, "cut in the quiet second"
    assert first["item"] == f"{site.url('/long.ogg')}#t=0.000,{first['duration_s']:.3f}"
    assert take(path, str(tmp_path / "list.txt"), settings) == Counts(taken=2, already=2)
