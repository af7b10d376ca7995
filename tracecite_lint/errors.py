"""The base of every error that a caller of the library, or of a command, can expect."""

from __future__ import annotations


class TraceciteLintError(Exception):
    """Something that cannot be done: `str()` of it is one line for people that names the place and the way out."""


def os_reason(error: OSError) -> str:
    """Return what went wrong without the path, which the message around it names in its own way."""
    return error.strerror or str(error)
