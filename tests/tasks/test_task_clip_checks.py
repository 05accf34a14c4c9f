"""What people and tables make of clips: a rating kit, labels for other programs, answers without listening."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sonolake.cli.app import app
from sonolake.lake.run import running
from sonolake.spatial.dcase import events_of, read
from tasks.clips import answered_blindly
from tasks.contents import content_of
from tasks.contents.checks import checks_of
from tasks.opening import lake_at
from tasks.publishing import publish_release


def called(*arguments):
    result = CliRunner().invoke(app, [*map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(scope="module")
def splits(plain_lake):
    rows = lake_at(str(plain_lake)).rows(
        "SELECT split, list(clip_id) AS ids FROM clips JOIN questions USING (clip_id) WHERE stage = 2 GROUP BY split"
    )
    return {row["split"]: sorted(row["ids"]) for row in rows}


def test_a_kit_of_a_lake_and_what_comes_back(plain_lake, splits, tmp_path):
    split, ids = next(iter(splits.items()))
    page = tmp_path / "kit.html"
    assert f"{len(ids)} clips of {split}" in called(
        "--lake", plain_lake, "validate", "rms-aqa-kit", page, "--split", split
    )
    text = page.read_text(encoding="utf-8")
    kit = json.loads(text.split('type="application/json">')[1].split("</script>")[0])
    assert sorted(one["record_id"] for one in kit["pairs"]) == ids
    rows = lake_at(str(plain_lake)).rows("SELECT clip_id, stage, answer FROM questions")
    key = {(row["clip_id"], row["stage"]): row["answer"] for row in rows}
    files = []
    for rater, doubt in (("ann", False), ("bob", True)):
        ratings = [
            {
                "record_id": name,
                "stage_1": key[name, 1],
                "stage_2": key[name, 2],
                "azimuth_deg": None,
                "doubt": doubt,
            }
            for name in ids
        ]
        files.append(tmp_path / f"{rater}.json")
        data = {"kit_id": kit["kit_id"], "records": ids, "rater": rater, "ratings": ratings}
        files[-1].write_text(json.dumps(data), encoding="utf-8")
    found = json.loads(called("--lake", plain_lake, "validate", "rms-aqa-ratings", *files, "--json"))
    assert found["answers"] == 2 * len(ids)
    assert found["pooled"]["observed"] == 1.0
    assert found["doubted"] == ids
    shown = called("--lake", plain_lake, "validate", "rms-aqa-ratings", files[0])
    assert "the key" in shown
    assert "0 pairs to look at" in shown


@pytest.mark.parametrize("unit", ["cm", "m"])
def test_labels_as_dcase_tables(plain_lake, splits, tmp_path, unit):
    called("--lake", plain_lake, "dcase", tmp_path / "labels", "--unit", unit)
    lake = lake_at(str(plain_lake))
    classes = (tmp_path / "labels/classes.txt").read_text(encoding="utf-8").split("\n")[:-1]
    for split, ids in splits.items():
        for name in ids:
            text = (tmp_path / "labels" / split / f"{name}.csv").read_text(encoding="utf-8")
            rows = lake.rows("SELECT * FROM clip_events WHERE clip_id = ? AND NOT moving", [name])
            found = events_of(read(text, unit), classes)
            for row in rows:
                near = [
                    one
                    for one in found
                    if one.event == row["event"]
                    and abs(one.onset_s - row["onset_s"]) <= 0.051
                    and abs(one.distance_m - row["distance_m"]) <= 0.006
                ]
                assert near, row


def test_the_release_and_the_flow_say_what_can_be_answered_without_listening(plain_lake, splits):
    lake = lake_at(str(plain_lake))
    content = content_of(lake, "tiny", "0.2.0", "2026-11-30", lake.snapshot)
    blind = [check for check in content.checks if check.title.startswith("Answers without listening")]
    assert {check.title for check in blind} == {f"Answers without listening, {split}" for split in splits}
    for check in blind:
        assert check.head[:2] == ("Answers without listening, %", "S1")
        assert {row[0] for row in check.rows} >= {
            "chance",
            "always A",
            "longest option",
            "most frequent answer",
            "text-only reader",
        }
        assert "`1 %` for all of them together" in check.verdict
    said = answered_blindly(str(plain_lake))
    assert f"| questions | {sum(map(len, splits.values()))} |" in said
    assert checks_of([config for config in content.configs if config.name != "rms-aqa"]) == ()


def test_a_release_says_what_a_model_reaches_that_heard_nothing(own_lake, splits, tmp_path):
    """It says always A; the release counts how often that is right, by its own proof, too."""
    split = next(iter(splits))
    lake = lake_at(str(own_lake))
    asked = lake.rows(
        "SELECT question_id, stage, q.answer FROM questions q JOIN clips USING (clip_id) WHERE split = ?",
        [split],
    )
    lines = tmp_path / "text-only.jsonl"
    lines.write_text(
        "".join(
            json.dumps({"question_id": q["question_id"], "answer": "Final answer: (A)"}) + "\n" for q in asked
        )
    )
    given = (
        "--lake",
        own_lake,
        "validate",
        "rms-aqa-text-only",
        f"Model-7={lines}",
    )
    assert called(*given) == f"Model-7: {len(asked)} new answers, 0 there already\n"
    assert called(*given) == f"Model-7: 0 new answers, {len(asked)} there already\n"
    with running(lake, "tests", {}) as run:
        published = publish_release.fn(str(own_lake), run.run_id, "told", "0.1.0", "2026-11-30")
    report = next(Path(published.place).glob("report.html")).read_text("utf-8")
    right = [q["answer"] == "A" for q in asked if q["stage"] == 1]
    assert "text-only model Model-7" in report and f"{100 * sum(right) / len(right):.1f}" in report
