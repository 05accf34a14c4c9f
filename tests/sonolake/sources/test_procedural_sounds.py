import numpy as np
import pytest

from sonolake.audio.fingerprint import NEAR, fingerprint, similarity
from sonolake.errors import InvalidInput
from sonolake.sources.procedural.catalog import AMBIENCES, CATALOG, LOCATIONS, TAKES, VOCALS
from sonolake.sources.procedural.parts import RATE
from sonolake.sources.procedural.recipe import SoundRecipe


def _names(kinds):
    return [kind.name for kind in kinds]


def test_names_and_event_ids_are_unique():
    assert len({kind.name for kind in CATALOG}) == len(CATALOG)
    assert len({kind.event_id for kind in CATALOG}) == len(CATALOG)


def test_every_location_has_an_ambience_and_at_least_three_events():
    assert {kind.namespace for kind in AMBIENCES} == set(LOCATIONS)
    for location in LOCATIONS:
        assert sum(kind.namespace == location for kind in TAKES) >= 3


def test_namespaces_are_those_of_cares():
    assert {kind.namespace for kind in TAKES} == {*LOCATIONS, "shared", "general", "rare_events"}


@pytest.mark.parametrize("name", _names(TAKES + VOCALS))
def test_every_event_is_short_clean_and_varied(name):
    variants = [SoundRecipe(name, variant).render() for variant in range(3)]
    for x in variants:
        assert x.ndim == 1
        assert x.dtype == np.float64
        assert np.isfinite(x).all()
        assert 0.3 <= x.size / RATE <= 4.0
        assert 0.3 <= np.abs(x).max() <= 1.0
        assert np.sqrt(np.mean(x**2)) > 0.01
        assert abs(x.mean()) < 0.01
        assert max(abs(x[0]), abs(x[-1])) < 1e-3
    prints = [fingerprint(x, RATE) for x in variants]
    assert max(similarity(prints[i], prints[j]) for i, j in ((0, 1), (0, 2), (1, 2))) < NEAR


@pytest.mark.parametrize("location", LOCATIONS)
def test_every_ambience_fills_its_length_at_a_steady_level(location):
    x = SoundRecipe(f"{location}_ambience", 0).render()
    assert x.size == 16 * RATE
    assert np.abs(x).max() <= 0.31
    seconds = np.sqrt(np.mean(x.reshape(16, RATE) ** 2, axis=1))
    assert 20 * np.log10(seconds.max() / seconds.min()) < 18.0


@pytest.mark.parametrize("name", ["doorbell", "siren_pass", "vocal_laughs", "keyboard_typing"])
def test_a_recipe_gives_the_same_sound_whenever_it_is_rendered(name):
    first = SoundRecipe(name, 1).render()
    SoundRecipe("thunder", 0).render()
    assert np.array_equal(first, SoundRecipe(name, 1).render())


def test_recipes_check_their_values():
    with pytest.raises(InvalidInput, match="a name among"):
        SoundRecipe("unheard_of", 0)
    with pytest.raises(InvalidInput, match="0 or more"):
        SoundRecipe("doorbell", -1)


def test_a_church_bell_rings_with_its_minor_third():
    x = SoundRecipe("church_bell", 0).render()[: 2 * RATE]
    spectrum = np.abs(np.fft.rfft(x * np.hanning(x.size)))
    bins = np.arange(spectrum.size) * RATE / x.size
    hum = bins[np.argmax(np.where((bins > 80) & (bins < 220), spectrum, 0))]
    near_tierce = (bins > 2.34 * hum) & (bins < 2.46 * hum)
    between = (bins > 2.6 * hum) & (bins < 2.8 * hum)
    assert spectrum[near_tierce].max() > 20 * spectrum[between].max()


def test_an_approaching_siren_sounds_higher_than_a_leaving_one():
    from sonolake.sources.procedural.traffic import passage

    shift, level = passage(4.0, 20.0, 5.0, 2.0)
    assert shift[0] == pytest.approx(343 / (343 - 20), rel=0.01)
    assert shift[-1] == pytest.approx(343 / (343 + 20), rel=0.01)
    assert np.argmax(level) == pytest.approx(2.0 * RATE, abs=2)


def test_harmonics_are_those_of_the_formula():
    from sonolake.sources.procedural.parts import harmonics

    t = np.arange(RATE) / RATE
    phase = 2 * np.pi * np.cumsum(np.full(RATE, 200.0)) / RATE
    expected = sum(np.sin(k * phase) / k for k in range(1, 6))
    got = harmonics(np.full(t.size, 200.0), lambda f: np.ones_like(f), limit=1_001.0)
    assert np.abs(got - expected).max() < 1e-9


def test_noise_has_half_its_power_at_the_edge_of_its_band():
    from sonolake.ids import rng_of
    from sonolake.sources.procedural.parts import band, noise

    x = noise(rng_of("test"), 4.0, band(500, 2_000, order=4))
    power = np.abs(np.fft.rfft(x)) ** 2
    bins = np.arange(power.size) * RATE / x.size
    edge = power[(bins > 490) & (bins < 510)].mean()
    middle = power[(bins > 900) & (bins < 1_100)].mean()
    far = power[(bins > 7_900) & (bins < 8_100)].mean()
    assert edge / middle == pytest.approx(0.5, rel=0.3)
    assert far / middle == pytest.approx(4.0**-8, rel=0.5)
    assert np.sqrt(np.mean(x**2)) == pytest.approx(1.0)
