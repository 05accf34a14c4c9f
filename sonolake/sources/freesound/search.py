"""A search as a person or a schedule asks for it, and whether it can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sonolake.errors import InvalidInput, NotFound
from sonolake.sources.freesound.query import PREFIX, Query, read_ids, words_of
from sonolake.sources.freesound.similar import require_matching, vector_of


@dataclass(frozen=True)
class Search:
    """What to look for beside the words, and what holds for all that is found.

    Attributes:
        filter: in the API's syntax, such as ``duration:[1 TO 5]``.
        sort: which come first, such as ``score`` or ``rating_desc``.
        most: how many sounds at most; 0 for all.
        ids: a file of numbers, in place of a search.
        similar_to: number of a sound, or a file to be similar to.
        model: the encoder for such a file.
        originals: the files that were uploaded, rather than previews.
        anew: ask for lists that are kept, and try again what was gone.
        event: event of all that is found.
        location: location of all that is found.
    """

    filter: str = ""
    sort: str = "score"
    most: int = 0
    ids: str = ""
    similar_to: str = ""
    model: str = "clap:laion/clap-htsat-fused"
    originals: bool = False
    anew: bool = False
    event: str = ""
    location: str = ""

    @property
    def fields(self) -> dict[str, str]:
        """The fields that hold for all that is found."""
        return {name: text for name in ("event", "location") if (text := getattr(self, name))}

    def require_sound(self, words: str) -> None:
        """Let a search for ``words`` pass, without asking for anything.

        Raises:
            NotFound: there is no file of numbers, or to be similar to.
            InvalidInput: for options that exclude each other, or of which one cannot be.
        """
        if self.ids:
            if words or self.filter or self.similar_to or self.sort != "score":
                raise InvalidInput(
                    "--ids", "numbers alone", "words, --filter, --sort or --similar-to beside it"
                )
            read_ids(Path(self.ids))
            return
        self._query(words, 1 if self.similar_to else None)
        if self.similar_to and not self.similar_to.isdigit():
            require_matching(self.model)
            if not Path(self.similar_to).is_file():
                raise NotFound(f"--similar-to {self.similar_to}: neither the number of a sound nor a file")

    def query(self, words: str) -> Query:
        """The search for ``words``, or for the event's own words where there is nothing else to look for."""
        self.require_sound(words)
        return self._query(words, self._target())

    def _query(self, words: str, target: int | tuple[float, ...] | None) -> Query:
        if not words and not self.filter and target is None:
            words = words_of(self.event)
        return Query(words, self.filter, self.sort, target)

    def _target(self) -> int | tuple[float, ...] | None:
        if not self.similar_to or self.similar_to.isdigit():
            return int(self.similar_to) if self.similar_to else None
        from sonolake.models import registry
        from sonolake.search.encoders import sound_of

        return vector_of(registry.get(self.model), sound_of(Path(self.similar_to)))


def require_fitting(
    source: str, manifest: str, mapping: Mapping[str, str] | None, search: Search | None
) -> None:
    """Let options pass that go with the source.

    Raises:
        InvalidInput: for a manifest or a mapping beside a search, or options of a search beside a folder.
    """
    if not source.startswith(PREFIX) and search not in (None, Search()):
        raise InvalidInput("options of a search", f"a source such as {PREFIX}dog bark", source)
    if source.startswith(PREFIX) and (manifest or mapping):
        raise InvalidInput("--manifest and --map", "a folder as the source", source)
