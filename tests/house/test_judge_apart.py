"""The embedded judge of CARES dialogues shares no code, bank or lexicon with who writes and who checks them."""

import ast
import json
import re
from pathlib import Path

from sonolake.cares.banks import default_banks
from sonolake.serial import plain

ROOT = Path(__file__).parents[2]
VALIDATION = "sonolake.cares.validation"
JUDGE = ("rule_judge", "judges", "rated")
"""The judge, and what it is allowed to know of sonolake."""
ALIKE = 4
"""So many words in a row are a phrase taken over."""


def source(name):
    return (ROOT / "sonolake" / "cares" / "validation" / f"{name}.py").read_text(encoding="utf-8")


def strings(node):
    return [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def test_it_imports_nothing_but_what_a_judge_is():
    allowed = {f"{VALIDATION}.{name}" for name in JUDGE}
    for name in JUDGE:
        for node in ast.walk(ast.parse(source(name))):
            if isinstance(node, ast.Import):
                assert not [a.name for a in node.names if a.name.startswith("sonolake")]
            if isinstance(node, ast.ImportFrom) and node.module.startswith("sonolake"):
                assert node.module in allowed, f"{name} imports {node.module}"


def test_it_opens_no_file():
    for name in JUDGE:
        tree = ast.parse(source(name))
        called = {n.func for n in ast.walk(tree) if isinstance(n, ast.Call)}
        names = {f.id if isinstance(f, ast.Name) else getattr(f, "attr", "") for f in called}
        assert not names & {"open", "read_text", "read_bytes", "files", "import_module", "__import__"}


def test_it_knows_no_phrase_of_the_bank():
    """Its patterns are read as words in a row; alternatives are told apart."""
    banks = default_banks()
    bank = " ".join(re.findall(r"[a-z']+", json.dumps(plain(banks.lines)).lower()))
    tree = ast.parse(source("rule_judge"))
    for text in strings(tree):
        for part in re.split(r"[|(){}\[\]^$.*+\\]", text.lower()):
            words = re.findall(r"[a-z']+", part)
            if " " in part.strip() and len(words) < 20:
                for i in range(len(words) - ALIKE + 1):
                    phrase = " ".join(words[i : i + ALIKE])
                    assert f" {phrase} " not in f" {bank} ", phrase


def test_it_knows_no_sound_by_name():
    text = " ".join(strings(ast.parse(source("rule_judge"))))
    known = {event_id.partition("/")[2] for event_id in default_banks().sounds}
    assert not [name for name in known if "_" in name and name in text]
