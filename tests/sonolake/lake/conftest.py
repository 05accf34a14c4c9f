"""Each test owns its lake: a copy of a new one, which is quicker than making it.

With ``new_place`` a test runs on a lake in a folder and, in the long runs, on one in S3 with its catalog in PostgreSQL.
"""

import shutil

import pytest

from sonolake import Lake


@pytest.fixture(scope="session")
def new_lake(tmp_path_factory):
    root = tmp_path_factory.mktemp("new") / "lake"
    Lake.create(root).close()
    return root


@pytest.fixture
def lake(new_lake, tmp_path):
    shutil.copytree(new_lake, tmp_path / "lake")
    with Lake.open(tmp_path / "lake") as opened:
        yield opened


@pytest.fixture(params=["folder", pytest.param("team", marks=pytest.mark.soak)])
def new_place(request, tmp_path):
    """Gives places where a lake can be made."""
    home = request.getfixturevalue("team_place") if request.param == "team" else str(tmp_path)
    return lambda name="lake": f"{home}/{name}"
