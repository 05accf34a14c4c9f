"""A release into a data set repository: one commit that puts it in the place of an earlier version, and a tag.

What the repository has already, by content, is not sent again; large files that an interrupted push sent are there when
it goes on. A version that has its tag never changes. Credentials are those that ``huggingface_hub`` finds, and are
never looked at here.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sonolake.errors import Refused, SonolakeError, Unreachable
from sonolake.extras import require
from sonolake.releases.finding import Found
from sonolake.releases.handing import files_of, require_whole, whole_folder
from sonolake.releases.hub.address import repository_in
from sonolake.releases.hub.content import There, is_same, surplus, tree_of
from sonolake.releases.identity import Identity, parse_identity
from sonolake.releases.layout import CROISSANT
from sonolake.releases.tables import FileRow

KIND = "dataset"
BRANCH = "main"


@dataclass(frozen=True)
class Pushed:
    """What a push came to.

    Attributes:
        repository: ``owner/name``. tag: the version. commit: what it names.
        outcome: ``already`` when all of it was there.
        files: of the release. sent, sent_bytes: of these, what the repository had not at its place. removed: files of
            an earlier version that this one has not.
    """

    repository: str
    tag: str
    commit: str
    outcome: Literal["pushed", "already"]
    files: int
    sent: int
    sent_bytes: int
    removed: int


def push(found: Found, address: str, private: bool = False, api: Any = None) -> Pushed:
    """Make the repository at ``address`` (``hf:owner/name``) hold the release that was found; it is made if need be.

    Args:
        found: the release, whole.
        address: the repository.
        private: of a repository that is made.
        api: an ``HfApi``; one over what is in the environment when None.

    Raises:
        MissingPackage: without ``huggingface_hub``.
        Refused: for a retracted release, one with differences, a version that is there with other content, a
            repository of another release, or when the hub does not let us.
        Unreachable: when the hub does not answer, or not as agreed.
    """
    repository = repository_in(address)
    require("huggingface_hub", "push")
    require_whole(found)
    with whole_folder(found) as folder, _said(address):
        hub = _Hub(_api() if api is None else api, repository)
        return hub.push(folder, files_of(folder), found.offered.identity(), private)


def _api() -> Any:
    from huggingface_hub import HfApi
    from huggingface_hub.utils import disable_progress_bars

    disable_progress_bars()
    return HfApi(library_name="sonolake")


@contextmanager
def _said(address: str) -> Iterator[None]:
    """Say it in our words when the hub says no, or nothing."""
    from huggingface_hub.errors import HfHubHTTPError, HTTPError

    try:
        yield
    except SonolakeError:
        raise
    except HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else 0
        message = getattr(error, "server_message", None) or f"status {status}"
        if status in (401, 403, 404):
            raise Refused(
                f"{address}: the hub does not let us ({message}): log in with `hf auth login`, or set HF_TOKEN to a "
                "token that may write there"
            ) from None
        if status in (409, 412):
            raise Refused(
                f"{address}: {message}: somebody else changed the repository meanwhile; push again"
            ) from None
        if 400 <= status < 500 and status != 429:
            raise Refused(f"{address}: the hub refused it: {message}") from None
        raise Unreachable(f"{address}: the hub answered {message}") from None
    except HTTPError as error:
        raise Unreachable(f"{address}: the hub does not answer ({type(error).__name__})") from None
    except ValueError as error:
        raise Refused(f"{address}: {error}") from None
    except (RuntimeError, KeyError) as error:
        raise Unreachable(f"{address}: {error}") from None


@dataclass(frozen=True)
class _Hub:
    api: Any
    repository: str

    def push(self, folder: Path, files: list[FileRow], identity: Identity, private: bool) -> Pushed:
        self.api.create_repo(self.repository, repo_type=KIND, private=private or None, exist_ok=True)
        refs = self.api.list_repo_refs(self.repository, repo_type=KIND)
        tags = {ref.name: ref.target_commit for ref in refs.tags}
        if identity.version in tags:
            return self._tagged(folder, files, identity, tags[identity.version])
        self._require_release(identity, tags)
        head = next((ref.target_commit for ref in refs.branches if ref.name == BRANCH), None)
        there = {} if head is None else self._tree(head)
        sent = [file for file in files if not is_same(folder, file, there.get(file.path))]
        removed = self._outdated(surplus(files, there), tags)
        commit = self._commit(folder, sent, removed, identity, head) if sent or removed else str(head)
        self.api.create_tag(self.repository, tag=identity.version, revision=commit, repo_type=KIND)
        size = sum(file.bytes for file in sent)
        return Pushed(
            self.repository, identity.version, commit, "pushed", len(files), len(sent), size, len(removed)
        )

    def _tagged(self, folder: Path, files: list[FileRow], identity: Identity, commit: str) -> Pushed:
        """A version that has its tag: the same, or refused."""
        there = self._tree(commit)
        other = [file.path for file in files if not is_same(folder, file, there.get(file.path))]
        if other:
            self._require_release(identity, {identity.version: commit})
            raise Refused(
                f"{self.repository} has {identity.name} {identity.version} with other content ({other[0]}): a version "
                "never changes, publish the next one"
            )
        return Pushed(self.repository, identity.version, commit, "already", len(files), 0, 0, 0)

    def _require_release(self, identity: Identity, tags: Mapping[str, str]) -> None:
        """Let a repository pass whose last version, if it has any, is one of the same release.

        Raises:
            Refused: when it is one of another release.
        """
        newest_first = sorted(tags, key=lambda tag: [int(n) for n in re.findall(r"\d+", tag)], reverse=True)
        last = next((tag for tag in newest_first if CROISSANT in self._tree(tags[tag])), None)
        if last is None:
            return
        with tempfile.TemporaryDirectory(prefix="sonolake-push-") as apart:
            path = self.api.hf_hub_download(
                self.repository, CROISSANT, repo_type=KIND, revision=last, local_dir=apart
            )
            said = parse_identity(Path(path).read_bytes(), f"{self.repository}/{CROISSANT}")
        if said.name != identity.name:
            raise Refused(
                f"{self.repository} holds release {said.name}: push {identity.name} into a repository of its own"
            )

    def _outdated(self, surplus: list[str], tags: Mapping[str, str]) -> list[str]:
        """Of what a version has not, the files of earlier ones; what others put there is left alone.

        Raises:
            Refused: when no version is there, but something else.
        """
        if surplus and not tags:
            raise Refused(
                f"{self.repository} holds something that is no release ({surplus[0]}): push into a repository "
                "of its own"
            )
        earlier: set[str] = set()
        for commit in set(tags.values()) if surplus else ():
            earlier |= set(self._tree(commit))
        return [path for path in surplus if path in earlier]

    def _tree(self, revision: str) -> dict[str, There]:
        return tree_of(
            self.api.list_repo_tree(self.repository, recursive=True, revision=revision, repo_type=KIND)
        )

    def _commit(
        self, folder: Path, sent: list[FileRow], removed: list[str], identity: Identity, head: str | None
    ) -> str:
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        operations: list[Any] = [CommitOperationAdd(file.path, str(folder / file.path)) for file in sent]
        operations += [CommitOperationDelete(path, is_folder=False) for path in removed]
        made = self.api.create_commit(
            self.repository,
            operations,
            commit_message=f"{identity.name} {identity.version}",
            repo_type=KIND,
            revision=BRANCH,
            parent_commit=head,
        )
        return str(made.oid)
