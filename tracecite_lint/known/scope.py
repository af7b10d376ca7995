"""What a run looked at, for files that remember earlier runs: only there can a thing be gone."""

from __future__ import annotations

from tracecite_lint.light.lazy import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents of a run that were checked in full, by their paths below the repository root.

    `folder` adds everything below a folder (empty: below the root), files that are gone from it too; None adds nothing.
    What is there and was not read (`unread`) is not gone.
    """

    files: Collection[str] = ()
    folder: str | None = None
    unread: Collection[str] = ()

    def holds(self, file: str) -> bool:
        """Tell whether the run would have seen what is in *file*."""
        if file in self.unread:
            return False
        if file in self.files:
            return True
        return self.folder is not None and (not self.folder or file.startswith(f"{self.folder}/"))
