"""The benchmarks as tasks of the lmms-eval harness: YAML, functions in one file, fixed prompts, sounds beside them."""

from sonolake.releases.exports.harness.folder import write_tasks

__all__ = ["write_tasks"]
