"""A database that the run can do without: whatever is wrong with it is said once, and costs speed alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from tracecite_lint.sources.database import Database

    _T = TypeVar("_T")

VALUE_LIMIT = 64 * 1024 * 1024
"""Bytes of a value; a larger one is not stored, and not read."""


class OptionalDatabase:
    """The database in a directory, opened when it is first needed; left aside once it turns out to be unusable."""

    def __init__(
        self, directory: Path | None, name: str = "", *, work_tree: Path | None = None
    ) -> None:
        """Use *directory* (None: no database), which may not lie in *work_tree*, or *name* below it."""
        self.directory = directory
        self._name = name
        self.problem: str | None = None
        """Why the database is not used, in one line."""
        self._work_tree = work_tree
        self._database: Database | None = None

    def ask(self, action: Callable[[Database], _T], *, otherwise: _T) -> _T:
        """Return what *action* gives with the database, or *otherwise* if there is none that works."""
        if self.directory is None or self.problem is not None:
            return otherwise
        from tracecite_lint.sources.database import DamagedError, UnusableError  # brings in SQLite

        try:
            try:
                return action(self._opened())
            except DamagedError:  # it was thrown away
                return action(self._opened())
        except UnusableError as error:
            self.problem = f"the cache in {self.directory} is not used: {error}"
            self._database = None
            return otherwise

    def _opened(self) -> Database:
        from tracecite_lint.sources.database import Database

        if self._database is None:
            assert self.directory is not None
            self._database = Database(self.directory, self._name, work_tree=self._work_tree)
        return self._database

    def tell(self, action: Callable[[Database], object]) -> bool:
        """Do *action* with the database; tell whether it was done."""

        def done(database: Database) -> bool:
            action(database)
            return True

        return self.ask(done, otherwise=False)

    def close(self) -> None:
        """Close the database; it is opened again when needed."""
        if self._database is not None:
            self.tell(lambda database: database.close())
            self._database = None
