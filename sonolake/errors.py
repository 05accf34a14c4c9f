"""What can go wrong, as one tree.

::

    SonolakeError
    ├── UserError            a mistake in what was asked: retrying cannot help
    │   ├── InvalidInput     a value outside what is allowed
    │   ├── NotFound         a lake, table, release or item that is not there
    │   ├── LakeTooNew       a lake of a later format
    │   ├── LakeTooOld       a lake of an earlier format, to be migrated
    │   └── Refused          allowed by syntax, forbidden by a rule (a published version, a failed proof)
    ├── ItemRefused          one item cannot be taken: its reason code goes to the quarantine, the job goes on
    ├── MissingPackage       an optional package is not installed; the message says the line that installs it
    └── WorldError           the outside failed: a retry may help
        ├── LakeBusy         another writer held the lake longer than the wait
        ├── Unreachable      a server or program that does not answer, or not as agreed
        ├── LimitReached     a limit of a server, a budget or memory: the message says how to go on
        ├── Unwritable       a place that cannot be written: no room, no permission, not a folder
        └── Damaged          bytes on disk are not what was recorded
"""

from __future__ import annotations


class SonolakeError(Exception):
    """Root of every error that sonolake raises on purpose; ``retryable`` says whether a retry can help."""

    retryable: bool = False


class UserError(SonolakeError):
    """A mistake in what was asked."""


class InvalidInput(UserError, ValueError):
    """A value outside what is allowed.

    Args:
        what: the field or argument.
        allowed: what would have been accepted.
        received: what came.
        cause: the likely cause, when there is one.
    """

    def __init__(self, what: str, allowed: str, received: object, cause: str = "") -> None:
        hint = f" Likely cause: {cause}." if cause else ""
        super().__init__(f"{what}: expected {allowed}, received {received!r}.{hint}")
        self.what, self.allowed, self.received, self.cause = what, allowed, received, cause


class NotFound(UserError, LookupError):
    """A lake, table, release or item that is not there; the message lists what is."""


class LakeTooNew(UserError):
    """The lake was written by a later version of sonolake."""


class LakeTooOld(UserError):
    """The lake was written by an earlier version of sonolake, and is to be migrated first."""


class Refused(UserError):
    """Well-formed, but forbidden by a rule."""


class ItemRefused(SonolakeError):
    """One item that cannot be taken.

    Args:
        reason: a code of the contract, such as ``truncated``.
        detail: one sentence for a person.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail


class MissingPackage(SonolakeError, ImportError):
    """An optional package is not installed."""

    def __init__(self, package: str, role: str, install: str) -> None:
        super().__init__(f"{role} needs the package {package!r}, which is not installed: {install}")
        self.package = package


class WorldError(SonolakeError):
    """The outside failed; a retry may help."""

    retryable = True


class LakeBusy(WorldError):
    """Another writer held the lake longer than the wait."""


class Unwritable(WorldError):
    """A place cannot be written: the disk is full, the folder is not ours, or it is no folder."""


class Unreachable(WorldError):
    """A server, or a program of the user's, does not answer, or not as agreed."""


class LimitReached(WorldError):
    """A limit of a server, a budget or memory is reached; what is there is kept, and the message says how to go on."""

    retryable = False


class Damaged(WorldError):
    """Bytes on disk are not what was recorded."""

    retryable = False
