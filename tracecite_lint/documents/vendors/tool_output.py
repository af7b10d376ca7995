"""What a tool's result shows of what was read: without a terminal's or a viewer's dressing, and whether it was cut.

A quotation is compared with the words that a reader of the result sees. So escape codes go, and beside the text as it
stands there are views of it without what viewers put before each line. A view only adds: what stands in the text stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tracecite_lint.light.lazy import regex

# ECMA-48: CSI sequences, OSC strings (a hyperlink is OSC 8) up to BEL or ST, other escapes; their 8-bit forms too.
_ESCAPE = regex(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\x9d\x90\x98\x9e\x9f]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
)
_OVERSTRIKE = regex(r"[^\n\x08]\x08")
"""A character that the next one is typed over: bold and underlined text of nroff, as `man` writes it into a pipe."""

_NUMBER = regex(r"[ \t]{0,12}(\d{1,9})(?:\t|→|[ ]{0,4}[│|](?:[ ]|$))")
"""The number before a line: `cat -n`, `nl`, `bat`, and the file tools of agents."""
_BLAMED = regex(r"\^?[0-9a-f]{7,40} (?:\S{1,200} +)?\([^\n()]{1,100} (\d{1,9})\) ?")
_FOUND = regex(r"(?:(?P<path>[^\s:][^:\n]{0,300}):)?(?P<number>\d{1,9}):")
_CONTEXT = regex(r"(?P<number>\d{1,9})-")
_NAMED = regex(r"(?P<path>[^\s:]{1,300}):(?!\d+:)")
_HUNK = regex(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_COMPARED = regex(r"([<>]) ")
APART = "\n--\n"
"""Between texts that are not known to follow one another, as `grep` has it."""

_SIZE = r"\d[\d,.]*[ ]?(?:[kKMG]i?B?\b|(?:more |other )?(?:lines?|char(?:acter)?s?|tokens?|bytes?|rows?|results?|matches)\b)"
_CUT_WORDS = (
    *("truncated", "omitted", "cleared", "elided", "snipped", "clipped", "cut off", "left out"),
    *("skipped", "not shown"),
)
_WORDS_OF_A_CUT = f"(?:{'|'.join(_CUT_WORDS)})"
_HINTS = (*_CUT_WORDS, "persisted-output", "too large", "tokens", "saved to")
_CUT = regex(
    r"<persisted-output>"
    # a remark of its own, in brackets or between dots
    rf"|^[ \t.…>#/*-]*[\[(<{{][^\n]{{0,200}}\b{_WORDS_OF_A_CUT}\b[^\n]{{0,200}}[\])>}}][ \t.…]*$"
    rf"|(?:\.\.\.|…)[^\n]{{0,20}}?{_SIZE}[^\n]{{0,40}}\b{_WORDS_OF_A_CUT}"
    rf"|(?:\.\.\.|…)[^\n]{{0,20}}?\b{_WORDS_OF_A_CUT} {_SIZE}"
    rf"|\b{_WORDS_OF_A_CUT} \d[\d,.]* of {_SIZE}"
    r"|(?:\.\.\.|…)[ ]?[\[(]?(?:output |content )?truncated[\])]?[ \t]*$"
    r"|^(?:Error: )?(?:Output too large|result \([^\n]{1,60}\) exceeds maximum allowed tokens)"
    r"|^Output has been saved to ",
    re.MULTILINE | re.IGNORECASE,
)


def is_cut(text: str) -> bool:
    """Tell whether a result says of itself that it is not whole: such a one cannot show that words are missing."""
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS) and _CUT.search(text) is not None


def plain(text: str) -> str:
    """Return *text* as a terminal shows it: without escape codes and overstruck characters."""
    if "\x1b" in text or "\x9b" in text or "\x9d" in text:
        text = _ESCAPE.sub("", text)
    return _OVERSTRIKE.sub("", text) if "\x08" in text else text


def views(text: str, *, is_search: bool = False) -> Iterator[str]:
    """Yield *text* plain, and then what it shows without the prefixes of its lines, where these tell that they are such.

    The numbers of a viewer go up one by one. *is_search* tells that a search wrote it, such as `grep -n`, whose prefixes
    look like times of day; the lines of a difference are told by its hunks, of which the old and the new text are views.
    """
    text = plain(text)
    yield text
    lines = text.split("\n")
    for run in (
        _numbered(lines, _NUMBER),
        _numbered(lines, _BLAMED),
        *((_found(lines), _named(lines)) if is_search else ()),
        *_hunks(lines),
        _compared(lines),
    ):
        if run:
            yield run


def numbered_lines(text: str) -> str | None:
    """Return the lines of *text* that have a number before them, without it; None if the first line has none."""
    if not _NUMBER.match(text):
        return None
    matches = ((line, _NUMBER.match(line)) for line in text.split("\n"))
    return "\n".join(line[match.end() :] for line, match in matches if match)


def _numbered(lines: Iterable[str], prefix: re.Pattern[str]) -> str:
    found = ((line, prefix.match(line)) for line in lines)
    return _runs(
        ("", int(match[1]), line[match.end() :]) if match else None
        for line, match in found
        if match or line.strip()  # `nl` gives blank lines no number
    )


def _found(lines: Iterable[str]) -> str:
    """Return what `grep -n` shows: `path:3:text`, or `3:text`, with `path-4-text` for the lines around."""

    def parts() -> Iterator[tuple[str, int, str] | None]:
        path = ""
        for line in lines:
            match = _FOUND.match(line)
            if match:
                path = match["path"] or ""
                yield path, int(match["number"]), line[match.end() :]
                continue
            before = f"{path}-" if path else ""
            around = _CONTEXT.match(line, len(before)) if line.startswith(before) else None
            yield (path, int(around["number"]), line[around.end() :]) if around else None

    return _runs(parts())


def _named(lines: Iterable[str]) -> str:
    """Return what `grep` shows of several files, or `-H`: `path:text`. Which line follows which is not known."""
    named = ((line, _NAMED.match(line)) for line in lines)
    return _runs(
        (match["path"], None, line[match.end() :]) if match else None for line, match in named
    )


def _runs(parts: Iterable[tuple[str, int | None, str] | None]) -> str:
    """Return the texts of *parts*, (path, number, text), that follow one another; other parts divide them."""
    runs: list[list[str]] = []
    last: tuple[str, int | None] | None = None
    for part in parts:
        if part is None:
            last = None
            continue
        path, number, text = part
        before = (path, None if number is None else number - 1)
        if last != before:
            runs.append([])
        runs[-1].append(text)
        last = (path, number)
    return APART.join("\n".join(run) for run in runs if len(run) > 1)


def _hunks(lines: list[str]) -> Iterator[str]:
    """Yield the old and the new text of the hunks of a unified difference (`git diff`, `git show`, `diff -u`)."""
    old: list[str] = []
    new: list[str] = []
    left = [0, 0]
    for line in lines:
        match = _HUNK.match(line) if max(left) == 0 else None
        if match:
            left = [int(match[1] or 1), int(match[2] or 1)]
            old.append("")
            new.append("")
        elif max(left) > 0:
            sign, text = line[:1], line[1:]
            if sign != "+":
                old.append(text)
                left[0] -= 1
            if sign != "-":
                new.append(text)
                left[1] -= 1
    yield "\n".join(old)
    if new != old:
        yield "\n".join(new)


def _compared(lines: Iterable[str]) -> str:
    """Return the two sides of a difference in the form of plain `diff`: `< old`, `> new`."""
    marked = ((line, _COMPARED.match(line)) for line in lines)
    return _runs((match[1], None, line[match.end() :]) if match else None for line, match in marked)
