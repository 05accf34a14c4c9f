"""``sonolake audition`` without its page."""

import json

from sonolake import Lake


def test_coverage_is_printed_for_people_and_programs(cli, tmp_path):
    with Lake.create(tmp_path / "lake") as lake:
        take = {"asset_id": "a" * 64, "kind": "take", "event": "shared/dog_bark", "licence": "CC0-1.0"}
        lake.table("assets").append([take])
        lake.table("partitions").append([{"item": "a" * 64, "kind": "take", "split": "validation"}])
    rows = json.loads(cli("audition", "--coverage", "--json", lake=tmp_path / "lake").stdout)
    mine = {row["split"]: (row["takes"], row["wanted"]) for row in rows if row["event"] == "shared/dog_bark"}
    assert mine == {"train": (0, 20), "validation": (1, 5), "test": (0, 5)}
    shown = cli("audition", "--coverage", lake=tmp_path / "lake").stdout.splitlines()
    line = next(line.split() for line in shown if line.startswith("shared/dog_bark"))
    assert line == ["shared/dog_bark", "0/20", "1/5", "0/5", "0", "0", "0", "0"]


def test_what_is_asked_for_must_be_clear(cli, tmp_path):
    Lake.create(tmp_path / "lake").close()
    assert "EVENT" in cli("audition", lake=tmp_path / "lake").stderr
    both = cli("audition", "shared/dog_bark", "--coverage", lake=tmp_path / "lake")
    assert both.exit_code == 2
