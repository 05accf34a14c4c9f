"""Versions that are retracted: the notice first, then the version without the items, then the files that held them."""

from __future__ import annotations

from collections.abc import Collection

from sonolake.lake.lake import Lake
from sonolake.lake.run import Run
from sonolake.lake.storage import Storage
from sonolake.releases.differing import Bump
from sonolake.releases.differing.versions import newest_first, next_version, numbers
from sonolake.releases.layout import NOTICE
from sonolake.releases.notice import Notice, Withdrawn, notice_at
from sonolake.releases.offered import offered
from sonolake.releases.on_record import origin_in, origin_of, path_of, require_release
from sonolake.releases.publishing import publish
from sonolake.releases.takedown.held import Held
from sonolake.releases.takedown.patch import Patch


def replacements(
    lake: Lake, held: Collection[Held], taken: Collection[str], patches: bool
) -> dict[str, str | None]:
    """By release, ``NAME@VERSION`` that is the same without what was taken down; None where there will be none.

    The highest version of a name that holds any of it is followed by a patch, unless a higher one is there already.

    Args:
        lake: the lake.
        held: the versions that hold any of it.
        taken: ``NAME@VERSION`` of all versions that were retracted.
        patches: whether new versions are made.
    """
    found: dict[str, str | None] = {}
    for name in {one.name for one in held}:
        own = [one for one in held if one.name == name]
        versions = [
            row["version"] for row in lake.rows("SELECT version FROM releases WHERE name = ?", [name])
        ]
        good = [one for one in versions if f"{name}@{one}" not in taken]
        highest = newest_first(one.version for one in own)[0]
        above = [one for one in newest_first(good) if numbers(one) > numbers(highest)]
        last = next(one for one in own if one.version == highest)
        able = patches and not last.whole and not missing(lake, last)
        made = next_version(newest_first(versions)[0], Bump.PATCH) if able else None
        version = above[-1] if above else made
        found |= {one.release: None if version is None else f"{name}@{version}" for one in own}
    return found


def put_notice(lake: Lake, held: Held, withdrawn: Withdrawn, replaced_by: str | None) -> Notice:
    """Have the version say that it is retracted; what an earlier notice says stays."""
    store = store_of(lake, held)
    there = notice_at(origin_in(store)) or Notice(held.release, (), (), ())
    notice = there.joined(withdrawn, held.items, held.files, replaced_by)
    if notice != there:
        store.write(NOTICE, notice.text().encode())
    return notice


def publish_patch(run: Run, held: Held, version: str, withdrawn: Withdrawn, things: Collection[str]) -> str:
    """Publish ``version``, which is that of ``held`` without its items; done already, nothing happens.

    Records of the benchmark that name any of ``things`` are left out, too.

    Returns:
        ``NAME@VERSION``.

    Raises:
        Refused, Damaged: as :meth:`Patch.content` and :func:`publish`.
    """
    lake = run.lake
    known = require_release(lake, held.name, held.version)
    release = offered(origin_of(lake, held.name, held.version), known.manifest_sha256)
    patch = Patch(release, frozenset(held.items), frozenset(things))
    change = (
        f"Taken down on {withdrawn.date}: {withdrawn.what}. {withdrawn.reason} {held.release} is retracted."
    )
    content = patch.content(version, withdrawn.date, change)
    publish(run, content, lake.snapshot, held.items, patch.media)
    return f"{held.name}@{version}"


def withhold(lake: Lake, held: Held) -> int:
    """Delete the files of a version that hold its items; how many there were."""
    store = store_of(lake, held)
    there = sorted(set(held.files) - set(missing(lake, held)))
    for path in there:
        store.delete(path)
    return len(there)


def missing(lake: Lake, held: Held) -> list[str]:
    """The files with items that are not there any more."""
    store = store_of(lake, held)
    return [path for path in held.files if store.stat(path) is None]


def store_of(lake: Lake, held: Held) -> Storage:
    """Where a version lies."""
    return lake.storage.room("releases").room(path_of(held.name, held.version))
