"""Comments that silence findings, put into documents where they silence them and leave every citation as it is."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from tracecite_lint.documents import read_document
from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.model import Asks, Diagnostic, Document, DocumentKind, Span, TextEdit
from tracecite_lint.naming.file_names import is_mdx
from tracecite_lint.rules import rule_for
from tracecite_lint.rules.silenced import silenced_lines
from tracecite_lint.text.lines import Lines

_FRONT_MATTER = regex(
    r"\ufeff?---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)
_LIST_OR_TABLE = regex(r"[-*+|]|\d+[.)]")
# A line up to the spaces or the backslash at its end, which break it (CommonMark, section 6.7) only as the last on it.
_BEFORE_BREAK = regex(r".*?(?=[ \t]*\\?\Z)", re.DOTALL)
_LINE_END = regex(r"\r\n|\n|\r")
# What would end a comment of any of the forms before its reason is over (docs/suppressions.md), or not stay on its line.
_UNWRITABLE = regex(r"--!?>|\*/|[\x00-\x1f\x7f\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Insertion:
    """Text that is put in at an offset of the document."""

    at: int
    text: str

    def as_edit(self, lines: Lines) -> TextEdit:
        """Return it as an edit of the document that has these *lines*."""
        line, column = lines.position(self.at)
        return TextEdit(Span(line, column, line, column), self.text)


@dataclass(frozen=True, slots=True)
class Silenced:
    """The comments that silence findings of a document, and the findings for which there is no place for one."""

    insertions: tuple[Insertion, ...]
    left: tuple[Diagnostic, ...]


def refuse_reason(reason: str) -> None:
    """Raise ValueError for a *reason* that cannot stand in a comment."""
    if not reason.strip():
        raise ValueError("a reason is needed")
    if found := _UNWRITABLE.search(reason):
        raise ValueError(f"a reason is one line without {found[0]!a}, which would end the comment")


def suppressions(
    document: Document, findings: Iterable[tuple[Diagnostic, str]], *, eager: bool = False
) -> Silenced:
    """Return the comments that silence *findings*, each given with its reason: one for each line and reason.

    The document, which was read with the *eager* shapes or without them, is read again with the comments: they have to
    silence the findings, and to leave all citations as they are. Mostly that is one reading for all of them; where it is
    not, as many as it takes to find those that have no place.
    """
    by_line: dict[tuple[int, str], list[Diagnostic]] = {}
    for finding, reason in findings:
        by_line.setdefault((finding.span.line, reason), []).append(finding)
    groups = [_Group(tuple(found), reason) for (_, reason), found in by_line.items()]
    chosen = _Writer(document, eager=eager).settled(groups)
    placed = {id(group) for group, _ in chosen}
    left = chain.from_iterable(group.findings for group in groups if id(group) not in placed)
    return Silenced(tuple(insertion for _, insertion in chosen), tuple(left))


def line_suppression(
    document: Document, finding: Diagnostic, reason: str, *, eager: bool = False
) -> Insertion | None:
    """Return the comment that silences *finding* where it stands; None if there is no safe place for one."""
    found = suppressions(document, [(finding, reason)], eager=eager).insertions
    return found[0] if found else None


def file_suppression(
    document: Document, finding: Diagnostic, reason: str, *, eager: bool = False
) -> Insertion | None:
    """Return the comment that silences all findings of the kind of *finding* in the document."""
    writer = _Writer(document, eager=eager)
    group = _Group((finding,), reason)
    front_matter = _FRONT_MATTER.match(document.text)
    comment = writer.comment("disable-file", group) + writer.line_end
    if document.kind is DocumentKind.MARKDOWN:
        comment += writer.line_end
    candidate = Insertion(front_matter.end() if front_matter else 0, comment)
    return candidate if writer.holds([(group, candidate)]) else None


@dataclass(frozen=True, slots=True)
class _Group:
    """Findings that begin on the same line, and why they are silenced."""

    findings: tuple[Diagnostic, ...]
    reason: str


class _Writer:
    """Finds places for comments in one document, by reading it with them."""

    def __init__(self, document: Document, *, eager: bool) -> None:
        self._document = document
        self._eager = eager
        self._lines = Lines(document.text)
        self._quoted = [
            (item.passages, item.source.uri)
            for item in document.citations
            if item.asks is Asks.QUOTATION
        ]
        found = _LINE_END.search(document.text)
        self.line_end = found[0] if found else "\n"

    def settled(self, groups: Sequence[_Group]) -> list[tuple[_Group, Insertion]]:
        """Return a comment for each of *groups* that has a place for one."""
        places = [(group, [*self._candidates(group)]) for group in groups]
        while places:
            chosen = [(group, candidates[0]) for group, candidates in places]
            silenced = self._silenced(chosen)
            if silenced is None:
                return (
                    self._settled_in_halves(groups) if len(groups) > 1 else self._first(places[0])
                )
            if all(silenced):
                return chosen
            # Nothing is harmed: those that are not silenced stand in the wrong place, in code say, and try the next.
            places = [
                (group, candidates if is_silenced else candidates[1:])
                for (group, candidates), is_silenced in zip(places, silenced, strict=True)
                if is_silenced or candidates[1:]
            ]
        return []

    def _settled_in_halves(self, groups: Sequence[_Group]) -> list[tuple[_Group, Insertion]]:
        """Return what `settled` does, by finding the comment that changes what is quoted."""
        middle = len(groups) // 2
        chosen = [*self.settled(groups[:middle]), *self.settled(groups[middle:])]
        if self.holds(chosen):
            return chosen
        # Each half holds by itself, and they do not together.
        kept: list[tuple[_Group, Insertion]] = []
        for item in chosen:
            if self.holds([*kept, item]):
                kept.append(item)
        return kept

    def _first(self, place: tuple[_Group, Sequence[Insertion]]) -> list[tuple[_Group, Insertion]]:
        group, candidates = place
        found = next((item for item in candidates if self.holds([(group, item)])), None)
        return [] if found is None else [(group, found)]

    def holds(self, chosen: Sequence[tuple[_Group, Insertion]]) -> bool:
        """Tell whether the document with these comments has the citations that it has, and the findings are silenced."""
        return all(self._silenced(chosen) or [not chosen])

    def _silenced(self, chosen: Sequence[tuple[_Group, Insertion]]) -> list[bool] | None:
        """Return of each group whether its comment silences it; None if comments change what is quoted in the document."""
        lines = self._lines
        pieces, end = [], 0
        for insertion in sorted((item for _, item in chosen), key=lambda item: item.at):
            pieces += [self._document.text[end : insertion.at], insertion.text]
            end = insertion.at
        text = "".join([*pieces, self._document.text[end:]])
        changed = read_document(self._document.path, text, eager=self._eager)
        # A comment in the wrong place ends a paragraph, or becomes a part of a quotation.
        if [(item.passages, item.source.uri) for item in changed.citations] != self._quoted:
            return None
        silenced = silenced_lines(changed.suppressions)
        # A line that is added moves down what stands below it.
        added = sorted(
            lines.position(item.at)[0] for _, item in chosen for _ in _LINE_END.findall(item.text)
        )

        def is_silenced(finding: Diagnostic) -> bool:
            line, end_line = (
                number + bisect_right(added, number)
                for number in (finding.span.line, finding.span.end_line)
            )
            return any(
                silenced.meet(code, line, end_line) for code in {finding.code, _name(finding)}
            )

        return [all(map(is_silenced, group.findings)) for group, _ in chosen]

    def _candidates(self, group: _Group) -> Iterator[Insertion]:
        """Yield places for a comment on *group*, the best first; there is always one."""
        lines = self._lines
        number = group.findings[0].span.line
        line = lines.line(number)
        indent = line[: len(line) - len(line.lstrip())]
        above = Insertion(
            lines.start(number),
            f"{indent}{self.comment('disable-next-line', group)}{self.line_end}",
        )
        if self._document.kind is DocumentKind.NOTES:
            yield above
            return
        # Above the beginning of a block a comment is out of the way; within a block it would cut it in two.
        if not lines.line(number - 1).strip() and not _LIST_OR_TABLE.match(line.lstrip()):
            yield above
        here = self.comment("disable-line", group)
        # Behind the quotation, if it takes several lines, and not in its middle.
        for place in dict.fromkeys((max(item.span.end_line for item in group.findings), number)):
            kept = _BEFORE_BREAK.match(lines.line(place))
            yield Insertion(lines.start(place) + (kept.end() if kept else 0), f" {here}")
        yield above

    def comment(self, kind: str, group: _Group) -> str:
        """Return the comment of this *kind* that names the codes of *group*."""
        names = ", ".join(dict.fromkeys(map(_name, group.findings)))
        words = f"tracecite-{kind} {names} -- {group.reason}"
        if self._document.kind is DocumentKind.NOTES:
            return f"# {words}"
        if is_mdx(self._document.path):
            return f"{{/* {words} */}}"
        return f"<!-- {words} -->"


def _name(finding: Diagnostic) -> str:
    """Return how a comment calls the code of *finding*."""
    # A comment names rules; `HTTP_STATUS_404` is one of its own, `X:claim-1` an X.
    known = rule_for(finding.code) is not None
    return finding.code.partition(":")[0] if known else finding.code
