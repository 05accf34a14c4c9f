"""What each corpus is: its layout, licence, and what its tags become, tag by tag.

One table a corpus, since one word means different things: NonVerbalSpeech-38K's ``[laughing]`` is a laugh at a point,
the taxonomy's ``<laughing>`` is speech. Names are compared folded (case, blanks, hyphens). ``DROP`` leaves the whole
utterance out, as the paper did with tags outside its taxonomy; ``STRIP`` takes the tag out and keeps the utterance.

Sources: the corpora's papers and cards (NonverbalTTS, NVSpeech-170k, NonVerbalSpeech-38K, SMIIP-NV, SynParaSpeech,
MNV-17); WESR, section 5.1 and table 9. NonverbalTTS's emoji are as programs that read the corpus know them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from sonolake.errors import InvalidInput

DROP, STRIP = "-drop", "-strip"
"""Not tags: what becomes of the utterance, or of the tag alone."""

Layout = Literal["parquet", "webdataset", "jsonl", "lines"]
"""How clips and texts lie: Parquet with the sound inside, tars, JSON lines beside files, lines of text beside files."""
Form = Literal["brackets", "parentheses", "angles", "emoji"]
"""How tags are written in the text."""


@dataclass(frozen=True)
class Corpus:
    """One corpus.

    Attributes:
        name: as it is called on the command line.
        title: as its authors call it.
        licence: SPDX; the strictest where cards differ.
        url: where its authors publish it.
        language: of its clips, where they do not say.
        layout: how it lies.
        columns: our field to theirs: ``text``, and where there are any ``audio``, ``id``, ``speaker``, ``language``;
            of lines the place in the line, from 1.
        forms: how its tags are written.
        tags: their tag, folded, to a tag of the taxonomy, ``DROP`` or ``STRIP``.
        words: interjections that may be taken as words instead of being dropped.
        folders: what the folders around a file of lines say, outermost first.
    """

    name: str
    title: str
    licence: str
    url: str
    language: str
    layout: Layout
    columns: Mapping[str, str]
    forms: tuple[Form, ...]
    tags: Mapping[str, str]
    words: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()


def _dropped(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, DROP)


_INTERJECTIONS = {
    "uhm": "嗯",
    "confirmation_en": "嗯",
    "question_en": "嗯",
    "question_ah": "啊",
    "question_oh": "哦",
    "question_ei": "诶",
    "question_yi": "咦",
    "surprise_ah": "啊",
    "surprise_oh": "哦",
    "surprise_wa": "哇",
    "surprise_yo": "哟",
    "dissatisfaction_hnn": "嗯",
}

_HUB = "https://huggingface.co/datasets"
CORPORA = (
    Corpus(
        "nonverbaltts",
        "NonverbalTTS",
        "CC-BY-NC-SA-4.0",
        f"{_HUB}/deepvk/NonverbalTTS",
        "en",
        "parquet",
        {"text": "Result", "audio": "audio", "id": "index", "speaker": "speaker_id"},
        ("emoji", "brackets"),
        {
            "\U0001f923": "laughs",
            "\U0001f32c": "breathing",
            "\U0001f624": "sigh",
            "\U0001f637": "cough",
            "\U0001f444": "clear_throat",
            **_dropped("\U0001f443", "\U0001f62b", "\U0001f44a", "\U0001f634", "\U0001f927"),
            "laugh": "laughs",
            "breath": "breathing",
            "sigh": "sigh",
            "cough": "cough",
            "throat_clearing": "clear_throat",
            **_dropped("sniff", "groan", "grunt", "snore", "sneeze"),
        },
    ),
    Corpus(
        "nvspeech-170k",
        "NVSpeech-170k",
        "CC-BY-NC-SA-4.0",
        f"{_HUB}/amphion/Emilia-NV",
        "zh",
        "webdataset",
        {"text": "text", "speaker": "speaker", "language": "language"},
        ("brackets", "parentheses"),
        {
            "laughter": "laughs",
            "breathing": "breathing",
            "sigh": "sigh",
            "cough": "cough",
            "crying": "cry",
            **_dropped("shh", *_INTERJECTIONS),
        },
        _INTERJECTIONS,
    ),
    Corpus(
        "nonverbalspeech-38k",
        "NonVerbalSpeech-38K",
        "CC-BY-NC-4.0",
        f"{_HUB}/nonverbalspeech/nonverbalspeech38k",
        "en",
        "parquet",
        {"text": "caption", "audio": "audio", "language": "language"},
        ("brackets", "angles"),
        {
            "laughing": "laughs",
            "breath": "breathing",
            "sigh": "sigh",
            "coughing": "cough",
            "throatclearing": "clear_throat",
            "throat_clearing": "clear_throat",
            "crying": "cry",
            **_dropped("sniff", "gasp", "snore", "yawn"),
        },
    ),
    Corpus(
        "smiip-nv",
        "SMIIP-NV",
        "CC-BY-NC-SA-4.0",
        f"{_HUB}/xunyi/SMIIP-NV",
        "zh",
        "lines",
        {"id": "1", "text": "2"},
        ("brackets",),
        {"laughter": "laughs", "cough": "cough", "crying": "cry"},
        folders=("speaker", "emotion"),
    ),
    Corpus(
        "synparaspeech",
        "SynParaSpeech",
        "CC-BY-NC-ND-4.0",
        f"{_HUB}/shawnpi/SynParaSpeech",
        "zh",
        "lines",
        {"id": "1", "text": "2"},
        ("brackets",),
        {
            "laugh": "laughs",
            "sigh": "sigh",
            "throat_clearing": "clear_throat",
            "throatclearing": "clear_throat",
            "pause": STRIP,
            **_dropped("gasp", "tsk"),
        },
    ),
    Corpus(
        "mnv-17",
        "MNV-17",
        "LicenseRef-unclear",
        f"{_HUB}/maimai11/MNV_17",
        "zh",
        "jsonl",
        {"text": "txt", "audio": "audio", "id": "filename", "speaker": "speaker"},
        ("brackets",),
        {
            "laugh": "laughs",
            "laughing": "laughs",
            "chuckle": "chuckle",
            "chuckling": "chuckle",
            "inhale": "inhale",
            "inhaling": "inhale",
            "exhale": "exhale",
            "exhaling": "exhale",
            "pant": "breathing",
            "panting": "breathing",
            "sigh": "sigh",
            "sighing": "sigh",
            "cough": "cough",
            "coughing": "cough",
            "ahem": "clear_throat",
            "clearing_throat": "clear_throat",
            **_dropped("sneeze", "sneezing", "hum", "humming", "applaud", "applauding", "clap", "clapping"),
            **_dropped("sniffle", "sniffling", "moan", "moaning", "smack", "lip_smacking", "hiss", "hissing"),
            **_dropped("whistle", "whistling"),
        },
    ),
)
"""The six corpora, in the order of the paper's table 1."""

BY_NAME: Mapping[str, Corpus] = MappingProxyType({corpus.name: corpus for corpus in CORPORA})


def corpus_of(name: str) -> Corpus:
    """The corpus of a name.

    Raises:
        InvalidInput: for any other name.
    """
    if name not in BY_NAME:
        raise InvalidInput("corpus", f"one of {', '.join(BY_NAME)}", name)
    return BY_NAME[name]
