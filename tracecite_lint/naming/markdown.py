"""Which Markdown is meant: GitHub's, in documents that quote as in sources that are quoted."""

from __future__ import annotations

from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

GITHUB_FLAVOURED: Final[Mapping[str, Any]] = {
    "strikethrough": True,
    "table": True,
    "autolink": True,
    "tasklist": True,
    "footnotes": True,  # not in the GFM specification, but on github.com since 2021
    # CommonMark finds no emphasis in `**“文。”**文`, since the closing run stands between punctuation and a letter.
    "cjk_friendly_emphasis": True,
}
"""The extensions, by their names among comrak's ExtensionOptions; who reads or renders may add some of its own."""
