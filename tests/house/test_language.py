"""What the text of the project never says. The patterns are put together here, so that this file passes too."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def joined(*parts):
    return "".join(parts)


FORBIDDEN = {
    "a path of one machine": joined(r"(?<![\w.])/(wo", r"rk|ro", r"ot|ho", r"me)/\w"),
    "a package registry's host": joined(r"\bpy", r"pi\.org|pythonhos", r"ted\.org|npm", r"js\.(?:com|org)"),
    "work left undone": joined(r"\bTO", r"DO\b|\bFIX", r"ME\b|\bXX", r"X\b|raise NotImple", r"mentedError"),
    "who or what typed it": joined(
        r"(?i)\bclau", r"de\b|\b(?:by|with) anthro", r"pic\b|\bchat", r"gpt\b|\bco", r"pilot\b"
    ),
}
"""The provider of a chat model that the project can ask is named as such."""


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    return [ROOT / name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]


def text_of(path):
    data = path.read_bytes()
    return "" if b"\0" in data else data.decode("utf-8")


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_tracked_file_says(what):
    pattern = re.compile(FORBIDDEN[what])
    said = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in tracked()
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if pattern.search(line)
    ]
    assert said == []


def test_the_patterns_find_what_they_are_for():
    samples = {
        "a path of one machine": joined("see /wo", "rk/shared"),
        "a package registry's host": joined("https://py", "pi.org/simple"),
        "work left undone": joined("# TO", "DO later"),
        "who or what typed it": joined("by Clau", "de"),
    }
    assert set(samples) == set(FORBIDDEN)
    for what, sample in samples.items():
        assert re.search(FORBIDDEN[what], sample), what
    assert not re.search(
        FORBIDDEN["a path of one machine"], "a home/file, s3://bucket/work/x, the network/home"
    )
