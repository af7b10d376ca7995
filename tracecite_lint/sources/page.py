"""A source that was read: its visible text, what the server said about it, and how it is kept as bytes."""

from __future__ import annotations

import json
import re
import struct
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from urllib.parse import unquote

from tracecite_lint.light.digests import blake2b
from tracecite_lint.light.lazy import dataclass, field, fields, regex, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeGuard

# A page is kept in two rows, for most questions are about the first alone. Each begins with a magic number that holds the
# version of its layout, and the digest of what follows.
_HEAD_MAGIC = b"TCLH\x01"
_TEXT_MAGIC = b"TCLT\x01"
_DIGEST_SIZE = 16
_VERSION = struct.Struct(">I")
_SIZES = struct.Struct(
    ">QQ"
)  # of the JSON of the sections, and of the text, in bytes; the prepared bytes are the rest

_LATEST = 253_402_300_799.0  # the last second that a date can name
_MAX_VALIDATOR = 1024
_MAX_URL = 16 * 16_384  # of the longest that is asked for, when all of it had to be escaped
_MAX_HOPS = 64

_HEX = regex("[0-9a-f]{32}")
_URL = regex(r"https?://[!-~]+")
# GitHub's anchors; the column behind `C` is one of its own and says nothing that lines do not.
_LINES = regex(r"L(\d{1,9})(?:C\d{1,9})?(?:-L?(\d{1,9})(?:C\d{1,9})?)?\Z")
# RFC 8118, section 3: `page=3`, with other parameters of Acrobat's before and behind it.
_PDF_PAGE = regex(r"(?:.*&)?page=(\d{1,9})(?:&.*)?\Z", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Sections:
    """Where the parts of a source that a URI fragment can name stand in its text.

    All offsets count characters (code points) of the text. `headings` maps an anchor to its half-open range: the slug of
    a Markdown heading, the id or name of an HTML element. `lines` holds the offset at which each line of a plain text
    (or of the Markdown file a text was rendered from) begins, `pages` the same for the pages of a PDF.
    """

    headings: Mapping[str, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    lines: tuple[int, ...] = ()
    pages: tuple[int, ...] = ()

    def window(self, fragment: str, length: int) -> tuple[int, int] | None:
        """Return the half-open range of a text of *length* characters that *fragment* names, None if it names nothing.

        Understood are `L10`, `L10-L20` (GitHub's line anchors, 1-based, both ends included), `page=3` (RFC 8118) and
        the anchors of `headings`, as written and percent-decoded.
        """
        if self.pages and (match := _PDF_PAGE.match(fragment)):
            return _between(self.pages, int(match[1]), int(match[1]), self._page_ends, length)
        if fragment in self.headings:
            return self.headings[fragment]
        decoded = unquote(fragment)
        if decoded in self.headings:
            return self.headings[decoded]
        # GitHub's slugs are in small letters, and its pages find `#Usage` all the same.
        if decoded.lower() in self.headings:
            return self.headings[decoded.lower()]
        if self.lines and (match := _LINES.match(fragment)):
            first = int(match[1])
            return _between(self.lines, first, int(match[2] or first), self._line_ends, length)
        return None

    @cached_property
    def _line_ends(self) -> list[int | None]:
        return _ends(self.lines)

    @cached_property
    def _page_ends(self) -> list[int | None]:
        return _ends(self.pages)

    def page_at(self, offset: int) -> int | None:
        """Return the 1-based PDF page on which the character at *offset* stands; None for a text without pages."""
        if not self.pages:
            return None
        return max(bisect_right(self.pages, offset), 1)


def _ends(starts: Sequence[int]) -> list[int | None]:
    """Return where each part ends: at the next start that is greater than its own, None for the end of the text.

    A line of rendered Markdown may begin where the one before it does, and a footnote's after all others.
    """
    ends: list[int | None] = [None] * len(starts)
    greater: list[int] = []
    for at in range(len(starts) - 1, -1, -1):
        while greater and greater[-1] <= starts[at]:
            greater.pop()
        ends[at] = greater[-1] if greater else None
        greater.append(starts[at])
    return ends


def _between(
    starts: Sequence[int], first: int, last: int, ends: Sequence[int | None], length: int
) -> tuple[int, int] | None:
    """Return the range of the 1-based parts *first* to *last*; None where there is no such part."""
    # GitHub takes `#L20-L10` too: it is what comes of a selection from below.
    first, last = min(first, last), max(first, last)
    if not 1 <= first <= len(starts):
        return None
    end = ends[min(last, len(starts)) - 1]
    return starts[first - 1], length if end is None else end


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHead:
    """What is known of a source that was read, but for its text.

    `url` is what was asked for, `final_url` what answered; `status` is 0 for a local file. Times are in seconds since the
    epoch. `hops` holds, by name, how each host was reached that was asked on the way (reach.py). `leads_on`
    tells that the page leads on to another after a while, which was not followed: it does not show all. `from_cache` and `stale`
    (past its TTL, the server could not be asked) tell how the page was come by and are not kept. `digest` names the text
    and its sections: two pages with the same digest say the same.
    """

    url: str
    final_url: str
    status: int
    content_type: str
    fetched_at: float
    fresh_until: float
    etag: str | None = None
    last_modified: str | None = None
    hops: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    leads_on: bool = False
    from_cache: bool = False
    stale: bool = False
    digest: str = field(default="", compare=False)

    def to_bytes(self, extract_version: int) -> bytes:
        """Return the head as bytes for `from_bytes`; *extract_version* is that of the extractor that made the text."""
        header = json.dumps(
            {
                "url": self.url,
                "final_url": self.final_url,
                "status": self.status,
                "content_type": self.content_type or None,
                "fetched_at": self.fetched_at,
                # A TTL may be endless; what no date can name would not be read back.
                "fresh_until": min(self.fresh_until, _LATEST),
                "etag": self.etag,
                "last_modified": self.last_modified,
                "hops": dict(self.hops),
                "leads_on": self.leads_on,
                "extract_version": extract_version,
                "digest": self.digest,
            },
            separators=(",", ":"),
        ).encode()
        return _HEAD_MAGIC + _digest(header) + header

    @classmethod
    def from_bytes(cls, data: bytes) -> tuple[PageHead, int]:
        """Read back what `to_bytes` made: the head, and the version of the extractor.

        Raises ValueError on any damage or another layout.
        """
        start = len(_HEAD_MAGIC) + _DIGEST_SIZE
        body = data[start:]
        if not data.startswith(_HEAD_MAGIC) or _digest(body) != data[len(_HEAD_MAGIC) : start]:
            # Against accidents, not against whoever can write the cache: such a one can forge pages (docs/cache.md).
            raise ValueError("a stored page is damaged")
        header = _Header(json.loads(body))
        head = cls(
            url=header.url("url"),
            final_url=header.url("final_url"),
            status=header.status("status"),
            content_type=header.header("content_type") or "",
            fetched_at=header.time("fetched_at"),
            fresh_until=header.time("fresh_until"),
            etag=header.header("etag"),
            last_modified=header.header("last_modified"),
            hops=header.hops("hops"),
            leads_on=header.flag("leads_on"),
            digest=header.digest("digest"),
        )
        return head, header.version("extract_version")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(PageHead):
    """A source as read: what PageHead says, and its text.

    `text` is the visible text with reference markers (model.MARKER_START), `prepared` the same made ready for matching
    (opaque here).
    """

    text: str
    prepared: bytes
    sections: Sections = field(default_factory=Sections)

    @property
    def head(self) -> PageHead:
        """The page without its text."""
        return PageHead(**{item.name: getattr(self, item.name) for item in fields(PageHead)})

    def named(self) -> Page:
        """Return the page with its digest."""
        return replace(self, digest=_digest(self._content()).hex())

    def rows(self, *, extract_version: int, prepare_version: int) -> tuple[bytes, bytes]:
        """Return the page as two rows for `from_rows`; the versions are those by which its text was made and prepared."""
        content = self._content()
        digest = _digest(content)
        head = replace(self.head, digest=digest.hex())
        prepared = _VERSION.pack(prepare_version) + self.prepared
        row = b"".join(
            (
                _TEXT_MAGIC,
                digest,
                _digest(prepared),
                prepared[: _VERSION.size],
                content,
                self.prepared,
            )
        )
        return head.to_bytes(extract_version), row

    @classmethod
    def from_rows(cls, head: PageHead, data: bytes) -> tuple[Page, int]:
        """Read back the page of *head* from its second row; also return the version of the prepared bytes.

        Raises ValueError on any damage or another layout, and where the row belongs to another head.
        """
        view = memoryview(data)
        start = len(_TEXT_MAGIC) + 2 * _DIGEST_SIZE
        content = start + _VERSION.size
        sections_start = content + _SIZES.size
        if not data.startswith(_TEXT_MAGIC) or len(view) < sections_start:
            raise ValueError("not a stored text")
        sections_size, text_size = _SIZES.unpack_from(view, content)
        text_start = sections_start + sections_size
        end = text_start + text_size
        if end > len(view):
            raise ValueError("a stored text is cut short")
        prepared = view[end:]
        digests = (view[content:end],), (view[start:content], prepared)
        found = b"".join(_digest(*parts) for parts in digests)
        if (
            found != bytes(view[len(_TEXT_MAGIC) : start])
            or found[:_DIGEST_SIZE].hex() != head.digest
        ):
            raise ValueError("a stored text is damaged")
        # Of damage UnicodeDecodeError comes up here, which is a ValueError.
        text = str(view[text_start:end], "utf-8")
        page = cls(
            **{item.name: getattr(head, item.name) for item in fields(PageHead)},
            text=text,
            prepared=bytes(prepared),
            sections=_sections(bytes(view[sections_start:text_start]), len(text)),
        )
        return page, _VERSION.unpack_from(view, start)[0]

    def _content(self) -> bytes:
        """Return the sections and the text as bytes."""
        sections = b""
        if self.sections.headings or self.sections.lines or self.sections.pages:
            sections = json.dumps(
                {
                    "headings": {name: list(at) for name, at in self.sections.headings.items()},
                    "lines": self.sections.lines,
                    "pages": self.sections.pages,
                },
                separators=(",", ":"),
            ).encode()
        text = self.text.encode()
        return _SIZES.pack(len(sections), len(text)) + sections + text


def _sections(data: bytes, length: int) -> Sections:
    """Read back the sections of a text of *length* characters. Raises ValueError."""
    if not data:
        return Sections()
    header = _Header(json.loads(data))
    return Sections(
        headings=header.ranges("headings", length),
        lines=header.offsets("lines", length),
        pages=header.offsets("pages", length),
    )


def _digest(*parts: bytes | memoryview) -> bytes:
    digest = blake2b(digest_size=_DIGEST_SIZE)
    for part in parts:
        digest.update(part)
    return digest.digest()


def is_header_value(value: object) -> TypeGuard[str]:
    """Tell whether *value* can be sent back in a header, or stored, as it is: short, ASCII, in one line."""
    return (
        isinstance(value, str)
        and 0 < len(value) <= _MAX_VALIDATOR
        and value.isascii()
        and value.isprintable()
    )


def as_time(value: object) -> float:
    """Return *value* as seconds since the epoch; raises ValueError for what no clock has shown."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LATEST:
        raise ValueError("a stored time is none")
    return float(value)


class _Header:
    """The JSON header of a stored page, read with its types checked: what lies in a cache directory is input."""

    def __init__(self, values: object) -> None:
        if not isinstance(values, dict):
            raise ValueError("the header of a stored page is no object")
        self._values = values

    def header(self, name: str) -> str | None:
        """Return what a server said in a header, None if it did not."""
        value = self._values.get(name)
        if value is not None and not is_header_value(value):
            raise ValueError(f"{name} of a stored page is no header's value")
        return value

    def url(self, name: str) -> str:
        value = self._values.get(name)
        if not isinstance(value, str) or len(value) > _MAX_URL or not _URL.fullmatch(value):
            raise ValueError(f"{name} of a stored page is no URL")
        return value

    def time(self, name: str) -> float:
        return as_time(self._values.get(name))

    def status(self, name: str) -> int:
        value = self._values.get(name)
        # Not isinstance: true is an int in Python, and in JSON it is not.
        if type(value) is not int or not 200 <= value <= 299:
            raise ValueError(f"{name} of a stored page is no status of a page")
        return value

    def flag(self, name: str) -> bool:
        value = self._values.get(name)
        if not isinstance(value, bool):
            raise ValueError(f"{name} of a stored page is neither true nor false")
        return value

    def digest(self, name: str) -> str:
        value = self._values.get(name)
        if not isinstance(value, str) or not _HEX.fullmatch(value):
            raise ValueError(f"{name} of a stored page is no digest")
        return value

    def version(self, name: str) -> int:
        value = self._values.get(name)
        if type(value) is not int:
            raise ValueError(f"{name} of a stored page is no number")
        return value

    def hops(self, name: str) -> Mapping[str, str]:
        value = self._values.get(name)
        if not isinstance(value, dict) or len(value) > _MAX_HOPS:
            raise ValueError(f"{name} of a stored page is no object")
        if not all(is_header_value(text) or text == "" for text in (*value, *value.values())):
            raise ValueError(f"{name} of a stored page holds no names and digests")
        return MappingProxyType(value)

    def offsets(self, name: str, length: int) -> tuple[int, ...]:
        return _offsets(self._values.get(name), length)

    def ranges(self, name: str, length: int) -> Mapping[str, tuple[int, int]]:
        value = self._values.get(name)
        if not isinstance(value, dict):
            raise ValueError(f"{name} of a stored page is no object")
        ranges: dict[str, tuple[int, int]] = {}
        for key, pair in value.items():
            start, end = _offsets(pair, length)
            ranges[key] = (start, end)
        return MappingProxyType(ranges)


def _offsets(value: object, length: int) -> tuple[int, ...]:
    """Return *value* as offsets into a text of *length* characters, in rising order; raises ValueError otherwise."""
    if not isinstance(value, list):
        raise ValueError("the offsets of a stored page are no list")
    previous = 0
    for offset in value:
        if type(offset) is not int or not previous <= offset <= length:
            raise ValueError("an offset of a stored page lies outside its text")
        previous = offset
    return tuple(value)
