"""The citations that a run under --allow-unreachable could not check: kept beside the cache, for a later run to begin with."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path

from tracecite_lint.files.user_directories import UNCHECKED
from tracecite_lint.light.digests import blake2b
from tracecite_lint.light.lazy import dataclass, fields
from tracecite_lint.rules import is_unreachable
from tracecite_lint.sources.freshness import CLOCK_SKEW
from tracecite_lint.sources.optional_database import OptionalDatabase
from tracecite_lint.sources.page import as_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tracecite_lint.sources.database import Database

_LIMIT = 100_000
_ROW_BYTES = 256 * 1024  # the longest URL, escaped
_LIFETIME = 90 * 24 * 3600.0
"""Seconds after which a citation that nobody came back to is forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UncheckedCitation:
    """One citation that was let pass without being checked.

    `repository` is where it stands (an absolute path), `key` names the citation within it and is opaque here, `file` is
    relative to the repository, `source` the URI as written, `code` why it was not checked, `noted_at` when (seconds
    since the epoch).
    """

    repository: str
    key: str
    file: str
    source: str
    code: str
    noted_at: float


class UncheckedCitations:
    """The list, in a database of its own below the cache directory: a cache that is damaged, and thrown away, does not lose it."""

    def __init__(self, directory: Path | None, *, work_tree: Path | None = None) -> None:
        """Use the cache in *directory* (None: keep no list), which may not lie in *work_tree*."""
        self._database = OptionalDatabase(directory, UNCHECKED, work_tree=work_tree)

    @property
    def problem(self) -> str | None:
        """Why the list cannot be kept, in one line; None while it can."""
        return self._database.problem

    def add(self, citations: Iterable[UncheckedCitation]) -> None:
        """Put *citations* on the list; one that is there already is replaced."""

        def add_all(database: Database) -> None:
            for citation in citations:
                row = _row(citation.repository, citation.key)
                values = {item.name: getattr(citation, item.name) for item in fields(citation)}
                database.set(row, json.dumps(values).encode(), ttl=_LIFETIME)

        self._database.tell(add_all)

    def of(self, repository: str) -> list[UncheckedCitation]:
        """Return the citations of *repository*, in the order in which they came onto the list."""
        rows = self._database.ask(
            lambda database: database.keys(_row(repository, ""), limit=_LIMIT),
            otherwise=list[str](),
        )
        found = [self._read(row) for row in rows]
        return [item for item in found if item is not None and item.repository == repository]

    def remove(self, repository: str, keys: Iterable[str]) -> None:
        """Take the citations of *repository* with these *keys* off the list."""

        def remove_all(database: Database) -> None:
            for key in keys:
                database.delete(_row(repository, key))

        self._database.tell(remove_all)

    def clear(self) -> int:
        """Forget the citations of all repositories; return how many there were."""
        count = self._database.ask(lambda database: database.count(), otherwise=0)
        self._database.tell(lambda database: database.clear())
        return count

    def close(self) -> None:
        """Close the database; the list can be used again."""
        self._database.close()

    def _read(self, row: str) -> UncheckedCitation | None:
        data = self._database.ask(
            lambda database: database.get(row, limit=_ROW_BYTES), otherwise=None
        )
        try:
            values = json.loads(data or b"")
            citation = UncheckedCitation(**{**values, "noted_at": as_time(values["noted_at"])})
            return citation if _is_sound(citation, row) else None
        except (ValueError, TypeError, KeyError, RecursionError):
            return None


def _is_sound(citation: UncheckedCitation, row: str) -> bool:
    """Tell whether *citation*, which stands in *row*, can be one that a run has noted."""
    texts = (citation.repository, citation.key, citation.file, citation.source, citation.code)
    return (
        all(isinstance(text, str) for text in texts)
        and row == _row(citation.repository, citation.key)
        and is_unreachable(citation.code)
        and -CLOCK_SKEW <= time.time() - citation.noted_at <= _LIFETIME
    )


def _row(repository: str, key: str) -> str:
    # A hash, so that one repository's path is never the beginning of another's.
    return f"{blake2b(repository.encode(errors='surrogatepass'), digest_size=16).hexdigest()}/{key}"
