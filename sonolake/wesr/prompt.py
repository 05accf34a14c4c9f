"""What a model that hears is asked for: a transcript with the tags of the taxonomy."""

from __future__ import annotations

from sonolake.ids import sha256_hex
from sonolake.wesr.taxonomy import TAGS

_WRITE = """\
Write down what is said in the recording, word for word, in the language spoken, and mark the vocal events you hear."""
_MARK = """\
You get what is said in a recording, with the recording or with what was heard in it and when. Mark the vocal events in
the transcript: put marks in and change nothing else, no word and no sign. Without a transcript, write it first."""
_FRAME = """\
{task}

Events that happen at one point. Put the mark where it happens, between two words, or before or after all of them:
{discrete}

Ways of speaking. Open the mark before the first word spoken that way and close it after the last one:
{continuous}

Mark only what can be heard. Use these marks and no others, and never describe a sound in other words. Many recordings
have no event: then give the transcript alone. Answer with the transcript and nothing else.

Two answers as they should look:
[inhale] I think somebody is at the door. [laughs] No, it is the cat.
<whispering> Don't turn around. </whispering> He is right behind you.
"""


def prompt() -> str:
    """The instruction for a transcript with marks, the same for every recording."""
    return _framed(_WRITE)


def marking_prompt() -> str:
    """The instruction for marks in a transcript that is there."""
    return _framed(_MARK)


def _framed(task: str) -> str:
    return _FRAME.format(
        task=task,
        discrete="\n".join(f"- {t.text} {t.meaning}" for t in TAGS if t.form == "discrete"),
        continuous="\n".join(
            f"- {t.text} words {t.closing} {t.meaning}" for t in TAGS if t.form == "continuous"
        ),
    )


def prompt_id() -> str:
    """Twelve digits of the instruction's hash: answers to different instructions are not mixed."""
    return sha256_hex(prompt().encode())[:12]
