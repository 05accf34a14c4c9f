"""Words that the checker looks for."""

from __future__ import annotations

import re

FILLERS = re.compile(r"\b(uh+|um+|er+|erm+|hm+|mm+)\b", re.IGNORECASE)
MARKS = re.compile(r"[—–;()*]")
"""Dashes, semicolons, parentheses and stage directions: nobody speaks them."""
PHONE = re.compile(
    r"\b(on the phone|over the phone|hang(ing)? up|call(ing)? you back|you('re| are) breaking up|bad line"
    r"|text(ing)? me|voicemail)\b",
    re.IGNORECASE,
)
"""The two are in one place: nobody talks as on a telephone."""
WORN = re.compile(
    r"\b(at the end of the day|it is what it is|tell me about it|long story short|fair enough|you know what"
    r"|to be honest|a whole new level|easier said than done)\b",
    re.IGNORECASE,
)
"""Nine phrasings that written dialogue wears out."""
ABOUT_SOUND = re.compile(
    r"\b(nois\w*|sound(s|ed|ing)?|loud(er|ly)?|hear(s|d|ing)?|listen\w*|racket|deafening|quiet(er)?"
    r"|ring(s|ing)?|buzz\w*|bang(s|ing|ed)?|beep\w*|bark\w*|knock(s|ing)?|hum(s|ming)?|rattl\w*|rumbl\w*)\b",
    re.IGNORECASE,
)
"""Words that speak of a sound: never in the reaction to a behavioral event."""
STUMBLE = re.compile(
    r"…|\.\.\.|\b(where was I|say that again|come again|once more|pardon|what was that"
    r"|lost my thread)\b",
    re.IGNORECASE,
)
"""A break that can be read: an ellipsis, or words that look for the thread."""
TAG = re.compile(r"\[([^\]\[]*)\]")
ELLIPSIS = re.compile(r"…|\.\.\.")
