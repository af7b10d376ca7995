"""Fixes put into documents: edits applied to texts, files replaced as a whole or not at all."""

from __future__ import annotations

import errno
import os
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence

from tracecite_lint.files.chosen import ChosenFile
from tracecite_lint.model import Diagnostic, Fix, Span


def fixes_by_file(
    diagnostics: Iterable[Diagnostic], *, unsafe: bool = False
) -> dict[str, list[Fix]]:
    """Return the fixes that can be made together, by document: of two that overlap the first one stays.

    Those that change what the document says are among them if *unsafe*.
    """
    chosen = ChosenFixes()
    for item in diagnostics:
        if item.fix is not None and (unsafe or item.fix.is_safe):
            chosen.add(item.file, item.fix)
    return chosen.by_file


class ChosenFixes:
    """Fixes that can be made together."""

    def __init__(self) -> None:
        self.by_file: dict[str, list[Fix]] = {}
        """The fixes of each document, in the order in which they were added."""
        self._taken: defaultdict[str, list[Span]] = defaultdict(list)

    def has_room_for(self, file: str, fix: Fix) -> bool:
        """Tell whether no fix of the document *file* that was added overlaps *fix*."""
        return not _overlaps(fix, self._taken[file])

    def add(self, file: str, fix: Fix) -> None:
        """Add *fix*, unless one that was added before overlaps it."""
        if self.has_room_for(file, fix):
            self.by_file.setdefault(file, []).append(fix)
            for edit in fix.edits:
                insort(self._taken[file], edit.span)


def difference(path: str, old: str, new: str) -> str:
    """Return the unified diff from *old* to *new*."""
    import difflib

    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def replace_file(place: ChosenFile, old: bytes, new: bytes) -> bool:
    """Replace the content of a file in one step; False if it no longer holds *old*.

    Raises OSError, also for a file that may not be written: its folder alone would let it be replaced.
    """
    # Typed in while pages were fetched: what was checked is no more what stands there.
    if place.read() != old:
        return False
    path = place.real_path()
    # Root may write anything; a file that nobody may write was made so on purpose.
    if not (path.stat().st_mode & 0o222 and os.access(path, os.W_OK)):
        raise PermissionError(errno.EACCES, "the file is read-only")
    place.write(new)
    return True


def _overlaps(fix: Fix, taken: Sequence[Span]) -> bool:
    """Tell whether an edit of *fix* overlaps one of the spans *taken*, which are in order and do not overlap."""
    for edit in fix.edits:
        start = edit.span.line, edit.span.column
        end = edit.span.end_line, edit.span.end_column
        index = bisect_left(taken, end, key=lambda span: (span.line, span.column)) - 1
        if index >= 0 and start < (taken[index].end_line, taken[index].end_column):
            return True
    return False
