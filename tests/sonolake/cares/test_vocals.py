"""What an inline tag leaves in the samples: a take, a silence, another level; and the words stay where they are."""

from dataclasses import replace

import numpy as np
import pytest

from sonolake.audio.loudness import loudness
from sonolake.cares.recipe import VocalSpec
from sonolake.cares.render import render
from sonolake.cares.scene import Clip, SceneInputs, Word
from sonolake.cares.spoken import marked
from sonolake.cares.voice_track import build_voice_track
from sonolake.errors import InvalidInput, ItemRefused

RATE = 44_100
TEXT = "One two [laughs] three four, five [sighs] six [quietly] seven eight."


def tone(seconds, hz=997.0, rate=32_000):
    """Half a second of silence on both sides of a tone."""
    n = round(seconds * rate)
    x = 0.2 * np.sin(2 * np.pi * hz * np.arange(n) / rate)
    return Clip(np.concatenate([np.zeros(rate // 2), x, np.zeros(rate // 2)]), rate)


@pytest.fixture(scope="module")
def with_tags(cast_scene, rich, banks):
    """A scene whose third turn has the tags of ``TEXT``, with a take for the laugh."""
    recipe, inputs = cast_scene(rich)

    def make(text=TEXT, take=None, trim=None):
        def take_of(event, word):
            return VocalSpec(word, "laugh", trim) if event == "vocal/laughs" else None

        turn = replace(recipe.turns[2], text=text, **vars(marked(text, banks.tags, take_of=take_of)))
        turns = (*recipe.turns[:2], turn, *recipe.turns[3:])
        said = inputs.turns[2].clip.samples
        rate = inputs.turns[2].clip.rate
        n, rng = len(turn.words), np.random.default_rng(4)
        parts, words, at = [np.zeros(round(0.2 * rate))], [], 0.2
        for word in turn.words:
            burst = rng.standard_normal(round(0.25 * rate)) * np.hanning(round(0.25 * rate)) * 0.1
            parts += [burst, np.zeros(round(0.08 * rate))]
            words.append(Word(word, at, at + 0.25, 0.9))
            at += 0.33
        assert len(said) and n == len(words)
        audio = replace(
            inputs.turns[2],
            clip=Clip(np.concatenate([*parts, np.zeros(round(0.2 * rate))]), rate),
            words=tuple(words),
            confidence=0.8,
        )
        takes = {**inputs.takes, "laugh": take or tone(0.9)}
        made = SceneInputs((*inputs.turns[:2], audio, *inputs.turns[3:]), takes, inputs.ambience, None)
        return replace(recipe, turns=turns, response_id=None), made

    return make


def power(x, hz, rate=RATE):
    """Power of one frequency in a signal, of that of all."""
    t = np.arange(len(x)) / rate
    part = abs(np.vdot(np.exp(2j * np.pi * hz * t), x)) ** 2 * 2 / len(x)
    return part / float(np.sum(x**2))


def test_the_take_is_heard_where_the_tag_stood_and_the_manifest_says_so(with_tags):
    recipe, inputs = with_tags()
    scene = render(recipe, inputs, stems=True)
    turn = scene.turns[2]
    assert [(t.tag, t.becomes, t.take_id) for t in turn.tags] == [
        ("laughs", "vocal", "laugh"),
        ("sighs", "pause", None),
        ("quietly", "delivery", None),
    ]
    laughs, sighs, quietly = turn.tags
    voice = scene.stems["voice"]
    heard = voice[round(laughs.start_s * RATE) : round(laughs.end_s * RATE)]
    assert laughs.end_s - laughs.start_s == pytest.approx(0.9, abs=0.03)
    assert power(heard[2000:-2000], 997.0) > 0.98
    two, three, five, six, seven, eight = (turn.words[i] for i in (1, 2, 4, 5, 6, 7))
    assert two.end_s <= laughs.start_s <= two.end_s + 0.4 and laughs.end_s <= three.start_s
    silence = voice[round((sighs.start_s + 0.1) * RATE) : round((sighs.end_s - 0.1) * RATE)]
    assert 0.9 < six.start_s - five.end_s < 1.3
    assert np.abs(silence).max() < 1e-3 * np.abs(voice).max()
    assert (quietly.start_s, quietly.end_s) == (seven.start_s, eight.end_s)
    assert turn.confidence == 0.8 and {w.confidence for w in turn.words} == {0.9}
    assert scene.violates is None and [e.violates for e in scene.events] == [None] * len(scene.events)


def test_words_lie_where_their_bursts_are(with_tags):
    """Each synthetic word is a burst of 0.25 s that rises and falls: its energy lies in the middle of its times."""
    recipe, inputs = with_tags()
    track = build_voice_track(recipe, inputs.turns, inputs.takes)
    words = render(recipe, inputs).turns[2].words
    for word in words:
        first, last = round((word.start_s - 0.04) * track.rate), round((word.end_s + 0.04) * track.rate)
        energy = np.square(track.samples[first:last])
        centre = float(np.sum(energy * np.arange(len(energy))) / np.sum(energy)) / track.rate
        assert centre == pytest.approx(word.end_s - word.start_s + 0.04 - 0.125, abs=0.03)


def test_a_take_lies_three_decibels_under_the_voice(with_tags):
    recipe, inputs = with_tags()
    track = build_voice_track(recipe, inputs.turns, inputs.takes)
    piece = next(p for p in track.pieces if not p.words)
    assert loudness(track.samples[piece.span], track.rate) == pytest.approx(
        recipe.settings.voice_lufs - 3.0, abs=0.1
    )


def test_takes_at_the_edges_belong_to_their_turn_and_leave_the_gap_between_turns(with_tags):
    recipe, inputs = with_tags("[laughs] One two three. [laughs]")
    scene = render(recipe, inputs)
    first, last = scene.turns[2].tags
    turn = scene.turns[2]
    assert (turn.start_s, turn.end_s) == (first.start_s, last.end_s)
    assert first.end_s < turn.words[0].start_s and turn.words[-1].end_s < last.start_s + 0.1
    low, high = recipe.settings.gap_s
    for turn in scene.turns[1:]:
        assert low - 0.031 <= turn.measured_gap_s <= high + 0.031
    assert scene.violates is None


def test_only_what_people_kept_of_a_take_is_heard_and_no_more_than_three_seconds(with_tags):
    for trim, expected in (((0.5, 0.9), 0.4), (None, 3.0)):
        recipe, inputs = with_tags(take=tone(5.0), trim=trim)
        (laughs, *_) = render(recipe, inputs).turns[2].tags
        assert laughs.end_s - laughs.start_s == pytest.approx(expected, abs=0.03)


def test_a_silent_take_and_one_that_is_missing_are_refused(with_tags):
    recipe, inputs = with_tags(take=Clip(np.zeros(8000), 8000))
    with pytest.raises(ItemRefused, match="silent"):
        render(recipe, inputs)
    del inputs.takes["laugh"]
    with pytest.raises(InvalidInput, match="take laugh"):
        render(recipe, inputs)
