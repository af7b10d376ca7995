"""A directory of rows kept by diskcache, opened as what it is: input that anybody may have prepared (docs/cache.md)."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import diskcache  # type: ignore[import-untyped]

LOCK_TIMEOUT = 2.0
"""Seconds to wait for another process that writes; then the run goes on without the database."""

SIZE_LIMIT = 512 * 1024 * 1024
"""Bytes after which the rows stored first are dropped."""

_DATABASE = "cache.db"
_LIST = "unchecked"  # the directory of unchecked.py
_FILES = (_DATABASE, f"{_DATABASE}-wal", f"{_DATABASE}-shm", f"{_DATABASE}-journal")

# All of diskcache's settings, so that none is taken from the file. No memory map: a file that another process cuts short
# would end this one with SIGBUS.
_SETTINGS: dict[str, int | str] = {
    "statistics": 0,
    "tag_index": 0,
    "eviction_policy": "least-recently-stored",
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
_COUNTERS = frozenset({"count", "size", "hits", "misses"})

# What diskcache makes in a database; anything beside it was put there by somebody else.
_SCHEMA = frozenset(
    {
        ("table", "Settings"),
        ("table", "Cache"),
        ("index", "sqlite_autoindex_Settings_1"),
        ("index", "Cache_key_raw"),
        ("index", "Cache_expire_time"),
        ("index", "Cache_store_time"),
        ("trigger", "Settings_count_insert"),
        ("trigger", "Settings_count_delete"),
        ("trigger", "Settings_size_insert"),
        ("trigger", "Settings_size_update"),
        ("trigger", "Settings_size_delete"),
    }
)


class UnusableError(Exception):
    """The database cannot be used; the message is half a sentence that says why."""


class _BytesDisk(diskcache.Disk):  # type: ignore[misc]  # diskcache has no types
    """Rows with a string as key and bytes as value, all in the database: nothing is unpickled, no file is followed.

    diskcache's own Disk unpickles what it finds (CVE-2025-69872) and opens, and removes, any path that a row names.
    """

    def put(self, key: object) -> tuple[str, bool]:
        if not isinstance(key, str):
            raise TypeError("a key is a string")
        return key, True

    def get(self, key: object, raw: object) -> str:
        return key if raw and isinstance(key, str) else ""

    def store(self, value: object, read: bool, key: object = None) -> tuple[int, int, None, bytes]:
        if not isinstance(value, bytes) or read:
            raise TypeError("a value is bytes")
        return 0, diskcache.core.MODE_RAW, None, value

    def fetch(self, mode: int, filename: str | None, value: object, read: bool) -> bytes:
        if mode != diskcache.core.MODE_RAW or filename or read or not isinstance(value, bytes):
            raise OSError("a row that this program did not write")  # to diskcache this is a miss
        return value

    def remove(self, file_path: str) -> None:
        """Leave the file alone: rows of ours have none."""


class Database:
    """Rows of bytes by string keys, each with an optional time to live, shared between processes.

    Every method raises UnusableError when the database cannot be used: locked, full, damaged, taken away.
    """

    def __init__(self, directory: Path, *, work_tree: Path | None = None) -> None:
        """Open, or make, the database in *directory*, which is made private (0700).

        A database that diskcache could not have written under the settings of this program, or that is damaged, is
        thrown away and made anew.
        """
        self._directory = _private_directory(directory, work_tree)
        with self._faults():
            if not _is_sound(self._directory / _DATABASE):
                self._discard()
            self._rows: Any = diskcache.Cache(
                str(self._directory), timeout=LOCK_TIMEOUT, disk=_BytesDisk, **_SETTINGS
            )

    def get(self, key: str) -> bytes | None:
        """Return the value of *key*, None if there is none or it is too old."""
        with self._faults():
            value = self._rows.get(key)
        return value if isinstance(value, bytes) else None

    def set(self, key: str, value: bytes, *, ttl: float | None) -> None:
        """Store *value* for *ttl* seconds (None: for good)."""
        with self._faults():
            self._rows.set(key, value, expire=ttl)

    def add(self, key: str, value: bytes, *, ttl: float) -> bool:
        """Store *value* unless *key* has one; tell whether it was stored."""
        with self._faults():
            return bool(self._rows.add(key, value, expire=ttl))

    def delete(self, key: str) -> None:
        """Remove *key* if it is there."""
        with self._faults():
            self._rows.delete(key)

    def keys(self) -> list[str]:
        """Return all keys, in the order in which they were stored first."""
        with self._faults():
            return [key for key in self._rows if key]

    def size(self) -> int:
        """Return the size of the database in bytes."""
        with self._faults():
            return int(self._rows.volume())

    def clear(self) -> None:
        """Remove all rows."""
        with self._faults():
            self._rows.clear()

    def prune(self) -> int:
        """Remove the rows that are too old, and the oldest if there are too many; return how many."""
        with self._faults():
            return int(self._rows.cull())

    def close(self) -> None:
        """Close the connection of this thread."""
        with self._faults():
            self._rows.close()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, diskcache.Timeout, OSError, ValueError, TypeError) as error:
            if _is_damage(error):
                self._discard()  # the next run makes a new one
                raise UnusableError(f"it is damaged ({error})") from error
            raise UnusableError(_reason(error)) from error

    def _discard(self) -> None:
        for name in _FILES:
            (self._directory / name).unlink(missing_ok=True)


def _is_damage(error: Exception) -> bool:
    """Tell damage from a database that is sound and cannot be used: locked, full, read-only, out of reach."""
    if isinstance(error, diskcache.Timeout | OSError):
        return False
    code = getattr(error, "sqlite_errorcode", None)
    return not isinstance(error, sqlite3.OperationalError) or code in {None, sqlite3.SQLITE_ERROR}


def _reason(error: Exception) -> str:
    if isinstance(error, diskcache.Timeout):
        return "another process has locked it"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error)


def _private_directory(directory: Path, work_tree: Path | None) -> Path:
    """Make *directory* if it is missing, and see to it that it is ours alone and outside *work_tree*."""
    real = directory.resolve()
    if work_tree is not None and real.is_relative_to(work_tree.resolve()):
        raise UnusableError("it lies in the work tree")
    if os.path.expandvars(real) != str(real):
        raise UnusableError("its name looks like a variable")  # diskcache would replace it
    try:
        real.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        real.mkdir(mode=0o700, exist_ok=True)
        if os.name == "posix":
            _check_owner(directory, real)
    except OSError as error:
        raise UnusableError((error.strerror or str(error)).lower()) from error
    return real


def _check_owner(directory: Path, real: Path) -> None:
    for path in (directory, real):
        if path.lstat().st_uid != os.getuid():
            raise UnusableError("it belongs to another user")
    if stat.S_IMODE(real.stat().st_mode) & 0o077:
        if any(entry.name not in {*_FILES, _LIST} for entry in real.iterdir()):
            raise UnusableError("other users may use it, and it holds other files")
        real.chmod(0o700)


def _is_sound(path: Path) -> bool:
    """Tell whether diskcache may open the database at *path*: it is missing, or as this program would leave it.

    diskcache obeys the Settings table of the file: a row can set any attribute of its objects, the directory it works
    in among them, and run any PRAGMA.
    """
    kinds = {name: _kind(path.with_name(name)) for name in _FILES}
    if any(kind not in {None, stat.S_IFREG} for kind in kinds.values()):
        return False
    if kinds[path.name] is None:
        # What is left of a log belongs to no database; unless another process is just making one.
        return not any(kinds.values()) or _kind(path) is not None
    connection = sqlite3.connect(path, timeout=LOCK_TIMEOUT, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")  # diskcache would wait a minute for a lock
        objects = set(connection.execute("SELECT type, name FROM sqlite_master"))
        if not objects <= _SCHEMA:
            return False
        if ("table", "Settings") not in objects:
            return True
        settings = connection.execute("SELECT key, value FROM Settings")
        return all(_is_known(key, value) for key, value in settings)
    except (sqlite3.Error, ValueError, TypeError) as error:
        if _is_damage(error):
            return False
        raise
    finally:
        connection.close()


def _kind(path: Path) -> int | None:
    """Return the kind of the file at *path*, links not followed; None if there is none."""
    try:
        return stat.S_IFMT(path.lstat().st_mode)
    except FileNotFoundError:
        return None


def _is_known(key: object, value: object) -> bool:
    if key in _COUNTERS:
        return type(value) is int and value >= 0
    return isinstance(key, str) and key in _SETTINGS and _SETTINGS[key] == value
