"""What the readers of records share: the quotation they find, and safe steps into values of any shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeAlias

from tracecite_lint.json_strings import JsonPath
from tracecite_lint.jsonl import JsonValue
from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.model import Asks, LinkedClaim, TextDirective

Record: TypeAlias = dict[str, JsonValue]

_LONE_SURROGATE = regex("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """One quotation with one source, in one record.

    `path` leads to the string that holds it; `start` and `end` are its half-open range there, in characters.
    `captured` returns what the file itself holds of the source, None if it holds nothing of it; `is_cut` tells whether
    that is known to be a part. `is_own` tells whether the words are the writer's or its user's own, and no citation. All
    are asked when the whole file was read.
    """

    path: JsonPath
    start: int
    end: int
    passages: tuple[str, ...]
    uri: str
    title: str = ""
    directives: tuple[TextDirective, ...] = ()
    captured: Callable[[], str] | None = None
    is_cut: Callable[[], bool] | None = None
    is_own: Callable[[], bool] | None = None
    asks: Asks = Asks.QUOTATION
    """What the source is asked for; of a claim, `passages` holds its sentence."""
    claim: LinkedClaim | None = None
    """A linked claim, to be counted: no quotation."""
    answer: str = ""
    """Not empty: no quotation, but the whole text of an answer, whose linked claims are looked for where it is asked."""


class Reader(Protocol):
    """Reads the records of one format. One reader serves one file: it may remember what earlier records held."""

    def recognises(self, record: Record) -> bool:
        """Tell whether *record* is of this format."""

    def quotations(self, record: Record) -> Iterator[Quotation]:
        """Yield the quotations of a record that it recognises."""


def record_of(value: JsonValue) -> Record:
    """Return *value* if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items_of(value: JsonValue) -> list[JsonValue]:
    """Return *value* if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def text_of(value: JsonValue) -> str:
    """Return *value* if it is a string, else an empty one; half a surrogate pair becomes U+FFFD.

    Records of programs that cut strings by UTF-16 units hold such halves; offsets stay as they are.
    """
    return _LONE_SURROGATE.sub("\ufffd", value) if isinstance(value, str) else ""


def index_of(value: JsonValue) -> int | None:
    """Return *value* if it is a whole number from 0 up, else None."""
    return value if type(value) is int and value >= 0 else None


# Members under which logs, batch outputs and proxies keep the response itself.
_WRAPPERS = (
    "response",
    "body",
    "result",
    "message",
    "data",
    "output",
    "completion",
    "event",
    "payload",
)
_WRAPPER_DEPTH = 3


def bodies(record: Record) -> Iterator[tuple[JsonPath, Record]]:
    """Yield *record* and the objects that it may be an envelope of, with the way to each; the outermost first."""
    level: list[tuple[JsonPath, Record]] = [((), record)]
    for _ in range(_WRAPPER_DEPTH + 1):
        yield from level
        level = [
            ((*path, name), inner)
            for path, outer in level
            for name in _WRAPPERS
            if isinstance(inner := outer.get(name), dict)
        ]


def texts_of(content: JsonValue, path: JsonPath) -> Iterator[tuple[JsonPath, str]]:
    """Yield the texts of a message's content, a string or an array of blocks, with the way to each."""
    if isinstance(content, str):
        yield path, text_of(content)
    for index, item in enumerate(items_of(content)):
        block = record_of(item)
        if block.get("type") in ("text", "output_text"):
            yield (*path, index, "text"), text_of(block.get("text"))
