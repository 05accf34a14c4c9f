"""``CHANGELOG.md``, in the form of keepachangelog.com 1.1.0: the newest version first, changes by kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from sonolake.plural import counted
from sonolake.releases.differing import Difference
from sonolake.releases.differing.difference import Change, Item, Move
from sonolake.releases.records import Content

NAMED = 20
"""Items that are named; of more there is the number."""
_ENTRY = "\n## ["


def changelog_md(content: Content, difference: Difference | None = None, earlier: str = "") -> str:
    """What this version brings, above what ``earlier``, the last version's file, says of those before.

    Args:
        content: the version.
        difference: to the last version; None for the first.
        earlier: the file as it was.
    """
    kinds = _kinds(content, difference)
    lines = [f"# Changelog of {content.title}", "", f"## [{content.version}] - {content.date}", ""]
    if content.changes:
        lines += [*(f"- {change}" for change in content.changes), ""]
    for kind, changes in kinds.items():
        if changes:
            lines += [f"### {kind}", "", *(f"- {change}" for change in changes), ""]
    _, entry, rest = earlier.partition(_ENTRY)
    return "\n".join(lines) + (entry + rest if entry else "")


def changes_of(content: Content, difference: Difference | None = None) -> tuple[str, ...]:
    """The same of this version alone, a sentence a change, for the report."""
    kinds = _kinds(content, difference)
    return (*content.changes, *(f"{kind}: {change}" for kind, changes in kinds.items() for change in changes))


def _kinds(content: Content, difference: Difference | None) -> dict[str, list[str]]:
    return _first(content) if difference is None else _sections(difference)


def _first(content: Content) -> dict[str, list[str]]:
    counts = ", ".join(f"{counted(config.rows, 'item')} of `{config.name}`" for config in content.configs)
    return {"Added": [f"First version: {counts}."]}


def _sections(difference: Difference) -> dict[str, list[str]]:
    changed = [
        *_edited(difference.edited, "edited"),
        *_moved(difference.moved),
        *(f"Records of `{path}` changed." for path in difference.records_edited),
        *_edited(difference.described, "with other metadata"),
        *([f"Metadata: {_listed(difference.about)}."] if difference.about else []),
        *_repackaged(difference),
    ]
    if not difference.counts():
        changed = ["Nothing: the same data again."]
    return {
        "Added": [
            *_items(difference.added),
            *(f"Column `{column}`." for column in difference.columns_added),
            *(f"Records in `{path}`." for path in difference.records_added),
        ],
        "Changed": changed,
        "Removed": [
            *_items(difference.removed),
            *(f"Column `{column}`." for column in difference.columns_removed),
        ],
    }


def _items(items: Sequence[Item]) -> list[str]:
    by_config: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_config[item.config].append(item)
    return [
        f"{_counted(some)} of `{config}` ({_by_split(some)}): {_listed(one.item_id for one in some)}."
        for config, some in by_config.items()
    ]


def _edited(changes: Sequence[Change], how: str) -> list[str]:
    groups: dict[tuple[str, tuple[str, ...]], list[Change]] = defaultdict(list)
    for change in changes:
        groups[change.config, change.what].append(change)
    return [
        f"{_counted(some)} of `{config}` {how} ({', '.join(what)}): {_listed(one.item_id for one in some)}."
        for (config, what), some in groups.items()
    ]


def _moved(moves: Sequence[Move]) -> list[str]:
    groups: dict[tuple[str, str, str], list[Move]] = defaultdict(list)
    for move in moves:
        groups[move.config, move.came_from, move.split].append(move)
    return [
        f"{_counted(some)} of `{config}` moved from {old} to {new}: {_listed(one.item_id for one in some)}."
        for (config, old, new), some in groups.items()
    ]


def _repackaged(difference: Difference) -> list[str]:
    shards = len(difference.repackaged)
    return [f"The same data in other shards ({shards:,} of them)."] if shards else []


def _by_split(items: Iterable[Item]) -> str:
    return ", ".join(f"{split} {count:,}" for split, count in sorted(Counter(i.split for i in items).items()))


def _counted(some: Sequence[object]) -> str:
    return f"{len(some):,} item{'' if len(some) == 1 else 's'}"


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    more = f" and {len(every) - NAMED:,} more" if len(every) > NAMED else ""
    return ", ".join(every[:NAMED]) + more
