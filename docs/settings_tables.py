"""Writes the tables of docs/settings.md from the declarations of the settings: `python docs/settings_tables.py`.

A test compares the page with what this script would write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tracecite_lint.settings import OPTIONS, Option

PAGE = Path(__file__).with_name("settings.md")


def page_with_tables(page: str) -> str:
    """Return *page* with its tables between `<!-- table: NAME -->` and `<!-- end -->` as the declarations have them."""
    tables = {
        "project": _table(item for item in OPTIONS if item.file and not item.reach),
        "reach": _table(item for item in OPTIONS if item.reach),
        "editor": _editor_table(),
    }
    return re.sub(
        r"(?<=<!-- table: )(\w+)( -->\n\n).*?(?=\n<!-- end -->)",
        lambda found: f"{found[1]}{found[2]}{tables[found[1]]}",
        page,
        flags=re.DOTALL,
    )


def _table(options: Iterable[Option]) -> str:
    rows = (
        f"| `{option.key}` | {option.kind.form} | {option.summary.removesuffix('.')} |\n"
        for option in options
    )
    return "| key | value | meaning |\n| --- | --- | --- |\n" + "".join(rows)


def _editor_table() -> str:
    rows = (
        f"| `{option.editor_key}` | {option.summary.removesuffix('.')} |\n"
        for option in OPTIONS
        if option.editor
    )
    return "| setting | meaning |\n| --- | --- |\n" + "".join(rows)


if __name__ == "__main__":
    for path in (PAGE, PAGE.with_name("editors.md")):
        written = page_with_tables(path.read_text("utf-8"))
        path.write_text(written, encoding="utf-8", newline="\n")
