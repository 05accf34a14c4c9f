"""The same of a lake in S3 with its catalog in PostgreSQL."""

import pytest

from sonolake import Lake
from sonolake.releases.finding import find_release
from sonolake.releases.takedown import Target, plan_of, take_down


@pytest.mark.soak
def test_a_lake_of_a_team_is_rid_of_it_too(published_team_lake, tmp_path):
    dog = Target("source", "freesound:1")
    with Lake.open(published_team_lake) as lake:
        done = take_down(lake, dog, "The author asked for it.")
        assert done.gone and (done.media, done.vectors) == (3, 3) and plan_of(lake, dog).finished
        assert done.replaced["demo@1.0.0"] == "demo@1.1.1"
        shards = {e.path for e in lake.storage.entries("releases/demo/1.0.0/data")}
    found = find_release("demo@1.0.0", lambda: published_team_lake)
    withheld = set(found.offered.notice.files)
    assert withheld and not {path.partition("1.0.0/")[2] for path in shards} & withheld
    assert {problem.kind for problem in found.verify()} == {"withheld"}
    assert find_release("demo@1.1.1", lambda: published_team_lake).verify() == []
