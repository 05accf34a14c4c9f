"""Whose words they are: the owner's first person in a partner's mouth, and in a report about both.

"my brother" becomes "your brother" and "their brother", "I'd have to" becomes "you'd have to" and "they'd have to".
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_WORDS = "I am|I was|am I|was I|I'm|I'd|I'll|I've|I|me|my|mine|myself|we're|we've|we'd|we'll|we|us|our|ours|ourselves"
_FIRST = re.compile(rf"\b({_WORDS})\b(?!')", re.IGNORECASE)


def _forms(subject: str, thing: str, own: str, owns: str, self_: str) -> Mapping[str, str]:
    return {
        "i am": f"{subject} are",
        "i was": f"{subject} were",
        "am i": f"are {subject}",
        "was i": f"were {subject}",
        "i'm": f"{subject}'re",
        "i'd": f"{subject}'d",
        "i'll": f"{subject}'ll",
        "i've": f"{subject}'ve",
        "i": subject,
        "me": thing,
        "my": own,
        "mine": owns,
        "myself": self_,
        "we're": f"{subject}'re",
        "we've": f"{subject}'ve",
        "we'd": f"{subject}'d",
        "we'll": f"{subject}'ll",
        "we": subject,
        "us": thing,
        "our": own,
        "ours": owns,
        "ourselves": self_,
    }


_SECOND = _forms("you", "you", "your", "yours", "yourself")
_THIRD = _forms("they", "them", "their", "theirs", "themselves")


def second_person(phrase: str) -> str:
    """The owner's words as a partner says them to the owner."""
    return _FIRST.sub(lambda match: _SECOND[match.group(1).lower()], phrase)


def third_person(phrase: str) -> str:
    """The owner's words as somebody else reports them."""
    return _FIRST.sub(lambda match: _THIRD[match.group(1).lower()], phrase)
