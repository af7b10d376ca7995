"""What is new in a file on disk: compared, citation by citation, with what HEAD and the index hold under its name."""

from __future__ import annotations

from tracecite_lint.changes import git
from tracecite_lint.changes.changeset import SIZE_LIMIT
from tracecite_lint.changes.git import Entry, Repository, UnreadableObjectError
from tracecite_lint.changes.keys import (
    citation_keys,
    diagnostic_keys,
    familiar_places,
    new_indexes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from tracecite_lint.model import Citation, Diagnostic, Document


def new_in_file(
    repository: Repository,
    path: str,
    document: Document,
    *,
    parse: Callable[[bytes], Document],
    options: Hashable,
) -> tuple[tuple[Citation, ...], tuple[Diagnostic, ...]]:
    """Return the citations of *document*, the file *path* of *repository*, and the findings about its form, that are new.

    New is what stands neither in HEAD nor in the index: an untracked file is all new, and what is staged was seen when it
    was. *parse* reads an old version, and raises ValueError for what is no text. Raises ChangesError.
    """
    olds = list(_old_versions(repository, path, document, parse))
    texts = [old.text for old in olds]
    root = repository.root
    citations = new_indexes(
        citation_keys(document, path, root, options),
        [citation_keys(old, path, root, options) for old in olds],
        familiar_places((item.span for item in document.citations), document.text, texts),
    )
    findings = new_indexes(
        diagnostic_keys(document),
        [diagnostic_keys(old) for old in olds],
        familiar_places((item.span for item in document.diagnostics), document.text, texts),
    )
    return (
        tuple(document.citations[index] for index in citations),
        tuple(document.diagnostics[index] for index in findings),
    )


def _old_versions(
    repository: Repository, path: str, document: Document, parse: Callable[[bytes], Document]
) -> Iterator[Document]:
    text = document.text.encode("utf-8", "surrogatepass")
    with git.Blobs(repository) as blobs:
        for oid in dict.fromkeys(entry.oid for entry in _entries(repository, path)):
            try:
                content = blobs.content(oid, limit=SIZE_LIMIT)
            except UnreadableObjectError:
                continue  # not at hand in this clone: then all is new
            if content == text:
                yield document
            elif content is not None:
                try:
                    yield parse(content)
                except ValueError:
                    continue  # it held no citations that anyone could have checked


def _entries(repository: Repository, path: str) -> Iterator[Entry]:
    head = git.head_commit(repository)
    held = [git.index_entries(repository, git.literal(path))]
    if head is not None:
        held.append(git.tree_entries(repository, head, path))
    for entries in held:
        if path in entries and entries[path].regular:
            yield entries[path]
