"""Words that the checker looks for."""

from __future__ import annotations

import re

FILLERS = re.compile(r"\b(uh+|um+|er|erm|h+m+|mm+)\b", re.IGNORECASE)
MARKS = re.compile(r"[—–;()*]|--")
"""Dashes, semicolons, parentheses and stage directions: nobody speaks them."""
NOT_SPEECH = re.compile(r"[^\w\s.,?!'’\"“”‘…\-:%&/$€£°\[\]]|_|\bhttps?:|\bwww\.")
"""What a voice cannot say: emoji, markup, addresses."""
LABEL = re.compile(r"^\s*((?i:speaker|person|voice)\s*\w+|[A-Z]{1,12})\s*:\s")
"""A speaker's name before the words, as in a script."""
PHONE = re.compile(
    r"\b(on the phone|over the phone|hang(ing)? up|call(ing)? you back|you('re| are) breaking up|bad line"
    r"|text(ing)? me|voicemail|bad reception|are you still there|(put|putting) you on (hold|speaker))\b",
    re.IGNORECASE,
)
"""The two are in one place: nobody talks as on a telephone."""
WORN = re.compile(
    r"\b(at the end of the day|it is what it is|tell me about it|long story short|fair enough|you know what"
    r"|to be honest|a whole new level|easier said than done)\b",
    re.IGNORECASE,
)
"""Nine phrasings that written dialogue wears out."""
_IDIOMS = re.compile(
    r"\b(sounds? (good|great|fine|right|fair|perfect|nice|lovely|reasonable|sensible)"
    r"|sounds? like (a|the|you|he|she|it|they|we)\b"
    r"|sound (advice|asleep|as a bell)|of sound mind|heard? (back|from|about|of)\b|hear me out|loud and clear"
    r"|rings? a bell|(give|gave|giving) \w+ a (ring|buzz)|ring(ing)? (me|him|her|them|us|round|up)\b"
    r"|listen to (me|reason|you)|knock (it|that) off)",
    re.IGNORECASE,
)
"""Phrases with a word of sound in them that speak of none."""
_SOUND = re.compile(
    r"\b(nois\w*|sound(s|ed|ing)?|loud(er|ly)?|hear(s|d|ing)?|listen\w*|racket|din|deafening|quiet(er)?"
    r"|ring(s|ing)?|buzz\w*|bang(s|ing|ed)?|beep\w*|bark\w*|knock(s|ing)?|hum(s|ming)?|rattl\w*|rumbl\w*"
    r"|clatter\w*|crash\w*|thud\w*|squeal\w*|screech\w*|whirr?\w*|clang\w*|siren\w*|honk\w*)\b",
    re.IGNORECASE,
)
EXPLAINS = re.compile(
    r"\b(because of (that|the|all)|with (that|all that|all this) going on|made (me|you) jump|startl\w+|distract\w+"
    r"|did you (see|notice|catch) that|what was that(?! (last|bit|part|about|again|word|you|one|name))"
    r"|what('s| is) that(?= noise| over there|[?!])|(hear|understand|talk|think|speak|shout)\b[^.?!]{0,15}"
    r"\bover (that|the|all|this)|that (scared|frightened|threw) me|what('s| is) going on (out )?(there|here))",
    re.IGNORECASE,
)
"""A cause given for a break, or a question about what happened."""
NOTICES = re.compile(
    r"\b(there (it|he|she|they) (is|are|goe?s?|was)|there goes|here (it|he|she|they) (come|go)e?s?|here comes"
    r"|here we go|not again|what('s| is| was| on earth) (that|it|this|going on)|who('s| is| was) that|that again"
    r"|listen|somebody|someone|what an?|(is|was) that|that('s| is| was) (a|an|the|some|one|my|your|our)|see that"
    r"|goodness|did you (catch|notice))\b",
    re.IGNORECASE,
)
"""Words by which a speaker takes notice of something without naming it."""
STUMBLE = re.compile(
    r"…|\.\.\.|\b(where (was I|were we|did I get to)|say that again|(come again|once more)(?=\?|,? please)|pardon"
    r"|lost (my|the) (thread|place|train of thought)|what was I (saying|going to say)|sorry, what"
    r"|(missed|didn't (get|catch)) (that|the (last|end|rest|first))|what was that (last|bit|part|about|you)"
    r"|let me (start (again|over)|(try|say) that again)|scratch that)\b",
    re.IGNORECASE,
)
"""A break that can be read: an ellipsis, or words that look for the thread."""
TAG = re.compile(r"\[([^\]\[]*)\]")
ELLIPSIS = re.compile(r"…|\.\.\.")
_WORD = re.compile(r"[^\W\d_]+")


def about_sound(text: str) -> str | None:
    """The first word of ``text`` that speaks of a sound, idioms left out, in lower case; None where there is none."""
    match = _SOUND.search(_IDIOMS.sub(" ", TAG.sub(" ", text)))
    return match.group(0).lower() if match else None


def words_of(text: str) -> frozenset[str]:
    """The words of ``text`` outside its tags, in lower case."""
    return frozenset(_WORD.findall(TAG.sub(" ", text).lower()))


def forms(word: str) -> frozenset[str]:
    """``word`` and its regular inflections, as ``words_of`` gives them."""
    stem = word[:-1] if word.endswith("e") else word
    doubled = word + word[-1]
    endings = {word + "s", word + "es", stem + "ing", stem + "ed", doubled + "ing", doubled + "ed"}
    return frozenset({word, *endings, *({word[:-1] + "ies"} if word.endswith("y") else ())})
