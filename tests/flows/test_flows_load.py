"""Every flow can be loaded: what it imports is there."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_flow_loads():
    names = sorted(path.stem for path in (ROOT / "flows").glob("*.py") if not path.stem.startswith("__"))
    code = "import importlib, flows.quiet\n" + "\n".join(
        f"importlib.import_module('flows.{n}')" for n in names
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
