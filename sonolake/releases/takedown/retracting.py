"""Versions that are retracted: the notice first, then the version without the items, then the files that held them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sonolake.errors import Damaged
from sonolake.lake.lake import Lake
from sonolake.lake.run import Run
from sonolake.lake.storage import Storage
from sonolake.releases.differing import Bump
from sonolake.releases.differing.versions import newest_first, next_version, numbers
from sonolake.releases.finding import Found
from sonolake.releases.layout import NOTICE
from sonolake.releases.notice import Notice, Withdrawn, notice_at
from sonolake.releases.offered import offered
from sonolake.releases.on_record import origin_in, origin_of, path_of, require_release
from sonolake.releases.publishing import publish
from sonolake.releases.takedown.held import Held
from sonolake.releases.takedown.patch import Patch


@dataclass(frozen=True)
class Replacement:
    """The version that is the same as some that are retracted, without what is taken down; ``patched``: made of which.

    ``version`` is None where there is none, ``patched`` where nothing has to be made.
    """

    version: str | None
    patched: Held | None = None


def replacements(lake: Lake, held: Collection[Held], patches: bool) -> dict[str, Replacement]:
    """By the name of a release, what follows its versions that hold any of what is taken down.

    The highest of them is followed by a patch, unless a higher version is there already. None is made where it would
    be empty, and none where a part of that version, or the one that the patch would follow, is withheld already.

    Args:
        lake: the lake.
        held: the versions that hold any of it.
        patches: whether new versions are made.
    """
    return {name: _replacement(lake, name, held, patches) for name in sorted({one.name for one in held})}


def _replacement(lake: Lake, name: str, held: Iterable[Held], patches: bool) -> Replacement:
    own = {one.version: one for one in held if one.name == name}
    states = {
        row["version"]: row["state"]
        for row in lake.rows("SELECT version, state FROM releases WHERE name = ?", [name])
    }
    highest, newest = newest_first(own)[0], newest_first(states)[0]
    good = [version for version, state in states.items() if state != "retracted" and version not in own]
    above = [one for one in newest_first(good) if numbers(one) > numbers(highest)]
    if above:
        return Replacement(f"{name}@{above[-1]}")
    if not patches or own[highest].whole or newest != highest or _withheld(lake, own[highest]):
        return Replacement(None)
    return Replacement(f"{name}@{next_version(newest, Bump.PATCH)}", own[highest])


def _withheld(lake: Lake, held: Held) -> list[str]:
    """The files of a version that its notice names and that are not there any more."""
    store = store_of(lake, held)
    notice = notice_at(origin_in(store))
    return [] if notice is None else [path for path in notice.files if store.stat(path) is None]


def require_patches(lake: Lake, found: Iterable[Replacement], things: Collection[str]) -> None:
    """Let versions pass of which patches can be made: every byte of them is read.

    Raises:
        Refused: when one was published by an earlier version of sonolake.
        Damaged: when one is not what was published.
    """
    for one in found:
        if one.patched is None:
            continue
        held = one.patched
        known = require_release(lake, held.name, held.version)
        origin = origin_of(lake, held.name, held.version)
        problems = Found(origin, known.manifest_sha256, held.state).verify()
        wrong = [problem for problem in problems if problem.kind not in ("withheld", "extra")]
        if wrong:
            raise Damaged(
                f"{held.release} is not what was published, and no version without the items can be made of it: "
                f"{wrong[0].path} ({wrong[0].kind}); publish it again, which makes it whole, or give --no-patch"
            )
        patch_of(lake, held, things).require()


def put_notice(lake: Lake, held: Held, withdrawn: Withdrawn, replaced_by: str | None) -> Notice:
    """Have the version say that it is retracted; what an earlier notice says stays."""
    store = store_of(lake, held)
    there = notice_at(origin_in(store)) or Notice(held.release, (), (), ())
    notice = there.joined(withdrawn, held.items, held.files, replaced_by)
    if notice != there:
        store.write(NOTICE, notice.text().encode())
    return notice


def patch_of(lake: Lake, held: Held, things: Collection[str]) -> Patch:
    """The version ``held`` without its items; records of the benchmark that name any of ``things`` are left out, too.

    Items that its notice names go with them: those of a takedown that is not finished.
    """
    known = require_release(lake, held.name, held.version)
    release = offered(origin_of(lake, held.name, held.version), known.manifest_sha256)
    before = () if release.notice is None else release.notice.items
    return Patch(release, frozenset({*held.items, *before}), frozenset(things))


def publish_patch(run: Run, held: Held, version: str, withdrawn: Withdrawn, things: Collection[str]) -> None:
    """Publish ``version``, which is that of ``held`` without its items; done already, nothing happens.

    Raises:
        Refused, Damaged: as :meth:`Patch.content` and :func:`publish`.
    """
    patch = patch_of(run.lake, held, things)
    change = (
        f"Taken down on {withdrawn.date}: {withdrawn.what}. {withdrawn.reason} {held.release} is retracted."
    )
    content = patch.content(version, withdrawn.date, change)
    publish(run, content, run.lake.snapshot, patch.withheld, patch.media)


def withhold(lake: Lake, held: Held) -> int:
    """Delete the files of a version that hold its items; how many there were."""
    store = store_of(lake, held)
    there = [path for path in sorted(held.files) if store.stat(path) is not None]
    for path in there:
        store.delete(path)
    return len(there)


def store_of(lake: Lake, held: Held) -> Storage:
    """Where a version lies."""
    return lake.storage.room("releases").room(path_of(held.name, held.version))
