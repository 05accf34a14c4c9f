"""Figures in what people read of a release: each stands with its proof, and is what the proof states."""

from sonolake.releases.figures.checking import check_figures
from sonolake.releases.figures.prose import in_markdown, named, proof_link, without_marks

__all__ = ["check_figures", "in_markdown", "named", "proof_link", "without_marks"]
