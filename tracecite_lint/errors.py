"""The base of every error that a caller of the library, or of a command, can expect."""

from __future__ import annotations


class TraceciteLintError(Exception):
    """Something that cannot be done: `str()` of it is one line for people that names the place and the way out."""


def os_reason(error: OSError) -> str:
    """Return what went wrong without the path, which the message around it names in its own way."""
    return error.strerror or str(error)


def require_text(function: str, **arguments: object) -> None:
    """Raise TypeError, which says what *function* takes, for an argument that is no `str`."""
    for name, value in arguments.items():
        if not isinstance(value, str):
            way_out = ": decode it first" if isinstance(value, bytes | bytearray) else ""
            kind = type(value).__name__
            raise TypeError(f"{function}() takes {name} as a str, not as {kind}{way_out}")
