"""One file from functions of several modules: what they use of ours comes along, with one name each.

The modules' sources are read, not run. From the asked-for functions on, every top-level name that is used is taken over
in the order in which names are needed; where two modules use one name, the later one is called after its module.
Comments are lost, docstrings stay. What must not come along is put in another's place by ``instead``.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from sonolake.errors import InvalidInput

OURS = "sonolake"
_APART = "\n\n"
Place = tuple[str, str]
"""A module and a top-level name in it; an empty name is the module itself."""


def assemble(
    head: str,
    roots: Sequence[Place],
    instead: Mapping[Place, Place] | None = None,
    texts: Mapping[Place, str] | None = None,
    opening: str = "",
    tail: str = "",
) -> str:
    """The text of one module with these names and all that they use.

    Args:
        head: its docstring.
        roots: what is asked for; these keep their names.
        instead: a place to be taken for another.
        texts: constants whose value is this text.
        opening: what stands before all that is taken over; tail: what stands at the end.

    Raises:
        InvalidInput: when something of another package is used, or is not there.
    """
    work = _Assembly(dict(instead or {}), dict(texts or {}))
    for place in roots:
        work.taken[place[1]] = place
    for place in roots:
        work.need(place)
    imports = "\n".join(_import_line(*one) for one in sorted(work.imports.items()))
    body = work.parts[0] + "".join(
        f"\n{'' if _is_line(one) and _is_line(other) else _APART}{other}"
        for one, other in pairwise(work.parts)
    )
    return f'"""{head}"""\n\nfrom __future__ import annotations\n\n{imports}\n{opening}\n\n{body}\n{tail}'


@dataclass
class _Module:
    """The top of a module: what each name is, and what it imports."""

    name: str
    path: Path

    @cached_property
    def body(self) -> list[ast.stmt]:
        return ast.parse(self.path.read_text(encoding="utf-8")).body

    @cached_property
    def names(self) -> dict[str, ast.stmt]:
        found: dict[str, ast.stmt] = {}
        for node in self.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found[node.name] = node
            elif isinstance(node, ast.Assign):
                found |= {t.id: node for t in node.targets if isinstance(t, ast.Name)}
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found[node.target.id] = node
        return found

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        """Alias to module and name in it; the name is empty for ``import x``."""
        found: dict[str, tuple[str, str]] = {}
        for node in self.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                found |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
            elif isinstance(node, ast.Import):
                found |= {alias.asname or alias.name: (alias.name, "") for alias in node.names}
        return found


@dataclass
class _Assembly:
    instead: dict[Place, Place]
    texts: dict[Place, str]
    taken: dict[str, Place] = field(default_factory=dict)
    made: dict[Place, str] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    imports: dict[str, set[str]] = field(default_factory=dict)
    modules: dict[str, _Module] = field(default_factory=dict)

    def need(self, place: Place) -> str:
        """What is at a place is called so; it is taken over with all that it uses."""
        place = self.instead.get(place, place)
        if place in self.made:
            return self.made[place]
        module = self._module(place[0])
        if place[1] in module.imported and place[1] not in module.names:
            return self.need(module.imported[place[1]])
        if place[1] not in module.names:
            raise InvalidInput(
                f"{place[0]}.{place[1]}", "a function, class or constant at the top", "nothing"
            )
        name = self.made[place] = self._name(place)
        node = module.names[place[1]]
        if place in self.texts:
            self.parts.append(f"{name} = {self.texts[place]}")
            return name
        renamed = _Renaming(self, module).visit(ast.parse(ast.unparse(node)))
        _call(renamed.body[0], place[1], name)
        self.parts.append(ast.unparse(renamed))
        return name

    def reached(self, module: _Module, name: str) -> str | None:
        """What the global ``name`` of a module is called here; None when it is none of ours."""
        if name in module.names:
            return self.need((module.name, name))
        if name not in module.imported:
            return None
        source, inner = module.imported[name]
        if source.partition(".")[0] == OURS:
            return None if self.is_module(source, inner) else self.need((source, inner))
        self._import(source, inner, name)
        return None

    def is_module(self, source: str, inner: str) -> bool:
        """Whether ``from source import inner`` gives a module."""
        try:
            return importlib.util.find_spec(f"{source}.{inner}") is not None
        except ModuleNotFoundError:
            return False

    def _import(self, source: str, inner: str, alias: str) -> None:
        import sys

        if source.partition(".")[0] not in sys.stdlib_module_names:
            raise InvalidInput("import", "the standard library", f"{source}.{inner}")
        named = inner or source
        renamed = named if named == alias else f"{named} as {alias}"
        self.imports.setdefault(source if inner else "", set()).add(renamed)

    def _name(self, place: Place) -> str:
        module, name = place
        if self.taken.get(name, place) != place or name in dir(builtins):
            name = f"_{module.rpartition('.')[2]}_{name.lstrip('_')}"
        self.taken[name] = place
        return name

    def _module(self, name: str) -> _Module:
        if name not in self.modules:
            spec = importlib.util.find_spec(name)
            if spec is None or spec.origin is None:
                raise InvalidInput("module", "one of ours", name)
            self.modules[name] = _Module(name, Path(spec.origin))
        return self.modules[name]


class _Renaming(ast.NodeTransformer):
    """Globals of a module under their new names; what a function binds itself is left alone."""

    def __init__(self, work: _Assembly, module: _Module) -> None:
        self.work, self.module = work, module
        self.bound: list[set[str]] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function, whose arguments and variables are its own."""
        node.decorator_list = [self.visit(one) for one in node.decorator_list]
        node.args.defaults = [self.visit(one) for one in node.args.defaults]
        self.bound.append(_bound(node))
        self.generic_visit(node)
        self.bound.pop()
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """A lambda, likewise."""
        self.bound.append({one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)})
        self.generic_visit(node)
        self.bound.pop()
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """``module.name`` of a module of ours becomes the name alone."""
        if isinstance(node.value, ast.Name) and not self._is_bound(node.value.id):
            source, inner = self.module.imported.get(node.value.id, ("", ""))
            if source.startswith(OURS) and inner and self.work.is_module(source, inner):
                return ast.Name(self.work.need((f"{source}.{inner}", node.attr)), node.ctx)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A name that is read."""
        if not self._is_bound(node.id) and isinstance(node.ctx, ast.Load):
            return ast.Name(self.work.reached(self.module, node.id) or node.id, node.ctx)
        return node

    def _is_bound(self, name: str) -> bool:
        return any(name in names for names in self.bound)


def _import_line(source: str, names: set[str]) -> str:
    """``import`` lines of modules (``source`` is empty), or one of names from a module."""
    if not source:
        return "\n".join(f"import {name}" for name in sorted(names))
    return f"from {source} import {', '.join(sorted(names))}"


def _is_line(part: str) -> bool:
    return not part.startswith(("def ", "class ", "@"))


def _bound(node: ast.FunctionDef) -> set[str]:
    names = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    return names | {
        one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }


def _call(node: ast.stmt, old: str, name: str) -> None:
    """Give a definition its new name."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        node.name = name
        return
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    for target in targets:
        if isinstance(target, ast.Name) and target.id == old:
            target.id = name
