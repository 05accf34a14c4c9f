"""The guide's example runs."""

import re
import subprocess
import sys

from sonolake.lake.step import Counts
from sonolake.releases import verify


def test_the_example_of_the_guide_goes_from_takes_to_a_release(lake, add_tones, request):
    (example,) = re.findall(
        r"^```python\n(.*?)^```$",
        (request.config.rootpath / "docs" / "project.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    for split, *frequencies in (("train", 300, 400, 500), ("validation", 600), ("test", 700)):
        add_tones("take", split, *frequencies)
    done = subprocess.run(
        [sys.executable, "-c", example, str(lake.root)],
        cwd=request.config.rootpath,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    counts = eval(done.stdout, {"Counts": Counts})
    assert counts["make-backwards"] == Counts(taken=3, done=3, made=3)
    assert counts["publish"].done == 1
    assert verify(lake.root / "releases" / "backwards" / "0.1.0") == []
