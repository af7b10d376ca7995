"""The process that helps to read pages (sources/helpers.py): extracts the text, and folds it where that is needed."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.literal import find_literally
from tracecite_lint.sources.extract import Extracted, extract
from tracecite_lint.sources.helpers import serve


def read(
    body: bytes, content_type: str | None, url: str, quoted: Sequence[Sequence[str]]
) -> tuple[Extracted, bytes]:
    """Return what `extract` gives, and the folded text as bytes: none if all that is *quoted* stands there word for word."""
    extracted = extract(body, content_type, url)
    if all(find_literally(extracted.text, passages) for passages in quoted):
        return extracted, b""
    return extracted, fold(extracted.text).to_bytes()


if __name__ == "__main__":
    sys.exit(serve(read))
