"""Previews and originals: whole or not there, not asked for twice, gone ones said to be gone."""

import pytest

from sonolake.errors import LimitReached, Unreachable
from sonolake.sources.freesound import Query
from sonolake.sources.records import Refusal, SourceItem


@pytest.fixture
def sounds(freesound, freesound_server):
    """Five sounds, of bytes that are as good as audio as long as nobody decodes them."""
    freesound.add(
        *(
            freesound_server.Sound(n, b"original %d " % n * 9000, b"preview %d " % n * 5000, name="dog")
            for n in range(1, 6)
        )
    )
    return freesound


def found(catalogue):
    return sorted(catalogue.find(Query("dog")).sounds, key=lambda sound: sound.id)


def offer(catalogue, originals=False, **extra):
    return catalogue.offer(found(catalogue), extra, originals)


def test_previews_are_the_best_ones_and_asked_for_without_the_key(sounds, catalogue):
    items = offer(catalogue(), event="shared/dog_bark")
    assert [one.item for one in items] == [f"freesound:{n}" for n in range(1, 6)]
    for n, one in enumerate(items, 1):
        assert one.path.read_bytes() == sounds.sounds[n].preview
        assert one.fields["event"] == "shared/dog_bark"
        assert one.tags["file"] == "preview-hq-ogg"
    asked = sounds.requests("^files")
    assert sorted(one.path for one in asked) == [f"/previews/0/{n}_7-hq.ogg" for n in range(1, 6)]
    assert all("authorization" not in one.headers for one in asked)


def test_what_was_downloaded_is_not_asked_for_again_until_the_lake_has_it(sounds, catalogue):
    offer(catalogue())
    items = offer(again := catalogue())
    assert len(sounds.requests("^files")) == 5
    again.forget(items)
    assert not any(one.path.exists() for one in items)


@pytest.mark.parametrize("fault", ["cut", "html", "500", "reset"])
def test_broken_downloads_are_tried_again(sounds, catalogue, fault):
    broken = set()

    def faults(number, host, path):
        if host == "files" and path not in broken:
            broken.add(path)
            return fault
        return None

    sounds.faults = faults
    for n, one in enumerate(offer(catalogue()), 1):
        assert one.path.read_bytes() == sounds.sounds[n].preview
    assert len(sounds.requests("^files")) == 10


def test_a_partial_file_is_never_left_behind(sounds, catalogue, tmp_path):
    sounds.faults = lambda number, host, path: "cut" if "3_7" in path else None
    items = offer(catalogue())
    assert [one.reason for one in items if isinstance(one, Refusal)] == ["download_failed"]
    assert "no whole answer in 6 tries, the last one: RemoteProtocolError" in items[2].detail
    kept = sorted(path.name for path in (tmp_path / "state").rglob("sounds/*"))
    assert kept == [f"{n}.preview-hq-ogg" for n in (1, 2, 4, 5)]


def test_deleted_sounds_are_gone_and_the_others_are_taken(sounds, catalogue):
    listed = found(catalogue())
    sounds.sounds[2].deleted = True
    items = catalogue().offer(listed, {}, False)
    assert [one.item for one in items if isinstance(one, SourceItem)] == [
        f"freesound:{n}" for n in (1, 3, 4, 5)
    ]
    assert items[1] == Refusal("freesound:2", "gone", "Freesound has deleted it, or shows it no more")
    assert len(sounds.requests("^files.*/2_7")) == 1, "what is gone is not tried again"


def test_sounds_whose_uploader_wants_no_models_made_are_refused_without_a_download(sounds, catalogue):
    wishes = {
        1: "no-gen-ai",
        2: "open-source-models",
        3: "noncommercial-open-source-models",
        4: "wish-of-2030",
    }
    for n, wish in wishes.items():
        sounds.sounds[n].preference = wish
    items = offer(catalogue())
    refused = {one.item: (one.reason, one.detail) for one in items if isinstance(one, Refusal)}
    assert refused == {
        "freesound:1": ("no_gen_ai", "its uploader's wish for generative models is 'no-gen-ai'"),
        "freesound:4": ("no_gen_ai", "its uploader's wish for generative models is 'wish-of-2030'"),
    }
    kept = {one.item: one.tags["gen_ai_preference"] for one in items if isinstance(one, SourceItem)}
    assert kept["freesound:2"] == "open-source-models"
    assert kept["freesound:5"] == "no-additional-preferences"
    assert len(sounds.requests("^files")) == 3


def test_a_host_that_is_down_ends_the_run_instead_of_refusing_everything(sounds, freesound_server, catalogue):
    sounds.add(*(freesound_server.Sound(n, b"o", b"p", name="dog") for n in range(6, 30)))
    sounds.faults = lambda number, host, path: "500" if host == "files" else None
    with pytest.raises(Unreachable, match="8 downloads in a row failed"):
        offer(catalogue())
    assert len(sounds.requests("^files")) <= 6 * 12, "bounded: eight, and the four under way"


def test_originals_come_with_the_log_in_and_are_held_against_their_md5(sounds, freesound_server, catalogue):
    one = catalogue()
    one.log_in.begin(freesound_server.CODE)
    sounds.faults = lambda number, host, path: "short" if "3/download" in path and number < 6 else None
    items = offer(one, originals=True)
    for n, item in enumerate(items, 1):
        assert item.path.read_bytes() == sounds.sounds[n].original
    assert all(
        asked.headers["authorization"] == "Bearer access-1-secret" for asked in sounds.requests("download")
    )
    assert {item.tags["file"] for item in items} == {"original"}


def test_an_original_with_other_bytes_than_stated_is_refused(sounds, freesound_server, catalogue):
    one = catalogue()
    one.log_in.begin(freesound_server.CODE)
    listed = found(one)
    whole = sounds.sounds[4].original
    sounds.sounds[4].original = whole[:-1] + b"?"
    (refusal,) = (entry for entry in one.offer(listed, {}, True) if isinstance(entry, Refusal))
    assert (refusal.item, refusal.reason) == ("freesound:4", "download_failed")
    assert "its MD5 is not the one that Freesound states" in refusal.detail


def test_a_day_that_ends_among_originals_keeps_what_is_there(sounds, freesound_server, catalogue, clock):
    one = catalogue()
    one.log_in.begin(freesound_server.CODE)
    listed = found(one)
    sounds.faults = lambda number, host, path: "day" if "5/download" in path else None
    with pytest.raises(LimitReached):
        one.offer(listed, {}, True)
    sounds.faults = lambda *_: None
    clock.now += 3600
    catalogue().offer(listed, {}, True)
    paths = [asked.path for asked in sounds.requests("download")]
    assert {path: paths.count(path) for path in paths} == {
        **{f"/apiv2/sounds/{n}/download/": 1 for n in range(1, 5)},
        "/apiv2/sounds/5/download/": 2,
    }
