"""Lakes of a few rows, opened as the tasks open them."""

import functools
import shutil

import pytest

from sonolake.datasets import samples
from tasks.opening import lake_at


@pytest.fixture(scope="session", autouse=True)
def samples_heard_once():
    """What a release plays of a sound is worked out from its bytes alone: once, for the many that are built here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(samples, "heard", functools.cache(samples.heard))
        yield


@pytest.fixture(scope="session")
def empty_lake(tmp_path_factory):
    """A lake with the data sets' tables and no rows, to be copied: quicker than to make one for each test."""
    folder = tmp_path_factory.mktemp("empty") / "lake"
    lake_at(str(folder)).close()
    return folder


@pytest.fixture
def new_lake(empty_lake, tmp_path):
    """Makes the lake of a name, and says where it lies, as tasks are given it."""

    def make(name):
        return str(shutil.copytree(empty_lake, tmp_path / name))

    return make


@pytest.fixture
def path(new_lake):
    """Where the lake of a test lies."""
    return new_lake("lake")


@pytest.fixture
def lake(path):
    """The lake of a test, with the data sets' tables."""
    return lake_at(path)
