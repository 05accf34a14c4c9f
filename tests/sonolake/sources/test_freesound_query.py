"""What can be asked for, and what a sound that the API describes becomes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.errors import InvalidInput, NotFound
from sonolake.search.encoders import Sound as Signal
from sonolake.sources.freesound import Query, Search, Sound, read_ids, require_fitting, words_of
from sonolake.sources.freesound.similar import vector_of
from sonolake.sources.licences import normalise


def test_an_event_is_looked_for_by_its_words():
    assert words_of("shared/dog_bark") == "dog bark"
    assert Search(event="shared/dog_bark").query("").text == "dog bark"
    assert Search(event="shared/dog_bark").query("angry dog").text == "angry dog"
    assert Search(event="shared/dog_bark").fields == {"event": "shared/dog_bark"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "words after freesound:, a filter, or something to be similar to"),
        (
            {"text": "dog", "sort": "loudest"},
            "--sort: expected one of score, .* or field:value, received 'loudest'",
        ),
        ({"text": "dog", "similar_to": 7}, "as the API takes one"),
    ],
)
def test_searches_that_cannot_be(options, message):
    with pytest.raises(InvalidInput, match=message):
        Query(**options)


def test_options_that_do_not_go_together(tmp_path):
    numbers = tmp_path / "ids.txt"
    numbers.write_text("1\n")
    with pytest.raises(InvalidInput, match="numbers alone"):
        Search(ids=str(numbers)).require_sound("dog")
    with pytest.raises(InvalidInput, match="the encoder of Freesound's space"):
        Search(similar_to="a.wav", model="yamnet").require_sound("")
    with pytest.raises(NotFound, match="neither the number of a sound nor a file"):
        Search(similar_to=str(tmp_path / "a.wav")).require_sound("")
    with pytest.raises(InvalidInput, match="a source such as freesound:dog bark"):
        require_fitting("sounds", "", None, Search(most=3))
    with pytest.raises(InvalidInput, match="--manifest and --map: expected a folder"):
        require_fitting("freesound:dog", "m.csv", None, None)
    require_fitting("sounds", "m.csv", {"a": "path"}, Search())


def test_numbers_in_a_file(tmp_path):
    path = tmp_path / "ids.txt"
    path.write_text(
        "# dogs\n12345\nfreesound:7  # a loud one\n\nhttps://freesound.org/people/ann/sounds/99/\n"
        "https://freesound.org/s/100/\n7\n"
    )
    assert read_ids(path) == [12345, 7, 99, 100]
    path.write_text("1\n2.wav\n")
    with pytest.raises(InvalidInput, match=r"--ids ids\.txt, line 2: expected the number of a sound"):
        read_ids(path)
    with pytest.raises(NotFound, match="there is no such file"):
        read_ids(tmp_path / "nowhere.txt")


RECORD = {
    "id": 12,
    "url": "https://freesound.org/people/ann/sounds/12/",
    "name": "Cafe\u0301 dog.wav",
    "tags": ["dog", "bark"],
    "username": "ann",
    "license": "http://creativecommons.org/licenses/by/3.0/",
    "gen_ai_preference": "open-source-models",
    "pack_name": "Dogs",
    "md5": "ABC",
    "previews": {"preview-lq-mp3": "https://cdn/l.mp3", "preview-hq-mp3": "https://cdn/h.mp3"},
}


def test_a_sound_becomes_a_row_of_a_manifest():
    sound = Sound.of(RECORD)
    assert sound.fields == {
        "source_id": "freesound:12",
        "title": "Café dog.wav",
        "author": "ann",
        "licence": "http://creativecommons.org/licenses/by/3.0/",
        "url": "https://freesound.org/people/ann/sounds/12/",
        "tags": "dog,bark",
    }
    assert sound.tags == {"gen_ai_preference": "open-source-models", "pack": "Dogs"}
    assert sound.preview == ("preview-hq-mp3", "https://cdn/h.mp3")
    assert sound.md5 == "abc"


@pytest.mark.parametrize(
    ("deed", "spdx"),
    [
        ("http://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
        ("http://creativecommons.org/licenses/by/3.0/", "CC-BY-3.0"),
        ("https://creativecommons.org/licenses/by/4.0/", "CC-BY-4.0"),
        ("http://creativecommons.org/licenses/by-nc/3.0/", "CC-BY-NC-3.0"),
        ("https://creativecommons.org/licenses/by-nc/4.0/", "CC-BY-NC-4.0"),
        ("http://creativecommons.org/licenses/sampling+/1.0/", "LicenseRef-Sampling-Plus-1.0"),
    ],
)
def test_every_deed_that_freesound_has_is_known(deed, spdx):
    assert normalise(Sound.of({**RECORD, "license": deed}).fields["licence"]).spdx == spdx


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*RECORD, "filesize", "type", "description"]), JSON) | JSON)
def test_whatever_the_api_says_is_a_sound_or_none(record):
    sound = Sound.of(record)
    if sound is None:
        return
    assert sound.id >= 1
    "".join([*sound.fields.values(), *sound.tags.values()]).encode()
    assert sound.fields["source_id"] == f"freesound:{sound.id}"
    assert sound.preview is None or sound.preview[1]


class Clap:
    """Two windows, of which one is louder: each counts the same."""

    spec = "clap:laion/clap-htsat-fused"

    def encode(self, x, rate):
        windows = np.zeros((2, 512), dtype=np.float32)
        windows[0, 0], windows[1, 1] = 4, 0.5
        return windows


def test_a_sound_is_one_unit_vector_of_the_encoder_that_made_the_space():
    vector = vector_of(Clap(), Signal(np.zeros(10), 48_000))
    assert vector[:3] == pytest.approx((2**-0.5, 2**-0.5, 0))
    params = Query(similar_to=vector).params(1)
    assert params["similar_to"].startswith("[0.7071,0.7071,0.0,")
    assert len(params["similar_to"]) < 4096, "it fits into an address"


@pytest.mark.parametrize(
    "spec", ["clap:laion/clap-htsat-unfused", "yamnet", "clap:", "other:630k-audioset-fusion-best.pt"]
)
def test_vectors_of_another_model_are_refused(spec):
    encoder = Clap()
    encoder.spec = spec
    with pytest.raises(InvalidInput, match="clap:laion/clap-htsat-fused or clap:630k-audioset-fusion-best"):
        vector_of(encoder, Signal(np.zeros(10), 48_000))


def test_a_local_copy_of_the_checkpoint_is_the_encoder(monkeypatch):
    encoder = Clap()
    encoder.spec = "clap:/models/630k-audioset-fusion-best.pt"
    assert len(vector_of(encoder, Signal(np.zeros(10), 48_000))) == 512
