"""Files that a team commits and the tool keeps: JSON with one record per line, sorted, so that their diffs can be read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tracecite_lint.whole_files import write_whole

VERSION = 1
BASELINE_NAME = ".tracecite-baseline.json"
"""The baseline that holds without being named, at the root of a repository."""

Record = Mapping[str, object]


class LedgerError(Exception):
    """A file that cannot be used; the message is one line that names it and the way out."""


def read_ledger(path: Path) -> dict[str, Any]:
    """Return the object in *path*. Raises FileNotFoundError, and LedgerError for what is no ledger of this version."""
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise LedgerError(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise LedgerError(
            f"{path}: not valid JSON; restore it from version control, or delete it"
        ) from None
    if not isinstance(value, dict) or value.get("version") != VERSION:
        raise LedgerError(f"{path}: not a file of version {VERSION} that this tool wrote")
    return value


def records_of(ledger: Mapping[str, Any], name: str, path: Path) -> list[dict[str, Any]]:
    """Return the list of records *name* of a ledger read from *path*. Raises LedgerError."""
    records = ledger.get(name, [])
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise LedgerError(f"{path}: {name!r} is not a list of objects")
    return records


def text_field(record: Record, name: str, path: Path) -> str:
    """Return a string of a record. Raises LedgerError if there is none of that name."""
    value = record.get(name)
    if not isinstance(value, str):
        raise LedgerError(f"{path}: a record has no text {name!r}: {dict(record)}")
    return value


def count_field(record: Record, name: str, path: Path) -> int:
    """Return a whole number above 0 of a record. Raises LedgerError if there is none of that name."""
    value = record.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise LedgerError(
            f"{path}: a record has no {name!r} that is a number above 0: {dict(record)}"
        )
    return value


def ledger_text(**lists: Iterable[Record]) -> str:
    """Return a ledger of the named lists as text, each record on a line of its own, in the order given."""
    parts = [f'"version": {VERSION}']
    for name, records in lists.items():
        lines = ",\n".join(f"    {json.dumps(record, ensure_ascii=False)}" for record in records)
        parts.append(f'"{name}": [\n{lines}\n  ]' if lines else f'"{name}": []')
    return "{\n" + ",\n".join(f"  {part}" for part in parts) + "\n}\n"


def write_ledger(path: Path, text: str) -> bool:
    """Write *text* to *path* in one step, unless it is there already; tell whether it was written. Raises LedgerError.

    A symbolic link stays one: its target is replaced.
    """
    data = text.encode("utf-8", "surrogatepass")
    try:
        if path.exists() and path.read_bytes() == data:
            return False
        write_whole(path, data)
    except OSError as error:
        raise LedgerError(f"{path}: cannot be written: {error.strerror or error}") from None
    return True
