"""``sonolake annotate``: projects from files and lakes, and what comes out of them."""

import json

import pytest

from sonolake import Lake
from sonolake.lake.spec import Column, TableSpec
from sonolake.wesr.annotation.editing import Marks
from sonolake.wesr.annotation.store import Project


def lines(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def project(cli, tmp_path):
    """Two tasks, one of them done by two annotators and adjudicated."""
    rows = [
        {"id": n, "audio": {"path": f"{n}.wav"}, "text": text}
        for n, text in (("a", "one two"), ("b", "三四"))
    ]
    lines(tmp_path / "tasks.jsonl", rows)
    lines(tmp_path / "gold.jsonl", [{"id": "g", "audio": {"path": "g.wav"}, "gold": "no [laughs] way"}])
    made = cli(
        "annotate", "new", "p.sqlite", "--tasks", "tasks.jsonl", "--gold", "gold.jsonl", "--threshold", 0.5
    )
    assert made.stdout == "p.sqlite: 2 tasks, 1 gold items\n"
    with Project(tmp_path / "p.sqlite") as opened:
        assert (opened.meta("audio"), opened.meta("threshold")) == (str(tmp_path), "0.5")
        for rater, gap in (("ann", 1), ("ben", 2)):
            opened.act(rater, "a", "done", Marks(((gap, "laughs"),)), done=True, base=0)
        opened.act("ann", "b", "insert", Marks(((0, "sigh"),)), done=False, base=0)
        opened.act("eva", "a", "done", Marks(((1, "laughs"),)), done=True, base=0, role="adjudicator")
    return "p.sqlite"


def test_what_is_done_comes_out(cli, project):
    rows = [json.loads(line) for line in cli("annotate", "export", project).stdout.splitlines()]
    assert rows == [
        {"id": "a", "audio": {"path": "a.wav"}, "sentence": "one [laughs] two", "annotator": "ann"},
        {"id": "a", "audio": {"path": "a.wav"}, "sentence": "one two [laughs]", "annotator": "ben"},
    ]
    (gold,) = map(json.loads, cli("annotate", "export", project, "--gold").stdout.splitlines())
    assert (gold["sentence"], gold["annotator"]) == ("one [laughs] two", "eva")


def test_gold_texts_are_references(cli, project, tmp_path):
    (tmp_path / "gold-texts.jsonl").write_text(cli("annotate", "export", project, "--gold").stdout)
    (tmp_path / "answers.jsonl").write_text(
        '{"audio": {"path": "x/a.wav"}, "sentence": "one [laughs] two"}\n'
    )
    named = ("--reference", "gold-texts.jsonl", "--hypothesis", "answers.jsonl", "--json")
    assert json.loads(cli("score", "wesr", *named).stdout)["micro"]["f1"] == 1.0


def test_agreement(cli, project):
    shown = cli("annotate", "agreement", project).stdout
    assert shown.startswith("2 annotators, 1 tasks done by two or more of them")
    found = json.loads(cli("annotate", "agreement", project, "--json").stdout)
    # three gaps: one each alone, one without; observed 1/3, expected 5/9
    assert found["per_tag"]["laughs"] == pytest.approx((1 / 3 - 5 / 9) / (1 - 5 / 9))
    assert found["per_tag"]["sigh"] is None


def test_label_studio_there_and_back(cli, project, tmp_path):
    exported = cli("annotate", "export", project, "--label-studio")
    assert "<TextArea" in exported.stderr
    (tmp_path / "ls.json").write_text(exported.stdout)
    cli("annotate", "new", "q.sqlite", "--tasks", "ls.json", "--label-studio")
    assert cli("annotate", "import", "q.sqlite", "ls.json").stdout == "2 taken, 0 not taken\n"
    again = cli("annotate", "import", "q.sqlite", "ls.json")
    assert again.exit_code == 0, "the same once more is no conflict"
    half = exported.stdout.replace("one [laughs] two", "one [lau two")
    (tmp_path / "half.json").write_text(half)
    cli("annotate", "new", "r.sqlite", "--tasks", "ls.json", "--label-studio")
    result = cli("annotate", "import", "r.sqlite", "half.json")
    assert (result.exit_code, result.stdout) == (1, "1 taken, 1 not taken\n")
    assert "a, ann: not taken" in result.stderr


def test_a_lake_gives_tasks_and_keeps_judgements(cli, tmp_path):
    names = ("utterance_id", "audio", "transcript", "language", "words")
    text = [Column(name, "VARCHAR", name) for name in names]
    place = [Column(name, "DOUBLE", name) for name in ("start_s", "end_s")]
    with Lake.create(tmp_path / "lake") as lake:
        lake.declare(
            TableSpec("utterances", (*text, *place), ("utterance_id",), "utterances"),
            TableSpec("candidates", (text[0], Column("tag", "VARCHAR", "tag")), (), "candidates"),
        )
        rows = [(f"u{n}", "ab" * 32, words) for n, words in enumerate(["one two", "three", None, "four"])]
        lake.table("utterances").append(
            [
                {
                    "utterance_id": u,
                    "audio": a,
                    "transcript": t,
                    "language": "en",
                    "start_s": 5.0,
                    "end_s": 7.0,
                }
                for u, a, t in rows
            ]
        )
        heard = [
            {"text": " One,", "start_s": 0.2, "end_s": 0.6},
            {"text": "too", "start_s": 0.8, "end_s": 1.0},
        ]
        lake.table("utterances").merge(
            [
                {**row, "words": json.dumps(heard)}
                for row in lake.rows("FROM utterances WHERE utterance_id = 'u0'")
            ]
        )
        lake.table("candidates").append([{"utterance_id": f"u{n}", "tag": "cough"} for n in (0, 1, 2)])
    assert cli("annotate", "new", "p.sqlite", "--lake", "lake").stdout.startswith("p.sqlite: 2 tasks")
    with Project(tmp_path / "p.sqlite") as project:
        assert {(task.name, task.audio) for task in project.tasks} == {
            (f"u{n}", "media:" + "ab" * 32) for n in (0, 1)
        }
        # "one" is where it was heard; "two", heard as another word, has the rest of the 2 s; nobody heard "three".
        assert {t.name: t.times for t in project.tasks} == {"u0": ((0.2, 0.6), (0.6, 2.0)), "u1": ()}
        assert "cough" not in (tmp_path / "p.sqlite").read_bytes().decode("latin-1")
        project.act("ann", "u0", "done", Marks(((1, "cough"),)), done=True, base=0)
        project.act("eva", "u0", "done", Marks(), done=True, base=0, role="adjudicator")
    assert (
        cli("annotate", "collect", "p.sqlite", "--lake", "lake").stdout
        == "2 new judgements, 0 there already\n"
    )
    assert (
        cli("annotate", "collect", "p.sqlite", "--lake", "lake").stdout
        == "0 new judgements, 2 there already\n"
    )
    with Lake.open(tmp_path / "lake", read_only=True) as lake:
        found = lake.rows("SELECT item, question, answer, rater FROM judgements ORDER BY question")
    assert [tuple(row.values()) for row in found] == [
        ("u0", "wesr:annotation", "one [cough] two", "ann"),
        ("u0", "wesr:gold", "one two", "eva"),
    ]
    nothing = cli("annotate", "new", "q.sqlite", "--lake", "lake", "--where", "language = 'zh'")
    assert (nothing.exit_code, "no transcripts" in nothing.stderr) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["new", "x.sqlite"], "give --tasks FILE"),
        (["new", "x.sqlite", "--tasks", "tasks.jsonl", "--gold", "tasks.jsonl"], "needs a gold text"),
        (["new", "p.sqlite", "--tasks", "tasks.jsonl"], "is there already"),
        (["serve", "none.sqlite"], "no annotation project"),
        (["serve", "p.sqlite", "--audio", "nowhere"], "no folder nowhere"),
        (["import", "p.sqlite", "none.json"], "no export"),
        (["agreement", "tasks.jsonl"], "another file"),
    ],
)
def test_mistakes_of_the_caller(cli, project, arguments, message):
    result = cli("annotate", *arguments)
    assert result.exit_code != 0
    assert message in " ".join(result.stderr.replace("│", " ").split())
