"""Documents of a deposit: valid by their published rules, and with nothing in them that the release does not say."""

import json
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import jsonschema
import pytest
import yaml

from sonolake.errors import InvalidInput
from sonolake.releases.exports import export, format_of
from sonolake.releases.exports.deposit.citation import citation_cff
from sonolake.releases.exports.deposit.facts import facts_of
from sonolake.releases.exports.deposit.zenodo import metadata_of
from sonolake.releases.exports.source import chosen

SCHEMA = Path(__file__).parent / "schemas" / "cff-1.2.0.json"
PARTS = [
    "Motivation",
    "Composition",
    "Collection process",
    "Preprocessing, cleaning and labelling",
    "Uses",
    "Distribution",
    "Maintenance",
]


@pytest.fixture(scope="module")
def facts(table):
    return facts_of(chosen(table, (), (), None))


def as_json(value):
    """YAML's dates as the text that they are written as."""
    if isinstance(value, dict):
        return {key: as_json(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [as_json(entry) for entry in value]
    return value.isoformat() if isinstance(value, date | datetime) else value


def cited(text):
    found = as_json(yaml.safe_load(text))
    jsonschema.validate(found, json.loads(SCHEMA.read_text(encoding="utf-8")))
    return found


def test_a_citation_is_valid_and_names_the_version(made):
    folder, _ = made("zenodo")
    found = cited((folder / "CITATION.cff").read_text(encoding="utf-8"))
    assert (found["cff-version"], found["type"]) == ("1.2.0", "dataset")
    assert (found["title"], found["version"], found["date-released"]) == ("Demo", "1.2.0", "2026-11-01")
    assert found["license"] == "CC-BY-4.0" and found["authors"] == [{"name": "The sonolake authors"}]
    assert "doi" not in found and "url" not in found, "neither is known"


def test_several_licences_are_no_choice(facts):
    both = replace(
        facts, licence="CC-BY-NC-4.0 AND CC-BY-SA-4.0", licences={"CC-BY-NC-4.0": 2, "CC-BY-SA-4.0": 1}
    )
    found = cited(citation_cff(both))
    assert "license" not in found and "CC-BY-NC-4.0, CC-BY-SA-4.0" in found["abstract"]
    deposit = metadata_of(both)
    assert "license" not in deposit and "CC-BY-SA-4.0 (1 item)" in deposit["notes"]
    own = replace(facts, licence="LicenseRef-Sampling-Plus-1.0", licences={"LicenseRef-Sampling-Plus-1.0": 3})
    assert "license" not in metadata_of(own) and "license" not in cited(citation_cff(own))


def test_a_deposit_says_what_zenodo_asks_for(made):
    folder, _ = made("zenodo")
    found = json.loads((folder / "deposit.json").read_text(encoding="utf-8"))["metadata"]
    beside = json.loads((folder / ".zenodo.json").read_text(encoding="utf-8"))
    assert beside == {key: value for key, value in found.items() if key != "prereserve_doi"}
    wanted = {
        "title": "Demo 1.2.0",
        "upload_type": "dataset",
        "creators": [{"name": "The sonolake authors"}],
        "publication_date": "2026-11-01",
        "access_right": "open",
        "license": "cc-by-4.0",
        "language": "eng",
        "version": "1.2.0",
        "prereserve_doi": True,
    }
    assert {key: found[key] for key in wanted} == wanted
    assert "<li>rms-aqa, test: 2 items, 0.00 hours</li>" in found["description"]
    assert {
        "identifier": "https://example.org/dog/test",
        "relation": "isDerivedFrom",
        "resource_type": "dataset",
    } in (found["related_identifiers"])


def test_a_doi_is_in_all_of_them(table, tmp_path):
    export(table, format_of("zenodo"), tmp_path / "out", doi="10.5281/zenodo.123")
    found = json.loads((tmp_path / "out" / "deposit.json").read_text())["metadata"]
    assert found["doi"] == "10.5281/zenodo.123" and "prereserve_doi" not in found
    assert cited((tmp_path / "out" / "CITATION.cff").read_text())["doi"] == "10.5281/zenodo.123"
    assert "DOI 10.5281/zenodo.123" in (tmp_path / "out" / "DATASHEET.md").read_text()
    with pytest.raises(InvalidInput, match="DOI"):
        export(table, format_of("zenodo"), tmp_path / "other", doi="zenodo.123")


def test_a_datasheet_has_seven_parts_and_says_what_is_unknown(made):
    folder, _ = made("zenodo", "rms-aqa", "cares")
    text = (folder / "DATASHEET.md").read_text(encoding="utf-8")
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == PARTS
    assert "| `rms-aqa` | test | 2 | 0.00 | 4 |" in text and "| `cares` | train | 3 | 0.00 | 1 |" in text
    assert "notes" not in text.partition("## Collection")[0], "it was not chosen"
    assert "Nothing here is real." in text and "CC-BY-4.0: 6 items" in text
    assert "0 of 2 sources were made by a program" in text and "recordings of sound events: 2;" in text
    for question in ("Who paid for it?", "Was there an ethical review?", "Do export controls apply?"):
        assert f"**{question}**\n\n*Unknown: the release does not say.*" in text
