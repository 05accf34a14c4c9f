"""A release's own proofs over its files in a bucket or on a web server, by plain DuckDB, with nothing pulled.

DuckDB reads a bucket as it reads a folder. A web server cannot be asked what it has: there the proofs go by the
manifest, and every file of it must answer; proofs of releases from before that was so look for files by a pattern, and
are not run there.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from sonolake.errors import Damaged, InvalidInput, Refused, SonolakeError, Unreachable
from sonolake.releases.figures.checking import check_figures
from sonolake.releases.layout import PROOFS
from sonolake.releases.offered import Offered
from sonolake.releases.origins import read_whole
from sonolake.releases.proof import Proof, ProofResult, parse_proof
from sonolake.releases.proving import Session, lacks, left_out, not_there, run_in, session

if TYPE_CHECKING:
    import duckdb

_PATTERN = "it looks for files by a pattern, which no web server answers: pull the release to run it"


def prove_remote(
    release: Offered,
    root: str,
    admit: Callable[[duckdb.DuckDBPyConnection], None],
    is_there: Callable[[str], bool],
) -> list[ProofResult]:
    """Run all proofs of a release where it lies.

    Args:
        release: the release, held against what is on record.
        root: its address, as DuckDB reads it.
        admit: loads what DuckDB needs to come there.
        is_there: whether a file of its manifest is.

    Raises:
        Damaged: when a proof is not what the manifest says, not one, or cannot run over the files there.
        LimitReached: when a proof needs more memory than it may use.
        Refused: when a file may not be read.
        Unreachable: when the place does not answer.
    """
    lacking = not_there(release.files, is_there)
    proofs = list(_proofs(release))
    with session(root, admit) as opened:
        results = [left_out(p) if lacks(p, lacking) else _result(opened, p) for p in proofs]
    return results + check_figures(proofs, lambda path: read_whole(release.origin, path).decode())


def on_the_web(address: str) -> tuple[str, str]:
    """How DuckDB reads a release at ``address``: by which root, and with which ``Authorization`` (empty: none).

    Raises:
        InvalidInput: for an address with a query, such as an access token.
    """
    import httpx

    url = httpx.URL(address)
    if url.query:
        cause = "DuckDB makes the address of a file by putting its name at the end"
        raise InvalidInput("address", "one without a query: pull it first", f"{url.path}?…", cause)
    root = str(url.copy_with(userinfo=b"", fragment=None)).rstrip("/")
    given = f"{url.username}:{url.password}".encode() if url.userinfo else b""
    return root, f"Basic {base64.b64encode(given).decode()}" if given else ""


def _result(opened: Session, proof: Proof) -> ProofResult:
    try:
        return run_in(opened, proof)
    except Damaged as error:
        cause: Any = error.__cause__
        if opened.root.startswith("http") and "*" in str(cause):
            return ProofResult(proof, None, (), _PATTERN)
        raise _meant(error, getattr(cause, "status_code", 0), type(cause).__name__) from None


def _meant(error: Damaged, status: int, kind: str) -> SonolakeError:
    """What DuckDB's error says of the place: a file that is gone is damage, a server that fails is not."""
    if status in (401, 403):
        return Refused(f"{error}: it asks for credentials, or for other ones")
    if kind in ("HTTPException", "IOException") and status not in (404, 410):
        return Unreachable(str(error))
    return error


def _proofs(release: Offered) -> Iterator[Proof]:
    for file in sorted(release.files, key=lambda one: one.path):
        if file.path.startswith(f"{PROOFS}/") and file.path.endswith(".sql"):
            text = read_whole(release.origin, file.path)
            if hashlib.sha256(text).hexdigest() != file.sha256:
                raise Damaged(f"{release.origin.name}/{file.path} is not what its manifest says")
            yield parse_proof(text.decode(), file.path.removeprefix(f"{PROOFS}/"))
