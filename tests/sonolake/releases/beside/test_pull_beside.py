"""A version pulled beside another: only what changed is fetched, whatever became of the other."""

import hashlib
import random

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import InvalidInput, NotFound
from sonolake.releases import build, pull, pull_items, read_manifest, verify
from sonolake.releases.beside import Bringer
from sonolake.releases.beside.joining import Joined
from sonolake.releases.beside.pieces import Place, pieces_of
from sonolake.releases.earlier import Earlier
from sonolake.releases.offered import offered
from sonolake.releases.origins import FolderOrigin, open_origin
from sonolake.releases.pace import Gate, Rate
from sonolake.releases.ranged import Sound

SIZE = 100_000


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


class Counting(FolderOrigin):
    """A folder that counts the bytes that are read of it, and how often it is asked."""

    def __init__(self, folder):
        super().__init__(folder)
        self.bytes = self.asked = 0

    def stream(self, path, start=0, end=None):
        self.asked += 1
        for block in super().stream(path, start, end):
            self.bytes += len(block)
            yield block


def sound(name):
    return b"RIFF" + random.Random(name).randbytes(SIZE + len(name) * 7)


@pytest.fixture(scope="session")
def versions(tmp_path_factory):
    """1.0.0 and 2.0.0 of 120 sounds of 100 kB in two splits, of which two were edited, one is new, one gone."""
    root = tmp_path_factory.mktemp("versions") / "demo"
    names = {f"item-{n:03d}": f"sound {n}" for n in range(120)}

    def content(version, names):
        store = {hashlib.sha256(sound(s)).hexdigest(): s for s in names.values()}
        by_name = {s: sha256 for sha256, s in store.items()}
        tables = {
            split: pa.table({
                "item_id": [i for i in names if (i > "item-090") == (split == "test")],
                "audio_asset": [by_name[s] for i, s in names.items() if (i > "item-090") == (split == "test")],
                "licence": ["CC0-1.0"] * sum((i > "item-090") == (split == "test") for i in names),
            })
            for split in ("train", "test")
        }  # fmt: skip
        from sonolake.releases import Config, Content

        config = Config("c", "C", "C.", tables, {"item_id": "id", "licence": "SPDX"})
        text = pa.array([], pa.string())
        columns = (
            "asset_id",
            "source_id",
            "title",
            "author",
            "licence",
            "licence_url",
            "source_url",
            "changes",
        )
        sources = pa.table({**dict.fromkeys(columns, text), "synthetic": pa.array([], pa.bool_())})
        lineage = pa.table(dict.fromkeys(("child", "parent", "role"), text))
        made = Content("demo", version, "2026-12-01", "Demo", "Demo.", "CC0-1.0", (config,), sources, lineage)
        return made, lambda sha256: sound(store[sha256])

    build(*content("1.0.0", names), root / "1.0.0")
    del names["item-020"]
    names |= {"item-003": "edited", "item-100": "edited too", "item-new": "new"}
    earlier = Earlier(offered(open_origin(root / "1.0.0")))
    build(*content("2.0.0", names), root / "2.0.0", earlier=earlier)
    return root


@pytest.fixture
def one(versions, tmp_path):
    """1.0.0, pulled."""
    pull(versions / "1.0.0", tmp_path / "mine" / "1.0.0")
    return tmp_path / "mine" / "1.0.0"


def of(versions):
    origin = Counting(versions / "2.0.0")
    return origin, offered(origin)


@pytest.mark.parametrize("named", [False, True], ids=["found next to it", "named"])
def test_only_what_changed_is_fetched(versions, one, tmp_path, named):
    origin, release = of(versions)
    dest = tmp_path / "elsewhere" / "new" if named else one.with_name("2.0.0")
    origin.bytes = origin.asked = 0
    result = pull(release, dest, beside=[one] if named else None)
    assert contents(dest) == contents(versions / "2.0.0") and verify(dest) == []
    small = sum(f.bytes for f in read_manifest(dest) if f.config is None)
    assert result.fetched_bytes < 3 * (SIZE + 2000) + small + 60_000
    assert result.fetched_bytes <= origin.bytes < 1.1 * result.fetched_bytes
    assert result.beside == (str(one),)
    assert result.fetched_bytes + result.beside_bytes == pytest.approx(
        sum(f.bytes for f in read_manifest(dest)), abs=2000
    )
    assert origin.asked < 60


def test_without_another_version_all_is_fetched(versions, tmp_path):
    _, release = of(versions)
    result = pull(release, tmp_path / "alone" / "2.0.0")
    assert result.fetched_bytes == sum(f.bytes for f in release.files)
    assert (result.beside, result.beside_bytes) == ((), 0)


def test_a_damaged_version_beside_does_no_harm(versions, one):
    rng = random.Random(5)
    for path in one.glob("data/c/*"):
        with path.open("r+b") as file:
            for _ in range(3):
                file.seek(rng.randrange(10_000, path.stat().st_size))
                file.write(b"damage")
    _, release = of(versions)
    dest = one.with_name("2.0.0")
    result = pull(release, dest)
    assert contents(dest) == contents(versions / "2.0.0")
    assert result.beside_bytes > 60 * SIZE


@pytest.mark.parametrize(
    "harm",
    [
        lambda folder: (folder / "items.parquet").write_bytes(b"PAR1"),
        lambda folder: (folder / "manifest.parquet").write_bytes(b"PAR1"),
        lambda folder: (folder / "croissant.json").unlink(),
        lambda folder: [p.unlink() for p in folder.glob("data/c/*")],
    ],
)
def test_what_is_no_version_any_more_is_passed_over(versions, one, harm):
    harm(one)
    _, release = of(versions)
    pull(release, one.with_name("2.0.0"))
    assert verify(one.with_name("2.0.0")) == []


def test_only_a_version_can_be_named(versions, one, tmp_path):
    _, release = of(versions)
    pull_items(versions / "1.0.0", tmp_path / "few", "item_id < 'item-003'")
    with pytest.raises(InvalidInput, match="chosen items"):
        pull(release, tmp_path / "new", beside=[tmp_path / "few"])
    with pytest.raises(NotFound, match="not a release"):
        pull(release, tmp_path / "new", beside=[tmp_path])
    assert not (tmp_path / "new" / "_COMPLETE").exists()


def test_a_version_that_goes_away_meanwhile_is_done_without(versions, one, monkeypatch):
    _, release = of(versions)
    real = Bringer.prepare

    def prepare(self, *arguments):
        real(self, *arguments)
        for path in one.glob("data/c/train*"):
            path.unlink()
        for path in one.glob("data/c/test*"):
            path.write_bytes(path.read_bytes()[: 5 * SIZE])

    monkeypatch.setattr(Bringer, "prepare", prepare)
    pull(release, one.with_name("2.0.0"))
    assert contents(one.with_name("2.0.0")) == contents(versions / "2.0.0")


def test_an_interrupted_shard_goes_on(versions, one):
    _, release = of(versions)
    dest = one.with_name("2.0.0")
    file = next(f for f in release.files if f.split == "test")
    part = dest / f"{file.path}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes((versions / "2.0.0" / file.path).read_bytes()[: 5 * SIZE + 17])
    (dest / "manifest.parquet").write_bytes(release.manifest)
    pull(release, dest)
    assert contents(dest) == contents(versions / "2.0.0")


def test_splits_come_beside_splits(versions, tmp_path):
    pull(versions / "1.0.0", tmp_path / "mine" / "old", ["test"])
    _, release = of(versions)
    result = pull(release, tmp_path / "mine" / "new", ["test"])
    assert verify(tmp_path / "mine" / "new") == []
    assert result.fetched_bytes < 2 * SIZE + sum(f.bytes for f in release.files if f.config is None)


sounds = st.lists(st.tuples(st.binary(max_size=40), st.sampled_from([4, 4, 4, 0, 3, 9, 6000]), st.booleans()))


@settings(deadline=None, max_examples=50)
@given(sounds, st.binary(max_size=30), st.integers(0, 200), st.integers(0, 400))
def test_pieces_are_the_file_whatever_is_there(tmp_path_factory, made, tail, start, length):
    folder = tmp_path_factory.getbasetemp()
    whole, listed, there = bytearray(b"PAR1"), [], {}
    other = bytearray()
    for number, (data, gap, known) in enumerate(made):
        prefix = len(data).to_bytes(4, "little") if gap == 4 else bytes([number % 251]) * gap
        whole += prefix
        sha256 = hashlib.sha256(data).hexdigest()
        listed.append(Sound(str(number), len(whole), len(data), sha256))
        whole += data
        if known:
            there[sha256] = Place(folder / "other", len(other) + 2, sha256)
            other += b"--" + data
    whole += tail
    (folder / "other").write_bytes(other)
    (folder / "file").write_bytes(whole)
    pieces = pieces_of(len(whole), listed, there)
    assert [p.start for p in pieces[1:]] == [p.end for p in pieces[:-1]]
    joined = Joined(FolderOrigin(folder), pieces, Gate(Rate()))
    assert b"".join(joined.stream("file")) == whole
    assert b"".join(joined.stream("file", start, start + length)) == whole[start : start + length]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.integers(-50, 300), st.integers(-50, 300))))
def test_a_table_of_items_that_lies_asks_for_no_more_than_the_file(pairs):
    listed = [Sound(str(n), at, size, "0" * 64) for n, (at, size) in enumerate(pairs)]
    pieces = pieces_of(100, listed, {})
    assert [p.start for p in pieces[1:]] == [p.end for p in pieces[:-1]]
    assert (pieces[0].start, pieces[-1].end) == (0, 100)
