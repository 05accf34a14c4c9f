"""``README.md``: what a release is, how much of it there is, under which licences, how to load it, what it is not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from sonolake.releases.answers import EVERY, Answer
from sonolake.releases.figures.prose import as_code, in_markdown, proof_link
from sonolake.releases.frontmatter import front_matter
from sonolake.releases.licences import PROFILE_TEXTS
from sonolake.releases.proof import Proof
from sonolake.releases.records import AUDIO_COLUMN, Config, Content

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
each with its expected answer; `lineage.parquet` says what every item is made from. Figures of this card are answers
of the proofs that stand beside them, and `sonolake prove` compares; figures in code are settings and quotations.
"""
_SPATIAL = """
Items in first-order Ambisonics are AmbiX (order W, Y, Z, X; SN3D; X front, Y left, Z up). Do not use
`["array"]` of `datasets` for them: depending on its version it gives the mean of the channels.
"""


def card_md(content: Content, sources: pa.Table, proofs: Sequence[Proof]) -> str:
    """The card; its figures are the answers that ``proofs`` state, each beside a link to its proof."""
    answers = {p.id: p.answer for p in proofs if p.answer is not None}
    parts = [
        front_matter(content),
        f"# {content.title} {content.version}\n",
        f"{in_markdown(content.summary)}\n",
        _what(content),
        _counts(content, answers),
        _licences(content, answers),
        _loading(content),
        _limits(content, sources, answers["counts-sources"]),
    ]
    return "\n".join(parts)


def _what(content: Content) -> str:
    lines = ["## What is in it", ""]
    for config in content.configs:
        lines += [
            f"### {in_markdown(config.title)} (`{config.name}`)",
            "",
            in_markdown(config.description),
            "",
        ]
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
        lines.append(f"| `{name}` | `{kind}` | {_cell(in_markdown(meaning))} |")
    return lines


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _counts(content: Content, answers: Mapping[str, Answer]) -> str:
    wanted = [(c.name, split) for c in content.configs for split in [*(s for s, _ in c.ordered), EVERY]]
    wanted += [(EVERY, EVERY)] if len(content.configs) > 1 else []
    found = [answers["counts-items"].find(config=config, split=split) for config, split in wanted]
    rows = [(*_place(row), row["items"], row["hours"], row["channels"]) for row in (f[1] for f in found if f)]
    lines = ["## Counts", "", *_table(("table", "split", "items", "hours", "channels"), rows, "counts-items")]
    formats = answers["counts-formats"]
    if formats.rows:
        cells = [(f"`{config}`", *rest) for config, *rest in formats.rows]
        head = ("table", "Hz", "channels", "items", "shortest, s", "longest, s")
        lines += ["", *_table(head, cells, "counts-formats")]
    lines += ["", "More proofs: `counts-card`, `counts-shards`. Nothing straddles splits: `split-*`.", ""]
    return "\n".join(lines)


def _place(row: Mapping[str, str]) -> tuple[str, str]:
    config, split = row["config"], row["split"]
    return "all" if config == EVERY else f"`{config}`", "all" if split == EVERY else split


def _left_out(content: Content) -> list[str]:
    """What the lake had beside this release, as it was counted when it was published."""
    if not content.left_out:
        return []
    lines = [
        f"- `{one.items}` of `{one.config}`: {in_markdown(one.why)}." for one in sorted(content.left_out)
    ]
    return ["Left out, by table:", "", *lines, ""]


def _licences(content: Content, answers: Mapping[str, Answer]) -> str:
    rows = [(r["licence"], r["items"], r["sources"]) for r in answers["counts-licences"].records]
    lines = [
        "## Licences",
        "",
        f"As a whole: {content.licence}. An item has the licence that follows from all its layers.",
        "",
        f"Profile: `{content.profile}`: {PROFILE_TEXTS[content.profile]}",
        "",
        *_left_out(content),
        *_table(("licence", "items", "sources"), rows, "counts-licences"),
        "",
        "Who made what: `ATTRIBUTION.md`, `ATTRIBUTION.csv`. Proofs: `licences`, `licences-follow`.",
        "",
    ]
    return "\n".join(lines)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], proof: str) -> list[str]:
    """A table whose last column says which proof has the figures of the row."""
    lines = [[*head, "proof"], ["---"] * (len(head) + 1), *([*row, proof_link(proof)] for row in rows)]
    return [f"| {' | '.join(line)} |" for line in lines]


def _loading(content: Content) -> str:
    spatial = any(4 in t["channels"].to_pylist() for c in content.configs for t in _with_channels(c))
    first = content.configs[0]
    return _LOAD.format(config=first.name, split=first.ordered[0][0], spatial=_SPATIAL if spatial else "")


def _with_channels(config: Config) -> list[Any]:
    return [t for t in config.splits.values() if "channels" in t.column_names]


def _limits(content: Content, sources: pa.Table, counted: Answer) -> str:
    by_program = sources.filter(sources["synthetic"]).group_by(["title", "source_id"]).aggregate([])
    made = sorted({row["title"] or row["source_id"] for row in by_program.to_pylist()})
    lines = ["## Limitations", "", *(f"- {in_markdown(note)}" for note in content.notes)]
    synthetic, every = (counted.find(licence=EVERY, kind=kind) for kind in ("synthetic", EVERY))
    if synthetic and every:
        share = f"{synthetic[1]['sources']} of {every[1]['sources']} sources ({proof_link('counts-sources')})"
        lines.append(f"- Synthetic: {share} are made by a program, not recorded: {_listed(made)}.")
    else:
        lines.append("- No source is marked as synthetic.")
    return "\n".join([*lines, ""])


def _listed(names: list[str], limit: int = 30) -> str:
    more = " and more (`ATTRIBUTION.csv`)" if len(names) > limit else ""
    return ", ".join(map(as_code, names[:limit])) + more
