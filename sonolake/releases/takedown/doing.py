"""A takedown, step by step, each of which can be done again: what a kill cut short is finished by the same command.

One commit makes it so: tombstones are there, no row names the sounds or what was made of them, and the versions that
hold any are retracted. Then come notices, versions without the items, and only then is anything deleted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.lake.erasing import delete_rows, delete_speaker, erase_history, erase_media, erase_vectors
from sonolake.lake.lake import Lake
from sonolake.lake.run import Run, running
from sonolake.lake.transaction import Transaction
from sonolake.plural import counted
from sonolake.releases.notice import Withdrawn
from sonolake.releases.takedown.held import Held
from sonolake.releases.takedown.plan import Plan, plan_of
from sonolake.releases.takedown.proof import Looked, prove_gone
from sonolake.releases.takedown.retracting import (
    Replacement,
    publish_patch,
    put_notice,
    replacements,
    require_patches,
    withhold,
)
from sonolake.releases.takedown.target import Target, tombstones_of

Tell = Callable[[str], None]


@dataclass(frozen=True)
class TakenDown:
    """What was done: the plan, the versions that replace those retracted, and what was looked at in the end."""

    plan: Plan
    replaced: dict[str, str | None]
    media: int
    vectors: int
    proof: tuple[Looked, ...]

    @property
    def gone(self) -> bool:
        """Whether nothing was found."""
        return not any(one.found for one in self.proof)


def take_down(
    lake: Lake,
    target: Target,
    reason: str,
    *,
    patches: bool = True,
    now: datetime | None = None,
    tell: Tell = lambda said: None,
) -> TakenDown:
    """Take ``target`` down, or finish what was begun.

    Args:
        lake: opened for writing.
        target: what.
        reason: why, a sentence or two; public, as it stands in the notice.
        patches: whether versions without the items are published.
        now: the time, where it is not the clock's.
        tell: is told each step.

    Raises:
        InvalidInput: without a reason.
        NotFound: when the lake never had it.
        Refused, Damaged: when a version without the items cannot be made; nothing was done then.
    """
    reason = " ".join(reason.split())
    if not reason:
        raise InvalidInput("--reason", "why it is taken down, for the notice", reason)
    with running(lake, "takedown", {"takedown": target.takedown}) as run:
        plan = _begin(run, target, reason, now or datetime.now(UTC), patches)
        withdrawn = _withdrawn(lake, target)
        tell(
            f"taken out of the tables: {counted(len(plan.things), 'thing')}; "
            f"retracted: {counted(len(plan.releases), 'version')}"
        )
        replaced = _retract(run, plan, withdrawn, patches, tell)
        media, vectors = _erase(lake, target, plan)
        tell(f"deleted from media: {counted(media, 'sound')}; from vectors: {counted(vectors, 'vector')}")
        proof = tuple(prove_gone(lake, target))
        done = TakenDown(plan, replaced, media, vectors, proof)
        if done.gone:
            _finish(lake, target, now or datetime.now(UTC))
        return done


def _begin(run: Run, target: Target, reason: str, now: datetime, patches: bool) -> Plan:
    """The commit, after all that can be refused was looked at; planned again when a release was published meanwhile."""
    while True:
        known = _releases(run.lake.rows(_VERSIONS))
        plan = plan_of(run.lake, target)
        require_patches(run.lake, _replaced(run.lake, plan, patches).values(), plan.things)
        with run.lake.transaction("take down", run_id=run.run_id, flow=run.flow) as tx:
            if _releases(tx.sql(_VERSIONS).to_pylist()) == known:
                _commit(tx, run.lake, plan, reason, now)
                return plan


_VERSIONS = "SELECT name, version FROM releases"


def _releases(rows: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(row["name"], row["version"]) for row in rows}


def _commit(tx: Transaction, lake: Lake, plan: Plan, reason: str, now: datetime) -> None:
    mentioned = delete_rows(tx, {*plan.things, *plan.sources}, lake.media.__contains__)
    if plan.target.kind == "speaker":
        delete_speaker(tx, plan.target.name)
    since = min((row["since"] for row in plan.before), default=now)
    reason = next((row["reason"] for row in plan.before), reason)
    there = {(row["kind"], row["thing"]) for row in plan.before}
    rows = _tombstones(plan, sorted(mentioned))
    new: list[dict[str, object]] = [
        {"takedown": plan.target.takedown, "reason": reason, "since": since, **row}
        for row in rows
        if (row["kind"], row["thing"]) not in there
    ]
    tx.append("tombstones", new)
    if new and there:
        tx.sql("UPDATE tombstones SET finished = NULL WHERE takedown = ?", [plan.target.takedown])
    for held in plan.releases:
        if held.state != "retracted":
            where = "name = ? AND version = ?"
            tx.sql(f"UPDATE releases SET state = 'retracted' WHERE {where}", [held.name, held.version])


def _tombstones(plan: Plan, media: list[str]) -> list[dict[str, object]]:
    prints = {row["asset_id"]: row for row in plan.assets}
    named = [] if plan.target.kind == "source" else [(plan.target.kind, plan.target.name)]
    items = [("item", row["item"]) for row in plan.assets if ":" in (row["item"] or "")]
    rows: list[tuple[str, str]] = [
        *named,
        *(("source", one) for one in plan.sources),
        *dict.fromkeys(items),
        *(("sound", one) for one in sorted({*prints, *plan.duplicates})),
        *(("made", one) for one in plan.made),
        *(("bytes", one) for one in media),
        *(("release", one.release) for one in plan.releases),
    ]
    return [
        {
            "kind": kind,
            "thing": thing,
            "pcm_hash": prints.get(thing, {}).get("pcm_hash"),
            "fingerprint": prints.get(thing, {}).get("fingerprint"),
        }
        for kind, thing in rows
    ]


def _withdrawn(lake: Lake, target: Target) -> Withdrawn:
    """What notices say: the same however often the takedown is begun."""
    (row,) = lake.rows(
        "SELECT min(since) AS since, min(reason) AS reason FROM tombstones WHERE takedown = ?",
        [target.takedown],
    )
    return Withdrawn(target.told, row["reason"], f"{row['since']:%Y-%m-%d}")


def _retract(run: Run, plan: Plan, withdrawn: Withdrawn, patches: bool, tell: Tell) -> dict[str, str | None]:
    lake, held = run.lake, _open(plan)
    replaced = _replaced(lake, plan, patches)
    for one in held:
        put_notice(lake, one, withdrawn, None)
    for name, new in replaced.items():
        if new.version is None:
            tell(f"no version replaces those of {name} that are retracted")
        elif new.patched is not None:
            publish_patch(run, new.patched, new.version.rpartition("@")[2], withdrawn, plan.things)
            items = counted(len(new.patched.items), "item")
            tell(f"{new.version} published, which is {new.patched.release} without {items}")
    for one in held:
        put_notice(lake, one, withdrawn, replaced[one.name].version)
        tell(f"{one.release}: {counted(withhold(lake, one), 'file')} withheld")
    return {one.release: replaced[one.name].version for one in held}


def _open(plan: Plan) -> list[Held]:
    return [one for one in plan.releases if not one.done]


def _replaced(lake: Lake, plan: Plan, patches: bool) -> dict[str, Replacement]:
    return replacements(lake, _open(plan), patches)


def _erase(lake: Lake, target: Target, plan: Plan) -> tuple[int, int]:
    rows = tombstones_of(lake, target)
    ids = {row["thing"] for row in rows if row["kind"] in ("sound", "made", "bytes")}
    with lake.writing():
        media = erase_media(lake, {one for one in ids if len(one) == 64})
        vectors = erase_vectors(lake, ids)
    erase_history(lake)
    return media, vectors


def _finish(lake: Lake, target: Target, now: datetime) -> None:
    with lake.transaction("took down") as tx:
        where = "takedown = ? AND finished IS NULL"
        tx.sql(f"UPDATE tombstones SET finished = ? WHERE {where}", [now, target.takedown])
