import os
import unicodedata
from pathlib import Path

import pytest

from sonolake import Lake
from sonolake.errors import InvalidInput, NotFound
from sonolake.sources.folder import read_folder
from sonolake.sources.records import Refusal
from sonolake.sources.walking import require_apart


def _file(path, text="x"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _items(folder):
    return [entry.item for entry in folder.items]


def test_items_are_sorted_and_named_by_their_path(tmp_path):
    for name in ("b.wav", "a/z.wav", "a/Track 2.0 (Clean).wav"):
        _file(tmp_path / name)
    found = read_folder(tmp_path)
    assert _items(found) == ["a/Track 2.0 (Clean).wav", "a/z.wav", "b.wav"]
    assert all(entry.path.is_file() for entry in found.items)


def test_hidden_files_and_manifest_are_no_items(tmp_path):
    for name in (".DS_Store", ".git/config", "a.wav"):
        _file(tmp_path / name)
    _file(tmp_path / "manifest.csv", "path,title\na.wav,A\n")
    found = read_folder(tmp_path)
    assert _items(found) == ["a.wav"]
    assert found.items[0].fields == {"title": "A"}


def test_label_files_that_the_manifest_names_are_no_items(tmp_path):
    _file(tmp_path / "a.wav")
    _file(tmp_path / "labels/a.csv")
    _file(tmp_path / "manifest.csv", "path,labels\na.wav,labels/a.csv\n")
    assert _items(read_folder(tmp_path)) == ["a.wav"]


def test_an_empty_folder_offers_nothing(tmp_path):
    assert read_folder(tmp_path) == read_folder(tmp_path, None)
    assert read_folder(tmp_path).items == ()


def test_what_is_listed_but_not_there_is_refused_by_item(tmp_path):
    _file(tmp_path / "a.wav")
    _file(tmp_path / "manifest.csv", "path\na.wav\ngone.wav\n")
    found = read_folder(tmp_path)
    assert _items(found) == ["a.wav"]
    assert [(refusal.item, refusal.reason) for refusal in found.refusals] == [("gone.wav", "missing")]
    assert "line 3" in found.refusals[0].detail


def test_a_manifest_as_the_source_offers_its_rows_alone(tmp_path):
    for name in ("a.wav", "b.wav", "sub/c.wav"):
        _file(tmp_path / name)
    _file(tmp_path / "list.csv", "path,event\nsub/c.wav,dog\nb.wav,cat\n")
    found = read_folder(tmp_path / "list.csv")
    assert _items(found) == ["b.wav", "sub/c.wav"]
    assert found.items[1].fields == {"event": "dog"}


def test_conflicting_labels_refuse_the_item(tmp_path):
    _file(tmp_path / "a.wav")
    _file(tmp_path / "m.csv", "path,event\na.wav,dog\na.wav,cat\n")
    found = read_folder(tmp_path, tmp_path / "m.csv")
    assert found.items == ()
    assert [(refusal.item, refusal.reason) for refusal in found.refusals] == [("a.wav", "conflicting_labels")]


def test_nfc_and_nfd_names_stay_two_items_with_their_own_rows(tmp_path):
    composed, decomposed = "café.wav", unicodedata.normalize("NFD", "café.wav")
    _file(tmp_path / composed, "one")
    _file(tmp_path / decomposed, "two")
    _file(tmp_path / "manifest.csv", f"path,title\n{composed},first\n{decomposed},second\n")
    found = read_folder(tmp_path)
    by_text = {entry.path.read_text(): entry for entry in found.items}
    assert by_text["one"].item == composed
    assert by_text["one"].fields["title"] == "first"
    assert by_text["two"].item.startswith(f"{composed}#")
    assert by_text["two"].fields["title"] == "second"


def test_an_nfd_name_alone_has_an_nfc_item_and_opens(tmp_path):
    name = unicodedata.normalize("NFD", "Übung.wav")
    _file(tmp_path / name, "bytes")
    _file(tmp_path / "manifest.csv", "path,title\nÜbung.wav,Exercise\n")
    (entry,) = read_folder(tmp_path).items
    assert entry.item == "Übung.wav"
    assert entry.path.read_text() == "bytes"
    assert entry.fields["title"] == "Exercise"


def test_undecodable_names_have_printable_items(tmp_path):
    raw = os.fsencode(tmp_path) + b"/caf\xe9.wav"
    Path(os.fsdecode(raw)).write_bytes(b"x")
    (entry,) = read_folder(tmp_path).items
    assert entry.item == "caf\\xe9.wav"
    assert entry.path.read_bytes() == b"x"


def test_loops_of_links_end_and_real_paths_win(tmp_path):
    _file(tmp_path / "z/a.wav")
    (tmp_path / "z/loop").symlink_to(tmp_path)
    (tmp_path / "alias").symlink_to(tmp_path / "z")
    assert _items(read_folder(tmp_path)) == ["z/a.wav"]


def test_broken_links_and_pipes_are_refused(tmp_path):
    (tmp_path / "broken.wav").symlink_to(tmp_path / "nowhere.wav")
    os.mkfifo(tmp_path / "pipe.wav")
    found = read_folder(tmp_path)
    assert [(refusal.item, refusal.reason) for refusal in found.refusals] == [
        ("broken.wav", "missing"),
        ("pipe.wav", "not_audio"),
    ]


def test_links_that_lead_in_a_circle_are_refused_and_the_rest_is_listed(tmp_path):
    _file(tmp_path / "a.wav")
    (tmp_path / "self.wav").symlink_to("self.wav")
    (tmp_path / "there").symlink_to("back")
    (tmp_path / "back").symlink_to("there")
    found = read_folder(tmp_path)
    assert _items(found) == ["a.wav"]
    detail = "a link that leads back to itself"
    assert found.refusals == tuple(
        Refusal(name, "unreadable", detail) for name in ("back", "self.wav", "there")
    )


def test_a_folder_that_may_not_be_listed_is_refused_by_its_name(tmp_path, monkeypatch):
    _file(tmp_path / "a.wav")
    _file(tmp_path / "shut/b.wav")
    scandir = os.scandir

    def guarded(path):
        if Path(path).name == "shut":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    found = read_folder(tmp_path)
    assert _items(found) == ["a.wav"]
    detail = "a folder that cannot be listed: Permission denied"
    assert found.refusals == (Refusal("shut", "unreadable", detail),)


def test_rows_by_two_spellings_of_one_file_must_agree(tmp_path):
    composed, decomposed = "café.wav", unicodedata.normalize("NFD", "café.wav")
    _file(tmp_path / composed)
    manifest = tmp_path / "manifest.csv"
    _file(manifest, f"path,event\n{composed},dog\n{decomposed},dog\n")
    assert _items(read_folder(tmp_path)) == [composed]
    _file(manifest, f"path,event\n{composed},dog\n{decomposed},cat\n")
    (refusal,) = read_folder(tmp_path).refusals
    assert (refusal.item, refusal.reason) == (composed, "conflicting_labels")
    assert "'dog' on line 2 and 'cat' on line 3" in refusal.detail


def test_rows_by_two_spellings_of_a_file_that_is_not_there_are_two(tmp_path):
    composed, decomposed = "café.wav", unicodedata.normalize("NFD", "café.wav")
    _file(tmp_path / "manifest.csv", f"path\n{composed}\n{decomposed}\n")
    first, second = read_folder(tmp_path).refusals
    assert (first.item, first.reason, second.reason) == (composed, "missing", "missing")
    assert second.item.startswith(f"{composed}#")


def test_a_sound_named_as_a_label_file_is_still_an_item(tmp_path):
    for name in ("1.wav", "2.wav"):
        (tmp_path / name).write_bytes(b"RIFF\x24\0\0\0WAVE")
    _file(tmp_path / "manifest.csv", "path,labels\n1.wav,2.wav\n")
    assert _items(read_folder(tmp_path)) == ["1.wav", "2.wav"]


def test_what_a_row_lists_is_an_item_whatever_else_it_is(tmp_path):
    _file(tmp_path / "a.wav")
    _file(tmp_path / "a.csv")
    _file(tmp_path / "manifest.csv", "path,labels\na.wav,a.csv\na.csv,\nmanifest.csv,\n")
    assert _items(read_folder(tmp_path)) == ["a.csv", "a.wav", "manifest.csv"]


def test_a_pipe_named_as_a_label_file_is_not_opened(tmp_path):
    _file(tmp_path / "a.wav")
    os.mkfifo(tmp_path / "labels")
    _file(tmp_path / "manifest.csv", "path,labels\na.wav,labels\n")
    found = read_folder(tmp_path)
    assert (_items(found), [refusal.item for refusal in found.refusals]) == (["a.wav"], ["labels"])


def test_every_folder_is_listed_once_however_many_files_are_missing(tmp_path, monkeypatch):
    _file(tmp_path / "sub/a.wav")
    missing = "".join(f"sub/gone-{n}.wav\n" for n in range(50))
    _file(tmp_path / "list.csv", f"path\nsub/a.wav\n{missing}")
    listed, scandir = [], os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: listed.append(Path(path)) or scandir(path))
    assert len(read_folder(tmp_path / "list.csv").refusals) == 50
    assert sorted(listed) == [tmp_path, tmp_path / "sub"]


@pytest.mark.parametrize("source", ["", "lake", "lake/media"])
def test_a_lake_is_no_source(tmp_path, source):
    Lake.create(tmp_path / "lake").close()
    _file(tmp_path / "a.wav")
    with pytest.raises(InvalidInput, match="a folder apart from every lake"):
        read_folder(tmp_path / source)


def test_a_lake_that_is_linked_into_a_folder_is_no_source(tmp_path):
    Lake.create(tmp_path / "lake").close()
    _file(tmp_path / "sounds/a.wav")
    (tmp_path / "sounds/more").symlink_to(tmp_path / "lake")
    with pytest.raises(InvalidInput, match="the lake more in it"):
        read_folder(tmp_path / "sounds")


def test_a_lake_that_is_not_there_yet_may_not_be_put_into_its_source(tmp_path):
    require_apart(tmp_path / "sounds", tmp_path / "lake")
    with pytest.raises(InvalidInput, match="a folder around the lake"):
        require_apart(tmp_path, tmp_path / "lake")


def test_numbers_are_read_as_numbers(tmp_path):
    _file(tmp_path / "a.wav")
    _file(tmp_path / "manifest.csv", "path,azimuth_deg\na.wav,-45.5\n")
    (entry,) = read_folder(tmp_path).items
    assert entry.number("azimuth_deg") == -45.5
    assert entry.number("distance_m") is None


def test_a_source_that_is_not_there_or_no_manifest(tmp_path):
    with pytest.raises(NotFound, match="no such folder"):
        read_folder(tmp_path / "nowhere")
    _file(tmp_path / "a.wav")
    with pytest.raises(InvalidInput, match="a folder or a manifest"):
        read_folder(tmp_path / "a.wav")
