"""One document and what of it is to be checked."""

from __future__ import annotations

from tracecite_lint.light.lazy import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from tracecite_lint.model import Citation, Diagnostic, Document, LinkedClaim
    from tracecite_lint.settings import Settings
    from tracecite_lint.sources.files import Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One document and what of it is to be checked.

    `location` is its absolute path, from which relative sources are resolved; `root` the directory that local sources
    may not leave. `citations`, `claims` and `diagnostics` are the new ones, or None for all; `unchanged` counts the rest.
    """

    document: Document
    location: Path
    root: Path
    settings: Settings
    citations: tuple[Citation, ...] | None = None
    claims: tuple[LinkedClaim, ...] | None = None
    diagnostics: tuple[Diagnostic, ...] | None = None
    unchanged: int = 0
    read: Reader | None = None
    """Gives local sources as they are to be committed; None reads the disk."""

    @property
    def was_read(self) -> bool:
        """Whether all of the document is known: it was not too large to be read."""
        return all(finding.code != "FILE_TOO_LARGE" for finding in self.document.diagnostics)

    @property
    def chosen(self) -> tuple[Citation, ...]:
        """The citations to check: without those of sources that the settings leave out."""
        citations = self.document.citations if self.citations is None else self.citations
        if not self.settings.exclude_url:
            return citations
        return tuple(
            item for item in citations if not self.settings.excludes_source(item.source.uri)
        )

    @property
    def excluded(self) -> int:
        """How many citations the settings leave out for their sources."""
        citations = self.document.citations if self.citations is None else self.citations
        return len(citations) - len(self.chosen)

    @property
    def is_whole(self) -> bool:
        """Whether all citations of the document are checked, so that it is known what is not found there any more."""
        return self.citations is None and not self.excluded
