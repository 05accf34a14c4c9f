"""Which encoders a lake's searches use: the newest row of ``encoders`` for words, and for sounds.

Without a row it is the packaged ones. Going over to another model is one commit, made when its vectors are all there;
the old vectors stay, so that going back is another such row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from sonolake.errors import Refused
from sonolake.lake.declaring import has_table
from sonolake.search.filters import Searchable

Role = Literal["words", "sounds"]
ROLES: tuple[Role, ...] = get_args(Role)
PACKAGED = {"words": "bridge", "sounds": "yamnet"}
"""The embedded defaults, as they are called in a row that goes back to them."""


@dataclass(frozen=True)
class InUse:
    """An encoder that answers queries of a role: its spec, its weights, and the space with its vectors."""

    role: Role
    model: str
    weights_sha256: str
    space: str

    @property
    def kind(self) -> str:
        """The spec's first word, such as ``clap``: what results call it."""
        return self.model.partition(":")[0]


def in_use(lake: Searchable) -> dict[Role, InUse]:
    """The encoders in use by role; a role that the packaged ones answer is left out."""
    if not has_table(lake.sql, "encoders"):
        return {}
    newest = "QUALIFY row_number() OVER (PARTITION BY role ORDER BY since DESC) = 1"
    rows = lake.sql(f"SELECT role, model, weights_sha256, space FROM encoders {newest}").to_pylist()
    used = {row["role"]: InUse(**row) for row in rows}
    return {role: used[role] for role in ROLES if role in used and used[role].model != PACKAGED[role]}


def loaded(used: InUse) -> Any:
    """The model itself.

    Raises:
        Refused: when its weights are not those that made the lake's vectors.
        MissingPackage, NotFound: when it is not here.
    """
    from sonolake.models import get

    model = get(used.model)
    if model.weights_sha256 != used.weights_sha256:
        raise Refused(
            f"{used.model} has other weights now ({model.weights_sha256[:12]}) than made the lake's vectors "
            f"({used.weights_sha256[:12]}): python -m flows embed --model {used.model!r} makes them anew, "
            "python -m flows embed --model yamnet goes back to the packaged model"
        )
    return model
