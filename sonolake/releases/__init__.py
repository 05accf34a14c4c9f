"""Releases: immutable folders that anyone can verify, from plain records, with no lake at hand."""

from sonolake.releases.building import Built, build
from sonolake.releases.checking import Problem, not_pulled
from sonolake.releases.pace import Pace, Rate
from sonolake.releases.proof import Proof, ProofResult
from sonolake.releases.proving import prove
from sonolake.releases.pulling import PullResult, pull
from sonolake.releases.records import Config, Content, OwnProof
from sonolake.releases.samples import Chart, Check, Direction, Line, Quiz, ReportSample, Track
from sonolake.releases.selecting import SelectResult, pull_items
from sonolake.releases.tables import FileRow, read_manifest
from sonolake.releases.verifying import verify

__all__ = [
    "Built",
    "Chart",
    "Check",
    "Config",
    "Content",
    "Direction",
    "FileRow",
    "Line",
    "OwnProof",
    "Pace",
    "Problem",
    "Proof",
    "ProofResult",
    "PullResult",
    "Quiz",
    "Rate",
    "ReportSample",
    "SelectResult",
    "Track",
    "build",
    "not_pulled",
    "prove",
    "pull",
    "pull_items",
    "read_manifest",
    "verify",
]
