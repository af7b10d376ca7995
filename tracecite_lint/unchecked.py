"""The citations that a run let pass because their sources could not be reached: kept beside the page cache, checked first by the next run that has to be strict."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tracecite_lint.fingerprints import quote_hash, repository_path
from tracecite_lint.ledgers import (
    LedgerError,
    ledger_text,
    read_ledger,
    records_of,
    text_field,
    write_ledger,
)
from tracecite_lint.model import CheckResult, Citation, Verdict
from tracecite_lint.rules import is_unreachable

_FOLDER = "unchecked"


@dataclass(frozen=True, slots=True, order=True)
class Unchecked:
    """One citation: `file` is relative to the repository's root, with `/`; `quote` is a hash, as words may be private."""

    file: str
    source: str
    quote: str


def unchecked(file: str, citation: Citation) -> Unchecked:
    """Return how *citation* of *file* (relative to the repository's root) is remembered."""
    return Unchecked(file, citation.source.uri, quote_hash(citation.quote))


def read_unchecked(cache: Path, root: Path) -> frozenset[Unchecked]:
    """Return what is remembered for the repository at *root*; a damaged list counts as none, as any cache does."""
    path = _path(cache, root)
    try:
        records = records_of(read_ledger(path), "citations", path)
        found = [
            Unchecked(*(text_field(record, name, path) for name in ("file", "source", "quote")))
            for record in records
        ]
    except (FileNotFoundError, LedgerError):
        return frozenset()
    return frozenset(item for item in found if _is_below_root(item.file))


def remaining(
    known: Collection[Unchecked], result: CheckResult, *, files: Collection[str], allowed: bool
) -> frozenset[Unchecked]:
    """Return what is to be remembered after a run: of *known* what it has not decided, and what it let pass.

    *files* names the documents that were read in full (relative to the root): what does not stand in them any more is
    forgotten. *allowed* says that the run let unreachable sources pass; a strict one remembers nothing new.
    """
    decided: set[Unchecked] = set()
    unreached: set[Unchecked] = set()
    for item in result.citations:
        entry = unchecked(repository_path(item.file, result.directory), item.citation)
        failed = item.verdict is Verdict.UNVERIFIABLE and is_unreachable(item.code or "")
        (unreached if failed and not item.alternative else decided).add(entry)
    kept = {entry for entry in known if entry not in decided and entry.file not in files}
    return frozenset(kept | (unreached if allowed else unreached & set(known)))


def write_unchecked(cache: Path, root: Path, entries: Collection[Unchecked]) -> None:
    """Remember *entries* for the repository at *root*. Raises LedgerError if that cannot be done."""
    path = _path(cache, root)
    records = [
        {"file": item.file, "source": item.source, "quote": item.quote} for item in sorted(entries)
    ]
    try:
        if not records:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerError(f"{path}: cannot be written: {error.strerror or error}") from None
    write_ledger(path, ledger_text(citations=records))


def _path(cache: Path, root: Path) -> Path:
    name = hashlib.sha256(str(root).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return cache / _FOLDER / f"{name}.json"


def _is_below_root(file: str) -> bool:
    """Tell whether *file* stays below the root: what lies in the cache directory is input."""
    path = PurePosixPath(file)
    return bool(file) and not path.is_absolute() and ".." not in path.parts
