import csv
import io
import json
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import InvalidInput, NotFound
from sonolake.sources.folder import read_folder
from sonolake.sources.manifest import HEADERS, read_manifest


def _manifest(tmp_path, text, name="manifest.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_contract_headers_are_fields_and_others_tags(tmp_path):
    path = _manifest(tmp_path, "path,title,licence,azimuth_deg,mood\na.wav,A dog,CC0-1.0,90,calm\n")
    row = read_manifest(path).rows["a.wav"]
    assert row.fields == {"title": "A dog", "licence": "CC0-1.0", "azimuth_deg": "90"}
    assert row.tags == {"mood": "calm"}


def test_no_manifest_is_an_empty_one():
    assert read_manifest(None).rows == {}


def test_missing_file_is_not_found(tmp_path):
    with pytest.raises(NotFound, match="no such file"):
        read_manifest(tmp_path / "nowhere.csv")


def test_byte_order_mark_crlf_quotes_and_blank_lines(tmp_path):
    text = b'\xef\xbb\xbfpath,title\r\n\r\n"a, b.wav","He said ""hi"""\r\n   \r\nc.wav,"two\r\nlines"\r\n'
    rows = read_manifest(_manifest(tmp_path, text)).rows
    assert rows["a, b.wav"].fields["title"] == 'He said "hi"'
    assert rows["c.wav"].fields["title"] == "two\r\nlines"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("m.tsv", "path\ttitle\na.wav\tone, two\n"),
        ("m.csv", "path;title\na.wav;one, two\n"),
        ("m.jsonl", '{"path": "a.wav", "title": "one, two"}\n\n'),
        ("m.ndjson", '{"path": "a.wav", "title": "one, two"}'),
    ],
)
def test_every_layout_says_the_same(tmp_path, name, text):
    assert read_manifest(_manifest(tmp_path, text, name)).rows["a.wav"].fields == {"title": "one, two"}


def test_json_values_become_text(tmp_path):
    values = '"tags": ["dog", "park"], "loop": true, "event": null, "geo": {"at": [1, "é"]}, "": 1'
    text = f'{{"path": "a.wav", "distance_m": 1.5, {values}}}\n'
    row = read_manifest(_manifest(tmp_path, text, "m.jsonl")).rows["a.wav"]
    assert row.fields == {"distance_m": "1.5", "tags": "dog,park"}
    assert row.tags == {"loop": "true", "geo": '{"at": [1, "é"]}'}


def test_mapping_reads_a_foreign_layout(tmp_path):
    path = _manifest(tmp_path, "filename,category,title\n1-100032-A-0.wav,dog,x\n")
    row = read_manifest(path, {"filename": "path", "category": "event"}).rows["1-100032-A-0.wav"]
    assert row.fields == {"event": "dog", "title": "x"}


def test_text_is_nfc_and_path_is_untouched(tmp_path):
    decomposed = unicodedata.normalize("NFD", "café")
    path = _manifest(tmp_path, f"path,title\n{decomposed}.wav,{decomposed}\n")
    row = read_manifest(path).rows[f"{decomposed}.wav"]
    assert row.path == f"{decomposed}.wav"
    assert row.fields["title"] == "café"


def test_rows_that_agree_are_merged(tmp_path):
    path = _manifest(tmp_path, "path,title,event\na.wav,A dog,\n./a.wav,,dog\na.wav,A dog,dog\n")
    found = read_manifest(path)
    assert found.refusals == {}
    assert found.rows["a.wav"].fields == {"title": "A dog", "event": "dog"}


def test_rows_that_contradict_refuse_that_item_alone(tmp_path):
    path = _manifest(tmp_path, "path,event\na.wav,dog\nb.wav,cat\na.wav,wolf\n")
    found = read_manifest(path)
    assert set(found.refusals) == {"a.wav"}
    refusal = found.refusals["a.wav"]
    assert refusal.reason == "conflicting_labels"
    assert "'dog' on line 2 and 'wolf' on line 4" in refusal.detail


def test_unknown_convention_refuses_that_item_alone(tmp_path):
    found = read_manifest(_manifest(tmp_path, "path,convention\na.wav,quad\nb.wav,AmbiX\n"))
    assert found.refusals["a.wav"].reason == "unknown_convention"
    assert set(found.refusals) == {"a.wav"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("path,title\na.wav,x,y\n", r"line 2: expected 2 values, received '3 values'"),
        ("path,title\n,x\n", r"line 2, field path: expected a relative path"),
        ("path,path\na,b\n", r"each header once"),
        ("file,title\na.wav,x\n", r"expected a header 'path'.*--map"),
        ('path,title\na.wav,"x\n', r"well-formed CSV"),
    ],
)
def test_a_manifest_that_leaves_files_in_doubt_is_refused_and_the_line_named(tmp_path, text, message):
    with pytest.raises(InvalidInput, match=message):
        read_manifest(_manifest(tmp_path, text))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("bad.wav,north,,", "line 3 .*, field azimuth_deg: must be a number from -360 to 360, and is 'north'"),
        ("bad.wav,,91,", "line 3 of the manifest, field elevation_deg: must be a number from -90 to 90, and is '91'"),
        ("bad.wav,,,-1", "field distance_m: must be a number from 0 to 10000, and is '-1'"),
        ("bad.wav,,,nan", "field distance_m"),
        ('bad.wav,,,"1,5"', r"number from 0 to 10000 \(with a decimal point\)"),
        ("/data/bad.wav,,,", "field path: must be a path under the manifest's folder"),
        ("../bad.wav,,,", "field path: must be a path under"),
        ("bad\0.wav,,,", r"field path: must be a path .*'bad\\x00.wav'"),
        (b"bad.wav,,,\xe9", "field distance_m: must be UTF-8 text"),
    ],
)  # fmt: skip
def test_a_row_that_cannot_be_used_refuses_its_item_alone(tmp_path, row, message):
    row = row if isinstance(row, bytes) else row.encode()
    head = b"path,azimuth_deg,elevation_deg,distance_m\na.wav,,,1\n"
    found = read_manifest(_manifest(tmp_path, head + row + b"\nz.wav,,,2\n"))
    assert found.rows["a.wav"].fields == {"distance_m": "1"}
    assert found.rows["z.wav"].fields == {"distance_m": "2"}
    (refusal,) = found.refusals.values()
    assert refusal.reason == "malformed_row"
    assert "bad" in refusal.item
    assert re.search(message, refusal.detail)


def test_halves_of_characters_in_json_refuse_their_item_alone(tmp_path):
    bad = [{"path": "\ud800.wav"}, {"path": "b.wav", "labels": "\0"}, {"path": "c.wav", "\udfff": "x"}]
    text = "\n".join(json.dumps(row) for row in [*bad, {"path": "d.wav"}])
    found = read_manifest(_manifest(tmp_path, text, "m.jsonl"))
    assert {refusal.item: refusal.reason for refusal in found.refusals.values()} == {
        "\\ud800.wav": "malformed_row",
        "b.wav": "malformed_row",
        "c.wav": "malformed_row",
    }
    assert "d.wav" in found.rows


def test_a_mapping_needs_a_manifest():
    with pytest.raises(InvalidInput, match="--map: expected a manifest whose headers it renames"):
        read_manifest(None, {"file": "path"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"path": "a.wav"}\nnot json\n', "line 2: expected one JSON object a line"),
        ("[1]\n", "line 1: expected one JSON object"),
        ('{"path": "a.wav", "path": "b.wav"}\n', "line 1: expected each key once"),
    ],
)
def test_json_mistakes_name_the_line(tmp_path, text, message):
    with pytest.raises(InvalidInput, match=message):
        read_manifest(_manifest(tmp_path, text, "m.jsonl"))


def test_other_encodings_and_suffixes_are_named(tmp_path):
    with pytest.raises(InvalidInput, match="UTF-16"):
        read_manifest(_manifest(tmp_path, "path\na.wav\n".encode("utf-16")))
    with pytest.raises(InvalidInput, match="suffix among"):
        read_manifest(_manifest(tmp_path, "path\n", "m.xlsx"))


@pytest.mark.parametrize("mapping", [{"file": "title"}, {"path": "name"}])
def test_mapping_to_or_from_an_unknown_header_lists_the_known(tmp_path, mapping):
    with pytest.raises(InvalidInput, match="a header among"):
        read_manifest(_manifest(tmp_path, "path,title\na.wav,x\n"), mapping)


def test_two_headers_for_one_field_are_refused(tmp_path):
    with pytest.raises(InvalidInput, match="expected one header, received 'title and name'"):
        read_manifest(_manifest(tmp_path, "path,title,name\na.wav,x,y\n"), {"name": "title"})


_TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=20)
_NAME = st.text(st.characters(whitelist_categories=("L", "N"), max_codepoint=0x2FFF), min_size=1, max_size=12)
_ROWS = st.dictionaries(
    _NAME, st.fixed_dictionaries({"title": _TEXT, "transcript": _TEXT, "mood": _TEXT}), max_size=6
)


def _as_csv(rows, delimiter):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    headers = ["title", "transcript", "mood"]
    writer.writerow(["path", *headers])
    writer.writerows([path, *(values[header] for header in headers)] for path, values in rows.items())
    return text.getvalue()


@given(rows=_ROWS, layout=st.sampled_from(["csv", "tsv", "jsonl"]))
@settings(deadline=None, max_examples=80)
def test_what_is_written_is_what_is_read(tmp_path_factory, rows, layout):
    if layout == "jsonl":
        text = "\n".join(json.dumps({"path": path, **values}) for path, values in rows.items())
    else:
        text = _as_csv(rows, "," if layout == "csv" else "\t")
    path = tmp_path_factory.mktemp("manifest") / f"m.{layout}"
    path.write_bytes(text.encode())
    read = read_manifest(path).rows
    assert set(read) == set(rows)
    for name, values in rows.items():
        expected = {k: unicodedata.normalize("NFC", v.strip()) for k, v in values.items() if v.strip()}
        assert {**read[name].fields, **read[name].tags} == expected


@given(st.binary(max_size=200), st.sampled_from(["csv", "tsv", "jsonl"]))
@settings(deadline=None, max_examples=100)
def test_any_bytes_are_read_or_refused_with_a_message(tmp_path_factory, data, layout):
    path = tmp_path_factory.mktemp("manifest") / f"m.{layout}"
    path.write_bytes(data)
    try:
        read_manifest(path)
    except InvalidInput as error:
        assert path.name in str(error)


_ANYTHING = st.text(st.one_of(st.characters(), st.sampled_from("\0\ud800\udce9\udfff/.\\\n ,é")), max_size=8)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _ANYTHING, st.lists, max_leaves=3
) | st.dictionaries(_ANYTHING, _ANYTHING, max_size=2)
_KEYS = st.sampled_from(["path", "title", "labels", "azimuth_deg", "tags"]) | _ANYTHING


@given(st.lists(st.dictionaries(_KEYS, _VALUES, max_size=4), max_size=5))
@settings(deadline=None, max_examples=200)
def test_any_row_that_names_a_path_ends_as_an_item_or_a_refusal(tmp_path_factory, rows):
    """Whatever else it says; and what it says can be written into a table and looked for on disk."""
    folder = tmp_path_factory.mktemp("rows")
    rows = [
        {"path": f"file-{n}"} | {k: v for k, v in row.items() if k.strip().lower() != "path"}
        for n, row in enumerate(rows)
    ]
    paths = [str(row["path"]) for row in rows]
    (folder / "m.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    for path in paths[::2]:
        (folder / path).touch()
    try:
        found = read_folder(folder / "m.jsonl")
    except InvalidInput as error:
        assert re.search("each key once|one header", str(error))
        return
    assert sorted(e.item for e in [*found.items, *found.refusals]) == paths
    for entry in found.items:
        json.dumps([dict(entry.fields), dict(entry.tags)], ensure_ascii=False).encode("utf-8")
        assert "\0" not in "".join([*entry.fields.values(), *entry.tags.values(), *entry.tags])


@given(st.lists(_ANYTHING.filter(lambda path: path.strip()), min_size=1, max_size=4))
@settings(deadline=None, max_examples=200)
def test_any_path_ends_as_an_item_or_a_refusal(tmp_path_factory, paths):
    folder = tmp_path_factory.mktemp("paths")
    (folder / "m.jsonl").write_text("\n".join(json.dumps({"path": path}) for path in paths))
    found = read_folder(folder / "m.jsonl")
    names = [entry.item for entry in [*found.items, *found.refusals]]
    assert 1 <= len(names) == len(set(names)) <= len(paths)
    assert {refusal.reason for refusal in found.refusals} <= {"missing", "malformed_row", "not_audio"}
    "".join(names).encode("utf-8")


def test_headers_are_those_of_the_contract():
    assert len(HEADERS) == 17
    assert HEADERS[0] == "path"
