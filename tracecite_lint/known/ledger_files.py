"""Files that a team commits and the tool keeps: JSON with one record per line, sorted, so that their diffs can be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tracecite_lint.errors import TraceciteLintError, os_reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tracecite_lint.files.chosen import ChosenFile

VERSION = 1

_SIZE_LIMIT = 256 * 1024 * 1024

Record = Mapping[str, object]


class LedgerError(TraceciteLintError):
    """A file that cannot be used; the message is one line that names it and the way out."""


def read_ledger(path: ChosenFile) -> dict[str, Any]:
    """Return the object in *path*. Raises FileNotFoundError, and LedgerError for what is no ledger of this version."""
    import json  # the name of the baseline is looked for in every run

    try:
        # An editor may have put a BOM there, on Windows.
        value = json.loads(path.read(limit=_SIZE_LIMIT).decode("utf-8-sig"))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise LedgerError(f"{path}: {os_reason(error)}") from None
    except (ValueError, RecursionError):
        raise LedgerError(
            f"{path}: not valid JSON; restore it from version control, or delete it"
        ) from None
    if not isinstance(value, dict) or value.get("version") != VERSION:
        raise LedgerError(f"{path}: not a file of version {VERSION} that this tool wrote")
    return value


def records_of(ledger: Mapping[str, Any], name: str, path: ChosenFile) -> list[dict[str, Any]]:
    """Return the list of records *name* of a ledger read from *path*. Raises LedgerError."""
    records = ledger.get(name, [])
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise LedgerError(f"{path}: {name!r} is not a list of objects")
    return records


def record_on(line: str) -> dict[str, Any] | None:
    """Return the record that a *line* of a ledger is, as `ledger_text` writes it; None for another line."""
    import json

    text = line.strip().removesuffix(",")
    if not (text.startswith("{") and text.endswith("}")):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):  # a line of a file that somebody has laid out anew
        return None
    return value if isinstance(value, dict) else None


def text_field(record: Record, name: str, path: ChosenFile) -> str:
    """Return a string of a record. Raises LedgerError if there is none of that name."""
    value = record.get(name)
    if not isinstance(value, str):
        raise LedgerError(f"{path}: a record has no text {name!r}: {dict(record)}")
    return value


def count_field(record: Record, name: str, path: ChosenFile) -> int:
    """Return a whole number above 0 of a record. Raises LedgerError if there is none of that name."""
    value = record.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise LedgerError(
            f"{path}: a record has no {name!r} that is a number above 0: {dict(record)}"
        )
    return value


def ledger_text(**lists: Iterable[Record]) -> str:
    """Return a ledger of the named lists as text, each record on a line of its own, in the order given."""
    import json

    parts = [f'"version": {VERSION}']
    for name, records in lists.items():
        lines = ",\n".join(f"    {json.dumps(record, ensure_ascii=False)}" for record in records)
        parts.append(f'"{name}": [\n{lines}\n  ]' if lines else f'"{name}": []')
    return "{\n" + ",\n".join(f"  {part}" for part in parts) + "\n}\n"


def write_ledger(path: ChosenFile, text: str) -> bool:
    """Write *text* to *path* in one step, unless it is there already; tell whether it was written. Raises LedgerError."""
    data = text.encode("utf-8", "replace")
    try:
        # A file that is written anew looks changed to build tools and to whoever watches it.
        if path.real_path().is_file() and path.read() == data:
            return False
        path.write(data)
    except OSError as error:
        raise LedgerError(f"{path}: cannot be written: {os_reason(error)}") from None
    return True
