"""What runs did, told to other tools as OpenLineage run events: START, then exactly one COMPLETE, FAIL or ABORT.

Events lie in the lake as lines of JSON, and go to an HTTP endpoint where one is configured. Nothing of it stops a run.
"""

from sonolake.lake.openlineage.telling import told

__all__ = ["told"]
