"""What a finding is recognised by in a later run: its citation, never its line."""

from __future__ import annotations

import posixpath
from collections import Counter

from tracecite_lint.light.lazy import NamedTuple, regex
from tracecite_lint.naming.uris import public_uri

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tracecite_lint.model import CheckedCitation, CheckResult, Citation, Diagnostic, Span

_NUMBER = regex(r"\d+")


def repository_path(file: str, directory: str) -> str:
    """Return *file*, which is relative to the working directory, as a path below the repository root.

    *directory* is the working directory below that root (CheckResult.directory).
    """
    return posixpath.normpath(posixpath.join(directory, file)) if directory and file else file


def quote_hash(words: str) -> str:
    """Return 16 hexadecimal digits that stand for *words*; white space does not count, so rewrapping changes nothing."""
    return _sha256(" ".join(words.split()))[:16]


class CitationIdentity(NamedTuple):
    """What a citation is recognised by whatever is wrong with it: its document, its source as written but for a
    password, and the hash of its words. `file` is a path below the repository root."""

    file: str
    source: str
    quote: str

    @property
    def digest(self) -> str:
        """One string that stands for all of it."""
        return quote_hash("\0".join(self))


def citation_identity(file: str, citation: Citation) -> CitationIdentity:
    """Return the identity of *citation* in the document *file*, a path below the repository root."""
    return CitationIdentity(file, public_uri(citation.source.uri), quote_hash(citation.quote))


def checked_identity(item: CheckedCitation, directory: str) -> CitationIdentity:
    """Return the identity of a checked citation; *directory* is CheckResult.directory."""
    return citation_identity(repository_path(item.file, directory), item.citation)


def subject_hashes(result: CheckResult) -> list[str]:
    """Return for each diagnostic of *result* the hash of what it is about.

    That is the quotation, also of a private document (its hash tells nobody the words); else the words the finding
    names; else its message, in which numbers do not count since they are often lines.
    """
    # Diagnostics of private documents hold no words; their citations do, which never leave the process.
    quotes: dict[tuple[str, Span, str], str] = {
        (item.file, item.citation.span, item.citation.source.uri): item.citation.quote
        for item in result.checked
    }
    hashes = []
    for diagnostic in result.diagnostics:
        quote = quotes.get((diagnostic.file, diagnostic.span, diagnostic.source), diagnostic.quote)
        hashes.append(quote_hash(quote or _NUMBER.sub("0", diagnostic.message)))
    return hashes


def fingerprints(result: CheckResult) -> list[str]:
    """Return for each diagnostic of *result* a fingerprint of 32 hexadecimal digits, all different.

    It is made of file, code, source and quotation, and of a running number among findings that share all four: it
    stays when lines move and changes with the quotation.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    result_hashes = []
    for diagnostic, subject in zip(result.diagnostics, subject_hashes(result), strict=True):
        result_hashes.append(_numbered(_identity(diagnostic, subject, result.directory), seen))
    return result_hashes


def citation_fingerprints(items: list[CheckedCitation], directory: str) -> list[str]:
    """Return the fingerprints of citations whose findings were silenced, by the same recipe as `fingerprints`."""
    seen: Counter[tuple[str, ...]] = Counter()
    identities = (checked_identity(item, directory) for item in items)
    return [
        _numbered((known.file, item.code or "", known.source, known.quote), seen)
        for item, known in zip(items, identities, strict=True)
    ]


def _identity(diagnostic: Diagnostic, subject: str, directory: str) -> tuple[str, ...]:
    file = repository_path(diagnostic.file, directory)
    return (file, diagnostic.code, public_uri(diagnostic.source), subject)


def _numbered(identity: tuple[str, ...], seen: Counter[tuple[str, ...]]) -> str:
    seen[identity] += 1
    text = "\0".join((*identity, str(seen[identity])))
    return _sha256(text)[:32]


def _sha256(text: str) -> str:
    import hashlib  # a run without findings needs none

    # surrogatepass: a record may hold half of a surrogate pair, which UTF-8 proper has no bytes for.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
