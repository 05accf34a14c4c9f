"""A release's Croissant description, validated and read by MLCommons' own library."""

import io
import json
import logging

import numpy as np
import pytest
import soundfile

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning"
)  # of rdflib, pandas


@pytest.fixture(scope="module")
def croissant():
    return pytest.importorskip("mlcroissant", reason="pip install -e .[dev] brings mlcroissant")


@pytest.fixture(scope="module")
def described(croissant, rich):
    with warnings_of(croissant) as said:
        dataset = croissant.Dataset(jsonld=str(rich / "croissant.json"))
    assert said == []
    return dataset


class warnings_of:
    """What the library warns of, which it does by its log."""

    def __init__(self, _):
        self.said = []

    def __enter__(self):
        self.handler = logging.Handler(logging.WARNING)
        self.handler.emit = lambda record: self.said.append(record.getMessage())
        logging.getLogger("absl").addHandler(self.handler)
        return self.said

    def __exit__(self, *_):
        logging.getLogger("absl").removeHandler(self.handler)


def test_it_is_valid_croissant_1_1_with_a_hash_a_file(described, rich):
    about = json.loads((rich / "croissant.json").read_text())
    assert about["conformsTo"][0] == "http://mlcommons.org/croissant/1.1"
    needed = {"@context", "@type", "name", "description", "license", "url", "creator", "datePublished"}
    advised = {"keywords", "publisher", "version", "dateModified", "inLanguage", "citeAs"}
    assert needed | advised <= set(about)
    metadata = described.metadata
    assert (metadata.name, str(metadata.version)) == ("demo", "1.2.0")
    objects = [one for one in metadata.distribution if type(one).__name__ == "FileObject"]
    assert objects and all(len(one.sha256) == 64 for one in objects)


def test_it_says_where_it_is_from_and_how_it_was_made(rich):
    about = json.loads((rich / "croissant.json").read_text())
    assert {one["@id"] for one in about["prov:wasDerivedFrom"]} == {
        "https://example.org/dog/test",
        "https://example.org/dog/train",
    }
    made = about["prov:wasGeneratedBy"]
    assert made["@type"] == "prov:Activity"
    assert made["prov:wasAssociatedWith"]["prov:label"] == "sonolake"
    assert about["prov:wasAttributedTo"]["prov:label"] == "The sonolake authors"


def test_a_record_of_each_record_set_is_read(described, samples):
    found = {one.id: next(iter(described.records(one.id))) for one in described.metadata.record_sets}
    assert set(found) == {"splits", "cares", "rms-aqa", "wesr-bench", "notes"}
    assert found["splits"] == {"splits/name": "train", "splits/url": "cr:TrainingSplit"}
    clip = found["rms-aqa"]
    item = clip["rms-aqa/item_id"].decode()
    assert clip["rms-aqa/split"] == b"test" and clip["rms-aqa/channels"] == 4
    sound, _ = soundfile.read(io.BytesIO(clip["rms-aqa/audio"]), dtype="int16", always_2d=True)
    assert np.array_equal(sound, samples(item, 4))
    assert found["notes"]["notes/text"] == b"No sound."
