"""What is raised when a source cannot be read: a code of the contract, one line of message, and the way out."""

from __future__ import annotations

from tracecite_lint.rules import is_unreachable


class SourceError(Exception):
    """A source that could not be read, or that has no readable text.

    `code` is one of docs/rules.md (`HTTP_STATUS_404` for a status), `message` is one line for people, `help` says what
    they can do about it and may be empty.
    """

    def __init__(self, code: str, message: str, *, help: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.help = help

    @property
    def unreachable(self) -> bool:
        """Whether `--allow-unreachable` reports this error without failing the run."""
        return is_unreachable(self.code)

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
