"""The blocks of docs/editors.md, so that what is tried is what people copy."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "editors.md"


def block(editor: str) -> str:
    """Return the first code block below the heading of *editor*."""
    section = re.search(rf"^### {re.escape(editor)}$(.*?)(?=^##)", PAGE.read_text(), re.M | re.S)
    assert section is not None, editor
    found = re.search(r"^```\w*\n(.*?)^```", section[1], re.M | re.S)
    assert found is not None, editor
    return found[1]
