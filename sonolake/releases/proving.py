"""Run a release's own proofs by plain DuckDB, over its own files.

The SQL comes with the release, so it is let do little: statements that set a variable or select, files under the
release's folder, nothing else.
"""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sonolake.errors import Damaged, LimitReached, Refused
from sonolake.releases.answers import Answer
from sonolake.releases.checking import require_recorded
from sonolake.releases.figures.checking import check_figures
from sonolake.releases.layout import PROOFS
from sonolake.releases.proof import SHOWN, Proof, ProofResult, parse_proof
from sonolake.releases.selection import is_selection
from sonolake.releases.tables import FileRow, read_manifest
from sonolake.threads import thread_limit

if TYPE_CHECKING:
    import duckdb

MEMORY, THREADS = "192MiB", 2
"""What DuckDB may use for a proof; each thread has buffers of its own."""
BLOCK = 4096
"""Rows of an answer that are counted at once."""


def prove(folder: Path, recorded: str | None = None) -> list[ProofResult]:
    """Run all proofs in ``folder``, a release or what was pulled of one.

    Args:
        folder: where it lies.
        recorded: SHA-256 of the manifest that was published, where it is on record, as in a lake.

    Raises:
        NotFound: when ``folder`` is no release.
        Refused: when it holds chosen items only: most proofs are about all of a release.
        Damaged: when it is not what is on record, or a proof is not one, or cannot run.
        LimitReached: when a proof needs more memory than it may use.
    """
    if recorded is not None:
        require_recorded(folder, recorded)
    elif is_selection(folder):
        raise Refused(f"{folder} holds chosen items: proofs are about a release, pull that to prove it")
    lacking = not_there(read_manifest(folder), lambda path: (folder / path).is_file())
    proofs = read_proofs(folder)
    with opened_at(folder) as opened:
        results = [left_out(p) if lacks(p, lacking) else run_in(opened, p) for p in proofs]
    return results + check_figures(proofs, lambda path: _text(folder / path))


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def not_there(files: Iterable[FileRow], is_there: Callable[[str], bool]) -> set[tuple[str, str]]:
    """Tables that cannot be proven, with policy: a *report* wants all shards of its table, a *must* any."""
    there: dict[str, list[bool]] = defaultdict(list)
    for file in files:
        if file.config is not None:
            there[file.config].append(is_there(file.path))
    lacking = {(config, "report") for config, found in there.items() if not all(found)}
    return lacking | {(config, "must") for config, found in there.items() if not any(found)}


def lacks(proof: Proof, lacking: Container[tuple[str, str]]) -> bool:
    """Does the proof read a table that cannot be proven, as :func:`not_there` says?"""
    return any((config, proof.policy) in lacking for config in proof.reads)


def left_out(proof: Proof) -> ProofResult:
    """The result of a proof of whose tables one was not pulled, or not all of it."""
    return ProofResult(proof, None, (), f"not all of {', '.join(proof.reads)} was pulled")


def require_proofs(folder: Path) -> list[ProofResult]:
    """:func:`prove`, refusing when a *must* fails.

    Raises:
        Refused: naming each failed proof and its first offending rows.
    """
    results = prove(folder)
    failed = [r for r in results if r.outcome == "fails" and r.proof.policy == "must"]
    if failed:
        told = "\n".join(_told(r) for r in failed)
        raise Refused(f"{len(failed)} of {len(results)} proofs fail, so nothing is published:\n{told}")
    return results


def read_proofs(folder: Path) -> list[Proof]:
    """The proofs in ``folder/proofs``, by id."""
    paths = sorted((folder / PROOFS).glob("*.sql"))
    return [parse_proof(p.read_text(encoding="utf-8"), p.name) for p in paths]


def run_proof(folder: Path, proof: Proof) -> ProofResult:
    """One proof's answer over ``folder``.

    Raises:
        Damaged, LimitReached: as :func:`run_in`.
    """
    with opened_at(folder) as opened:
        return run_in(opened, proof)


@dataclass(frozen=True)
class Session:
    """DuckDB, and the path or address by which it knows the release."""

    link: duckdb.DuckDBPyConnection
    root: str


@contextmanager
def session(root: str, admit: Callable[[duckdb.DuckDBPyConnection], None] | None = None) -> Iterator[Session]:
    """DuckDB that reads files under ``root`` and can do nothing else; what its memory cannot hold it keeps on disk.

    Args:
        root: a folder or an address, without a slash at its end.
        admit: loads what it takes to come there.
    """
    import duckdb
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    offline: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_persistent_secrets": False,
        "memory_limit": MEMORY,
        "threads": min(THREADS, thread_limit() or os.cpu_count() or 1),
    }
    with (
        tempfile.TemporaryDirectory(prefix="sonolake-") as apart,
        duckdb.connect(config=offline | {"temp_directory": apart}) as link,
    ):
        if admit is not None:
            admit(link)
        link.execute(f"SET allowed_directories = [{_quoted(f'{root}/')}]")
        link.execute("SET enable_external_access = false")
        link.execute("SET lock_configuration = true")
        yield Session(link, root)


@contextmanager
def opened_at(folder: Path) -> Iterator[Session]:
    """:func:`session` over a folder, whatever it is called."""
    with _plain_path(folder) as root, session(root) as opened:
        yield opened


def run_in(opened: Session, proof: Proof) -> ProofResult:
    """A proof's answer.

    Raises:
        Damaged: when it does more than to select, or cannot run; its cause is DuckDB's error.
        LimitReached: when it needs more memory than it may use, which says nothing of the release.
    """
    import duckdb

    link = opened.link
    link.execute(f"SET VARIABLE root = {_quoted(opened.root)}")
    try:
        statements = link.extract_statements(proof.sql)
        _require_harmless(statements, proof.id)
        for statement in statements:
            link.execute(statement)
        columns = [d[0] for d in link.description or ()]
        rows = link.fetchmany(SHOWN) if proof.answer is None else link.fetchall()
        count = len(rows) + sum(map(len, iter(lambda: link.fetchmany(BLOCK), [])))
    except duckdb.OutOfMemoryException as error:
        raise LimitReached(_out_of_memory(proof, str(error))) from error
    except duckdb.Error as error:
        raise Damaged(f"proof {proof.id} cannot run: {error}") from error
    shown = [_row_text(columns, row) for row in rows[:SHOWN]]
    if proof.answer is None:
        return ProofResult(proof, count, tuple(shown))
    answer = Answer.of(columns, rows)
    differing = answer.differences(proof.answer)[:SHOWN] or shown
    return ProofResult(proof, count, tuple(differing), answer=answer)


def _out_of_memory(proof: Proof, said: str) -> str:
    return (
        f"proof {proof.id} needs more memory than it may use ({MEMORY}), or more room for temporary files. The "
        f"release may be whole: plain DuckDB runs {PROOFS}/{proof.id}.sql with as much as it is given. "
        f"{said.splitlines()[0]}"
    )


@contextmanager
def _plain_path(folder: Path) -> Iterator[str]:
    """A path to ``folder`` that means itself where DuckDB reads patterns: its own, or that of a link to it."""
    root = folder.resolve()
    if not set(str(root)) & set("*?[]\\"):
        yield root.as_posix()
        return
    with tempfile.TemporaryDirectory(prefix="sonolake-") as apart:
        link = Path(apart) / "release"
        link.symlink_to(root, target_is_directory=True)
        yield link.as_posix()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _require_harmless(statements: list[Any], name: str) -> None:
    kinds = [str(s.type).rsplit(".", 1)[-1] for s in statements]
    if not kinds or kinds[-1] != "SELECT" or not set(kinds) <= {"SET", "SELECT"}:
        raise Damaged(f"proof {name}: only SET VARIABLE and SELECT may stand in one, has {kinds}")


def _row_text(columns: Iterable[str], row: Iterable[Any]) -> str:
    return ", ".join(f"{column} {value}" for column, value in zip(columns, row, strict=True))


def _told(result: ProofResult) -> str:
    proof, rows = result.proof, result.rows or 0
    lines = [f"  {proof.id}: {rows} rows, expected {proof.expected}. {proof.meaning}"]
    lines += [f"    {row}" for row in result.shown]
    if rows > SHOWN:
        lines.append(f"    and {rows - SHOWN} more")
    return "\n".join(lines)
