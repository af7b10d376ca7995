"""Pages that were read, and sources that gave none, kept between runs (docs/cache.md)."""

from __future__ import annotations

import json
import os
import struct
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from pathlib import Path

from tracecite_lint.light.digests import blake2b
from tracecite_lint.light.lazy import dataclass
from tracecite_lint.sources.errors import SourceError, is_fetch_code
from tracecite_lint.sources.freshness import CLOCK_SKEW, FAILURE_TTL, STALE_LIMIT, failure_ttl
from tracecite_lint.sources.leases import is_dead
from tracecite_lint.sources.optional_database import VALUE_LIMIT, OptionalDatabase
from tracecite_lint.sources.page import Page, PageHead, as_time
from tracecite_lint.sources.versions import EXTRACT_VERSION

SCHEMA_VERSION = 3
"""Raised whenever what is stored under a key changes its form."""

LEASE_SECONDS = 15.0
"""How long a process that fetches a page is waited for without a sign of life."""

# Rows, not bytes: the run has most of them in hand anyhow.
_MEMORY_LIMIT = 128
_HEAD_BYTES = 2**20
_LISTED = 1_000_000
"""Pages that are listed; the size of the file allows for fewer."""

DERIVED_LIMIT = 8 * 2**20
"""Bytes of a row that `derived` gives back."""

_DERIVED_MAGIC = b"TCLD\x01"
_DIGEST_SIZE = 16
_TIME = struct.Struct(">d")
_FAILURE_BYTES = 8192
_OWNER_BYTES = 1024


@dataclass(frozen=True, slots=True)
class CacheStats:
    """What a cache holds: the number of pages, and the size of its database in bytes."""

    directory: Path
    pages: int
    size: int


class Cache:
    """The pages and failures of earlier runs; without a usable directory, those of this run.

    Nothing that lies in the directory can make a method raise: what is damaged counts as missing, and a database that
    cannot be used is left aside for the rest of the run. `problem` then says why, in one line.
    """

    def __init__(self, directory: Path | None, *, work_tree: Path | None = None) -> None:
        """Use the cache in *directory* (None: none at all), which may not lie in *work_tree*. It is opened when needed."""
        self._database = OptionalDatabase(directory, work_tree=work_tree)
        self._memory: OrderedDict[str, bytes] = OrderedDict()

    @property
    def directory(self) -> Path | None:
        """Where the cache lies."""
        return self._database.directory

    @property
    def problem(self) -> str | None:
        """Why the directory is not used, in one line; None while it is."""
        return self._database.problem

    def head(self, key: str) -> PageHead | None:
        """Return what is kept of the page under *key* besides its text.

        A page whose text came from another version of the extractor is not returned: the text may be wrong, and a
        server that says "not modified" would not send the bytes again.
        """
        data = self._get(_row("page", key), limit=_HEAD_BYTES)
        if data is None:
            return None
        try:
            head, extract_version = PageHead.from_bytes(data)
        # RecursionError: the JSON header may nest as deeply as its writer likes.
        except (ValueError, RecursionError):
            self._delete(_row("page", key))
            return None
        return head if extract_version == EXTRACT_VERSION else None

    def page(self, key: str) -> tuple[Page, int] | None:
        """Return the page kept under *key* and the version of its prepared bytes; None as for `head`."""
        head = self.head(key)
        data = None if head is None else self._get(_row("text", key))
        if head is None or data is None:
            return None
        try:
            return Page.from_rows(head, data)
        except (ValueError, RecursionError):
            self._delete(_row("text", key))
            return None

    def heads(self, key: str = "") -> Iterator[PageHead]:
        """Yield what is kept of pages besides their text, in the order in which they came: of all, or of the source *key*.

        There are several of one source if it was reached in several ways (reach.py).
        """
        prefix = _row("page", "")
        rows = self._database.ask(
            lambda database: database.keys(prefix, limit=_LISTED), otherwise=list[str]()
        )
        for kept in (row.removeprefix(prefix) for row in rows):
            if (not key or kept == key or kept.startswith(f"{key}#")) and (
                head := self.head(kept)
            ) is not None:
                yield head

    def keep_page(self, key: str, page: Page, prepare_version: int) -> None:
        """Keep *page* under *key* for as long as it may be used at all, and forget an earlier failure."""
        head, text = page.rows(extract_version=EXTRACT_VERSION, prepare_version=prepare_version)
        self._set_all({_row("text", key): text, _row("page", key): head}, ttl=STALE_LIMIT)
        self._delete(_row("failure", key))

    def keep_prepared(self, key: str, page: Page, prepare_version: int) -> None:
        """Keep the prepared bytes of *page* beside its text, if that is the text kept under *key*."""
        head = self.head(key)
        if head is not None and head.digest == page.digest:
            _, text = page.rows(extract_version=EXTRACT_VERSION, prepare_version=prepare_version)
            self._set(_row("text", key), text, ttl=STALE_LIMIT)

    def failure(self, key: str, *, reach: str, now: float) -> tuple[SourceError, float] | None:
        """Return why *key* gave no page a short while before *now*, and how many seconds ago that was.

        *reach* is a digest of how sources were reached: what failed in another way is not returned.
        """
        data = self._get(_row("failure", key), limit=_FAILURE_BYTES)
        if data is None:
            return None
        try:
            error, at, same_reach = _failure(json.loads(data))
        except (ValueError, RecursionError):
            return None
        age = now - at
        # A failure from the future was written under a clock that was set back since, or by somebody else.
        current = reach == same_reach and 0 <= age < failure_ttl(unreachable=error.unreachable)
        return (error, age) if current else None

    def keep_failure(self, key: str, error: SourceError, *, reach: str, now: float) -> None:
        """Remember for a while that at *now* (since the epoch) *key* gave no page under *reach*."""
        row = [error.code, error.message, error.help, now, reach]
        self._set(_row("failure", key), json.dumps(row).encode(), ttl=FAILURE_TTL)

    def derived(self, key: str, *, now: float) -> bytes | None:
        """Return what was kept under *key* with `keep_derived` up to STALE_LIMIT before *now*."""
        data = self._get(_row("derived", key), limit=DERIVED_LIMIT)
        if data is None:
            return None
        body = memoryview(data)[len(_DERIVED_MAGIC) + _DIGEST_SIZE :]
        if data[: -len(body)] != _DERIVED_MAGIC + _digest(body) or len(body) < _TIME.size:
            self._delete(_row("derived", key))
            return None
        (at,) = _TIME.unpack_from(body)
        return bytes(body[_TIME.size :]) if -CLOCK_SKEW <= now - at <= STALE_LIMIT else None

    def keep_derived(self, values: Mapping[str, bytes], *, now: float) -> None:
        """Keep what was worked out from documents and pages at *now*, by keys that name all that it rests on.

        What takes more than DERIVED_LIMIT is left out, and without a database all is.
        """
        rows = []
        for key, value in values.items():
            body = _TIME.pack(now) + value
            data = _DERIVED_MAGIC + _digest(body) + body
            if len(data) <= DERIVED_LIMIT:
                rows.append((_row("derived", key), data))
        if rows:
            self._database.tell(lambda database: database.set_many(rows, ttl=STALE_LIMIT))

    def lease(self, key: str, owner: bytes) -> bool:
        """Take on the fetching of *key* for LEASE_SECONDS; False while another process has done so and lives."""
        return self._database.ask(
            lambda database: database.take(
                _row("lease", key),
                owner,
                seconds=LEASE_SECONDS,
                stands=lambda holder: not is_dead(holder),
            ),
            otherwise=True,
        )

    # The look and the write are not one transaction: at worst two processes fetch the same page.
    def renew(self, key: str, owner: bytes) -> None:
        """Keep *owner*'s lease for another LEASE_SECONDS, unless it was lost."""
        if self._get(_row("lease", key), limit=_OWNER_BYTES) == owner:
            self._set(_row("lease", key), owner, ttl=LEASE_SECONDS)

    def release(self, key: str, owner: bytes) -> None:
        """Give *owner*'s lease back, unless it was lost."""
        if self._get(_row("lease", key), limit=_OWNER_BYTES) == owner:
            self._delete(_row("lease", key))

    def stats(self) -> CacheStats:
        """Return what the cache holds."""
        pages = _row("page", "")
        return CacheStats(
            directory=self.directory or Path(os.devnull),
            pages=self._database.ask(lambda database: database.count(pages), otherwise=0),
            size=self._database.ask(lambda database: database.size(), otherwise=0),
        )

    def clear(self) -> int:
        """Forget everything; return how many pages there were."""
        pages = self.stats().pages
        self._database.tell(lambda database: database.clear())
        self._memory.clear()
        return pages

    def prune(self) -> int:
        """Forget what is too old to be used; return how many rows that were."""
        return self._database.ask(lambda database: database.prune(), otherwise=0)

    def close(self) -> None:
        """Close the database; the cache can be used again."""
        self._database.close()

    def _get(self, row: str, *, limit: int = VALUE_LIMIT) -> bytes | None:
        # The memory as well: a database that failed in the middle of the run has left something there.
        kept = self._database.ask(lambda database: database.get(row, limit=limit), otherwise=None)
        return self._memory.get(row) if kept is None else kept

    def _set(self, row: str, data: bytes, *, ttl: float) -> None:
        self._set_all({row: data}, ttl=ttl)

    def _set_all(self, rows: Mapping[str, bytes], *, ttl: float) -> None:
        """Keep *rows*, which belong together: all of them or, where one is too large, none."""
        # Too large to be read back. What is kept under the name is older than this, so it goes as well.
        if any(len(data) > VALUE_LIMIT for data in rows.values()):
            for row in rows:
                self._delete(row)
            return
        if self._database.tell(lambda database: database.set_many([*rows.items()], ttl=ttl)):
            return
        self._memory.update(rows)
        for row in rows:
            self._memory.move_to_end(row)
        while len(self._memory) > _MEMORY_LIMIT:
            self._memory.popitem(last=False)

    def _delete(self, row: str) -> None:
        self._database.tell(lambda database: database.delete(row))
        self._memory.pop(row, None)


def _digest(data: bytes | memoryview) -> bytes:
    return blake2b(data, digest_size=_DIGEST_SIZE).digest()


def _row(kind: str, key: str) -> str:
    return f"{kind}/{SCHEMA_VERSION}/{key}"


def _failure(row: object) -> tuple[SourceError, float, str]:
    """Return the error, the time and the reach that *row* holds; raises ValueError for what no fetch has left there."""
    if not isinstance(row, list) or len(row) != 5:
        raise ValueError("a stored failure has five fields")
    *texts, at, reach = row
    # Line ends would forge further lines of a report, control characters would reach a terminal.
    if not all(isinstance(text, str) and text.isprintable() for text in (*texts, reach)):
        raise ValueError("a stored failure has texts of one line")
    code, message, help = texts
    if not is_fetch_code(code):
        raise ValueError("a stored failure has a code that no fetch ends in")
    return SourceError(code, message, help=help), as_time(at), reach
