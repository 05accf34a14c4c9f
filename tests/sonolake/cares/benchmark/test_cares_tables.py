import json
import re

import pytest

from sonolake.cares.benchmark import LiteralMatcher, better_than, score_system
from sonolake.cares.benchmark.tables import as_json, latex, markdown
from sonolake.cares.records import REACTIONS
from sonolake.cli.values import plain


@pytest.fixture(scope="module")
def cards(items, answering, oracle):
    few = {f"scene-{n}" for n in range(60)}
    asked = [i for i in items if i.scene_id in few]
    systems = {
        "oracle_1": oracle,
        "always pivot": lambda i, b: "Two people talk." if i.task == "summary" else "pivot",
        "text & more": lambda i, b: "Two people talk." if b else i.options[0],
    }
    return [
        score_system(name, asked, answering(asked, one), LiteralMatcher(), 100)
        for name, one in systems.items()
    ]


def test_markdown(cards):
    better = {c.system: better_than(c, cards[2], 100) for c in cards[:2]}
    lines = markdown(cards, better).splitlines()
    assert lines[0] == (
        "|  | RC | piv R/P | ver R/P | beh R/P | amb R/P | ASC | AT | Sum. piv | Sum. ver | Sum. beh | Sum. amb |"
    )
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    assert [row[0] for row in cells] == ["oracle_1", "always pivot", "text & more"]
    assert cells[0][1] == "**100.0 ± 0.0** ↑"
    assert cells[0][2] == "100.0 / 100.0"
    assert cells[1][1] == "25.0 ± 0.0"
    assert cells[1][2].startswith("100.0 / ")
    assert cells[1][3] == "0.0 / 0.0 †"
    assert cells[1][6] == "0.0 ± 0.0", "pivot is no place"


def test_latex(cards):
    text = latex(cards, {"oracle_1": frozenset({"scene"})})
    assert text.count(r"\\") == 4
    assert all(line.count(" & ") == 11 for line in text.splitlines() if line.endswith(r"\\"))
    assert r"oracle\_1 & $\mathbf{100.0}_{\pm 0.0}$" in text
    assert r"\textcolor{blue}{$\mathbf{100.0}_{\pm 0.0}$}" in text
    assert r"text \& more" in text
    assert r"\textcolor{red}{0.0 / 0.0}" in text
    assert len(re.findall(r"(?<!\\)[{]", text)) == len(re.findall(r"(?<!\\)[}]", text))


def test_json_holds_fractions_with_intervals(cards):
    data = json.loads(json.dumps(plain(as_json(cards[1]))))
    assert set(data) == {"system", "reactions", "scene", "sounds", "muted", "summary"}
    assert data["reactions"]["overall"] == {"value": 0.25, "low": 0.25, "high": 0.25}
    assert {"n", "missing", "unreadable", "overall", "per_class"} <= set(data["reactions"])
    assert set(data["reactions"]["per_class"]) == set(REACTIONS)
    assert set(data["summary"]) == {"25", "75", "200"}
    assert data["summary"]["25"]["judge"] == "literal matcher (names only)"
    assert data["muted"]["p"] == 1.0


def test_a_system_without_a_task_leaves_its_cells_empty(items, answering, oracle):
    asked = [i for i in items if i.task == "scene"][:50]
    card = score_system("places", items, answering(asked, oracle), LiteralMatcher(), 10)
    row = markdown([card], {}).splitlines()[2]
    assert [cell.strip() for cell in row.strip("|").split("|")][1:6] == [""] * 5
    assert as_json(card)["reactions"] is None
