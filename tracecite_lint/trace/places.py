"""Where strings of JSON Lines stand in the raw lines: what a trace or a record is shown by in an editor."""

from __future__ import annotations

from collections import defaultdict

from tracecite_lint.json_strings import JsonPath, RawString, string_ranges
from tracecite_lint.model import Span


class Places:
    """Where strings stand in the raw lines: first what is wanted is named, then the lines are gone through."""

    def __init__(self) -> None:
        self._wanted: defaultdict[int, set[JsonPath]] = defaultdict(set)
        self._found: dict[tuple[int, JsonPath], tuple[RawString, int, int]] = {}

    def want(self, line: int, path: JsonPath) -> None:
        """Ask for the string at *path* in the 1-based *line*."""
        if path:
            self._wanted[line].add(path)

    def find(self, line: int, text: str) -> None:
        """Find what is wanted of the 1-based *line*, which reads *text*."""
        wanted = self._wanted.get(line)
        if wanted:
            for path, (start, end) in string_ranges(text, wanted).items():
                self._found[line, path] = RawString(text, start, end), start, end

    def find_all(self, text: str) -> None:
        """Find all that is wanted in the lines of *text*, of which those with nothing wanted are not taken out."""
        start = number = 0
        for wanted in sorted(self._wanted):
            while number < wanted - 1:
                start = text.find("\n", start) + 1
                number += 1
                if not start:
                    return
            end = text.find("\n", start)
            self.find(wanted, text[start : None if end == -1 else end])

    def whole(self, line: int, path: JsonPath) -> Span | None:
        """Return the span of a string without its quotation marks; None if it was not found."""
        found = self._found.get((line, path))
        return Span(line, found[1] + 1, line, found[2] + 1) if found else None

    def part(self, line: int, path: JsonPath, first: int, last: int) -> Span | None:
        """Return the span of the characters from *first* to *last* (exclusive) of a string, as parsed."""
        found = self._found.get((line, path))
        if found is None:
            return None
        raw = found[0]
        return Span(line, raw.offset(first) + 1, line, raw.offset(last) + 1)
