"""Events to an HTTP endpoint, configured as OpenLineage's own clients are."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable

from sonolake.errors import SonolakeError
from sonolake.lake.openlineage.events import Event

log = logging.getLogger(__name__)
URL, ENDPOINT, KEY = "OPENLINEAGE_URL", "OPENLINEAGE_ENDPOINT", "OPENLINEAGE_API_KEY"
DEFAULT_ENDPOINT = "api/v1/lineage"
TRIES, TIMEOUT_S = 3, 5.0
LONGEST_PAUSE_S = 5.0
"""However long the endpoint asks to wait: a run waits for it."""


def send(event: Event, pause: Callable[[float], object] = time.sleep) -> bool:
    """Send an event where ``OPENLINEAGE_URL`` says, a few times if need be; whether it arrived.

    What goes wrong is logged, without the key, and is nobody's error.
    """
    url = os.environ.get(URL, "")
    if not url:
        return False
    from sonolake.transport import Transport

    key = os.environ.get(KEY, "")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    path = os.environ.get(ENDPOINT, DEFAULT_ENDPOINT).lstrip("/")
    try:
        transport = Transport(url, headers, key, TIMEOUT_S, TRIES, lambda s: pause(min(s, LONGEST_PAUSE_S)))
        try:
            transport.text("POST", f"/{path}", json=event)
        finally:
            transport.close()
    except SonolakeError as error:
        log.warning(
            "the %s event of run %s was not sent: %s", event["eventType"], event["run"]["runId"], error
        )
        return False
    return True
