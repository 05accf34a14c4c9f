"""Speech of the web as a source: lists of addresses and podcast feeds, downloaded with their hosts' consent.

Nothing here writes to a lake.
"""

from __future__ import annotations

from sonolake.sources.web.catalogue import Web
from sonolake.sources.web.lists import Entry, read_list
from sonolake.sources.web.settings import PREFIX, WebSettings, require_web

__all__ = ["PREFIX", "Entry", "Web", "WebSettings", "read_list", "require_web"]
