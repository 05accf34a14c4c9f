"""Names in the place of PyTorch, for a library that looks them up while it is imported and then can do without.

Whatever is asked of it is a class; called, it gives back what it was given, as a decorator would.
"""

import importlib.abc
import importlib.machinery
import sys
import types
from contextlib import contextmanager


class _Name(type):
    def __getattr__(cls, name):
        return _name(name)

    def __call__(cls, *given, **named):
        return given[0] if given else super().__call__()


def _name(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _Name(name, (), {"ignore_index": -100})


class _Module(types.ModuleType):
    __path__ = ()
    __version__ = "2.0.0"

    def __getattr__(self, name):
        return _name(name)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        return (
            importlib.machinery.ModuleSpec(name, self, is_package=True)
            if name.split(".")[0] == "torch"
            else None
        )

    def create_module(self, spec):
        return _Module(spec.name)

    def exec_module(self, module):
        pass


@contextmanager
def names_of_torch(*users):
    """While it lasts ``torch`` can be imported; afterwards neither it nor the packages that saw it are there."""
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.split(".")[0] in ("torch", *users)]:
            del sys.modules[name]
