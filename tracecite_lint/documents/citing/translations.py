"""Quotations given twice, in the original and in translation: only the original can stand in the source."""

from __future__ import annotations

from collections.abc import Sequence

from tracecite_lint.documents.citing.reading import is_mostly_cjk
from tracecite_lint.documents.markup.flow import Part


def originals(parts: Sequence[Part], *, document_is_cjk: bool) -> list[Part]:
    """Return the paragraphs that are the original if each has its translation beside it, else all of them.

    That is so where as many paragraphs are written in Han, Kana or Hangul as are not, one by one or one after the other. The
    translation is in the script of the document, so the others are the original.
    """
    scripts = [is_mostly_cjk(part.text) for part in parts]
    half = len(scripts) // 2
    first = scripts[:1] * half
    second = [not script for script in first]
    blocks = first + second
    alternating = [script for pair in zip(first, second, strict=True) for script in pair]
    if not half or scripts not in (blocks, alternating):
        return list(parts)
    return [part for part, cjk in zip(parts, scripts, strict=True) if cjk is not document_is_cjk]


def italic_originals(parts: list[Part], italic: list[bool]) -> list[Part]:
    """Return the italic paragraphs if each follows an upright one of about its length: a translation, then the original."""
    italic = italic[: len(parts)]
    if len(parts) != len(italic) or len(parts) % 2 or italic != [False, True] * (len(parts) // 2):
        return parts
    for translation, original in zip(parts[::2], parts[1::2], strict=True):
        longer, shorter = sorted((len(translation.text), len(original.text)), reverse=True)
        if longer > 3 * shorter:
            return parts
    return parts[1::2]
