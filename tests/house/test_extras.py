"""Three sizes of an installation: every package is in the one that its use asks for, and what lacks is said."""

import ast
import functools
import importlib.metadata
import sys
import tomllib
from pathlib import Path

import pytest
import typer
from packaging.requirements import Requirement
from typer.testing import CliRunner

from sonolake.cli.group import Commands
from sonolake.errors import MissingPackage
from sonolake.extras import EXTRA_OF, require

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
FROM_CARRIERS = {"torch", "transformers", "huggingface_hub"}
"""Imported on request only; how they are installed depends on the machine."""


def named(requirements):
    return {Requirement(text).name.lower().replace("_", "-") for text in requirements}


installed = functools.cache(importlib.metadata.packages_distributions)


def distributions(module):
    """The installed distributions that bring a module."""
    return {name.lower().replace("_", "-") for name in installed()[module]}


@pytest.mark.parametrize(("module", "extra"), EXTRA_OF.items())
def test_the_extra_that_is_named_brings_the_package(module, extra):
    brought = named(PROJECT["optional-dependencies"][extra])
    if module == "botocore":
        module = "boto3"
    assert distributions(module) & brought
    assert not distributions(module) & named(PROJECT["dependencies"])


def imported():
    """Top-level modules that the wheel imports anywhere, with one file that does."""
    found = {}
    for path in sorted((ROOT / "sonolake").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module]
                if isinstance(node, ast.ImportFrom) and node.module
                else []
            )
            found |= {name.partition(".")[0]: str(path.relative_to(ROOT)) for name in names}
    return found


def test_whatever_the_wheel_imports_comes_with_it_or_with_an_extra():
    base = named(PROJECT["dependencies"])
    indirect = {"click", "urllib3", "botocore"}
    known = set(EXTRA_OF) | sys.stdlib_module_names | {"sonolake"} | FROM_CARRIERS | indirect
    others = {module: path for module, path in imported().items() if module not in known}
    assert {m: p for m, p in others.items() if not distributions(m) & base} == {}


def test_a_command_that_needs_more_says_what_to_install(monkeypatch):
    app = typer.Typer(cls=Commands)
    monkeypatch.setitem(sys.modules, "scipy", None)

    @app.command("measure")
    def measure():
        import scipy  # noqa: F401

    @app.command("broken")
    def broken():
        import no_such_module  # noqa: F401

    result = CliRunner().invoke(app, ["measure"])
    assert result.exit_code == 1
    assert result.stderr == (
        "sonolake: sonolake measure needs the package 'scipy', which is not installed: pip install 'sonolake[lake]'\n"
    )
    assert isinstance(CliRunner().invoke(app, ["broken"]).exception, ModuleNotFoundError)


def test_a_package_is_asked_for_before_work_begins(monkeypatch):
    require("scipy", "measuring")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingPackage, match=r"measuring needs the package 'av'.*sonolake\[lake\]"):
        require("av", "measuring")
