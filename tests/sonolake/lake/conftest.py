"""Each test owns its lake: a copy of a new one, which is quicker than making it."""

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
