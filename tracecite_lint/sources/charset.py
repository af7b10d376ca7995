"""Which encoding a body is in, as browsers decide it, and its text.

Python's own codecs follow the national standards and differ from what browsers do (windows-1252 has gaps, EUC-JP lacks
the circled digits, GBK the euro sign); endec is encoding_rs, the decoder of Firefox, and follows the WHATWG Encoding
Standard. Only the search for a declaration in the page is done here, because no library offers it alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tracecite_lint.light.lazy import regex

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))

# All labels of UTF-16 in the Encoding Standard. A page in which a declaration could be read is not in UTF-16.
_UTF16_LABELS = frozenset(
    "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff unicodefffe utf-16 utf-16be utf-16le".split()  # noqa: SIM905
)

_PARAMETER = regex(r';[ \t\r\n]*([^;="\s]+)=(?:"((?:[^"\\]|\\.)*)"?|([^;]*))', re.DOTALL)


class MediaType(NamedTuple):
    """A Content-Type header: the type in lower case without parameters, and the charset as declared, if any."""

    essence: str
    charset: str | None


def parse_content_type(header: str | None) -> MediaType:
    """Return the parts of a Content-Type header (MIME Sniffing Standard, parse a MIME type); `""` for no usable type."""
    if not header:
        return MediaType("", None)
    essence = header.partition(";")[0].strip(" \t\r\n").lower()
    if not re.fullmatch(r"[^\s/,]+/[^\s/,]+", essence):
        essence = ""
    for name, quoted, plain in _PARAMETER.findall(header):
        if name.lower() == "charset":
            return MediaType(essence, re.sub(r"\\(.)", r"\1", quoted) or plain.strip() or None)
    return MediaType(essence, None)


def decode_html(body: bytes, charset: str | None) -> str:
    """Return the text of an HTML page: BOM, then the header's *charset*, then the page's own declaration.

    Without any of them UTF-8 if the bytes are valid UTF-8, else windows-1252. Bytes that the encoding does not have
    become U+FFFD, as in browsers (HTML Standard, "determining the character encoding").
    """
    encoding, skip = _from_bom(body)
    if encoding is None:
        encoding = known_label(charset) or declared_in_html(body)
    if encoding is None:
        # Browsers take the second at once (for most locales); what is valid UTF-8 is hardly ever anything else.
        encoding = "utf-8" if _is_utf8(body) else "windows-1252"
    return _decode(body[skip:], encoding)


def decode_text(body: bytes, charset: str | None) -> str | None:
    """Return the text of a body that is no HTML: BOM, then the header's *charset*, then UTF-8; None if it is not that.

    What is, or is declared as, UTF-8 must be valid; other declared encodings replace what they do not have by U+FFFD.
    """
    encoding, skip = _from_bom(body)
    if encoding is None:
        encoding = known_label(charset) or "utf-8"
    body = body[skip:]
    # Broken UTF-8 in a text file is more often another encoding than damage, and a guess could pass a quotation.
    if encoding.replace("-", "") == "utf8":
        return body.decode() if _is_utf8(body) else None
    return _decode(body, encoding)


def decode_xml(body: bytes, charset: str | None) -> str | None:
    """Return the text of an XML document: as `decode_text`, with the XML declaration after the header's *charset*."""
    return decode_text(body, known_label(charset) or _declared_in_xml(body))


def known_label(label: str | None) -> str | None:
    """Return *label*, stripped and in lower case, if the Encoding Standard knows it, else None."""
    from endec import decode

    # White space and case of ASCII alone, as in the standard's “get an encoding”.
    if label is None or not label.isascii():
        return None
    label = label.strip(" \t\n\f\r").lower()
    try:
        decode(b"", label)
    except LookupError:
        return None
    return label


def _decode(body: bytes, encoding: str) -> str:
    from endec import decode

    # The mark was dealt with before: left to the decoder it would choose the encoding once more.
    return decode(body, encoding, "replace", bom="ignore")


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _from_bom(body: bytes) -> tuple[str | None, int]:
    """Return the encoding that a byte order mark declares and the length of the mark in bytes."""
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return encoding, len(mark)
    return None, 0


def _declared(label: str | None) -> str | None:
    """Return the encoding that a declaration *label* inside a page stands for (HTML Standard, prescan)."""
    encoding = known_label(label)
    if encoding in _UTF16_LABELS:
        return "utf-8"
    # HTML Standard, prescan: no page is in that encoding, which once let scripts read bytes.
    if encoding == "x-user-defined":
        return "windows-1252"
    return encoding


# The search for <meta> follows Blink, which differs from the standard's prescan: it looks on while the page is still in
# its head, skips elements whose content is no markup, and looks at the first 1024 bytes in any case.
_UNCONDITIONAL = 1024
_SEARCHED = 256 * 1024
_MOST_ATTRIBUTES = 1000
_HEAD_TAGS = frozenset(b"script noscript style link meta object title base".split())
_RAW_TEXT = frozenset(b"script style title textarea xmp iframe noembed noframes".split())
_MARKUP = regex(rb"<(?:(!--)|([!?]|/[^a-zA-Z>])|(/?)([a-zA-Z][^\s/>]*))")
_COMMENT_END = regex(rb"-->|--!>|(?<=<!--)-?>")
_ATTRIBUTE = regex(
    rb"""[\s/]*+(?:(?P<end>>)|(?P<name>=?[^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"'][^\s>]*+|)))?+)"""
)
_CONTENT_CHARSET = regex(rb"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))""", re.IGNORECASE)


def declared_in_html(body: bytes) -> str | None:
    """Return the encoding that an HTML page declares in its own bytes, by `<meta>` or an XML declaration, else None."""
    # An XML declaration in UTF-16 without a mark; without this its zero bytes would hide it.
    if body[:6] in (b"<\0?\0x\0", b"\0<\0?\0x"):
        return "utf-16le" if body[0] else "utf-16be"
    for attributes in _meta_elements(body[:_SEARCHED]):
        encoding = _declared(_meta_charset(attributes))
        if encoding is not None:
            return encoding
    return _declared_in_xml(body)


def _declared_in_xml(body: bytes) -> str | None:
    """Return the encoding of an XML declaration (HTML Standard, "get an XML encoding")."""
    match = re.match(
        # Bounded, since `[^>]*` tried from every `encoding` on would be quadratic.
        rb"""<\?xml[^>]{0,500}?encoding[\0- ]{0,50}=[\0- ]{0,50}(["'])([^"'>]*)\1""",
        body,
    )
    return _declared(match[2].decode("latin-1")) if match else None


def _meta_elements(body: bytes) -> Iterator[dict[bytes, bytes]]:
    """Yield the attributes of each `<meta>` in the part of the page that is searched for a declaration."""
    position, in_head = 0, True
    while match := _MARKUP.search(body, position):
        if not in_head and match.start() >= _UNCONDITIONAL:
            return
        comment, bogus, closing, name = match.groups()
        name = (name or b"").lower()
        if comment:
            end = _COMMENT_END.search(body, match.end())
            position = end.end() if end else len(body)
        elif bogus:
            end_of_bogus = body.find(b">", match.start())
            position = end_of_bogus + 1 if end_of_bogus >= 0 else len(body)
        else:
            attributes, position = _attributes(body, match.end())
            if name == b"meta" and not closing:
                yield attributes
            # What is no part of a head begins the body, as in the parser, and a declaration there does not count.
            in_head &= name in _HEAD_TAGS or (not closing and name in (b"html", b"head"))
            if not closing and name in _RAW_TEXT:
                content_end = re.compile(b"</" + name + rb"(?=[\s/>])", re.IGNORECASE).search(
                    body, position
                )
                position = content_end.start() if content_end else len(body)
        if not in_head and position >= _UNCONDITIONAL:
            return


def _attributes(body: bytes, position: int) -> tuple[dict[bytes, bytes], int]:
    """Return the attributes of the tag whose name ends at *position*, and where the tag ends."""
    attributes: dict[bytes, bytes] = {}
    for _ in range(_MOST_ATTRIBUTES):
        match = _ATTRIBUTE.match(body, position)
        if match is None or match.end() == position:
            return attributes, position + 1
        position = match.end()
        if match["end"]:
            break
        if match["name"]:
            value = match[3] or match[4] or match[5] or b""
            attributes.setdefault(match["name"].lower(), value)
    return attributes, position


def _meta_charset(attributes: dict[bytes, bytes]) -> str | None:
    """Return the label that a `<meta>` declares (HTML Standard, "extracting a character encoding from a meta element")."""
    if b"charset" in attributes:
        return attributes[b"charset"].decode("latin-1")
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    match = _CONTENT_CHARSET.search(attributes.get(b"content", b""))
    return (match[1] or match[2] or match[3] or b"").decode("latin-1") if match else None
