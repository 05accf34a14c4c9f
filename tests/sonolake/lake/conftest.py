"""Each test owns its lake."""

import pytest

from sonolake import Lake


@pytest.fixture
def lake(tmp_path):
    with Lake.create(tmp_path / "lake") as made:
        yield made
