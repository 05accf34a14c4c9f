"""``README.md``: what a release is, how much of it there is, under which licences, how to load it, what it is not."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sonolake.releases.frontmatter import front_matter
from sonolake.releases.records import AUDIO_COLUMN, Config, Content
from sonolake.releases.tables import ItemRow

_LOAD = """## How to load it

Sound is in the column `audio` (`bytes`, `path`), as the files were made. No account, server or lake is needed.

```python
# sonolake: numpy arrays with every channel, from this folder or from where it is served
import sonolake
record = next(iter(sonolake.load("PATH/OF/THIS/FOLDER", "{split}", "{config}")))

# datasets: leave the sound undecoded and read it yourself; decoding may mix channels down
from datasets import Audio, load_dataset
rows = load_dataset("PATH/OF/THIS/FOLDER", "{config}", split="{split}")
rows = rows.cast_column("audio", Audio(decode=False))

# soundfile: (frames, channels), every channel kept
import io, soundfile
samples, rate = soundfile.read(io.BytesIO(rows[0]["audio"]["bytes"]), always_2d=True)

# pandas
import pandas
frame = pandas.read_parquet("data/{config}")
```

```sql
-- DuckDB: views over every table; root is this folder, or https://... or s3://... where it is served
SET VARIABLE root = '.';
.read views.sql
SELECT split, count(*), sum(duration_s) FROM "{config}" GROUP BY split;
```
{spatial}
`items.parquet` says for each item its shard, row, where its sound lies in it (`offset`, `bytes`), and its `sha256`.
`sha256sum -c --ignore-missing SHA256SUMS` checks the files; `proofs/*.sql` are checks that plain DuckDB runs,
each with its expected answer; `lineage.parquet` says what every item is made from.
"""
_SPATIAL = """
Four-channel items are first-order Ambisonics in AmbiX (order W, Y, Z, X; SN3D; X front, Y left, Z up). Do not use
`["array"]` of `datasets` for them: depending on its version it gives the mean of the channels.
"""


def card_md(content: Content, items: list[ItemRow], sources: list[dict[str, Any]]) -> str:
    """The card; its table of counts is what the proof ``counts-card`` reads."""
    parts = [
        front_matter(content),
        f"# {content.title} {content.version}\n",
        f"{content.summary}\n",
        _what(content),
        _counts(content, items),
        _licences(content, items, sources),
        _loading(content),
        _limits(content, sources),
    ]
    return "\n".join(parts)


def _what(content: Content) -> str:
    lines = ["## What is in it", ""]
    for config in content.configs:
        lines += [f"### {config.title} (`{config.name}`)", "", config.description, ""]
        lines += ["| column | type | meaning |", "|---|---|---|", *_columns(config), ""]
    return "\n".join(lines)


def _columns(config: Config) -> list[str]:
    lines = []
    for field in config.schema:
        name, kind, meaning = (
            field.name,
            str(field.type).replace("item: ", ""),
            config.meanings.get(field.name, ""),
        )
        if name == AUDIO_COLUMN:
            name, kind, meaning = (
                "audio",
                "struct<bytes, path>",
                "the sound as a file's bytes, and a name for it",
            )
        lines.append(f"| `{name}` | {_cell(kind)} | {_cell(meaning)} |")
    return lines


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _counts(content: Content, items: list[ItemRow]) -> str:
    lines = ["## Counts", "", "| table | split | items | hours | channels |", "|---|---|---|---|---|"]
    for config in content.configs:
        for split, table in config.ordered:
            rows = [i for i in items if i.config == config.name and i.split == split]
            hours = sum(i.duration_s or 0.0 for i in rows) / 3600
            channels = ", ".join(str(c) for c in sorted({i.channels for i in rows if i.channels})) or "-"
            lines.append(f"| `{config.name}` | {split} | {table.num_rows} | {hours:.2f} | {channels} |")
    lines += ["", "Proofs: `counts-card`, `counts-shards`. Nothing straddles splits: `split-*`.", ""]
    return "\n".join(lines)


def _licences(content: Content, items: list[ItemRow], sources: list[dict[str, Any]]) -> str:
    of_items = Counter(i.licence for i in items)
    of_sources = Counter(s["licence"] for s in sources)
    lines = [
        "## Licences",
        "",
        f"As a whole: {content.licence}. An item has the strictest licence of its layers.",
        "",
    ]
    lines += ["| licence | items | sources |", "|---|---|---|"]
    for licence in sorted({*of_items, *of_sources}, key=str):
        lines.append(f"| {licence} | {of_items[licence]} | {of_sources[licence]} |")
    lines += [
        "",
        "Who made what: `ATTRIBUTION.md`, `ATTRIBUTION.csv`. Proofs: `licences`, `licences-follow`.",
        "",
    ]
    return "\n".join(lines)


def _loading(content: Content) -> str:
    spatial = any(4 in t["channels"].to_pylist() for c in content.configs for t in _with_channels(c))
    first = content.configs[0]
    return _LOAD.format(config=first.name, split=first.ordered[0][0], spatial=_SPATIAL if spatial else "")


def _with_channels(config: Config) -> list[Any]:
    return [t for t in config.splits.values() if "channels" in t.column_names]


def _limits(content: Content, sources: list[dict[str, Any]]) -> str:
    made = sorted({s["title"] or s["source_id"] for s in sources if s["synthetic"]})
    lines = ["## Limitations", "", *(f"- {note}" for note in content.notes)]
    if made:
        share = f"{sum(bool(s['synthetic']) for s in sources)} of {len(sources)}"
        lines.append(f"- Synthetic: {share} sources are made by a program, not recorded: {_listed(made)}.")
    else:
        lines.append("- No source is marked as synthetic.")
    return "\n".join([*lines, ""])


def _listed(names: list[str], limit: int = 30) -> str:
    more = f" and {len(names) - limit} more (`ATTRIBUTION.csv`)" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more
