"""Digests of what is stored or compared, without OpenSSL, which `hashlib` brings in: 4 ms of every commit."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import blake2b
else:
    try:
        from _blake2 import blake2b  # CPython's own
    except ImportError:
        from hashlib import blake2b

__all__ = ["blake2b"]
