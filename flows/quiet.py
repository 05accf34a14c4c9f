"""Prefect's settings for a flow that a person runs from a checkout: offline and quiet. Imported before Prefect."""

from __future__ import annotations

import os

_SETTINGS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
    "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "false",
    "LANCE_LOG": "error",
}

for _name, _value in _SETTINGS.items():
    os.environ.setdefault(_name, _value)
