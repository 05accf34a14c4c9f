"""Published corpora with vocal events: clips into the lake, their texts into annotations, a batch a task."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from prefect import task

from schemas import Annotations, CorpusTags, Utterances, valid_rows
from sonolake.datasets.making import make
from sonolake.errors import ItemRefused
from sonolake.lake.catalog import among
from sonolake.lake.step import Counts, Done, Edge, Outcome
from sonolake.sources.intake import Intake
from sonolake.sources.records import Offered, Refusal, SourceItem
from sonolake.wesr.corpora.clips import Clip, Unusable, load
from sonolake.wesr.corpora.converting import Choices, convert
from sonolake.wesr.corpora.tables import Corpus, corpus_of
from sonolake.wesr.utterances import Utterance
from sonolake.wesr.writing import without_tags
from tasks.opening import lake_at, run_of
from tasks.sounds import mono
from tasks.taking import take
from tasks.utterances import cut_out, utterance_id

CODE_VERSION = "1"
STEP = "import-annotations"


@task(persist_result=False)
def import_clips(
    lake: str, run_id: str, corpus: str, clips: Sequence[Clip | Unusable], choices: Choices
) -> Counts:
    """Take one batch of clips in, then their texts as utterances with an annotation."""
    with TemporaryDirectory(prefix="sonolake-corpus-") as folder:
        offered = _offered(corpus_of(corpus), clips, choices, Path(folder))
        take(lake, run_id, Intake("speech", licence=corpus_of(corpus).licence), offered)
    return _annotate(lake, run_id, [one.item for one in offered if isinstance(one, SourceItem)])


@task(persist_result=False)
def count_tags(lake: str, corpus: str, clips: Sequence[Clip | Unusable], choices: Choices) -> None:
    """Keep how often each tag of a corpus stands in its texts, and what becomes of it."""
    times: Counter[tuple[str, str]] = Counter()
    texts: Counter[tuple[str, str]] = Counter()
    for clip in clips:
        if isinstance(clip, Clip):
            found = convert(clip.text, corpus_of(corpus), choices).found
            times.update(found)
            texts.update(found.keys())
    rows = [
        {"corpus": corpus, "tag": tag, "becomes": becomes, "times": n, "utterances": texts[tag, becomes]}
        for (tag, becomes), n in sorted(times.items())
    ]
    if rows:
        lake_at(lake).table("corpus_tags").merge(valid_rows(CorpusTags, rows), f"tags of {corpus}")


def _offered(
    corpus: Corpus, clips: Sequence[Clip | Unusable], choices: Choices, folder: Path
) -> list[Offered]:
    """The batch as items of a source: sounds as files, the converted text beside them."""
    sounds = load(clip.sound for clip in clips if isinstance(clip, Clip))
    made: list[Offered] = []
    for number, clip in enumerate(clips):
        if isinstance(clip, Unusable):
            made.append(Refusal(clip.item, clip.reason, clip.detail))
            continue
        data, converted = next(sounds), convert(clip.text, corpus, choices)
        if converted.reason:
            made.append(Refusal(clip.item, converted.reason, converted.detail))
        elif isinstance(data, ItemRefused):
            made.append(Refusal(clip.item, data.reason, data.detail))
        else:
            path = folder / f"{number}.sound"
            path.write_bytes(data)
            made.append(_item(corpus, clip, converted.text, path))
    return made


def _item(corpus: Corpus, clip: Clip, text: str, path: Path) -> SourceItem:
    speaker = clip.fields.get("speaker")
    source = f"{corpus.name}:{speaker}" if speaker else clip.item
    fields = {
        **clip.fields,
        "source_id": source,
        "title": clip.item,
        "author": corpus.title,
        "url": corpus.url,
    }
    tags = {**clip.tags, "corpus": corpus.name, "annotation": text, "original": clip.text}
    return SourceItem(clip.item, path, {**fields, "transcript": without_tags(text)}, tags)


def _annotate(lake: str, run_id: str, items: Sequence[str]) -> Counts:
    run = run_of(lake, STEP, run_id)
    rows = run.lake.rows(f"SELECT * FROM assets WHERE kind = 'speech' AND item IN {among(items)}")
    things = {_utterance_id(row): row for row in rows}
    cut = run.lake.rows(f"SELECT utterance_id FROM utterances WHERE utterance_id IN {among(list(things))}")
    there = {row["utterance_id"] for row in cut}

    def work(asset: Mapping[str, Any]) -> Outcome:
        return _annotation(lake, asset, new=_utterance_id(asset) not in there)

    return make(run, STEP, things, "annotations", "utterance_id", work, code_version=CODE_VERSION)


def _utterance_id(asset: Mapping[str, Any]) -> str:
    return utterance_id(asset["asset_id"], Utterance(0.0, asset["duration_s"]))


def _annotation(lake: str, asset: Mapping[str, Any], new: bool) -> Outcome:
    tags = json.loads(asset["tags"] or "{}")
    name = _utterance_id(asset)
    row = {"utterance_id": name, "source": f"corpus:{tags['corpus']}", "text": tags["annotation"]}
    made = {"annotations": valid_rows(Annotations, [row])}
    if new:
        samples, rate = mono(lake, asset["asset_id"])
        whole = cut_out(lake, asset, Utterance(0.0, asset["duration_s"]), samples, rate)
        made["utterances"] = valid_rows(Utterances, [whole])
    return Done(
        made, (Edge(name, asset["asset_id"], "speech"), Edge(name, f"code:{STEP}:{CODE_VERSION}", "code"))
    )
