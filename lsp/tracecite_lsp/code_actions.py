"""`textDocument/codeAction`: what can be done about the findings, and with the citations, in a range."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lsprotocol import types

from tracecite_lint.engine.fixes import fixes_by_file
from tracecite_lint.engine.suppressing import Insertion, file_suppression, line_suppression
from tracecite_lint.light.lazy import replace
from tracecite_lint.model import (
    CheckedCitation,
    Diagnostic,
    TextEdit,
    Verdict,
)
from tracecite_lint.naming.uris import is_web
from tracecite_lint.output.text_fragments import with_directive
from tracecite_lint.sources.threads import in_thread
from tracecite_lsp.addresses import address_range, is_written_plainly
from tracecite_lsp.citations import citations_at, directive_of, is_about, is_verified, place_of
from tracecite_lsp.commands import FIX_ALL, OPEN, REFETCH
from tracecite_lsp.document import OpenDocument
from tracecite_lsp.looking import Looked
from tracecite_lsp.opening import selection
from tracecite_lsp.positions import Positions
from tracecite_lsp.session import Session
from tracecite_lsp.suppressing import REASON, settings_suppression

SOURCE_FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.tracecite-lint"

_AT_ONCE = 200_000
"""Characters that may be read again to offer all fixes with their edits: each fix reads the document. More than these are
worked out when the action is chosen."""

OPTIONS = types.CodeActionOptions(
    code_action_kinds=[
        types.CodeActionKind.QuickFix,
        types.CodeActionKind.RefactorRewrite,
        SOURCE_FIX_ALL,
    ],
    resolve_provider=True,
)


async def code_actions(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return the actions for a range."""
    document = session.find(params.text_document.uri)
    looked = await session.looked(document) if document is not None else None
    if document is None or looked is None or document.large is not None:
        return []
    positions = looked.places.positions
    start, end = positions.offset(params.range.start), positions.offset(params.range.end)
    menu = _Menu(session, document, looked)
    actions = await in_thread(lambda: list(menu.actions(start, end)))
    if looked.stamp[0] != document.revision:
        return []  # typed in meanwhile: the edits would go wrong
    wanted = params.context.only
    chosen = [action for action in actions if wanted is None or _is_wanted(action, wanted)]
    # One menu shows it once: as a quick fix, or for who asks for sources' actions.
    titles = [action.title for action in chosen]
    return [
        action
        for at, action in enumerate(chosen)
        if action.title not in titles[:at] or action.kind != SOURCE_FIX_ALL
    ]


async def resolve(session: Session, action: types.CodeAction) -> types.CodeAction:
    """Return *action* with its edit, if that is the one that takes time to work out: all fixes of a document.

    Some editors ask for every action that lacks an edit or a command.
    """
    if action.edit is None and isinstance(action.data, str):
        action.edit = await all_fixes(session, action.data)
    return action


async def fix_all(session: Session, uri: str) -> None:
    """Make every safe fix of the document *uri*: the command of that name."""
    edit = await all_fixes(session, str(uri))
    if edit is not None:
        await session.client.apply("Quote the sources' own words", edit)


async def all_fixes(session: Session, uri: str) -> types.WorkspaceEdit | None:
    """Return the edit that makes every safe fix of a document; None if there is none to make."""
    document = session.find(uri)
    looked = await session.looked(document) if document is not None else None
    if document is None or looked is None:
        return None
    menu = _Menu(session, document, looked)
    edits = await in_thread(menu.all_edits)
    return menu.edit(edits) if edits and looked.stamp[0] == document.revision else None


def _is_wanted(action: types.CodeAction, kinds: Sequence[types.CodeActionKind | str]) -> bool:
    kind = _name(action.kind) if action.kind is not None else ""
    # Kinds are hierarchical: who asks for `source.fixAll` wants `source.fixAll.tracecite-lint` too, and the empty kind is
    # above all of them.
    return any(
        f"{kind}.".startswith(f"{wanted}." if wanted else "") for wanted in map(_name, kinds)
    )


def _name(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


class _Menu:
    """The actions of one document as it is known now."""

    def __init__(self, session: Session, document: OpenDocument, looked: Looked) -> None:
        self._session = session
        self._client = session.client
        self._uri = document.uri
        self._version = document.version
        self._may_fetch = document.settings.may_fetch
        self._looked = looked
        self._document = looked.job.document

    def actions(self, start: int, end: int) -> Iterator[types.CodeAction]:
        """Yield the actions for the offsets from *start* to *end*: fixes first, then what silences, then the rest."""
        findings = [
            (finding, mark)
            for finding, mark in zip(self._looked.diagnostics, self._looked.shown, strict=True)
            if _touches(self._looked.places.offsets(finding.span), start, end)
        ]
        items = citations_at(self._looked, start, end)
        for finding, mark in findings:
            yield from self._fixes(finding, mark)
        yield from self._fix_all(findings)
        for finding, mark in findings:
            yield from self._suppressions(finding, mark)
        for item in items:
            about = [mark for finding, mark in findings if is_about(finding, item)]
            yield from self._source_actions(item, about)

    def all_edits(self) -> list[tuple[types.Range, str]]:
        """Return the edits of all safe fixes that can be made together."""
        found = [
            replace(finding, fix=self._looked.check.fix(self._looked.job, item.citation))
            for finding in self._looked.diagnostics
            for item in self._items(finding)
        ]
        fixes = [fix for chosen in fixes_by_file(found).values() for fix in chosen]
        return self._ranges([edit for fix in fixes for edit in fix.edits])

    def edit(self, edits: Iterable[tuple[types.Range, str]]) -> types.WorkspaceEdit:
        """Return *edits* of the document as one edit of the workspace."""
        changes = [types.TextEdit(range=range, new_text=text) for range, text in edits]
        if not self._client.edits_versions:
            return types.WorkspaceEdit(changes={self._uri: changes})
        identifier = types.OptionalVersionedTextDocumentIdentifier(
            uri=self._uri, version=self._version
        )
        return types.WorkspaceEdit(
            document_changes=[types.TextDocumentEdit(text_document=identifier, edits=changes)]
        )

    def _fixes(self, finding: Diagnostic, mark: types.Diagnostic) -> Iterator[types.CodeAction]:
        for item in self._items(finding):
            fix = self._looked.check.fix(self._looked.job, item.citation)
            if fix is not None:
                yield types.CodeAction(
                    title=fix.title,
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=[mark],
                    is_preferred=fix.is_safe,
                    edit=self.edit(self._ranges(fix.edits)),
                )
        if finding.code == "UNUSED_SUPPRESSION":
            yield types.CodeAction(
                title="Remove this comment",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[mark],
                is_preferred=True,
                edit=self.edit([(self._looked.places.range(finding.span), "")]),
            )

    def _fix_all(
        self, findings: Sequence[tuple[Diagnostic, types.Diagnostic]]
    ) -> Iterator[types.CodeAction]:
        fixable = [
            item
            for item in self._looked.diagnostics
            if item.nearest is not None and item.nearest.is_safe
        ]
        if not fixable:
            return
        kinds: list[types.CodeActionKind | str] = [SOURCE_FIX_ALL]
        if len(fixable) > 1 and any(finding in fixable for finding, _ in findings):
            kinds.insert(0, types.CodeActionKind.QuickFix)
        title = "Quote the sources' own words in all of this file"
        edit = data = command = None
        if len(fixable) * len(self._document.text) <= _AT_ONCE:
            edits = self.all_edits()
            if not edits:
                return
            edit = self.edit(edits)
        elif self._client.resolves_edits:
            data = self._uri
        else:
            command = types.Command(title=title, command=FIX_ALL, arguments=[self._uri])
        for kind in kinds:
            yield types.CodeAction(title=title, kind=kind, edit=edit, data=data, command=command)

    def _suppressions(
        self, finding: Diagnostic, mark: types.Diagnostic
    ) -> Iterator[types.CodeAction]:
        if finding.code == "UNUSED_SUPPRESSION":
            return
        # A comment would have to go into a record, which is nobody's to write.
        if self._document.private:
            edit = self._settings_edit(finding)
            if edit is not None:
                yield _quick_fix(f"Ignore {finding.code} in this file (settings)", edit, mark)
            return
        eager = self._looked.job.settings.eager
        here = line_suppression(self._document, finding, REASON, eager=eager)
        if here is not None:
            yield _quick_fix(f"Silence {finding.code} here", self._insertion(here), mark)
        whole = file_suppression(self._document, finding, REASON, eager=eager)
        if whole is not None:
            yield _quick_fix(f"Silence {finding.code} in this file", self._insertion(whole), mark)

    def _source_actions(
        self, item: CheckedCitation, about: list[types.Diagnostic]
    ) -> Iterator[types.CodeAction]:
        uri = item.citation.source.uri
        if self._may_fetch and is_web(uri):
            yield _command("Read this source again", REFETCH, [self._uri, uri], about)
        place = place_of(self._looked, item)
        if place is not None and self._client.opens_documents:
            where = " at the quotation" if place.range is not None else ""
            title = f"Open this source{where}"
            range = selection(
                place, self._looked.job.root, self._session.buffer, self._client.encoding
            )
            arguments = [place.uri] if range is None else [place.uri, range]
            # Of no kind: it mends nothing.
            yield types.CodeAction(
                title=title, command=types.Command(title=title, command=OPEN, arguments=arguments)
            )
        edit = self._fragment_edit(item)
        if edit is not None:
            yield types.CodeAction(
                title="Link to the sentence (#:~:text=)",
                kind=types.CodeActionKind.RefactorRewrite,
                edit=edit,
            )

    def _fragment_edit(self, item: CheckedCitation) -> types.WorkspaceEdit | None:
        """Return the edit that lets the link of a verified citation lead to the quotation, if it is that one's alone."""
        citation = item.citation
        shared = sum(
            other.citation.source.span == citation.source.span for other in self._looked.citations
        )
        if not is_verified(item) or shared > 1 or ":~:" in citation.source.uri:
            return None
        if not is_web(citation.source.uri):
            return None
        directive = directive_of(self._looked, item)
        place = address_range(self._looked, citation)
        if directive is None or place is None or not is_written_plainly(self._looked, citation):
            return None
        range = self._looked.places.positions.range(*place)
        return self.edit([(range, with_directive(citation.source.uri, directive))])

    def _settings_edit(self, finding: Diagnostic) -> types.WorkspaceEdit | None:
        job = self._looked.job
        present = self._session.settings_file(job.location.parent)
        path = present or job.root / ".tracecite-lint.toml"
        table = "tool.tracecite-lint" if path.name == "pyproject.toml" else ""
        text = path.read_text(encoding="utf-8") if present else ""
        changed = settings_suppression(
            text,
            Path(os.path.relpath(job.location, path.parent)).as_posix(),
            finding.code.partition(":")[0],
            table=table,
        )
        if changed is None or not (present or self._client.creates_files):
            return None
        return self._file_edit(path, text, changed, create=present is None)

    def _file_edit(
        self, path: Path, text: str, changed: str, *, create: bool
    ) -> types.WorkspaceEdit:
        positions = Positions(text, self._client.encoding)
        whole = types.TextEdit(range=positions.range(0, len(text)), new_text=changed)
        uri = path.as_uri()
        if not create:
            return types.WorkspaceEdit(changes={uri: [whole]})
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=None)
        return types.WorkspaceEdit(
            document_changes=[
                types.CreateFile(uri=uri, options=types.CreateFileOptions(ignore_if_exists=True)),
                types.TextDocumentEdit(text_document=identifier, edits=[whole]),
            ]
        )

    def _insertion(self, insertion: Insertion) -> types.WorkspaceEdit:
        at = self._looked.places.position(insertion.at)
        return self.edit([(types.Range(at, at), insertion.text)])

    def _items(self, finding: Diagnostic) -> list[CheckedCitation]:
        """Return the citations that do not stand in their source, as *finding* says."""
        return [
            item
            for item in self._looked.citations
            if item.verdict is Verdict.MISMATCH and is_about(finding, item)
        ]

    def _ranges(self, edits: Iterable[TextEdit]) -> list[tuple[types.Range, str]]:
        return [(self._looked.places.range(edit.span), edit.new_text) for edit in edits]


def _touches(offsets: tuple[int, int], start: int, end: int) -> bool:
    return offsets[0] <= end and start <= offsets[1]


def _quick_fix(title: str, edit: types.WorkspaceEdit, mark: types.Diagnostic) -> types.CodeAction:
    return types.CodeAction(
        title=title, kind=types.CodeActionKind.QuickFix, diagnostics=[mark], edit=edit
    )


def _command(
    title: str, command: str, arguments: list[str], about: list[types.Diagnostic]
) -> types.CodeAction:
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=about or None,
        command=types.Command(title=title, command=command, arguments=list(arguments)),
    )
