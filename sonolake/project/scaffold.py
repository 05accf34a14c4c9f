"""``sonolake init --project``: the files of a new repository, from the templates beside this module.

A template's name ends in ``.in``; in its text ``@NAME@`` is the project (``our-sounds``), ``@PACKAGE@`` and ``@TABLE@``
its Python package and table (``our_sounds``), ``@TITLE@`` what a person calls it, ``@VERSION@`` that of sonolake.
"""

from __future__ import annotations

import keyword
import re
import sys
from importlib.metadata import packages_distributions
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from sonolake import __version__
from sonolake.errors import InvalidInput, Refused

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
_RENAMED = {"gitignore": ".gitignore"}


def make_project(folder: Path, name: str = "") -> tuple[str, list[Path]]:
    """Write a new repository into ``folder``.

    Args:
        folder: a new folder, or an empty one (a ``.git`` in it is left alone).
        name: of the project, its package and its data set; that of the folder when left out.

    Returns:
        The package's name, and the files written, from the folder on.

    Raises:
        InvalidInput: for a name that cannot be one.
        Refused: when the folder holds something.
    """
    name = checked_project(name or folder.absolute().name.lower().replace("_", "-").replace(" ", "-"))
    if folder.exists() and (not folder.is_dir() or any(path.name != ".git" for path in folder.iterdir())):
        raise Refused(f"{folder} is not an empty folder: name a new one")
    package = name.replace("-", "_")
    words = {
        "@NAME@": name,
        "@PACKAGE@": package,
        "@TABLE@": package,
        "@TITLE@": name.replace("-", " ").capitalize(),
        "@VERSION@": __version__,
    }
    written = []
    for parts, template in _templates(files("sonolake.project").joinpath("template"), ()):
        path = Path(*(package if part == "package" else part for part in parts))
        text = template.read_text(encoding="utf-8")
        for word, meaning in words.items():
            text = text.replace(word, meaning)
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        written.append(path)
    return package, sorted(written)


def checked_project(name: str) -> str:
    """``name`` if it may name a project.

    Raises:
        InvalidInput: unless it is words of small letters and digits joined by ``-``, and no other package's name.
    """
    if not _NAME.match(name) or len(name) > 40:
        allowed = "up to 40 small letters and digits, words joined by '-', first a letter"
        raise InvalidInput("name of the project", allowed, name)
    package = name.replace("-", "_")
    if keyword.iskeyword(package) or package in sys.stdlib_module_names | {"tests", "banks"}:
        raise InvalidInput("name of the project", "a name that Python does not use itself", name)
    if package in packages_distributions():
        raise InvalidInput("name of the project", "a name that no installed package has", name)
    return name


def _templates(folder: Traversable, parts: tuple[str, ...]) -> list[tuple[tuple[str, ...], Traversable]]:
    """Every template below ``folder``, with its path without ``.in``."""
    found: list[tuple[tuple[str, ...], Traversable]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _templates(entry, (*parts, entry.name))
        elif entry.name.endswith(".in"):
            plain = entry.name.removesuffix(".in")
            found.append(((*parts, _RENAMED.get(plain, plain)), entry))
    return found
