"""The scorers' files, and what they score against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from sonolake.errors import InvalidInput
from sonolake.releases.exports.scorers.assembling import Place, assemble

_ROOM = "sonolake.releases.exports.scorers"
_TAIL = '\n\nif __name__ == "__main__":\n    raise SystemExit(main(sys.argv[1:]))\n'
_FIRST, _LAST = 0x4E00, 0x9FFF
"""The CJK characters that scoring reads."""


@dataclass(frozen=True)
class Scorer:
    """A benchmark's scorer: its file's name, what it is, the module with ``main``, and what stands in for what."""

    file: str
    title: str
    module: str
    instead: Mapping[Place, Place] = field(default_factory=dict)


_HEAD = """{title}

One file that needs Python 3.11 and nothing else, put together from sonolake {version} (Apache-2.0). It prints the
numbers that `{command}` prints, without intervals.

{usage}
"""
_COMMANDS = {
    "cares": "sonolake score cares --resamples 0 --json",
    "rms-aqa": "sonolake score rms-aqa --resamples 0 --json",
    "wesr": "sonolake score wesr --resamples 0 --json",
}
SCORERS: Mapping[str, Scorer] = {
    "cares": Scorer(
        "score_cares.py",
        "Scores answers to the CARES benchmark.",
        f"{_ROOM}.cares",
        {
            ("sonolake.cares.benchmark.summaries", "_scores"): (f"{_ROOM}.cares", "summary_scores"),
            ("sonolake.scoring.bootstrap", "Sums"): (f"{_ROOM}.standing", "Sums"),
        },
    ),
    "rms-aqa": Scorer(
        "score_rms_aqa.py",
        "Scores answers to the two-stage questions of RMS-AQA.",
        f"{_ROOM}.rms_aqa",
        {("sonolake.spatial.benchmark.scoring", "accuracy"): (f"{_ROOM}.standing", "accuracy")},
    ),
    "wesr": Scorer(
        "score_wesr.py",
        "Scores transcripts with vocal events against WESR's references.",
        f"{_ROOM}.wesr",
        {
            ("sonolake.wesr.scoretext", "_reading"): (f"{_ROOM}.wesr", "reading_of"),
            ("sonolake.wesr.worderrors", "word_errors"): (f"{_ROOM}.wesr", "word_errors"),
            ("sonolake.wesr.bootstrap", "Bootstrap"): (f"{_ROOM}.wesr", "NoIntervals"),
            ("sonolake.wesr.bootstrap", "Intervals"): (f"{_ROOM}.wesr", "NoIntervals"),
        },
    ),
}


def scorer(name: str) -> str:
    """The text of a scorer's file.

    Raises:
        InvalidInput: for a benchmark that there is not.
    """
    if name not in SCORERS:
        raise InvalidInput("benchmark", f"one of {', '.join(SCORERS)}", name)
    from sonolake import __version__

    one = SCORERS[name]
    texts = {(one.module, "READINGS"): f"'''\n{readings()}'''"} if name == "wesr" else {}
    usage = f"    {_usage(one.module)}"
    head = _HEAD.format(title=one.title, version=__version__, command=_COMMANDS[name], usage=usage)
    return assemble(head, [(one.module, "main")], one.instead, texts, tail=_TAIL)


def _usage(module: str) -> str:
    import importlib

    return str(importlib.import_module(module).USAGE)


@cache
def readings() -> str:
    """A line a reading of Chinese characters: facts of pypinyin (MIT), as scoring takes them."""
    from pypinyin import lazy_pinyin

    by_reading: dict[str, list[str]] = {}
    for code in range(_FIRST, _LAST + 1):
        reading = str(lazy_pinyin(chr(code))[0])
        if reading != chr(code):
            by_reading.setdefault(reading, []).append(chr(code))
    return "".join(f"{reading} {''.join(by_reading[reading])}\n" for reading in sorted(by_reading))
