"""A notice of somebody else's release is read with suspicion."""

import json

import pytest

from sonolake.errors import Damaged
from sonolake.releases.notice import parse_notice

NOTICE = {
    "release": "demo@1.0.0",
    "withdrawn": [],
    "items": ["a"],
    "files": ["data/x.parquet"],
    "replaced_by": None,
}


def test_a_notice_says_what_is_withheld():
    notice = parse_notice(json.dumps(NOTICE).encode(), "here")
    assert notice.items == ("a",) and notice.files == ("data/x.parquet",)


@pytest.mark.parametrize("name", ["items", "files"])
def test_a_text_is_no_list_of_letters(name):
    with pytest.raises(Damaged, match=r"here is no notice.*lists"):
        parse_notice(json.dumps(NOTICE | {name: "abc"}).encode(), "here")
