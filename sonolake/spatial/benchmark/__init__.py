"""The benchmark of two-stage questions: records, predictions, scores, and a model that is asked."""

from sonolake.spatial.benchmark.files import read_records
from sonolake.spatial.benchmark.predictions import Predictions, read_predictions
from sonolake.spatial.benchmark.reading import read_answer
from sonolake.spatial.benchmark.records import CONTEXTS, Query, Record
from sonolake.spatial.benchmark.scoring import Accuracy, Scorecard, score

__all__ = [
    "CONTEXTS",
    "Accuracy",
    "Predictions",
    "Query",
    "Record",
    "Scorecard",
    "read_answer",
    "read_predictions",
    "read_records",
    "score",
]
