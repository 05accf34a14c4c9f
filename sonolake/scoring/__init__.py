"""What benchmarks share: files of answers, read and filled."""

from sonolake.scoring.asking import Asked, Said, ask_each, require_own
from sonolake.scoring.lines import as_text, objects

__all__ = ["Asked", "Said", "as_text", "ask_each", "objects", "require_own"]
