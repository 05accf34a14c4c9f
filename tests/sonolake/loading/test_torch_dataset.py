"""Records for PyTorch. These tests need it: ``pip install torch`` as https://pytorch.org says for your machine."""

import sys

import numpy as np
import pytest

import sonolake
from sonolake.errors import InvalidInput, MissingPackage

HOW = "pip install torch (https://pytorch.org says how on your machine) and torchdata"


def ids(batches):
    return [item for batch in batches for item in batch]


def names(batch):
    return [record["item_id"] for record in batch]


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch", reason=HOW)


@pytest.fixture(scope="module")
def stateful(torch):
    return pytest.importorskip("torchdata.stateful_dataloader", reason=HOW).StatefulDataLoader


@pytest.fixture(scope="module")
def records(release):
    return sonolake.load(release, split="train", columns=["item_id", "audio"])


def test_without_pytorch_it_says_so(records, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "sonolake.loading.torch_dataset", raising=False)
    with pytest.raises(MissingPackage, match="a PyTorch data set needs the package 'torch'"):
        records.torch()


def test_records_have_tensors(torch, records, samples):
    for record in records.torch():
        assert isinstance(record["audio"], torch.Tensor)
        expected = samples(record["item_id"], 1) / np.float32(32768)
        assert np.array_equal(record["audio"].numpy(), expected)


def test_a_transform_says_what_is_yielded(torch, records):
    lengths = list(records.torch(lambda record: len(record["audio"])))
    loader = torch.utils.data.DataLoader(records.torch(lambda record: len(record["audio"])), batch_size=4)
    assert torch.cat(list(loader)).tolist() == lengths and len(lengths) == 23


@pytest.mark.parametrize("workers", [0, 2])
def test_workers_share_the_shards(torch, records, workers):
    loader = torch.utils.data.DataLoader(records.torch(), batch_size=2, num_workers=workers, collate_fn=names)
    found = ids(loader)
    assert len(found) == 23 and sorted(found) == sorted(r["item_id"] for r in records)


def test_processes_share_the_shards(torch, records):
    parts = [[r["item_id"] for r in records.torch(rank=rank, world=3)] for rank in range(3)]
    assert sorted(ids(parts)) == sorted(r["item_id"] for r in records)
    with pytest.raises(InvalidInput, match="rank"):
        records.torch(rank=3, world=3)


def test_it_resumes_where_it_stopped(torch, records):
    whole = [r["item_id"] for r in records.torch(shuffle=5)]
    stopped = records.torch(shuffle=5)
    iterator = iter(stopped)
    first = [next(iterator)["item_id"] for _ in range(9)]
    again = records.torch(shuffle=5)
    again.load_state_dict(stopped.state_dict())
    assert first + [r["item_id"] for r in again] == whole


# torchdata 0.11 uses names that PyTorch has since renamed
@pytest.mark.filterwarnings("ignore:.* is deprecated")
@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("stop", [1, 4])
def test_a_stateful_loader_resumes_every_worker(torch, stateful, records, workers, stop):
    def loader():
        return stateful(records.torch(shuffle=1), batch_size=3, num_workers=workers, collate_fn=names)

    whole = list(loader())
    stopped = loader()
    iterator = iter(stopped)
    first = [next(iterator) for _ in range(stop)]
    state = stopped.state_dict()
    del iterator
    again = loader()
    again.load_state_dict(state)
    assert first + list(again) == whole
    assert sorted(ids(whole)) == sorted(r["item_id"] for r in records)


def test_each_epoch_has_an_order_of_its_own(torch, records):
    data = records.torch(shuffle=1)
    loader = torch.utils.data.DataLoader(data, batch_size=5, num_workers=1, collate_fn=names)
    orders = []
    for epoch in range(2):
        data.set_epoch(epoch)
        orders.append(ids(loader))
    assert orders[0] != orders[1] and sorted(orders[0]) == sorted(orders[1])
    alone = records.torch(shuffle=1)
    assert [[r["item_id"] for r in alone], [r["item_id"] for r in alone]] == orders
