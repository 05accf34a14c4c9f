"""Whatever happens to a folder is found and named, and a pull mends it by fetching just that."""

import random

import pytest

from sonolake.releases import pull, read_manifest, verify
from sonolake.releases.disk import files_in, sha256_of
from sonolake.releases.layout import CHECKSUMS, COMPLETE, MANIFEST

SEEDS = range(100)
OWN = (MANIFEST, CHECKSUMS, COMPLETE)
"""What a manifest does not list, and every pull writes anew."""


def flip(folder, rng, listed):
    path = rng.choice(listed)
    data = bytearray((folder / path).read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    (folder / path).write_bytes(data)
    return {path}, {path}


def truncate(folder, rng, listed):
    path = rng.choice(listed)
    data = (folder / path).read_bytes()
    (folder / path).write_bytes(data[: rng.randrange(len(data))])
    return {path}, {path}


def remove(folder, rng, listed):
    path = rng.choice(listed)
    (folder / path).unlink()
    return {path}, {path}


def swap(folder, rng, listed):
    one, two = rng.sample(listed, 2)
    held = (folder / one).read_bytes()
    (folder / one).write_bytes((folder / two).read_bytes())
    (folder / two).write_bytes(held)
    return {one, two}, {one, two}


def add(folder, rng, listed):
    beside = (folder / rng.choice(listed)).parent
    path = beside / f"stranger-{rng.randrange(1000)}{rng.choice(['', '.parquet', '.sql', '.md'])}"
    path.write_bytes(rng.randbytes(20))
    return {path.relative_to(folder).as_posix()}, set()


def edit_manifest(folder, rng, listed):
    data = bytearray((folder / MANIFEST).read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    (folder / MANIFEST).write_bytes(data)
    return {MANIFEST}, set()


def edit_sums(folder, rng, listed):
    data = bytearray((folder / CHECKSUMS).read_bytes())
    data[rng.randrange(len(data))] ^= 1
    (folder / CHECKSUMS).write_bytes(data)
    return {CHECKSUMS}, set()


def lose_all_but_mark(folder, rng, listed):
    for path in [*listed, MANIFEST, CHECKSUMS]:
        (folder / path).unlink()
    return {MANIFEST}, None


def lose_mark(folder, rng, listed):
    (folder / COMPLETE).unlink()
    return {MANIFEST}, set()


DAMAGES = (flip, truncate, remove, swap, add, edit_manifest, edit_sums, lose_all_but_mark, lose_mark)


@pytest.fixture(scope="module")
def copy(published, tmp_path_factory):
    """A pulled copy that is damaged and mended a hundred times, and what each of its files is."""
    folder = tmp_path_factory.mktemp("damaged") / "copy"
    pull(published, folder)
    return folder, {path: sha256_of(folder / path) for path in files_in(folder)}


@pytest.mark.parametrize("seed", SEEDS)
def test_damage_is_found_named_and_mended_by_fetching_just_that(copy, published, seed):
    folder, right = copy
    rng = random.Random(seed)
    damage = DAMAGES[seed % len(DAMAGES)]
    listed = sorted(set(right) - set(OWN))
    named, fetched = damage(folder, rng, listed)
    problems = verify(folder)
    assert {problem.path for problem in problems} >= named, damage.__name__
    assert {problem.path for problem in problems} <= named | {CHECKSUMS}, damage.__name__
    if damage is add:
        (folder / next(iter(named))).unlink()
    result = pull(published, folder)
    assert result.fetched == (len(listed) if fetched is None else len(fetched)), damage.__name__
    sizes = {file.path: file.bytes for file in read_manifest(published)}
    assert result.fetched_bytes == sum(sizes[path] for path in (listed if fetched is None else fetched))
    assert verify(folder) == []
    assert {path: sha256_of(folder / path) for path in files_in(folder)} == right
