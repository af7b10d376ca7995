"""When the time of a run is up: `--max-time` counts from the start of the command, and everything counts."""

from __future__ import annotations

import time

from tracecite_lint.light.lazy import dataclass

CODE = "NOT_CHECKED_TIME_BUDGET"
BYTES_PER_SECOND = 1024 * 1024
"""How much of a document is read in a second, at most: a document is read in one go."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time of `time.monotonic()` at which a run ends; None: never."""

    at: float | None = None

    @classmethod
    def after(cls, seconds: float | None, *, started: float) -> Deadline:
        """Return the deadline *seconds* after the time *started*."""
        return cls(None if seconds is None else started + seconds)

    def is_over(self) -> bool:
        """Tell whether the time is up."""
        return self.at is not None and time.monotonic() >= self.at

    def within(self, seconds: float) -> float:
        """Return how many of *seconds* are left."""
        return seconds if self.at is None else min(self.at - time.monotonic(), seconds)

    def leaves_time_for(self, size: int) -> bool:
        """Tell whether a document of *size* bytes can still be read in time."""
        # Asked beforehand, since the parser cannot be stopped: `--max-time 2` once ran on for 16 s.
        return self.at is None or size < (self.at - time.monotonic()) * BYTES_PER_SECOND


NO_DEADLINE = Deadline()
