"""Records for PyTorch. The only module that imports it, and only when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sonolake.errors import InvalidInput, MissingPackage
from sonolake.loading.records import AUDIO, Record, Records
from sonolake.loading.stream import Stream

try:
    import torch
    from torch.utils.data import IterableDataset, get_worker_info
except ModuleNotFoundError as error:
    raise MissingPackage("torch", "a PyTorch data set", "see https://pytorch.org for your machine") from error


class TorchRecords(IterableDataset):  # type: ignore[misc]
    """Records as a ``torch.utils.data.IterableDataset``; made by :meth:`sonolake.loading.Records.torch`.

    Shards are shared out among ``world`` processes and the workers of each. It can say where it is and go on from
    there: on its own with no workers, and with any number of them under
    ``torchdata.stateful_dataloader.StatefulDataLoader``, which asks each worker.
    """

    def __init__(
        self,
        records: Records,
        transform: Callable[[Record], Any] | None,
        shuffle: int | None,
        rank: int,
        world: int,
    ) -> None:
        if not 0 <= rank < world:
            raise InvalidInput("rank", f"0 to {world - 1}", rank)
        self.records, self.transform, self.shuffle = records, transform, shuffle
        self.rank, self.world = rank, world
        self._epoch = 0
        self._stream: Stream | None = None

    def __iter__(self) -> Iterator[Any]:
        for record in self._mine():
            if record.get(AUDIO) is not None:
                record[AUDIO] = torch.from_numpy(record[AUDIO])
            yield record if self.transform is None else self.transform(record)

    def set_epoch(self, epoch: int) -> None:
        """Begin at the start of an epoch, counted from 0; before the loader is iterated over, for another order."""
        self._epoch, self._stream = epoch, None

    def state_dict(self) -> dict[str, Any]:
        """Where this process, or this worker of it, is."""
        return self._mine().state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from there.

        Raises:
            InvalidInput: when the state is of other records, another order or another number of readers.
        """
        self._mine().load_state_dict(state)

    def _mine(self) -> Stream:
        """The stream of this process or worker."""
        worker = get_worker_info()
        workers, number = (1, 0) if worker is None else (worker.num_workers, worker.id)
        index, of = self.rank * workers + number, self.world * workers
        if self._stream is None or (self._stream.index, self._stream.of) != (index, of):
            self._stream = Stream(self.records, self.shuffle, index, of)
            self._stream.set_epoch(self._epoch)
        return self._stream
