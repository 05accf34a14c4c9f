"""Writers of dialogues: the embedded grammar, a chat model, a file of somebody else's.

Whoever writes, the checker of :mod:`sonolake.cares.checker` has the last word.
"""

from sonolake.cares.writers.base import Writer
from sonolake.cares.writers.chat import ChatWriter, Written
from sonolake.cares.writers.embedded import EmbeddedWriter
from sonolake.cares.writers.imported import ImportedWriter
from sonolake.cares.writers.planning import Plan, plan_run
from sonolake.cares.writers.situations import chat_templates, import_templates

__all__ = [
    "ChatWriter",
    "EmbeddedWriter",
    "ImportedWriter",
    "Plan",
    "Writer",
    "Written",
    "chat_templates",
    "import_templates",
    "plan_run",
]
