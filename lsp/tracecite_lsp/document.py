"""A document that is open in the editor: its text, where it lies, and what is known of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from lsprotocol import types

from tracecite_lint.documents.notes import looks_like_notes
from tracecite_lint.files.roots import repository_root
from tracecite_lint.inputs.reader import shown
from tracecite_lint.light.lazy import dataclass, field, regex
from tracecite_lint.naming.file_names import FileKind, kind_of
from tracecite_lint.sources.policy import WebSource
from tracecite_lint.text.changes import changed_ranges
from tracecite_lsp.client_settings import ON_TYPE, ClientSettings
from tracecite_lsp.large_text import MAX_CHARACTERS, LargeText
from tracecite_lsp.looking import Looked
from tracecite_lsp.positions import changed
from tracecite_lsp.uris import document_key, file_path, last_part

_JSONL = ".jsonl"
_LANGUAGES = {
    "markdown": ".md",
    "mdx": ".mdx",
    "quarto": ".qmd",
    "rmd": ".Rmd",
    "jsonl": _JSONL,
    "jsonlines": _JSONL,
    "ndjson": _JSONL,
    "json": _JSONL,
}
"""The suffix that tells the engine what a document of a language is; JSON that is no JSON Lines has nothing in it."""

_UNREADABLE = regex("[\0\ud800-\udfff]")

Stamp = tuple[int, int]

OPENED = 0
"""The revision with which a document is opened."""


@dataclass(frozen=True, slots=True)
class Typed:
    """The last change of a text: the half-open range of what it put in, and where the cursor was left."""

    start: int
    end: int

    def is_at_work_on(self, start: int, end: int) -> bool:
        """Tell whether the change was made inside of, or right behind, the text from *start* to *end*.

        What was put in as a whole, such as an address from the clipboard, is complete.
        """
        whole = self.start <= start and end <= self.end
        # The cursor stands where the change ends: `end` itself is “right behind”.
        return start < self.end <= end and not whole


@dataclass(eq=False, slots=True)
class OpenDocument:
    """One open document, and how far the editor knows of it.

    Its *stamp* is the pair of `revision`, which counts its texts, and `generation`, which counts what else its diagnostics
    hang on (settings, sources, a wish to look again). It is always in one of these states:

    - *outdated*: nothing is known of the present stamp. `apply` and `outdate` lead here, and a look follows.
    - *current*: `looked` was made from the present stamp. Its sources that are `pending` are fetched once the text is one
      that was asked for (opened, saved, by command) or has rested; each page that arrives outdates it.
    - *failed*: the look at the present stamp came to nothing (broken settings, a crash); the next change leads on.
    - *closed*: nothing is looked at any more.

    What the editor was told, `shown`, may lag behind all of it: while a key is typed, and where a save is waited for.
    """

    uri: str
    language: str
    version: int | None
    text: str
    location: Path
    root: Path
    settings: ClientSettings
    is_open: bool = True
    is_configured: bool = False
    """Whether `settings` are those that the editor gave for this document."""
    revision: int = OPENED
    generation: int = 0
    looked: Looked | None = None
    typed: Typed | None = None
    asked_for: int = -1
    """The revision that was opened, saved, or asked for by command."""
    rested: int = -1
    """The revision at which typing has rested."""
    reconsider: bool = False
    """Whether sources that were read some time ago, or could not be read, are to be looked up again."""
    again: dict[str, WebSource] = field(default_factory=dict)
    """Sources that are known and are to be fetched once more."""
    shown: Looked | None = None
    """What the editor was told last."""
    failed: Stamp | None = None
    """The state at which a look came to nothing: broken settings, or a crash."""
    problem: str = ""
    """What is wrong with the settings that hold for it, as the user was told."""
    large: LargeText | None = None
    """The text, and `text` is empty, while it is too long to be checked."""
    real_path: Path | None = None
    """Where the file is when symbolic links are followed; None for a document without a file."""
    task: asyncio.Task[None] | None = None
    rest: asyncio.TimerHandle | None = None

    @property
    def key(self) -> str:
        """What the document is recognised by."""
        return document_key(self.uri)

    @property
    def stamp(self) -> Stamp:
        """What diagnostics must have been made from to be those of the document as it is."""
        return self.revision, self.generation

    def outdate(self) -> None:
        """Take down that something changed which its diagnostics hang on, other than its text."""
        self.generation += 1

    @property
    def is_current(self) -> bool:
        """Whether what is known is known of the document as it is."""
        return self.looked is not None and self.looked.stamp == self.stamp

    @property
    def is_done(self) -> bool:
        """Whether there is nothing to look at: the document is closed, known, or could not be looked at as it is."""
        return not self.is_open or self.is_current or self.failed == self.stamp

    @property
    def is_asked_for(self) -> bool:
        """Whether the text is the one that was opened, saved or asked for."""
        return self.asked_for == self.revision

    @property
    def has_rested(self) -> bool:
        """Whether nothing was typed for a while."""
        return self.is_live and self.rested == self.revision

    @property
    def is_live(self) -> bool:
        """Whether the document is checked while it is typed."""
        return self.settings.run == ON_TYPE

    @property
    def is_shown_now(self) -> bool:
        """Whether the editor is told what is known of the text as it is."""
        return self.is_live or self.is_asked_for

    @property
    def name(self) -> str:
        """The path that people see and that settings are matched against: relative to the root, with `/`."""
        location = self.location
        # A workspace that was opened through a link: the root is resolved, the file's location is the editor's.
        if not location.is_relative_to(self.root):
            location = location.resolve()
        return shown(location, self.root)

    @property
    def parsed_as(self) -> str | None:
        """The name whose suffix tells the engine how to read the document; None if it is nothing that holds citations."""
        kind = kind_of(self.location.name)
        wanted = _LANGUAGES.get(self.language)
        if wanted == _JSONL:
            return self.name if kind is FileKind.JSON_LINES else self.name + _JSONL
        if kind in (FileKind.MARKDOWN, FileKind.JSON_LINES):
            return self.name
        if wanted is not None:
            return self.name + wanted
        return self.name if looks_like_notes(self.text) else None

    def apply(
        self, changes: Sequence[types.TextDocumentContentChangeEvent], version: int, encoding: str
    ) -> None:
        """Take over what was typed; *encoding* is that of the positions."""
        self.version = version
        self.revision += 1
        readable_changes = [_readable_change(change) for change in changes]
        before = self.text
        change = readable_changes[0] if len(readable_changes) == 1 else None
        if isinstance(change, types.TextDocumentContentChangePartial) and self.large is None:
            text, start = changed(before, change, encoding)
            self.take(LargeText(text))
            self.typed = Typed(start, start + len(change.text))
            return
        # Several changes at once, as of a replacement everywhere: what is left of them is one range.
        self.take((self.large or LargeText(before)).apply(readable_changes, encoding))
        self.typed = Typed(*changed_range(before, self.text))

    def take(self, text: LargeText) -> None:
        """Make *text* the document's."""
        is_too_large = text.length > MAX_CHARACTERS
        self.large = text if is_too_large else None
        self.text = "" if is_too_large else str(text)


def opened(
    item: types.TextDocumentItem, folders: Sequence[Path], settings: ClientSettings
) -> OpenDocument:
    """Return the document of *item*. *folders* are those of the workspace: one of them is where it belongs if it has no
    place of its own, as an untitled one."""
    path = file_path(item.uri)
    if path is None:
        name = readable(last_part(item.uri)) or "untitled"
        if kind_of(name) in (None, FileKind.TEXT):
            name += _LANGUAGES.get(item.language_id, "")
        location = (folders[0] if folders else Path.cwd()) / name
    else:
        location = Path(path)
    around = [folder for folder in folders if location.is_relative_to(folder)]
    base = max(around, key=lambda folder: len(folder.parts), default=location.parent)
    document = OpenDocument(
        uri=item.uri,
        language=item.language_id,
        version=item.version,
        text="",
        location=location,
        root=repository_root(location.parent, base),
        settings=settings,
        real_path=location.resolve() if path is not None else None,
    )
    document.take(LargeText(readable(item.text)))
    return document


def readable(text: str) -> str:
    """Return *text* with what no parser takes, NUL and halves of surrogate pairs, replaced one for one."""
    if "\0" not in text:
        with suppress(UnicodeEncodeError):
            text.encode()  # much faster than to look at each character
            return text
    return _UNREADABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _readable_change(
    change: types.TextDocumentContentChangeEvent,
) -> types.TextDocumentContentChangeEvent:
    text = readable(change.text)
    if isinstance(change, types.TextDocumentContentChangePartial):
        return types.TextDocumentContentChangePartial(change.range, text)
    return types.TextDocumentContentChangeWholeDocument(text)


def changed_range(old: str, new: str) -> tuple[int, int]:
    """Return the smallest range of *new* outside of which it is *old*."""
    start, _, end = changed_ranges(old, new)
    return start, end
