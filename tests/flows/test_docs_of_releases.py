"""What the guide on releases shows of reading one runs as it stands there, over a release of the data sets."""

import re
import shutil
from pathlib import Path

import duckdb
import pytest

GUIDE = (Path(__file__).parents[2] / "docs" / "releases.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def demo_pull(plain_lake, tmp_path, monkeypatch):
    """A folder with a release as ``demo-pull``, in which we are."""
    shutil.copytree(plain_lake / "releases" / "tiny" / "0.1.0", tmp_path / "demo-pull")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))


@pytest.mark.parametrize(
    "block", blocks("python"), ids=lambda block: re.findall(r"(?:import|from) (\w+)", block)[-1]
)
def test_python(block, demo_pull):
    for name in re.findall(r"^(?:import|from) (torch|datasets|polars)", block, re.MULTILINE):
        pytest.importorskip(name)
    exec(compile(block, "releases.md", "exec"), {"__name__": "guide"})


def test_sql(demo_pull):
    (block,) = [block for block in blocks("sql") if "views.sql" in block]
    with duckdb.connect() as link:
        for line in block.splitlines():
            if line.startswith(".read "):
                link.execute(Path(line.removeprefix(".read ")).read_text(encoding="utf-8"))
            else:
                link.execute(line)
        assert link.fetchall()
