"""What is raised when a source cannot be read: a code of the contract, one line of message, and the way out."""

from __future__ import annotations

from tracecite_lint.errors import TraceciteLintError
from tracecite_lint.light.lazy import regex
from tracecite_lint.rules import is_unreachable

_STATUS = regex(r"HTTP_STATUS_[1-9][0-9]{2}")
_FETCH_CODES = frozenset(
    {
        *("URL_BLOCKED", "HOST_UNRESOLVED", "HTTP_REQUEST_FAILED", "REQUEST_TIMEOUT"),
        *("TOO_MANY_REDIRECTS", "REDIRECT_WITHOUT_LOCATION", "INVALID_REDIRECT_TARGET"),
        *("HTTPS_DOWNGRADE_REDIRECT", "SOURCE_TOO_LARGE", "INVALID_CONTENT_LENGTH"),
        *("HTTP_BODY_READ_FAILED", "UNSUPPORTED_CONTENT_TYPE", "HTML_PARSE_FAILED"),
        *("SOURCE_NOT_UTF8", "SOURCE_HAS_NO_TEXT", "SOURCE_BLOCKED"),
    }
)


def is_fetch_code(code: str) -> bool:
    """Tell whether *code* is one that asking a server for a page can end in."""
    return code in _FETCH_CODES or _STATUS.fullmatch(code) is not None


class SourceError(TraceciteLintError):
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
