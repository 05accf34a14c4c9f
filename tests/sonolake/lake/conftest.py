"""Each test owns its lake: a copy of a new one, which is quicker than making it.

A module that says ``pytestmark = BOTH`` is run on a lake in a folder, and on one in S3 with a catalog in PostgreSQL.
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
def place(request, new_lake, tmp_path):
    """Where the test's lake is."""
    if getattr(request, "param", "folder") == "team":
        place = request.getfixturevalue("team_place")
        Lake.create(place).close()
        return place
    return shutil.copytree(new_lake, tmp_path / "lake")


@pytest.fixture
def lake(place):
    with Lake.open(place) as opened:
        yield opened
