"""Pretrained models behind one small interface a role (:mod:`~sonolake.models.base`), each named by a short spec.

``get("yamnet")`` gives the adapter, loaded once a process; ``installed()`` says which of them can run here, and
how to install the others. Nothing is downloaded and no file is written.
"""

from sonolake.models.registry import available, get, installed

__all__ = ["available", "get", "installed"]
