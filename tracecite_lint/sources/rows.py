"""diskcache, made to keep bytes alone and to work on one guarded connection; imported by runs that write."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import diskcache  # type: ignore[import-untyped]

from tracecite_lint.sources.database import EVICTION, LOCK_TIMEOUT, SETTINGS

diskcache.core.EVICTION_POLICY[EVICTION] = {
    "init": "CREATE INDEX IF NOT EXISTS Cache_store_time ON Cache (store_time)",
    "get": None,
    # Counted off, so that each row is as likely as any other: a run from a random number on would take the rows with the
    # widest gap before them, and those are the oldest. The index has no values in it: a scan of it reads few blocks.
    "cull": (
        "SELECT {fields} FROM Cache WHERE rowid IN (SELECT rowid FROM Cache ORDER BY store_time"
        " LIMIT ? OFFSET (SELECT abs(random()) % max(count(*), 1) FROM Cache))"
    ),
}


class _BytesDisk(diskcache.Disk):  # type: ignore[misc]  # diskcache has no types
    """Rows with a string as key and bytes as value, all in the database: nothing is unpickled, no file is followed.

    diskcache's own Disk unpickles what it finds (CVE-2025-69872) and opens, and removes, any path that a row names.
    """

    def put(self, key: object) -> tuple[str, bool]:
        if not isinstance(key, str):
            raise TypeError("a key is a string")
        return key, True

    def get(self, key: object, raw: object) -> str:
        raise TypeError("keys are read by database.py")

    def store(self, value: object, read: bool, key: object = None) -> tuple[int, int, None, bytes]:
        if not isinstance(value, bytes) or read:
            raise TypeError("a value is bytes")
        return 0, diskcache.core.MODE_RAW, None, value

    def fetch(self, mode: int, filename: str | None, value: object, read: bool) -> bytes:
        raise TypeError("values are read by database.py")

    def remove(self, file_path: str) -> None:
        """Leave the file alone: rows of ours have none."""


class Rows(diskcache.Cache):  # type: ignore[misc]
    """diskcache's Cache for what writes: `set`, `delete`, `cull`, `transact`.

    It would open connections of its own, one for each thread, on which a row of any size is read and any statement runs
    for as long as it likes.
    """

    def __init__(self, directory: Path, connection: sqlite3.Connection) -> None:
        """Work on *connection*, to the database in *directory*; what is missing in it is made."""
        self.connection = connection
        super().__init__(str(directory), timeout=LOCK_TIMEOUT, disk=_BytesDisk, **SETTINGS)

    @property
    # diskcache has no public way to give it a connection; the version is bounded in pyproject.toml for this.
    def _con(self) -> sqlite3.Connection:
        return self.connection
