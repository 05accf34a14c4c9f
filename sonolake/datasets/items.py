"""Items made from recipes: rendered, kept, described, and committed batch by batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic

from sonolake.audio.encode import quantise
from sonolake.datasets.dataset import DataSet, R, Rendered
from sonolake.datasets.layers import licences_of, mixed_licence
from sonolake.datasets.made import keep_made
from sonolake.datasets.making import make
from sonolake.datasets.planning import Planned
from sonolake.datasets.sounds import Sounds
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.ids import canonical_json
from sonolake.lake.run import Run
from sonolake.lake.step import Already, Counts, Done, Edge, Outcome


def make_items(
    run: Run,
    data_set: DataSet[R],
    planned: Sequence[Planned[R]],
    sounds: Sounds | None = None,
    workers: int = 1,
) -> Counts:
    """Make the items of one batch that are not there, in one commit; the outcome does not depend on ``workers``.

    An item whose recipe cannot be drawn or made is set aside with its reason, and tried again when ``code_version``
    has changed or what it would be drawn from is something else.

    Args:
        run: in whose name.
        data_set: what is made.
        planned: a batch of :func:`~sonolake.datasets.planning.plan_items`.
        sounds: kept between batches, so that a sound is decoded once.
        workers: number of threads.
    """
    run.lake.declare(data_set.table)
    kitchen = _Kitchen(run, data_set, sounds or Sounds(run.lake.media), _licences(run, planned))
    return make(
        run,
        data_set.step,
        {one.item: one for one in planned},
        data_set.table.name,
        "item_id",
        kitchen.make,
        code_version=data_set.code_version,
        inputs=lambda one: one.shelf or None,
        workers=workers,
    )


def _licences(run: Run, planned: Sequence[Planned[R]]) -> dict[str, str]:
    return licences_of(run.lake, {asset for one in planned if one.recipe for asset in one.recipe.layers()})


class _Kitchen(Generic[R]):
    """Everything that turns a recipe into rows and sound."""

    def __init__(self, run: Run, data_set: DataSet[R], sounds: Sounds, licences: Mapping[str, str]) -> None:
        self._run, self._data_set, self._sounds, self._licences = run, data_set, sounds, licences

    def make(self, planned: Planned[R]) -> Outcome:
        if planned.refusal is not None:
            raise planned.refusal
        if planned.recipe is None:
            return Already()
        recipe, layers = planned.recipe, dict(planned.recipe.layers())
        licence = mixed_licence(self._licences[asset] for asset in layers)
        rendered = self._data_set.render(recipe, self._sounds)
        asset = self._kept(planned.item, rendered, licence)
        row = {
            "item_id": planned.item,
            "split": recipe.split,
            "number": recipe.number,
            "asset_id": asset["asset_id"],
            "duration_s": asset["duration_s"],
            "licence": licence,
            **self._own(rendered.columns),
            "record": canonical_json(recipe.to_record()),
        }
        edges = [Edge(planned.item, layer, role) for layer, role in layers.items()]
        edges += [
            Edge(planned.item, f"code:{self._data_set.step}:{self._data_set.code_version}", "code"),
            Edge(str(asset["asset_id"]), planned.item, "audio"),
        ]
        return Done({"assets": [asset], self._data_set.table.name: [row]}, tuple(edges), made=1)

    def _kept(self, item: str, rendered: Rendered, licence: str) -> dict[str, object]:
        try:
            pcm = quantise(rendered.samples)
        except InvalidInput as error:
            raise ItemRefused("breaks_mix_rule", str(error)) from None
        title = rendered.title or f"{self._data_set.title}: {item}"
        return keep_made(self._run.lake, "clip", item, pcm, rendered.rate, licence, title, synthetic=True)

    def _own(self, columns: Mapping[str, object]) -> dict[str, object]:
        """The data set's own columns, all of them and no other.

        Raises:
            ItemRefused: ``breaks_schema``.
        """
        wanted = {column.name for column in self._data_set.columns}
        if set(columns) != wanted:
            raise ItemRefused("breaks_schema", f"columns {sorted(columns)}, expected {sorted(wanted)}")
        return dict(columns)
