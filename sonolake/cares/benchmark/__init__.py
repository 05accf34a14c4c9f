"""The benchmark of CARES: items, answers, scores, controls.

:func:`build_items` makes the items of a split from its scenes, :func:`files_of` the files of a release;
:func:`read_items` and :func:`read_predictions` read them and a system's answers, and :func:`score_system` scores it.
"""

from sonolake.cares.benchmark.building import build_items
from sonolake.cares.benchmark.files import files_of, read_items, scenes_of
from sonolake.cares.benchmark.judging import LiteralMatcher
from sonolake.cares.benchmark.predictions import Predictions, read_predictions
from sonolake.cares.benchmark.questions import question
from sonolake.cares.benchmark.records import HeardSound, Item, SceneFacts
from sonolake.cares.benchmark.scorecard import Scorecard, better_than, score_system

__all__ = [
    "HeardSound",
    "Item",
    "LiteralMatcher",
    "Predictions",
    "SceneFacts",
    "Scorecard",
    "better_than",
    "build_items",
    "files_of",
    "question",
    "read_items",
    "read_predictions",
    "scenes_of",
    "score_system",
]
