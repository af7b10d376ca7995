"""The strict reader of JSON lines that traces and call logs share: what `json.loads` accepts and these formats forbid is an error here."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from tracecite_lint.errors import TraceciteLintError
from tracecite_lint.light.lazy import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO, Final

JsonValue: TypeAlias = "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None"
"""A parsed value. An `int` was written as a plain integer literal; everything else that is a number (`1.0`, `1e2`,
`-0`, more than 300 digits) is a `float`, so `type(value) is int` tells which literal stood there."""

_Scan: TypeAlias = Callable[[str, int], "tuple[JsonValue, int]"]

MAX_DEPTH: Final = 1024
"""How many arrays and objects may stand inside one another."""

MAX_LINE_BYTES: Final = 64 * 1024 * 1024
"""How long a physical line of a file may be, so that memory is bounded whatever the file is."""

_MAX_INT_DIGITS: Final = 300  # below every setting of sys.set_int_max_str_digits (at least 640)
_UTF8_BOM: Final = b"\xef\xbb\xbf"
_WHITE_SPACE: Final = " \t\r\n"  # RFC 8259, section 2

_BETWEEN_BRACKETS: Final = regex(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[^\[\]{}"]++', re.DOTALL)
_BRACKET_OR_STRING: Final = regex(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_STEP: Final = {"[": 1, "{": 1, "]": -1, "}": -1}

_SPACE: Final = regex(r"[ \t\r\n]*+")
_NUMBER: Final = regex(r"(-?(?:0|[1-9][0-9]*+))(\.[0-9]++)?([eE][+-]?[0-9]++)?")
_CONSTANTS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}
_WORD: Final = regex(r"-?[A-Za-z]++")
_ESCAPE: Final = regex(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
# What the end of a half-written line may leave of a token: a string without its end, an escape, a word, a number.
_CUT_TOKEN: Final = regex(r'"[^"\\]*+(?:\\.[^"\\]*+)*+\\?|[-+.\\\w\ufffd]*+', re.DOTALL)


class JsonError(TraceciteLintError, ValueError):
    """Why a text is not JSON, and where: `line` and `column` are 1-based, columns count Unicode characters."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"{message} (line {line}, column {column})")
        self.message = message
        self.line = line
        self.column = column


class JsonLine(NamedTuple):
    """One physical line that is not blank.

    `number` is 1-based and counts blank lines, `text` is the line without its end. `value` is what it holds, and
    means nothing unless `error` is None.
    """

    number: int
    text: str
    value: JsonValue
    error: JsonError | None
    offset: int = 0
    """Where the line begins (after a BOM): in bytes of the file, or in characters of the text."""
    ended: bool = True
    """A line feed ends it. Only the last line can lack one, for instance while it is still being written."""

    @property
    def cut_off(self) -> bool:
        """Whether this is a last line that was written only in part: no line feed, and something is still open."""
        if self.ended or self.error is None:
            return False
        rest = self.text[self.error.column - 1 :]
        return _CUT_TOKEN.fullmatch(rest) is not None and ends_open(self.text)


def read_json_lines(
    stream: BinaryIO, *, max_line_bytes: int = MAX_LINE_BYTES
) -> Iterator[JsonLine]:
    """Yield the lines of a UTF-8 file that are not blank, one at a time.

    LF alone ends a line; one CR before it and a BOM at the start of the file are dropped. A line that is not UTF-8, not
    JSON or longer than *max_line_bytes* bytes is yielded with its `error`, and reading goes on after it.
    """
    number = 0
    end = 0
    while raw := stream.readline(max_line_bytes + 1):
        number += 1
        offset = end
        end += len(raw)
        ended = raw.endswith(b"\n")
        if len(raw) > max_line_bytes and not ended:
            end += _skip_line(stream)
            message = f"the line is longer than {max_line_bytes} bytes"
            yield JsonLine(number, "", None, JsonError(message, number, 1), offset)
            continue
        if number == 1 and raw.startswith(_UTF8_BOM):
            raw = raw.removeprefix(_UTF8_BOM)
            offset = len(_UTF8_BOM)
        try:
            text = decode_utf8(raw, line=number)
        except JsonError as error:
            shown = raw.decode("utf-8", "replace").rstrip("\r\n")
            yield JsonLine(number, shown, None, error, offset, ended)
            continue
        line = _json_line(number, text.removesuffix("\n").removesuffix("\r"), offset, ended)
        if line is not None:
            yield line


def json_lines(text: str) -> Iterator[JsonLine]:
    """Yield the lines of *text* that are not blank, as `read_json_lines` does; text has no limit of length."""
    start = 1 if text.startswith("\ufeff") else 0
    number = 0
    while start < len(text):
        number += 1
        end = text.find("\n", start)
        if end == -1:
            end = len(text)
        line = _json_line(number, text[start:end].removesuffix("\r"), start, end < len(text))
        if line is not None:
            yield line
        start = end + 1


def decode_utf8(raw: bytes, *, line: int = 1) -> str:
    """Return *raw* as text; raises JsonError, with the place of the first wrong byte, if it is not UTF-8."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        message = f"not UTF-8: byte 0x{raw[error.start]:02x}"
        if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            message = "not UTF-8 but UTF-16: save the file as UTF-8"
        raise _error_at(before, len(before), message, line) from None


def parse_json(text: str, *, line: int = 1) -> JsonValue:
    """Return the one JSON value that *text* holds (RFC 8259), white space around it allowed.

    Raises JsonError, with *line* as the number of the first line, for text that is not JSON, anything after the value,
    NaN and Infinity, an object with the same key twice at any depth, and more than MAX_DEPTH arrays and objects inside
    one another, which is judged before anything else. What is accepted depends neither on the interpreter's recursion
    limit nor on its limit for long integers. Half a surrogate pair in a string is JSON: see `lone_surrogate`.
    """
    if len(text) > MAX_DEPTH:
        _refuse_deep_nesting(text, line)
    try:
        value = _scanned(text)
    except (ValueError, RecursionError):
        # The C scanner gives up at a depth that differs between versions, and its messages differ too. What it
        # refuses for either reason is read again by a parser of our own, which needs no recursion.
        value = _Parser(text, line).document()
    return value


def lone_surrogate(text: str) -> int | None:
    """Return the 0-based offset in the JSON *text* of the first half surrogate pair, escaped or raw; None without one.

    RFC 8259, section 8.2: grammatical, but no Unicode text; such a string cannot be encoded or printed.
    """
    if not text.isascii():
        try:
            text.encode()  # what comes from UTF-8 holds none, and this tells twenty times as fast as a search
        except UnicodeEncodeError as error:
            return error.start
    if "\\u" not in text:
        return None
    high: re.Match[str] | None = None
    for escape in _ESCAPE.finditer(text):
        unit = int(escape[1] or "0", 16)
        if high is not None:
            if 0xDC00 <= unit <= 0xDFFF and escape.start() == high.end():
                high = None
                continue
            return high.start()
        if 0xD800 <= unit <= 0xDBFF:
            high = escape
        elif 0xDC00 <= unit <= 0xDFFF:
            return escape.start()
    return None if high is None else high.start()


def ends_open(text: str) -> bool:
    """Tell whether *text* ends inside an array, an object or a string in one, as a half-written line does."""
    brackets = _BETWEEN_BRACKETS.sub("", text)
    return sum(map(_STEP.__getitem__, brackets)) > 0


def _json_line(number: int, text: str, offset: int, ended: bool) -> JsonLine | None:
    if text[:1] != "{" and not text.strip(_WHITE_SPACE):
        return None
    try:
        value = parse_json(text, line=number)
    except JsonError as error:
        return JsonLine(number, text, None, error, offset, ended)
    return JsonLine(number, text, value, None, offset, ended)


def _skip_line(stream: BinaryIO) -> int:
    """Read to the end of the line; return how many bytes that took."""
    skipped = 0
    while chunk := stream.readline(1 << 20):
        skipped += len(chunk)
        if chunk.endswith(b"\n"):
            break
    return skipped


def _error_at(text: str, offset: int, message: str, line: int) -> JsonError:
    start = text.rfind("\n", 0, offset) + 1
    return JsonError(message, line + text.count("\n", 0, offset), offset - start + 1)


def _refuse_deep_nesting(text: str, line: int) -> None:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return  # too few brackets to be too deep
    brackets = _BETWEEN_BRACKETS.sub("", text)
    if max(accumulate(map(_STEP.__getitem__, brackets)), default=0) <= MAX_DEPTH:
        return
    depth = 0
    for token in _BRACKET_OR_STRING.finditer(text):
        depth += _STEP.get(token[0], 0)
        if depth > MAX_DEPTH:
            message = f"more than {MAX_DEPTH} arrays and objects inside one another"
            raise _error_at(text, token.start(), message, line)


def _integer(literal: str) -> int | float:
    if literal == "-0" or len(literal) > _MAX_INT_DIGITS:
        return float(literal)
    return int(literal)


def _object(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate key")
    return members


def _constant(name: str) -> JsonValue:
    raise ValueError(name)


def _scanned(text: str) -> JsonValue:
    """Return what the C scanner reads in *text*; raises ValueError and RecursionError."""
    # Without a call of ours for each number, where none can be one that Python reads otherwise.
    plain = len(text) <= _MAX_INT_DIGITS and "-0" not in text
    try:
        value, end = (_SCAN_PLAIN if plain else _SCAN)(text, 0)
    except StopIteration:  # white space comes first, or nothing does
        end = -1
    return value if end == len(text) else _FAST.decode(text)


_FAST: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant
)
_SCAN: Final[_Scan] = _FAST.scan_once  # type: ignore[attr-defined]  # typeshed lacks it
_SCAN_PLAIN: Final[_Scan] = json.JSONDecoder(  # type: ignore[attr-defined]
    object_pairs_hook=_object, parse_constant=_constant
).scan_once
_STRINGS: Final = json.JSONDecoder()


class _Parser:
    """A JSON parser without recursion, for the few texts that the C scanner refuses: it says where and why."""

    def __init__(self, text: str, line: int) -> None:
        self.text = text
        self.line = line
        self.at = 0

    def document(self) -> JsonValue:
        """Return the value of the whole text."""
        value = self._value()
        if self._next():
            raise self._error("text after the JSON value")
        return value

    def _value(self) -> JsonValue:
        stack: list[dict[str, JsonValue] | list[JsonValue]] = []
        keys: list[str] = []  # one for each object on the stack: the member being read
        while True:
            value: JsonValue
            opening = self._next()
            if opening == "[":
                self.at += 1
                value = []
                if self._next() != "]":
                    stack.append(value)
                    continue
                self.at += 1
            elif opening == "{":
                self.at += 1
                value = {}
                if self._next() != "}":
                    stack.append(value)
                    keys.append(self._key(value))
                    continue
                self.at += 1
            else:
                value = self._scalar(opening)
            # The value is whole: put it where it belongs, and close what it completes.
            while stack:
                container = stack[-1]
                if isinstance(container, list):
                    container.append(value)
                    if self._comma_or("]"):
                        break
                else:
                    container[keys[-1]] = value
                    if self._comma_or("}"):
                        keys[-1] = self._key(container)
                        break
                    keys.pop()
                value = stack.pop()
            else:
                return value

    def _next(self) -> str:
        """Skip white space; return the next character, empty at the end."""
        space = _SPACE.match(self.text, self.at)
        if space is not None:
            self.at = space.end()
        return self.text[self.at : self.at + 1]

    def _comma_or(self, closing: str) -> bool:
        character = self._next()
        if character not in (",", closing) or not character:
            raise self._error(f"expected `,` or `{closing}`")
        self.at += 1
        return character == ","

    def _key(self, container: dict[str, JsonValue]) -> str:
        if self._next() != '"':
            raise self._error("expected a key in double quotes")
        start = self.at
        key = self._string()
        if key in container:
            self.at = start
            raise self._error("the object has the same key twice")
        if self._next() != ":":
            raise self._error("expected `:` after the key")
        self.at += 1
        return key

    def _scalar(self, opening: str) -> JsonValue:
        if opening == '"':
            return self._string()
        number = _NUMBER.match(self.text, self.at)
        if number is not None:
            end = number.end()
            if self.text[end : end + 1] in tuple("0123456789.eE+-"):
                raise self._error("not a JSON number")
            self.at = end
            if number[2] is None and number[3] is None:
                return _integer(number[1])
            return float(number[0])
        word = _WORD.match(self.text, self.at)
        if word is not None and word[0] in _CONSTANTS:
            self.at = word.end()
            return _CONSTANTS[word[0]]
        if word is not None and word[0] in ("NaN", "Infinity", "-Infinity"):
            raise self._error(f"{word[0]} is no JSON number")
        raise self._error("expected a value" if opening else "the text ends where a value is due")

    def _string(self) -> str:
        try:
            value, self.at = _STRINGS.raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            if error.msg.startswith("Unterminated"):
                raise self._error("the string has no end") from None
            self.at = error.pos
            if self.text[self.at : self.at + 1] < " ":
                raise self._error("a control character in a string must be escaped") from None
            raise self._error("not a JSON escape") from None
        return str(value)

    def _error(self, message: str) -> JsonError:
        return _error_at(self.text, self.at, message, self.line)
