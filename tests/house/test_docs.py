"""What the guides name is there: files, headings, commands, options, reasons; and their example of a step runs."""

import json
import re
import shlex
import subprocess
import sys
import xml.dom.minidom
from pathlib import Path

import numpy as np
import pytest

from sonolake import Lake
from sonolake.audio.encode import wav_bytes
from sonolake.splits import LedgerRow, to_table

ROOT = Path(__file__).parents[2]
GUIDES = sorted((ROOT / "docs").glob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md", *GUIDES]
CALL = re.compile(r"\b(sonolake|python -m flows)((?: --[a-z-]+ \S+)*) ([a-z][a-z-]+)\b")
COMMANDS = """
import json, typer.main
from sonolake.cli.app import app as sonolake
from flows.__main__ import app as flows
def options(command):
    own = {o for p in command.params for o in [*p.opts, *p.secondary_opts] if o.startswith("-")}
    return sorted(own.union(*(options(below) for below in getattr(command, "commands", {}).values())))
def of(app):
    group = typer.main.get_command(app)
    return {None: options(group)} | {name: options(command) for name, command in group.commands.items()}
print(json.dumps({"sonolake": of(sonolake), "python -m flows": of(flows)}))
"""


def text(page):
    return page.read_text(encoding="utf-8")


def blocks(page, language):
    """The fenced blocks of a language ("" for shell lines)."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text(page), re.MULTILINE | re.DOTALL)
    return [block for name, block in found if name == language]


def code(page):
    """Shell blocks and code spans, line by line."""
    lines = [line for block in blocks(page, "") for line in block.splitlines()]
    prose = re.sub(r"^```.*?^```$", "", text(page), flags=re.MULTILINE | re.DOTALL)
    return lines + re.findall(r"`([^`\n]+)`", prose)


def anchors(page):
    headings = re.findall(r"^#+ (.+)$", text(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.fixture(scope="module")
def commands():
    """Options by command, of both command lines; in a process of its own, as flows set Prefect's environment."""
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", text(page)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        place = (page.parent / path) if path else page
        assert place.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(place), f"{page.name} links to {target}"


def test_the_readme_links_to_every_guide_and_to_nothing_outside():
    assert [guide.name for guide in GUIDES if f"(docs/{guide.name})" not in text(ROOT / "README.md")] == []
    assert [page.name for page in PAGES if "../shared" in text(page)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_named_exist(page, commands):
    named = {(program, command) for line in code(page) for program, _, command in CALL.findall(line)}
    assert {(p, c) for p, c in named if c not in commands[p]} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_that_are_named_exist(page, commands):
    for block in blocks(page, ""):
        for line in block.splitlines():
            for part in line.partition(" #")[0].split("|"):
                call = CALL.search(part)
                if call:
                    before, after = call[2], part[call.end() :]
                    known = {
                        **dict.fromkeys(commands[call[1]]["null"]),
                        **dict.fromkeys(commands[call[1]][call[3]]),
                    }
                    given = [
                        w
                        for w in shlex.split(f"{before} {after.replace('$(', '')}".rstrip(")"))
                        if w.startswith("-")
                    ]
                    assert [w for w in given if w not in known and w != "-"] == [], part


def test_every_command_is_in_some_guide(commands):
    said = {(p, c) for page in PAGES for line in code(page) for p, _, c in CALL.findall(line)}
    missing = {(p, c) for p, of in commands.items() for c in of if c != "null" and (p, c) not in said}
    assert missing - {("python -m flows", "demo")} == set(), "demo is `make demo`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_are_python(page):
    for block in blocks(page, "python"):
        compile(block, page.name, "exec")


def test_every_reason_of_intake_is_explained():
    explained = set(re.findall(r"^\| `(\w+)` \|", text(ROOT / "docs" / "ingest.md"), re.MULTILINE))
    raised = set()
    for room in ("audio", "sources"):
        for path in (ROOT / "sonolake" / room).rglob("*.py"):
            raised |= set(re.findall(r"ItemRefused\(\s*\"(\w+)\"", text(path)))
    assert len(raised) > 10
    assert raised - explained == set()


def test_the_picture_is_well_formed_and_says_what_it_shows():
    root = xml.dom.minidom.parse(str(ROOT / "docs" / "overview.svg")).documentElement
    assert root.getElementsByTagName("title")[0].firstChild.data
    assert root.getElementsByTagName("desc")[0].firstChild.data


@pytest.fixture
def small_lake(tmp_path):
    """``demo-lake`` with three takes, one in each split."""
    rows, ledger = [], []
    with Lake.create(tmp_path / "demo-lake") as lake:
        for hz, split in ((200, "train"), (1000, "validation"), (5000, "test")):
            tone = np.round(8000 * np.sin(2 * np.pi * hz * np.arange(24_000) / 24_000)).astype(np.int16)
            asset_id = lake.media.put(wav_bytes(tone, 24_000))
            facts = {"source_id": f"tone:{hz}", "licence": "CC0-1.0", "duration_s": 1.0, "synthetic": True}
            rows.append(
                {"asset_id": asset_id, "kind": "take", "item": f"{hz}.wav", "title": f"{hz} Hz", **facts}
            )
            ledger.append(LedgerRow(asset_id, "take", f"group-{hz}", split, "batch"))
        lake.table("assets").append(rows)
        lake.table("partitions").append(to_table(ledger))
    return tmp_path / "demo-lake"


def test_the_examples_of_own_data_run(small_lake):
    step, writes, release = blocks(ROOT / "docs" / "own-data.md", "python")

    def run(source):
        command = [sys.executable, "-c", source, small_lake.name]
        done = subprocess.run(command, cwd=small_lake.parent, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "taken=3, done=3, already=0" in run(step)
    assert "taken=3, done=0, already=3" in run(step), "a second run finds nothing to do"
    run(writes)
    assert run(release).strip().endswith("bright/0.1.0")
    with Lake.open(small_lake, read_only=True) as lake:
        found = {
            r["title"]: r["centroid_hz"] for r in lake.rows("FROM brightness JOIN assets USING (asset_id)")
        }
        assert found == {f"{hz} Hz": pytest.approx(hz, rel=0.01) for hz in (200, 1000, 5000)}
        assert lake.rows("SELECT answer, rater FROM judgements") == [{"answer": "4", "rater": "ann"}]
        assert lake.rows("SELECT name, state FROM releases") == [{"name": "bright", "state": "published"}]
