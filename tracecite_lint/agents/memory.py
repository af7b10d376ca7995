"""What a conversation was told, and what it has edited: beside the cache, for a month, and by digests where that is enough."""

from __future__ import annotations

from pathlib import Path

from tracecite_lint.files.user_directories import TOLD
from tracecite_lint.light.digests import blake2b
from tracecite_lint.sources.optional_database import OptionalDatabase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tracecite_lint.sources.database import Database

_LIFETIME = 30 * 24 * 3600.0
"""Seconds for which a conversation is remembered."""
_MOST_FILES = 1_000
_LONGEST_NAME = 16 * 1024


class Memory:
    """What is remembered of one conversation; of one without a name (None) nothing is, and nothing where there is no cache."""

    def __init__(
        self, conversation: str | None, directory: Path | None, *, work_tree: Path
    ) -> None:
        """Use the cache in *directory* (None: none), which may not lie in *work_tree*."""
        self._name = None if conversation is None else _digest(conversation)
        self._database = OptionalDatabase(
            directory if conversation is not None else None, TOLD, work_tree=work_tree
        )

    def tell(self, finding: str) -> bool:
        """Take down that *finding* is told now; tell whether it is told for the first time, also of several at once."""
        key = f"told/{self._name}/{_digest(finding)}"
        return self._database.ask(
            lambda database: database.take(key, b"1", seconds=_LIFETIME, stands=lambda _: True),
            otherwise=True,
        )

    def edited(self, file: str) -> None:
        """Take down that *file* (absolute) was edited."""
        key = f"{self._files}{_digest(file)}"
        self._database.tell(lambda database: database.set(key, file.encode(), ttl=_LIFETIME))

    def files(self) -> list[str]:
        """Return the files that were edited, in their order."""
        return self._database.ask(self._read_files, otherwise=[])

    def _read_files(self, database: Database) -> list[str]:
        keys = database.keys(self._files, limit=_MOST_FILES)
        values = [database.get(key, limit=_LONGEST_NAME) for key in keys]
        return [value.decode("utf-8", "replace") for value in values if value is not None]

    def close(self) -> None:
        """Close what it is kept in."""
        self._database.close()

    @property
    def _files(self) -> str:
        return f"files/{self._name}/"


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
