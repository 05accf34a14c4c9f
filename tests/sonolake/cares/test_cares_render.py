from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from pyebur128.pyebur128 import MeasurementMode, R128State, get_loudness_global

from sonolake.audio.encode import wav_bytes
from sonolake.cares.measure import measured_duck_db, measured_gap_s
from sonolake.cares.render import render
from sonolake.cares.scene import Clip
from sonolake.cares.settings import MixSettings
from sonolake.cares.voice_track import build_voice_track
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.ids import sha256_hex


def ebur128(x, rate):
    """Integrated loudness by libebur128, LUFS; shorter than a block is repeated."""
    x = np.tile(x, -(-round(0.4 * rate) // len(x)))
    state = R128State(1, rate, MeasurementMode.MODE_I)
    state.add_frames(np.ascontiguousarray(x, dtype=np.float64), len(x))
    return get_loudness_global(state)


@pytest.fixture(scope="module")
def made(cast_scene, rich):
    recipe, inputs = cast_scene(rich)
    return recipe, inputs, render(recipe, inputs, stems=True)


@pytest.fixture(scope="module")
def many(cast_scene, scenarios):
    """Fourteen scenes with three events each."""
    chosen = [s for s in scenarios if len(s.events) == 3][:14]
    return [(recipe, inputs, render(recipe, inputs)) for recipe, inputs in map(cast_scene, chosen)]


def test_master_and_ceiling(many):
    for _, _, scene in many:
        x = scene.samples / 32768.0
        assert ebur128(x, scene.rate) == pytest.approx(scene.loudness_lufs, abs=0.02)
        assert scene.loudness_lufs == pytest.approx(-23.0, abs=0.3)
        assert np.abs(scene.samples.astype(int)).max() <= 29204  # 32768 * 10 ** (-1 / 20) = 29204.6
        assert scene.peak_dbfs <= -1.0 + 1e-3
        assert scene.true_peak_dbtp >= scene.peak_dbfs


def test_layers_have_their_levels(many):
    for recipe, _, scene in many:
        assert scene.levels["measured_voice_lufs"] == pytest.approx(-20.0, abs=0.5)
        assert -35.01 <= scene.levels["asked_ambience_lufs"] <= -28.99
        assert scene.levels["measured_ambience_lufs"] == pytest.approx(
            scene.levels["asked_ambience_lufs"], abs=0.2
        )
        for plan, event in zip(recipe.events, scene.events, strict=True):
            layer = -20.0 if plan.layer == "core" else -23.0
            distance = np.clip(-20 * np.log10(plan.distance_m / plan.reference_m), -9.0, 4.0)
            assert event.asked_level_lufs >= layer + distance - 0.01
            assert event.measured_level_lufs == pytest.approx(event.asked_level_lufs, abs=0.5)
            assert event.measured_snr_db >= 5.9


def test_measured_levels_have_two_digits(many):
    """The last digits of a sum depend on how many threads a linear algebra library has."""
    for _, _, scene in many:
        measured = [scene.loudness_lufs, scene.peak_dbfs, scene.true_peak_dbtp, *scene.levels.values()]
        measured += [x for event in scene.events for x in (event.measured_level_lufs, event.measured_snr_db)]
        assert measured == [round(x, 2) for x in measured]


def test_ambience_jitter_is_within_three_db_and_differs(many):
    levels = [scene.levels["asked_ambience_lufs"] for _, _, scene in many]
    assert len(set(levels)) > len(levels) // 2
    assert max(levels) - min(levels) > 2.0


def test_stems_add_up_to_the_mix_before_the_limiter(made, many):
    free = [(r, i) for r, i, scene in many if scene.levels["limited_db"] == 0][:3]
    assert free
    for recipe, inputs in free:
        scene = render(recipe, inputs, stems=True)
        assert set(scene.stems) == {"voice", "events", "ambience"}
        assert np.abs(np.rint(sum(scene.stems.values()) * 32768) - scene.samples).max() <= 1
    assert ebur128(sum(made[2].stems.values()), made[2].rate) == pytest.approx(-23.0, abs=0.03)


def test_the_voice_stem_is_at_its_level_by_another_meter(made):
    recipe, _, scene = made
    level = ebur128(scene.stems["voice"], recipe.settings.rate) - scene.levels["master_gain_db"]
    assert level == pytest.approx(-20.0, abs=0.5)


def test_lengths_are_exact(many):
    for _, _, scene in many:
        assert len(scene.samples) == round(scene.duration_s * scene.rate)
        assert scene.samples.dtype == np.int16


def test_the_same_recipe_gives_the_same_bytes(made):
    recipe, inputs, scene = made
    again = render(recipe, inputs)
    assert sha256_hex(wav_bytes(again.samples, again.rate)) == sha256_hex(
        wav_bytes(scene.samples, scene.rate)
    )
    assert again.events == scene.events
    other = render(replace(recipe, template_id="template-other"), inputs)
    assert not np.array_equal(other.samples[: len(scene.samples)], scene.samples[: len(other.samples)])


def test_onsets_are_where_they_were_asked(many):
    for _, _, scene in many:
        for event in scene.events:
            assert event.violates is None
            assert event.measured_onset_s == pytest.approx(event.asked_onset_s, abs=0.010)
            assert event.measured_offset_s == event.offset_s
            assert event.measured_offset_s == pytest.approx(event.asked_offset_s, abs=0.010)
            assert event.onset_s < event.offset_s


def test_an_onset_is_seen_in_the_samples(cast_scene, scenarios):
    """An impulse in a scene without other sound near it: its sample is the label."""
    scenario = next(s for s in scenarios if s.composition == "P0V0B0A1")
    recipe, inputs = cast_scene(scenario)
    click = np.zeros(8_000)
    click[4_000] = 1.0
    plan = recipe.events[0]
    dry = replace(recipe, response_id=None, events=(replace(plan, distance_m=1.5),))
    scene = render(dry, replace(inputs, response=None, takes={plan.take_id: Clip(click, 44_100)}), stems=True)
    at = int(np.argmax(np.abs(scene.stems["events"]))) / scene.rate
    assert scene.events[0].onset_s == pytest.approx(at, abs=0.001)
    turn = scene.turns[plan.before]
    assert scene.turns[plan.before - 1].end_s < at < turn.start_s


@pytest.mark.parametrize("kind", ["beeps", "long tail", "click", "long"])
def test_sounds_of_every_shape_keep_the_rules(kind, cast_scene, rich):
    """A row of equal beeps, a tail of 90 dB, a click of 2 ms and ten seconds of noise."""
    recipe, inputs = cast_scene(rich)
    rate = 44_100
    t = np.arange(10 * rate) / rate
    noise = np.random.default_rng(3).standard_normal(10 * rate)
    shapes = {
        "beeps": np.sin(2 * np.pi * 1000 * t[: 2 * rate]) * (t[: 2 * rate] % 0.5 < 0.1) * 0.5,
        "long tail": noise[: 2 * rate] * 10 ** (-90 * t[: 2 * rate] / 2 / 20) * 0.2,
        "click": np.r_[np.zeros(500), noise[:88] * 0.2, np.zeros(500)],
        "long": noise * 0.1,
    }
    takes = {take_id: Clip(shapes[kind], rate) for take_id in inputs.takes}
    scene = render(recipe, replace(inputs, takes=takes))
    assert [event.violates for event in scene.events] == [None, None, None]


def test_gaps_are_from_one_range_event_or_not(many):
    gaps = {True: [], False: []}
    for recipe, _, scene in many:
        marked = {plan.before for plan in recipe.events}
        assert scene.violates is None
        for index, turn in enumerate(scene.turns[1:], start=1):
            assert turn.measured_gap_s == pytest.approx(turn.asked_gap_s, abs=0.02)
            assert 0.50 <= turn.asked_gap_s <= 0.85
            gaps[index in marked].append(turn.asked_gap_s)
    for kind in gaps.values():
        assert np.mean(kind) == pytest.approx(0.675, abs=0.06)


def test_the_loudest_moment_is_clear_of_the_voice(many):
    for recipe, _, scene in many:
        for plan, event in zip(recipe.events, scene.events, strict=True):
            if plan.reaction == "behavioral":
                assert event.measured_clear_s is None
                continue
            assert event.measured_clear_s >= scene.turns[plan.before - 1].end_s - 0.01
            assert event.measured_clear_s + 0.35 <= scene.turns[plan.before].start_s + 0.01


def test_a_behavioral_sound_ends_just_before_speech_resumes(many):
    leads, ducked = [], []
    for recipe, _, scene in many:
        for plan, event in zip(recipe.events, scene.events, strict=True):
            if plan.reaction != "behavioral":
                assert (event.duck_db, event.asked_duck_db, event.measured_duck_db) == (0.0, None, None)
                continue
            leads.append(event.measured_lead_s)
            assert -0.01 <= event.measured_lead_s <= 0.31
            assert 0.0 <= event.asked_duck_db == event.duck_db <= 4.0
            ducked.append(event.measured_duck_db)
            assert ducked[-1] is None or ducked[-1] == pytest.approx(event.duck_db, abs=0.02)
            words = [w.start_s for turn in scene.turns[plan.before : plan.before + 1] for w in turn.words]
            resumes = event.offset_s + event.measured_lead_s
            assert min(abs(resumes - start) for start in words) < 0.1
    assert len(leads) >= 5
    assert len([db for db in ducked if db]) >= 3


def test_a_voice_that_two_sounds_lower_breaks_the_rule(made):
    """Two at one place, each of which may take 4 dB off: together they take more than is allowed."""
    recipe, inputs, _ = made
    plan = next(plan for plan in recipe.events if plan.reaction == "behavioral")
    twice = replace(recipe, events=(plan, replace(plan, event_id="general/zip")))
    one, other = render(twice, inputs).events
    assert one.duck_db + other.duck_db > 5.0
    assert (one.violates, other.violates) == ("duck", "duck")
    loudest = max(one.measured_duck_db, other.measured_duck_db)
    assert loudest == pytest.approx(one.duck_db + other.duck_db, abs=0.02)


def test_how_far_a_voice_is_lowered_by_hand():
    """Half the amplitude is 20 log10(2) = 6.02 dB; it is the most of any 20 ms that counts, where there is a voice."""
    voice = np.concatenate([np.zeros(1000), np.full(2000, 0.3)])
    lowered = voice * np.where(np.arange(3000) < 2000, 0.5, 1.0)
    assert measured_duck_db(voice, lowered, 1000) == 6.02
    assert measured_duck_db(voice, voice, 1000) == 0.0
    assert measured_duck_db(np.zeros(500), np.zeros(500), 1000) is None
    assert measured_duck_db(np.zeros(0), np.zeros(0), 1000) is None


def test_how_long_somebody_speaks_under_a_sound(many):
    """By the bursts of the synthetic voice: 0.08 s lie between two words, half a second or more where speech breaks."""
    for _, _, scene in many:
        words = sorted((w.start_s, w.end_s) for turn in scene.turns for w in turn.words)
        breaks = [i for i in range(1, len(words)) if words[i][0] - words[i - 1][1] > 0.4]
        runs = [(words[i][0], words[j - 1][1]) for i, j in pairwise([0, *breaks, len(words)])]
        for event in scene.events:
            spoken = sum(max(0, min(e, event.offset_s) - max(s, event.onset_s)) for s, e in runs)
            assert event.voice_s == pytest.approx(spoken, abs=0.12)
            assert 0 <= event.voice_s <= event.offset_s - event.onset_s


def test_words_keep_order_and_lie_in_their_turns(many):
    for recipe, _, scene in many:
        for spec, turn in zip(recipe.turns, scene.turns, strict=True):
            assert tuple(w.text for w in turn.words) == spec.words
            assert all(a.end_s <= b.start_s + 1e-9 for a, b in pairwise(turn.words))
            assert turn.start_s - 0.05 <= turn.words[0].start_s
            assert turn.words[-1].end_s <= turn.end_s + 0.05
        assert all(a.end_s < b.start_s for a, b in pairwise(scene.turns))


def test_speech_is_only_shifted(made):
    """Every burst of the synthetic voice is found whole on the voice stem, at its word's time."""
    _, _, scene = made
    energy = np.square(scene.stems["voice"])
    for turn in scene.turns:
        for word in turn.words:
            inside = energy[round(word.start_s * scene.rate) : round(word.end_s * scene.rate)].mean()
            assert inside > 1e-5
    gap = energy[
        round((scene.turns[0].end_s + 0.3) * scene.rate) : round((scene.turns[1].start_s - 0.05) * scene.rate)
    ]
    assert gap.mean() < 1e-6


def test_a_short_ambience_reaches_to_the_end(made):
    _, inputs, scene = made
    bed = scene.stems["ambience"]
    assert len(inputs.ambience.samples) / inputs.ambience.rate < 3 < scene.duration_s
    step = scene.rate // 5
    inner = bed[scene.rate // 2 : -(scene.rate // 2)]
    levels = [10 * np.log10(np.mean(inner[i : i + step] ** 2)) for i in range(0, len(inner) - step, step)]
    assert max(levels) - min(levels) < 6.0
    assert np.abs(bed[-scene.rate // 4 :]).max() > 0


def test_inputs_must_be_the_recipes(made):
    recipe, inputs, _ = made
    with pytest.raises(InvalidInput, match=f"turns: expected {len(recipe.turns)}"):
        render(recipe, replace(inputs, turns=inputs.turns[1:]))
    with pytest.raises(InvalidInput, match="takes"):
        render(recipe, replace(inputs, takes={}))
    with pytest.raises(InvalidInput, match="response"):
        render(recipe, replace(inputs, response=None))


def test_turns_that_cannot_be_used_are_refused_with_a_reason(made):
    recipe, inputs, _ = made
    first = inputs.turns[0]
    short = replace(first, words=first.words[1:])
    with pytest.raises(ItemRefused, match=r"alignment_failed: .* words aligned"):
        render(recipe, replace(inputs, turns=(short, *inputs.turns[1:])))
    turned = replace(first, words=(replace(first.words[0], start_s=9.0, end_s=9.1), *first.words[1:]))
    with pytest.raises(ItemRefused, match="out of order"):
        render(recipe, replace(inputs, turns=(turned, *inputs.turns[1:])))
    silent = {key: Clip(np.zeros(4_000), 44_100) for key in inputs.takes}
    with pytest.raises(ItemRefused, match="silent: take"):
        render(recipe, replace(inputs, takes=silent))


def test_a_quiet_recording_of_a_voice_is_as_loud_as_any(cast_scene, rich):
    """CARES, section 4: the voice is at -20 LUFS, whatever a voice or an endpoint gives."""
    recipe, inputs = cast_scene(rich)
    quiet = [replace(t, clip=Clip(0.02 * t.clip.samples, t.clip.rate)) for t in inputs.turns]
    usual, raised = (build_voice_track(recipe, turns) for turns in (inputs.turns, quiet))
    levels = [ebur128(track.samples, track.rate) for track in (usual, raised)]
    assert levels[0] == pytest.approx(-20.0, abs=0.5)
    assert levels[1] == pytest.approx(levels[0], abs=0.05)


def with_last_burst(turn, under_loudest_db):
    """A turn with a burst of 10 ms, 0.1 s after its last word, so far under its loudest 5 ms."""
    samples, rate = turn.clip.samples.copy(), turn.clip.rate
    power = np.convolve(samples**2, np.full(rate // 200, 200 / rate), "valid").max()
    at = round((turn.words[-1].end_s + 0.1) * rate)
    burst = np.sin(2 * np.pi * 1000 * np.arange(rate // 100) / rate)
    samples[at : at + len(burst)] += burst * np.sqrt(2 * power * 10 ** (-under_loudest_db / 10))
    return replace(turn, clip=Clip(samples, rate))


def test_a_last_sound_at_the_edge_of_hearing_breaks_no_gap(cast_scene, rich):
    recipe, inputs = cast_scene(rich)
    for trial in range(12):
        levels = 45.0 + np.linspace(-0.6, 0.6, 12 * len(inputs.turns))[trial::12]
        turns = [with_last_burst(t, db) for t, db in zip(inputs.turns, levels, strict=True)]
        track = build_voice_track(recipe, turns)
        for before, after in pairwise(track.pieces):
            measured = measured_gap_s(track.samples, before, after, track.rate)
            assert measured == pytest.approx(after.gap_s, abs=0.02)


def test_a_gap_without_room_for_a_clear_stretch_is_refused():
    with pytest.raises(InvalidInput, match="gap_s"):
        MixSettings(gap_s=(0.2, 0.4))
