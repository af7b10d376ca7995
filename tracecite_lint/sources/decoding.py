"""Content codings undone while a body is read, never more than was asked for: pure, no I/O."""

from __future__ import annotations

import zlib
from typing import Protocol

from tracecite_lint.sources.errors import SourceError

ACCEPT_ENCODING = "gzip, deflate"
"""The codings that `decoder_for` undoes."""


class Decoder(Protocol):
    """Undoes one content coding, piece by piece."""

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return up to *limit* bytes of what *data* adds; raises zlib.error on damage."""

    def is_complete(self) -> bool:
        """Tell whether the coded data came to its own end."""


class Identity:
    """No coding at all."""

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return *data*, cut at *limit*."""
        return data[:limit]

    def is_complete(self) -> bool:
        """There is no end to miss: HTTP's own framing is checked elsewhere."""
        return True


class Inflate:
    """gzip (RFC 1952, several members too) and deflate, which servers send with (RFC 9110) and without zlib's frame."""

    def __init__(self, coding: str) -> None:
        self._gzip = coding != "deflate"
        self._inflate: zlib._Decompress | None = None
        self._head = b""

    def decode(self, data: bytes, limit: int) -> bytes:
        """Return up to *limit* bytes; what does not fit is dropped, for the body is too large then."""
        data, self._head = self._head + data, b""
        decoded = b""
        while data and len(decoded) < limit:
            if self._inflate is None:
                if len(data) < 2:
                    self._head = data
                    break
                self._inflate = zlib.decompressobj(self._window(data))
            decoded += self._inflate.decompress(data, limit - len(decoded))
            data = self._inflate.unconsumed_tail
            if self._inflate.eof:
                data = self._next_member(self._inflate.unused_data)
        return decoded

    def is_complete(self) -> bool:
        """Tell whether the last member came to its end; an empty body is complete."""
        return not self._head and (self._inflate is None or self._inflate.eof)

    def _window(self, data: bytes) -> int:
        if self._gzip:
            return 16 + zlib.MAX_WBITS
        # RFC 1950: the method is deflate, and the first two bytes are a multiple of 31, as in raw deflate by chance only.
        framed = data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
        return zlib.MAX_WBITS if framed else -zlib.MAX_WBITS

    def _next_member(self, rest: bytes) -> bytes:
        """Return what is to be decoded after the end of a member; padding and garbage are left alone."""
        if self._gzip and rest.startswith(b"\x1f\x8b"):
            self._inflate = None
            return rest
        # RFC 1952 allows further members alone; servers pad with zeros, and browsers and curl pass over whatever follows.
        return b""


def decoder_for(content_encoding: str) -> Decoder:
    """Return what undoes *content_encoding*, the header as sent; raises SourceError HTTP_BODY_READ_FAILED."""
    coding = content_encoding.strip().lower()
    if coding in {"", "identity"}:
        return Identity()
    if coding in {"gzip", "x-gzip", "deflate"}:
        return Inflate(coding)
    raise SourceError(
        "HTTP_BODY_READ_FAILED",
        f"the body is compressed with {coding[:40]!r}, which was not asked for",
    )
