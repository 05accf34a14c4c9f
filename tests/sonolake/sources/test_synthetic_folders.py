import numpy as np
import pytest
import soundfile

from sonolake.errors import InvalidInput
from sonolake.sources.folder import read_folder
from sonolake.sources.making import Product, write_products
from sonolake.sources.synthetic import (
    diffuse,
    write_ambiences,
    write_foa_ambiences,
    write_takes,
    write_vocals,
)


def _bytes_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_takes_are_a_source_folder_that_says_what_they_are(tmp_path):
    made = write_takes(tmp_path, ["doorbell", "shared/dog_bark"], variants=2)
    assert made.counts == {"home_indoor/doorbell": 2, "shared/dog_bark": 2}
    found = read_folder(tmp_path)
    assert found.refusals == ()
    assert [entry.item for entry in found.items] == [
        "procedural/home_indoor/doorbell-01.flac",
        "procedural/home_indoor/doorbell-02.flac",
        "procedural/shared/dog_bark-01.flac",
        "procedural/shared/dog_bark-02.flac",
    ]
    for entry in found.items:
        assert entry.tags["synthetic"] == "true"
        assert entry.fields["licence"] == "CC0-1.0"
        assert entry.fields["author"] == "sonolake procedural"
        info = soundfile.info(entry.path)
        assert (info.samplerate, info.channels, info.subtype) == (44_100, 1, "PCM_16")
    assert len({entry.fields["source_id"] for entry in found.items}) == 4


def test_two_folders_made_apart_have_equal_bytes(tmp_path):
    write_takes(tmp_path / "a", ["zip", "whistle"], variants=1)
    write_takes(tmp_path / "b", ["zip", "whistle"], variants=1)
    assert _bytes_of(tmp_path / "a") == _bytes_of(tmp_path / "b")


def test_what_is_there_is_not_made_again_and_what_was_damaged_is(tmp_path):
    write_vocals(tmp_path, ["vocal_cough"], variants=2)
    before = _bytes_of(tmp_path)
    assert write_vocals(tmp_path, ["vocal_cough"], variants=2).made == 0
    (tmp_path / "procedural/vocal/cough-02.flac").write_bytes(b"damaged")
    assert write_vocals(tmp_path, ["vocal_cough"], variants=2).made == 1
    assert _bytes_of(tmp_path) == before


def test_unknown_names_list_the_known(tmp_path):
    with pytest.raises(InvalidInput, match=r"one of doorbell, .*received 'bang'"):
        write_takes(tmp_path, ["bang"])
    with pytest.raises(InvalidInput, match=r"location: expected one of home_indoor"):
        write_ambiences(tmp_path, ["moon"])


def test_ambiences_name_their_location(tmp_path):
    assert write_ambiences(tmp_path, ["car"], variants=1).counts == {"car": 1}
    (entry,) = read_folder(tmp_path).items
    assert entry.fields["location"] == "car"
    assert "event" not in entry.fields


def test_diffuse_ambiences_are_declared_ambix_of_four_channels(tmp_path):
    write_foa_ambiences(tmp_path, ["car"], variants=1)
    (entry,) = read_folder(tmp_path).items
    assert entry.fields["convention"] == "ambix"
    x, rate = soundfile.read(entry.path)
    assert (x.shape[1], rate) == (4, 24_000)


def test_a_diffuse_field_has_a_third_of_w_in_each_direction():
    """SN3D: the mean of cos² over the sphere is 1/3 in X, Y and Z, and they are not correlated with W."""
    bed = np.random.default_rng(5).standard_normal(8 * 44_100)
    field = diffuse(bed)
    power = np.mean(field**2, axis=0)
    assert power[1:] / power[0] == pytest.approx([1 / 3] * 3, rel=0.05)
    correlation = np.mean(field[:, :1] * field[:, 1:], axis=0) / power[0]
    assert np.abs(correlation).max() < 0.02
    assert power[0] == pytest.approx(np.mean(bed**2), rel=0.05)


def test_a_diffuse_field_has_no_click_where_its_circle_closes():
    t = np.arange(4 * 44_100) / 44_100
    field = diffuse(np.sin(2 * np.pi * 50 * t))
    assert np.abs(np.diff(field[:, 0])).max() < 2 * np.sqrt(8) * 2 * np.pi * 50 / 44_100


def test_a_product_is_made_again_when_its_recipe_changes(tmp_path):
    calls = []

    def make():
        calls.append(1)
        return {"x.flac": bytes([len(calls)])}

    for recipe, expected in (("one", 1), ("one", 1), ("two", 2)):
        write_products(tmp_path, [Product({"path": "x.flac", "event": "x"}, recipe, make)], "event")
        assert len(calls) == expected
