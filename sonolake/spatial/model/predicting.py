"""Answers of a trained model to a benchmark, in the lines that ``sonolake score rms-aqa`` reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sonolake.errors import ItemRefused, NotFound
from sonolake.scoring import Asked, Said, ask_each, require_own
from sonolake.spatial.benchmark import Predictions, Record, prompt, read_predictions
from sonolake.spatial.benchmark.asking import keys, line
from sonolake.spatial.benchmark.audio import Hear
from sonolake.spatial.benchmark.predictions import Key
from sonolake.spatial.model.backbone import Backbone
from sonolake.spatial.model.examples import Example, heard_in
from sonolake.spatial.model.run import RunFolder
from sonolake.spatial.model.system import SpatialModel


def trained(folder: RunFolder, backbone: Backbone) -> SpatialModel:
    """The best model of a run.

    Raises:
        NotFound: when no epoch of it has ended.
    """
    settings = folder.settings()
    best = folder.load("best")
    if best is None:
        raise NotFound(f"no best.pt in {folder.path}: no epoch has ended yet")
    model = SpatialModel(backbone, settings.shape, settings.train.spatial, settings.train.seed)
    model.load_state_dict(best["model"])
    return model


def predict(
    model: SpatialModel,
    name: str,
    records: Sequence[Record],
    hear: Hear,
    answers: Path,
    contexts: tuple[str, ...] = ("predicted",),
    tokens: int = 48,
    batch: int = 8,
) -> Asked[Key]:
    """Answer what ``answers`` does not hold yet, and append it.

    Args:
        model: trained.
        name: of the system, written beside each answer.
        records: of the benchmark.
        hear: gives the four channels of a clip.
        answers: JSON lines; made when it is not there.
        contexts: in which stage 2 is answered.
        tokens: of an answer at most.
        batch: clips at a time.

    Raises:
        InvalidInput: when ``answers`` holds another system's, or answers to other wordings.
    """
    own = {"system": name, "prompts": prompt.prompts_id()}
    require_own(answers, own)
    there = read_predictions(answers, records) if answers.exists() else Predictions({})
    wanted = {key for record in records for key in keys(record, contexts)}
    todo = [r for r in records if any(key not in there.answers for key in keys(r, contexts))]

    def about(some: Sequence[Record]) -> Said[Key]:
        said: Said[Key] = Said()
        examples = []
        for record in some:
            try:
                examples.append(Example(record, heard_in(hear(record))))
            except ItemRefused as refused:
                said.failures |= dict.fromkeys(keys(record, contexts), str(refused))
        for example, found in zip(
            examples, model.answers(examples, tokens, contexts) if examples else (), strict=True
        ):
            by_key = dict(zip(keys(example.record, contexts), found.values(), strict=True))
            said.answers |= {key: text for key, text in by_key.items() if key not in there.answers}
        return said

    groups = [todo[first : first + batch] for first in range(0, len(todo), batch)]
    said = ask_each(groups, about, answers, lambda key, text: line(key, text) | own, workers=1)
    missing = {key: why for key, why in said.failures.items() if key not in there.answers}
    return Asked(len(wanted), len(said.answers), len(wanted) - len(said.answers) - len(missing), missing)
