"""Training on releases: both stages' loss, AdamW, the best by grounded score, and going on after a kill.

Before each step PyTorch's generator is seeded by the run's seed and the number of the step, so that a run that was
killed and went on gives the weights of one that was not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from sonolake.errors import NotFound
from sonolake.ids import seed_of
from sonolake.spatial.benchmark import Accuracy, Predictions, score
from sonolake.spatial.model.examples import Example, LeftOut, batches, example_of
from sonolake.spatial.model.run import RunFolder
from sonolake.spatial.model.settings import TrainSettings
from sonolake.spatial.model.system import SpatialModel

if TYPE_CHECKING:
    from sonolake.loading import Records


@dataclass
class _Progress:
    """Where a run is: steps and epochs done, and the best grounded score, -1 before the first."""

    step: int = 0
    epoch: int = 0
    best: float = -1.0


def train(
    model: SpatialModel, records: Records, validation: Records, settings: TrainSettings, folder: RunFolder
) -> float:
    """Train, or go on with training; the best grounded score on the validation clips.

    Args:
        model: new, from the run's settings.
        records: of a release's config ``rms-aqa`` to learn from.
        validation: of the same config, to choose by.
        settings: how.
        folder: of the run, settled.

    Raises:
        NotFound: when no clip can be learnt from.
        InvalidInput: when what is kept in ``folder`` is of other clips.
    """
    trainer = _Trainer(model, settings, folder)
    stream = records.torch(example_of, shuffle=settings.seed)
    if kept := folder.load("last"):
        trainer.resume(kept)
        stream.load_state_dict(kept["stream"])
    while trainer.at.epoch < settings.epochs:
        for batch in batches(trainer.usable(stream), settings.batch):
            trainer.step(batch)
            if trainer.at.step % settings.save_every == 0:
                trainer.save(stream.state_dict())
        if not trainer.at.step:
            raise NotFound("no clip to learn from: see log.jsonl for what was left out")
        trainer.validate(validation)
        trainer.save(stream.state_dict())
    return trainer.at.best


def accuracy(model: SpatialModel, examples: Iterable[Example], settings: TrainSettings) -> Accuracy:
    """Scores of the model in predicted context, without intervals."""
    records, answers = [], {}
    for batch in batches(examples, settings.batch):
        for example, said in zip(batch, model.answers(batch, settings.tokens), strict=True):
            records.append(example.record)
            answers[example.record.stage_1.question_id, ""] = said[""]
            answers[example.record.stage_2.question_id, "predicted"] = said["predicted"]
    return score("model", records, Predictions(answers), resamples=0).overall


class _Trainer:
    def __init__(self, model: SpatialModel, settings: TrainSettings, folder: RunFolder) -> None:
        self.model, self.settings, self.folder = model, settings, folder
        self.at = _Progress()
        self.optimiser = torch.optim.AdamW(
            model.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay
        )

    def usable(self, stream: Iterable[Example | LeftOut]) -> Iterator[Example]:
        """Examples; what is left out is logged."""
        for one in stream:
            if isinstance(one, Example):
                yield one
            else:
                self.folder.log({"step": self.at.step, "left_out": one.clip_id, "why": one.why})

    def step(self, batch: list[Example]) -> None:
        """One step of the optimiser."""
        torch.manual_seed(seed_of(f"{self.settings.seed}/{self.at.step}", "spatial-model"))
        self.model.train(True)
        loss = self.model.loss(batch)
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip_norm)
        self.optimiser.step()
        self.at.step += 1
        self.folder.log({"step": self.at.step, "epoch": self.at.epoch, "loss": loss.item()})

    def validate(self, validation: Records) -> None:
        """Score the epoch, and keep its weights when none were better."""
        found = accuracy(self.model, self.usable(map(example_of, validation)), self.settings)
        self.at.epoch += 1
        scores = {name: getattr(found, name).value for name in ("stage_1", "stage_2", "grounded")}
        self.folder.log({"step": self.at.step, "epoch": self.at.epoch, "n": found.n, **scores})
        if scores["grounded"] > self.at.best:
            self.at.best = scores["grounded"]
            self.folder.save("best", {"model": self.model.state_dict(), "step": self.at.step, **scores})

    def save(self, stream: dict[str, Any]) -> None:
        """Keep where we are."""
        state = {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict(), "stream": stream}
        self.folder.save(
            "last", {**state, "step": self.at.step, "epoch": self.at.epoch, "best": self.at.best}
        )

    def resume(self, kept: dict[str, Any]) -> None:
        """Go on from there."""
        self.model.load_state_dict(kept["model"])
        self.optimiser.load_state_dict(kept["optimiser"])
        self.at = _Progress(kept["step"], kept["epoch"], kept["best"])
        self.folder.rewind(self.at.step)
