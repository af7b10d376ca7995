"""A directory of rows kept by diskcache, opened as what it is: input that anybody may have prepared (docs/cache.md)."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum, auto
from pathlib import Path

from tracecite_lint.errors import TraceciteLintError
from tracecite_lint.files.user_directories import TOLD, UNCHECKED
from tracecite_lint.sources.optional_database import VALUE_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import RLock
    from typing import Any

    from tracecite_lint.sources.rows import Rows
else:
    from _thread import RLock  # what `threading` has under this name, without the rest of that

LOCK_TIMEOUT = 2.0
"""Seconds to wait for another process that writes; then the run goes on without the database."""

SIZE_LIMIT = 512 * 1024 * 1024
"""Bytes after which rows are dropped: what is too old first, then any (EVICTION)."""

PATIENCE = 20.0
"""Seconds that a database may compute over one request; one that is sound needs milliseconds."""

EVICTION = "random-run"
"""The policy by which rows make room: some that lie together, wherever.

Of pages that are read in a circle and do not all fit, dropping those stored first, or used least recently, drops each page
right before it is needed: not one is ever found.
"""

_TRANSACTION_ROWS = 100
"""Rows that are stored at a time; other processes wait meanwhile."""

SETTINGS: dict[str, int | str] = {
    "statistics": 0,
    "tag_index": 0,
    "eviction_policy": EVICTION,
    "size_limit": SIZE_LIMIT,
    "cull_limit": 10,
    "sqlite_auto_vacuum": 1,
    "sqlite_cache_size": 8192,
    "sqlite_journal_mode": "wal",
    "sqlite_mmap_size": 0,
    "sqlite_synchronous": 1,
    "disk_min_file_size": 0,
    "disk_pickle_protocol": 0,
}
"""All of diskcache's settings, so that none is taken from the file.

No memory map: a file that another process cuts short would end this one with SIGBUS.
"""

_DATABASE = "cache.db"
_FILES = (_DATABASE, f"{_DATABASE}-wal", f"{_DATABASE}-shm", f"{_DATABASE}-journal")

_FILE_LIMIT = 2 * SIZE_LIMIT
_PAGE_SIZE_LIMIT = 16_384  # SQLite keeps 8,192 pages in memory
_KEY_LIMIT = 1024  # characters of the keys that are listed
_STEPS = 10_000  # of SQLite's machine, after which it asks whether to go on
# diskcache's own counters, which it reads back: `size` above its limit would make it drop every row.
_COUNTERS = {
    "count": 2**53,
    "size": 0,
    "hits": 0,
    "misses": 0,
}  # what each can be at most: rows here have no size

# What diskcache makes in a database, word for word; anything else was put there by somebody else.
_AFTER = {
    "count_insert": ("INSERT", "value = value + 1", "count"),
    "count_delete": ("DELETE", "value = value - 1", "count"),
    "size_insert": ("INSERT", "value = value + NEW.size", "size"),
    "size_update": ("UPDATE", "value = value + NEW.size - OLD.size", "size"),
    "size_delete": ("DELETE", "value = value - OLD.size", "size"),
}
_SCHEMA = frozenset(
    {
        ("table", "Settings", "Settings", "CREATE TABLE Settings ( key TEXT NOT NULL UNIQUE, value)"),
        ("index", "sqlite_autoindex_Settings_1", "Settings", None),
        (
            "table",
            "Cache",
            "Cache",
            "CREATE TABLE Cache ( rowid INTEGER PRIMARY KEY, key BLOB, raw INTEGER, store_time REAL,"
            " expire_time REAL, access_time REAL, access_count INTEGER DEFAULT 0, tag BLOB,"
            " size INTEGER DEFAULT 0, mode INTEGER DEFAULT 0, filename TEXT, value BLOB)",
        ),
        ("index", "Cache_key_raw", "Cache", "CREATE UNIQUE INDEX Cache_key_raw ON Cache(key, raw)"),
        ("index", "Cache_expire_time", "Cache", "CREATE INDEX Cache_expire_time ON Cache (expire_time)"),
        ("index", "Cache_store_time", "Cache", "CREATE INDEX Cache_store_time ON Cache (store_time)"),
        *(
            (
                "trigger",
                f"Settings_{name}",
                "Cache",
                f"CREATE TRIGGER Settings_{name} AFTER {event} ON Cache FOR EACH ROW BEGIN"
                f' UPDATE Settings SET {change} WHERE key = "{counter}"; END',
            )
            for name, (event, change, counter) in _AFTER.items()
        ),
    }
)  # fmt: skip

# A row as this program writes it: its size is looked at before it is read.
_ROW = (
    "SELECT value, store_time FROM Cache WHERE key = ? AND raw = 1 AND mode = 1 AND filename IS NULL"
    " AND (expire_time IS NULL OR expire_time > ?) AND typeof(value) = 'blob' AND length(value) <= ?"
)
_BELOW = "key >= ? AND key < ? AND raw = 1"


class UnusableError(TraceciteLintError):
    """The database cannot be used; the message is half a sentence that says why."""


class DamagedError(UnusableError):
    """The database was damaged or somebody else's, and is gone: the next one is made anew."""


class _Schema(Enum):
    """What was found in a database."""

    OURS = auto()
    UNFINISHED = auto()
    """Nothing but parts of ours: another process is just making it, or died over it."""
    FOREIGN = auto()


class Database:
    """Rows of bytes by string keys, each with an optional time to live, shared between processes and threads.

    Every method raises UnusableError when the database cannot be used: locked for LOCK_TIMEOUT, full, damaged, taken
    away. None computes for longer than PATIENCE, whatever lies in the file.
    """

    def __init__(self, directory: Path, name: str = "", *, work_tree: Path | None = None) -> None:
        """Use the database in *directory*, or in *name* below it; both are made private (0700).

        A database that diskcache could not have written under the settings of this program, or that is damaged, is
        thrown away. It is made when the first row is written.
        """
        self._directory = _private_directory(directory, name, work_tree)
        self._connection: sqlite3.Connection | None = None
        self._rows: Rows | None = None
        self._lock = RLock()
        self._give_up_at = 0.0

    def get(self, key: str, *, limit: int = VALUE_LIMIT) -> bytes | None:
        """Return the value of *key*; None if there is none, or it is too old or of more than *limit* bytes."""
        with self._at_work():
            row = self._row(key, limit)
        return None if row is None else row[0]

    def set(self, key: str, value: bytes, *, ttl: float | None) -> None:
        """Store *value*, of up to VALUE_LIMIT bytes, for *ttl* seconds (None: for good)."""
        with self._writing() as rows:
            rows.set(key, value, expire=ttl)

    def set_many(self, items: Sequence[tuple[str, bytes]], *, ttl: float) -> None:
        """Store *items*, keys and values as in `set`, for *ttl* seconds."""
        for first in range(0, len(items), _TRANSACTION_ROWS):
            with self._writing() as rows, rows.transact():
                for key, value in items[first : first + _TRANSACTION_ROWS]:
                    rows.set(key, value, expire=ttl)

    def take(
        self, key: str, value: bytes, *, seconds: float, stands: Callable[[bytes], bool]
    ) -> bool:
        """Store *value*, of up to 1 KiB, for *seconds* unless another stands there; tell whether it was stored.

        Another one stands if it was stored in the last *seconds*, whatever it says about itself, and *stands* holds of it.
        """
        with self._writing() as rows, rows.transact():
            row = self._row(key, 1024)
            # Its own expiry is not asked: whoever wrote the row chose it (a lease for a thousand years).
            if row is not None and 0 <= time.time() - row[1] < seconds and stands(row[0]):
                return False
            rows.set(key, value, expire=seconds)
        return True

    def delete(self, key: str) -> None:
        """Remove *key* if it is there."""
        with self._writing() as rows:
            rows.delete(key)

    def count(self, prefix: str = "") -> int:
        """Return how many keys begin with *prefix*, or how many there are."""
        with self._at_work():
            if not prefix:
                rows = self._select("SELECT count(*) FROM Cache")
                return int(rows[0][0]) if rows else 0
            rows = self._select(f"SELECT count(*) FROM Cache WHERE {_BELOW}", *_range(prefix))
        return int(rows[0][0]) if rows else 0

    def keys(self, prefix: str, *, limit: int) -> list[str]:
        """Return up to *limit* keys that begin with *prefix*, in the order in which they were stored first."""
        statement = (
            f"SELECT key FROM Cache WHERE {_BELOW} AND length(key) <= ? ORDER BY rowid LIMIT ?"
        )
        with self._at_work():
            rows = self._select(statement, *_range(prefix), _KEY_LIMIT, limit)
        return [str(key) for (key,) in rows]

    def size(self) -> int:
        """Return the size of the database's files in bytes."""
        with self._at_work():
            return sum(file.st_size for file in self._files().values())

    def clear(self) -> None:
        """Remove all rows."""
        with self._writing() as rows:
            # diskcache's clear() goes through the rows one by one, and asks for the file of each.
            rows.connection.execute("DELETE FROM Cache")

    def prune(self) -> int:
        """Remove the rows that are too old, and the oldest if there are too many; return how many."""
        with self._writing() as rows:
            return int(rows.cull())

    def close(self) -> None:
        """Close the database; it is opened again when needed."""
        with self._at_work():
            self._close()

    def _row(self, key: str, limit: int) -> tuple[bytes, float] | None:
        # A value of another type or size is no row of ours; it is told apart before a byte of it is read.
        rows = self._select(_ROW, key, time.time(), limit)
        return (rows[0][0], rows[0][1]) if rows else None

    def _select(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of *statement*; none if there is no database yet."""
        connection = self._connection or self._open()
        return [] if connection is None else connection.execute(statement, values).fetchall()

    def _open(self, *, make: bool = False) -> sqlite3.Connection | None:
        """Open the database, if it is there or to be made, and see to it that it is ours."""
        if not self._may_be_opened():
            self._discard()
        path = self._directory / _DATABASE
        if not make and _stat(path) is None:
            return None
        self._connection = _connect(path, self._is_late)
        found = _examined(self._connection)
        if found is _Schema.FOREIGN:
            self._discard()
            return self._open(make=make)
        # It is looked at again the next time: another process may be in the midst of making it.
        if found is _Schema.UNFINISHED and not make:
            self._close()
        return self._connection

    def _may_be_opened(self) -> bool:
        """Tell whether SQLite may open the files that are there."""
        files = self._files()
        if any(
            not stat.S_ISREG(file.st_mode) or file.st_size > _FILE_LIMIT for file in files.values()
        ):
            return False
        # What is left of a log belongs to no database; unless another process is just making one.
        return not files or _DATABASE in files or _stat(self._directory / _DATABASE) is not None

    def _files(self) -> dict[str, os.stat_result]:
        found = {name: _stat(self._directory / name) for name in _FILES}
        return {name: file for name, file in found.items() if file is not None}

    @contextmanager
    def _writing(self) -> Iterator[Rows]:
        """Give the rows, for a block that writes."""
        import diskcache  # type: ignore[import-untyped]  # a run that finds all its pages does without

        with self._at_work():
            try:
                if self._rows is None:
                    self._rows = self._opened_rows()
                yield self._rows
            except diskcache.Timeout:
                raise TimeoutError(None, "another process has locked it") from None

    def _opened_rows(self) -> Rows:
        from tracecite_lint.sources.rows import Rows

        self._close()  # what was opened to be read may have been replaced meanwhile
        connection = self._open(make=True)
        assert connection is not None
        if connection.execute("PRAGMA page_count").fetchone() != (0,):
            connection.execute("BEGIN IMMEDIATE")  # diskcache would wait a minute for a lock
            connection.execute("ROLLBACK")
        return Rows(self._directory, connection)

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """Run a block on the database; whatever it does to the block is an UnusableError."""
        with self._lock:
            self._give_up_at = time.monotonic() + PATIENCE
            try:
                yield
            except (sqlite3.Error, OSError, ValueError, TypeError) as error:
                code = getattr(error, "sqlite_errorcode", None)
                if code == sqlite3.SQLITE_INTERRUPT and not self._is_late():
                    raise KeyboardInterrupt from error  # it came while SQLite asked whether to go on
                if not _is_damage(error):
                    self._close()  # it may not have been looked at yet
                    raise UnusableError(_reason(error)) from error
                try:
                    self._discard()
                except OSError as kept:
                    raise UnusableError(_reason(kept)) from error
                raise DamagedError(f"it is damaged ({_reason(error)})") from error

    def _is_late(self) -> bool:
        return time.monotonic() > self._give_up_at

    def _close(self) -> None:
        self._rows = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _discard(self) -> None:
        self._close()
        for name in _FILES:
            (self._directory / name).unlink(missing_ok=True)


def _connect(path: Path, is_late: Callable[[], bool]) -> sqlite3.Connection:
    """Return a connection on which nothing takes much memory or time, whatever lies in the file."""
    connection = sqlite3.connect(
        path, timeout=LOCK_TIMEOUT, isolation_level=None, check_same_thread=False
    )
    # A row of 900 MB took 46 s and 1.9 GB to be refused: SQLite itself has to refuse it.
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_LIMIT + 2**16)  # of a whole row
    connection.set_progress_handler(is_late, _STEPS)
    # What SQLite advises for databases of others (“Defense Against The Dark Arts”).
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _examined(connection: sqlite3.Connection) -> _Schema:
    """Return whether a database is as this program would leave it.

    A trigger or an index can run for ever or rewrite what is stored, and diskcache obeys the Settings table of the file:
    a row can set any attribute of its objects, the directory it works in among them, and run any PRAGMA.
    """
    schema = "SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT ?"
    # One more than there may be is enough to see that something is wrong.
    objects = set(connection.execute(schema, (len(_SCHEMA) + 1,)))
    if not objects:
        return _Schema.UNFINISHED
    (pages,), (size,), (vacuum,) = (
        connection.execute(f"PRAGMA {name}").fetchone()
        for name in ("page_count", "page_size", "auto_vacuum")
    )
    sound = size <= _PAGE_SIZE_LIMIT and pages * size <= _FILE_LIMIT and vacuum == 1
    if not sound or not objects <= _SCHEMA:
        return _Schema.FOREIGN
    if any(name == "Settings" for _, name, _, _ in objects):
        known = len(SETTINGS) + len(_COUNTERS)
        settings = connection.execute("SELECT key, value FROM Settings LIMIT ?", (known + 1,))
        if not all(_is_known(key, value) for key, value in settings):
            return _Schema.FOREIGN
    return _Schema.OURS if objects == _SCHEMA else _Schema.UNFINISHED


def _range(prefix: str) -> tuple[str, str]:
    """Return the first key with *prefix*, and the first behind all of them."""
    # A range and not LIKE or GLOB: it runs over the index, and nothing in the prefix is a wildcard.
    return prefix, prefix[:-1] + chr(ord(prefix[-1]) + 1)


def _is_damage(error: Exception) -> bool:
    """Tell damage from a database that is sound and cannot be used: locked, full, read-only, out of reach."""
    if isinstance(error, OSError):
        return False
    code = getattr(error, "sqlite_errorcode", None)
    # OperationalError is both: of its codes these mean a database that is not as it should be, not one that is in use.
    return not isinstance(error, sqlite3.OperationalError) or code in {
        None,
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_INTERRUPT,
    }


def _reason(error: Exception) -> str:
    """Return what *error* says; SQLite's messages hold names from the file."""
    text = error.strerror.lower() if isinstance(error, OSError) and error.strerror else str(error)
    return "".join(char if char.isprintable() else "?" for char in text[:200])


def _private_directory(directory: Path, name: str, work_tree: Path | None) -> Path:
    """Make *directory*, and *name* below it, if it is missing; see to it that it is ours alone and outside *work_tree*."""
    real = directory.resolve()
    if work_tree is not None and real.is_relative_to(work_tree.resolve()):
        raise UnusableError("it lies in the work tree")
    if os.path.expandvars(real) != str(real):
        raise UnusableError("its name looks like a variable")  # diskcache would replace it
    try:
        real.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        real.mkdir(mode=0o700, exist_ok=True)
        _check_owner(directory, real)
        if name:
            real /= name
            # Somebody else's choice of a place, in a directory that others could write before it was made private.
            if real.is_symlink():
                real.unlink()
            real.mkdir(mode=0o700, exist_ok=True)
            _check_owner(real, real)
    except OSError as error:
        raise UnusableError((error.strerror or str(error)).lower()) from error
    return real


def _check_owner(directory: Path, real: Path) -> None:
    if os.name != "posix":
        return
    for path in (directory, real):
        if path.lstat().st_uid != os.getuid():
            raise UnusableError("it belongs to another user")
    # A directory that was made by hand (`mkdir`) is made private, unless other things in it may need to be seen.
    if stat.S_IMODE(real.stat().st_mode) & 0o077:
        if any(entry.name not in {*_FILES, UNCHECKED, TOLD} for entry in real.iterdir()):
            raise UnusableError("other users may use it, and it holds other files")
        real.chmod(0o700)


def _stat(path: Path) -> os.stat_result | None:
    """Return what the file at *path* is, links not followed; None if there is none."""
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def _is_known(key: object, value: object) -> bool:
    if key in _COUNTERS:
        return type(value) is int and 0 <= value <= _COUNTERS[str(key)]
    return isinstance(key, str) and key in SETTINGS and SETTINGS[key] == value
