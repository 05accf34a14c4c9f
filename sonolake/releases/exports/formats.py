"""All formats by name."""

from __future__ import annotations

from sonolake.errors import InvalidInput
from sonolake.releases.exports.dcase import Dcase
from sonolake.releases.exports.deposit import write_deposit
from sonolake.releases.exports.files import Files
from sonolake.releases.exports.harness import write_tasks
from sonolake.releases.exports.hub_layout import write_layout
from sonolake.releases.exports.jams import Jams
from sonolake.releases.exports.labelstudio import LabelStudio
from sonolake.releases.exports.lhotse import Manifests, Shar
from sonolake.releases.exports.scorers.folder import write_scorers
from sonolake.releases.exports.tables import Audacity, Rttm, SoundEvents
from sonolake.releases.exports.textgrid import TextGrid
from sonolake.releases.exports.webdataset import WebDataset
from sonolake.releases.exports.writer import Format, by_items

_ALL = (
    Format("hf", "a folder for Hugging Face's datasets", write_layout),
    by_items("files", "a folder of sounds with JSON", Files),
    by_items("webdataset", "WebDataset", WebDataset),
    by_items("lhotse", "lhotse", Manifests),
    by_items("lhotse-shar", "lhotse Shar", Shar),
    by_items("textgrid", "Praat TextGrid", TextGrid, sound=False),
    by_items("label-studio", "Label Studio", LabelStudio),
    by_items("dcase", "DCASE CSV", Dcase, sound=False),
    by_items("sed", "a table of sound events", SoundEvents, sound=False),
    by_items("audacity", "Audacity labels", Audacity, sound=False),
    by_items("rttm", "RTTM", Rttm, sound=False),
    by_items("jams", "JAMS", Jams, sound=False),
    Format("lmms-eval", "tasks of lmms-eval", write_tasks),
    Format("zenodo", "documents of a deposit", write_deposit),
    Format("scorers", "scorers as single files", write_scorers),
)
FORMATS = {one.name: one for one in _ALL}


def format_of(name: str) -> Format:
    """The format of that name.

    Raises:
        InvalidInput: when there is none.
    """
    if name not in FORMATS:
        raise InvalidInput("format", f"one of {', '.join(FORMATS)}", name)
    return FORMATS[name]
