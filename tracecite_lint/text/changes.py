"""What of a text an edit changed."""

from __future__ import annotations

from collections.abc import Callable

_PIECE = 4096


def changed_ranges(old: str, new: str) -> tuple[int, int, int]:
    """Return where *new* begins to differ from *old*, and where the difference ends in *old* and in *new* (offsets).

    What stands before and behind is the same in both. Of `aa` → `a` it is the second letter that is gone.
    """
    limit = min(len(old), len(new))
    start = _shared(limit, lambda first, last: old[first:last] == new[first:last])
    ends = len(old), len(new)
    tail = _shared(
        limit - start,
        lambda first, last: (
            old[ends[0] - last : ends[0] - first] == new[ends[1] - last : ends[1] - first]
        ),
    )
    return start, ends[0] - tail, ends[1] - tail


def _shared(limit: int, is_shared: Callable[[int, int], bool]) -> int:
    """Return how many of *limit* characters are shared; *is_shared* tells it of those from one number to another."""
    low = 0
    while low < limit and is_shared(low, min(low + _PIECE, limit)):
        low = min(low + _PIECE, limit)
    high = min(low + _PIECE, limit)
    while low < high:
        middle = (low + high + 1) // 2
        if is_shared(low, middle):
            low = middle
        else:
            high = middle - 1
    return low
