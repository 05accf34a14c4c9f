"""Each kind of difference, and the version that it asks for (Croissant 1.1, Dataset Versioning)."""

import dataclasses

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import Refused
from sonolake.releases import build
from sonolake.releases.differing import Bump, compare, next_version, side_of_content, side_of_release
from sonolake.releases.differing.leaves import leaves_of
from sonolake.releases.differing.versions import before
from sonolake.releases.earlier import Earlier
from sonolake.releases.offered import offered
from sonolake.releases.origins import open_origin


@pytest.fixture(scope="session")
def old(published):
    return side_of_release(offered(open_origin(published)))


def rows_of(content, split="train"):
    return content.configs[0].splits[split].to_pylist()


def with_rows(content, schema=None, **splits):
    """``content`` with other rows in ``cares``."""
    cares = content.configs[0]
    every = {split: table.to_pylist() for split, table in cares.splits.items()} | splits
    tables = {split: pa.Table.from_pylist(rows, schema or cares.schema) for split, rows in every.items()}
    return dataclasses.replace(
        content, configs=(dataclasses.replace(cares, splits=tables), *content.configs[1:])
    )


def edit(content, **values):
    first, *others = rows_of(content)
    return with_rows(content, train=[first | values, *others])


def added(content, store):
    return with_rows(content, train=[*rows_of(content), rows_of(content)[0] | {"item_id": "scene-new"}])


def removed(content, store):
    return with_rows(content, train=rows_of(content)[1:])


def moved(content, store):
    first, *others = rows_of(content)
    edges = [edge for edge in content.lineage.to_pylist() if edge["child"] != first["item_id"]]
    there = dataclasses.replace(content, lineage=pa.Table.from_pylist(edges))
    return with_rows(there, train=others, test=[*rows_of(content, "test"), first])


def other_sound(content, store):
    return edit(content, audio_asset=store.put(b"RIFF another sound"))


def other_label(content, store):
    return edit(content, events=[rows_of(content)[0]["events"][0] | {"onset_s": 0.06}])


def other_licence(content, store):
    return edit(content, licence="CC-BY-4.0")


def other_author(content, store):
    rows = content.sources.to_pylist()
    return dataclasses.replace(
        content, sources=pa.Table.from_pylist([rows[0] | {"author": "Bea"}, *rows[1:]])
    )


def other_words(content, store):
    return dataclasses.replace(content, notes=("Nothing here was recorded.",))


def repackaged(content, store):
    return dataclasses.replace(
        content, configs=(dataclasses.replace(content.configs[0], rows_per_shard=2), *content.configs[1:])
    )


def new_column(content, store):
    cares = content.configs[0]
    splits = {
        split: table.append_column("mood", pa.array(["calm"] * table.num_rows))
        for split, table in cares.splits.items()
    }
    meanings = {**cares.meanings, "mood": "mood"}
    return dataclasses.replace(
        content,
        configs=(dataclasses.replace(cares, splits=splits, meanings=meanings), *content.configs[1:]),
    )


def new_field(content, store):
    """A field more in each event: nested columns grow as columns do."""
    kind = content.configs[0].schema.field("events").type.value_type
    wider = pa.list_(pa.struct([pa.field("gain_db", pa.float64()), *kind]))
    schema = content.configs[0].schema.set(7, pa.field("events", wider))
    return with_rows(content, schema)


def lost_column(content, store):
    cares = content.configs[0]
    splits = {split: table.drop_columns(["location"]) for split, table in cares.splits.items()}
    return dataclasses.replace(
        content, configs=(dataclasses.replace(cares, splits=splits), *content.configs[1:])
    )


def new_config(content, store):
    return dataclasses.replace(
        content, configs=(*content.configs, dataclasses.replace(content.configs[1], name="more"))
    )


def the_same(content, store):
    return content


ID = "scene-train-000"
KINDS = [
    (added, Bump.MINOR, {"added": 1}, "scene-new"),
    (removed, Bump.MAJOR, {"removed": 1}, ID),
    (other_sound, Bump.MAJOR, {"edited": 1}, "sound"),
    (other_label, Bump.MAJOR, {"edited": 1}, "events.onset_s"),
    (moved, Bump.MAJOR, {"moved": 1}, "came_from='train'"),
    (other_licence, Bump.PATCH, {"described": 1}, "licence"),
    (other_author, Bump.PATCH, {"about": 1}, "source lib:dog-"),
    (other_words, Bump.PATCH, {"about": 1}, "rai:dataLimitations"),
    (new_column, Bump.MINOR, {"columns_added": 1}, "cares.mood"),
    (new_field, Bump.MINOR, {"columns_added": 1}, "cares.events.gain_db"),
    (lost_column, Bump.MAJOR, {"columns_removed": 1}, "cares.location"),
    (new_config, Bump.MINOR, {"added": 3}, "more"),
    (the_same, Bump.NONE, {}, ""),
]


@pytest.mark.parametrize(("change", "bump", "counts", "named"), KINDS, ids=[k[0].__name__ for k in KINDS])
def test_each_kind_asks_for_its_part_of_the_version(old, content, store, change, bump, counts, named):
    found = compare(old, side_of_content(change(content, store)))
    assert (found.bump, found.counts()) == (bump, counts)
    assert named in repr(found)
    assert len(found.rows()) == sum(counts.values())


LEAST = [
    (added, "0.2.0", "0.1.9"),
    (removed, "1.0.0", "0.9.0"),
    (other_label, "1.0.0", "0.2.0"),
    (moved, "1.0.0", "0.1.1"),
    (other_licence, "0.1.1", None),
    (repackaged, "0.1.1", None),
]


@pytest.mark.parametrize(("change", "least", "lower"), LEAST, ids=[k[0].__name__ for k in LEAST])
def test_a_version_that_is_too_low_is_refused_and_the_least_is_published(
    release, content, store, change, least, lower
):
    earlier = Earlier(offered(open_origin(release)))
    changed = change(content, store)
    if lower is not None:
        with pytest.raises(Refused, match=rf"demo {lower} cannot follow 0\.1\.0: 1 .*{least} or later"):
            build(
                dataclasses.replace(changed, version=lower),
                store.__getitem__,
                release.with_name(lower),
                earlier=earlier,
            )
        assert [p.name for p in release.parent.iterdir()] == ["0.1.0"]
    new = dataclasses.replace(changed, version=least)
    built = build(new, store.__getitem__, release.with_name(least), earlier=earlier)
    assert built.outcome == "published"
    found = compare(
        side_of_release(offered(open_origin(release))),
        side_of_release(offered(open_origin(release.with_name(least)))),
    )
    assert found == built.difference
    assert next_version("0.1.0", found.bump) == least
    assert (found.repackaged != ()) == (change is repackaged)


def test_one_changed_byte_under_the_same_version_is_refused(release, content, store):
    sound = bytearray(store[content.configs[0].splits["test"]["audio_asset"][0].as_py()])
    sound[-1] ^= 1
    first, *others = rows_of(content, "test")
    changed = with_rows(content, test=[first | {"audio_asset": store.put(bytes(sound))}, *others])
    with pytest.raises(Refused, match=r"demo 0\.1\.0 is already published with other content"):
        build(changed, store.__getitem__, release)


def test_what_was_taken_down_asks_for_no_higher_version(release, content, store):
    earlier = Earlier(offered(open_origin(release)), frozenset({ID}))
    patch = dataclasses.replace(removed(content, store), version="0.1.1")
    assert build(patch, store.__getitem__, release.with_name("0.1.1"), earlier=earlier).difference.removed


def test_benchmark_files_hold_records(make, store, tmp_path):
    files = {"asc/items.jsonl": b'{"id": 1}\n{"id": 2}\n', "asc/notes.md": b"of 2"}
    build(make(benchmark=files), store.__getitem__, tmp_path / "r")
    old = side_of_release(offered(open_origin(tmp_path / "r")))

    def found(**other):
        return compare(
            old, side_of_content(make(benchmark=files | {f"asc/{k}": v for k, v in other.items()}))
        )

    more = found(**{"items.jsonl": b'{"id": 0}\n{"id": 1}\n{"id": 2}\n'})
    assert (more.bump, more.records_added) == (Bump.MINOR, ("benchmark/asc/items.jsonl",))
    edited = found(**{"items.jsonl": b'{"id": 1}\n'})
    assert (edited.bump, edited.records_edited) == (Bump.MAJOR, ("benchmark/asc/items.jsonl",))
    assert found(**{"notes.md": b"of 3"}).bump == Bump.NONE
    assert compare(old, side_of_content(make())).bump == Bump.MAJOR


def test_leaves_of_nested_columns():
    kind = pa.struct([("a", pa.int32()), ("b", pa.list_(pa.struct([("c", pa.string())])))])
    schema = pa.schema([("item_id", pa.string()), ("x", pa.list_(kind)), ("y", pa.int8())])
    assert {path: leaf.kind for path, leaf in leaves_of(schema).items()} == {
        "x.a": pa.list_(pa.int32()),
        "x.b.c": pa.list_(pa.list_(pa.string())),
        "y": pa.int8(),
    }


versions = st.tuples(*[st.integers(0, 3)] * 3).map(lambda v: ".".join(map(str, v)))


@settings(deadline=None, max_examples=50)
@given(versions, st.sampled_from(list(Bump)[1:]))
def test_the_next_version_is_the_lowest_that_is_raised_there(version, bump):
    old = tuple(map(int, version.split(".")))
    new = tuple(map(int, next_version(version, bump).split(".")))
    place = 3 - bump
    assert new[:place] == old[:place] and new[place] == old[place] + 1 and not any(new[place + 1 :])


@settings(deadline=None, max_examples=50)
@given(versions, st.lists(versions))
def test_a_version_follows_the_highest_below_it(version, others):
    def key(one):
        return tuple(map(int, one.split(".")))

    lower = [one for one in others if key(one) < key(version)]
    assert before(version, others) == max(lower, key=key, default=None)
