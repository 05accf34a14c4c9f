import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.audio.decode import decode
from sonolake.audio.fingerprint import NEAR, OUTLINE_DB, fingerprint, lookup_keys, outline, similarity
from sonolake.audio.resample import resample
from sonolake.errors import InvalidInput

RATE = 44100


def near(a, b):
    return similarity(a, b) >= NEAR and bool({*lookup_keys(a)} & {*lookup_keys(b)})


@pytest.mark.parametrize("rate", [16000, 22050, 32000, 48000, 96000])
def test_another_rate_is_the_same_recording(barks, rate):
    for x in barks:
        assert near(fingerprint(x, RATE), fingerprint(resample(x, RATE, rate), rate))


@pytest.mark.parametrize("gain_db", [-30, -6, 5])
def test_another_level_is_the_same_recording(barks, gain_db):
    for x in barks:
        assert near(fingerprint(x, RATE), fingerprint(x * 10 ** (gain_db / 20), RATE))


@pytest.mark.parametrize(
    ("container", "subtype", "options"),
    [
        ("MP3", "MPEG_LAYER_III", {"bitrate_mode": "VARIABLE", "compression_level": 0.6}),
        ("MP3", "MPEG_LAYER_III", {"bitrate_mode": "CONSTANT", "compression_level": 0.5}),
        ("OGG", "VORBIS", {"compression_level": 0.6}),
        ("OGG", "OPUS", {"compression_level": 0.5}),
        ("WAV", "PCM_U8", {}),
        ("WAV", "MS_ADPCM", {}),
        ("FLAC", "PCM_24", {}),
    ],
)
def test_another_format_is_the_same_recording(barks, encoded, container, subtype, options):
    for x in barks:
        y = resample(x, RATE, 48000)
        decoded = decode(encoded(y, 48000, container, subtype, **options))
        assert near(fingerprint(x, RATE), fingerprint(decoded.samples, decoded.sample_rate))


@pytest.mark.parametrize("pad_s", [0.0261, 0.05, 0.2])
def test_a_codec_s_delay_or_a_trimmed_pause_changes_nothing(barks, pad_s):
    for x in barks:
        padded = np.concatenate([np.zeros(round(pad_s * RATE)), x, np.zeros(1000)])
        assert near(fingerprint(x, RATE), fingerprint(padded, RATE))
        assert near(fingerprint(x, RATE), fingerprint(x[round(0.1 * RATE) :], RATE))


def test_stereo_of_one_channel_is_the_same_recording(barks):
    for x in barks:
        mono = fingerprint(x, RATE)
        assert near(mono, fingerprint(np.stack([x, x], axis=1), RATE))
        assert near(mono, fingerprint(np.stack([x, -x], axis=1), RATE))


def test_outlines_of_one_recording_lie_together(barks, encoded):
    for x in barks:
        y = resample(x, RATE, 48000)
        decoded = decode(encoded(y, 48000, "OGG", "VORBIS", compression_level=0.6))
        apart = outline(fingerprint(x, RATE)) - outline(fingerprint(decoded.samples, 48000))
        assert np.abs(apart).mean() < OUTLINE_DB
    assert not outline("").any()


def test_two_takes_of_one_dog_are_two_recordings(barks):
    a, b = (fingerprint(x, RATE) for x in barks)
    assert similarity(a, b) < NEAR - 0.3


def test_two_stretches_of_one_noise_are_two_recordings(rng):
    white = [rng.standard_normal(4 * RATE) * 0.1 for _ in range(3)]
    brown = [np.cumsum(w) * 0.01 for w in white]
    for sounds in (white, brown):
        prints = [fingerprint(x, RATE) for x in sounds]
        assert max(similarity(prints[0], prints[1]), similarity(prints[1], prints[2])) < 0.3


def test_steady_tones_differ_by_their_frequency():
    tone = lambda hz: fingerprint(0.5 * np.sin(2 * np.pi * hz * np.arange(2 * RATE) / RATE), RATE)  # noqa: E731
    assert similarity(tone(440), tone(445)) == 0.0
    assert similarity(tone(440), tone(440.5)) >= NEAR


def test_an_hour_s_programme_is_told_by_more_than_its_jingle(rng):
    """Two sounds of one length that begin alike for four seconds."""
    jingle = rng.standard_normal(4 * 8000) * 0.1
    a, b = (np.concatenate([jingle, rng.standard_normal(56 * 8000) * 0.1]) for _ in range(2))
    assert similarity(fingerprint(a, 8000), fingerprint(b, 8000)) < NEAR
    assert near(fingerprint(a, 8000), fingerprint(a * 0.5, 8000))


def test_silence_has_no_fingerprint_and_is_like_nothing():
    assert fingerprint(np.zeros(RATE), RATE) == ""
    assert fingerprint(np.zeros((0, 2)), RATE) == ""
    assert similarity("", "") == 0.0
    assert lookup_keys("") == ()


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(200, 40000),
    st.sampled_from([4000, 8000, 11025, 44100, 192000]),
    st.integers(1, 4),
)
def test_any_sound_has_short_text_that_is_like_itself(seed, frames, rate, channels):
    x = np.random.default_rng(seed).standard_normal((frames, channels)) * 0.1
    fp = fingerprint(x, rate)
    assert fp.isascii() and 0 < len(fp) < 1200
    assert len(set(lookup_keys(fp))) == 16
    assert similarity(fp, fp) == 1.0
    assert near(fp, fingerprint(x * 0.5, rate))


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 1000), st.integers(0, 1000))
def test_similarity_is_symmetric_and_between_0_and_1(seed_a, seed_b):
    a, b = (
        fingerprint(np.random.default_rng(s).standard_normal(3000 + 10 * s), 8000) for s in (seed_a, seed_b)
    )
    assert similarity(a, b) == similarity(b, a)
    assert 0.0 <= similarity(a, b) <= 1.0


@pytest.mark.parametrize("text", ["nonsense", "1.2.3.4.5", "9.1000.0.0.AAAAAAAAAAA.", "1.1000.0.0.."])
def test_other_text_is_refused(text):
    with pytest.raises(InvalidInput, match="fingerprint"):
        similarity(text, "x" + text)


def test_short_real_sounds(shared):
    """One-shots of many kinds: the same sound as mp3 and ogg is found, and no two others are taken for one."""
    prints = {}
    for path in sorted((shared / "oneshot").rglob("*.*")):
        if path.suffix in (".wav", ".flac", ".ogg", ".mp3") and path.stat().st_size < 400_000:
            decoded = decode(path.read_bytes())
            prints[path.relative_to(shared).as_posix()] = fingerprint(decoded.samples, decoded.sample_rate)
    by_key = {}
    for path, fp in prints.items():
        for key in lookup_keys(fp):
            by_key.setdefault(key, set()).add(path)
    pairs = {(a, b) for paths in by_key.values() for a in paths for b in paths if a < b}
    found = {(a, b) for a, b in pairs if similarity(prints[a], prints[b]) >= NEAR}
    stem = lambda path: path.rsplit(".", 1)[0]  # noqa: E731
    assert [pair for pair in found if stem(pair[0]) != stem(pair[1])] == []
    twins = [path for path in prints if path.endswith(".ogg") and stem(path) + ".mp3" in prints]
    assert len(twins) >= 25
    assert len(found) >= len(twins) - 1
    assert len(pairs) < 4 * len(prints)
