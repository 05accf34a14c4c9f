"""Records that go on where they stopped, and readers that share them."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sonolake
from sonolake.errors import InvalidInput
from sonolake.loading import Stream


@pytest.fixture(scope="module")
def records(release):
    return sonolake.load(release, split="train", columns=["item_id"])


def ids(stream):
    return [record["item_id"] for record in stream]


def take(stream, count):
    return [record["item_id"] for record, _ in zip(stream, range(count), strict=False)]


@settings(deadline=None, max_examples=25)
@given(stop=st.integers(0, 23), shuffle=st.one_of(st.none(), st.integers(0, 9)), epoch=st.integers(0, 3))
def test_it_goes_on_where_it_stopped(records, stop, shuffle, epoch):
    whole = Stream(records, shuffle)
    whole.set_epoch(epoch)
    everything = ids(whole)
    stopped = Stream(records, shuffle)
    stopped.set_epoch(epoch)
    iterator = iter(stopped)
    first = [next(iterator)["item_id"] for _ in range(stop)]
    state = json.loads(json.dumps(stopped.state_dict()))
    again = Stream(records, shuffle)
    again.load_state_dict(state)
    assert first + ids(again) == everything
    assert ids(again) == ids(whole), "and then the next epoch"


@settings(deadline=None, max_examples=25)
@given(of=st.integers(1, 12), shuffle=st.one_of(st.none(), st.integers(0, 9)))
def test_readers_share_every_record_once(records, of, shuffle):
    shared = [ids(Stream(records, shuffle, index, of)) for index in range(of)]
    together = [item for part in shared for item in part]
    assert sorted(together) == sorted(ids(records)) and len(set(together)) == 23


def test_a_seed_gives_an_order_of_its_own_in_each_epoch(records):
    stream = Stream(records, shuffle=1)
    first, second = ids(stream), ids(stream)
    assert sorted(first) == sorted(second) == sorted(ids(records))
    assert (
        len({tuple(ids(records)), tuple(first), tuple(second), tuple(ids(Stream(records, shuffle=2)))}) == 4
    )
    assert ids(Stream(records, shuffle=1)) == first


def test_what_is_skipped_is_not_read(release, monkeypatch):
    records = sonolake.load(release, split="train", columns=["item_id"])
    stream = Stream(records)
    take(iter(stream), 20)
    again = Stream(records)
    again.load_state_dict(stream.state_dict())
    opened = []
    real = type(records)._open
    monkeypatch.setattr(
        type(records), "_open", lambda self, shard: opened.append(shard.file.path) or real(self, shard)
    )
    assert len(ids(again)) == 23 - stream.state_dict()["given"]
    assert len(opened) < len(records.shards) / 2


def test_a_state_of_something_else_is_refused(release, records):
    state = Stream(records, 3).state_dict()
    others = [
        Stream(records, 4),
        Stream(records, 3, 0, 2),
        Stream(sonolake.load(release, split="test"), 3),
        Stream(sonolake.load(release, split="train", where="row = 0"), 3),
    ]
    for other in others:
        with pytest.raises(InvalidInput, match="state of a stream"):
            other.load_state_dict(state)
    with pytest.raises(InvalidInput, match="state of a stream"):
        Stream(records, 3).load_state_dict({})


@pytest.mark.parametrize(("index", "of"), [(1, 1), (-1, 2), (0, 0)])
def test_a_reader_is_one_of_some(records, index, of):
    with pytest.raises(InvalidInput, match="index of a reader"):
        Stream(records, index=index, of=of)
