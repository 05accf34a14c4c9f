"""What works the answers of RMS-AQA out anew shares no code with what asks."""

import ast
from pathlib import Path

SPATIAL = Path(__file__).parents[2] / "sonolake" / "spatial"
ALLOWED = {"sonolake.errors", "sonolake.spatial.records", "sonolake.spatial.doubts"}
"""Mistakes that are said, the forms of labels and questions, and its own second half."""


def test_it_imports_no_part_of_the_generator():
    for name in ("answers", "doubts"):
        tree = ast.parse((SPATIAL / f"{name}.py").read_text(encoding="utf-8"))
        used = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        used |= {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
        assert {module for module in used if module.startswith("sonolake")} <= ALLOWED
