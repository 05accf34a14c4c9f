"""Chat models behind endpoints: OpenAI-compatible ones and Anthropic.

:func:`chat_model` gives the model that a spec names; an :class:`Asker` puts a memory, a pace and a budget before it.
"""

from sonolake.models.chat.asking import Answers, Asker, InMemory
from sonolake.models.chat.messages import Answer, Ask, BatchModel, ChatModel, Message
from sonolake.models.chat.pacing import Pacer
from sonolake.models.chat.specs import chat_model
from sonolake.models.chat.spending import Meter, Price, Spent, estimate

__all__ = [
    "Answer",
    "Answers",
    "Ask",
    "Asker",
    "BatchModel",
    "ChatModel",
    "InMemory",
    "Message",
    "Meter",
    "Pacer",
    "Price",
    "Spent",
    "chat_model",
    "estimate",
]
