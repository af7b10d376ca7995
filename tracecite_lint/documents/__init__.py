"""Documents to citations: pure, no I/O."""

from __future__ import annotations

from tracecite_lint.model import Document

MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdx", ".qmd", ".Rmd", ".rmd"})
NOTES_SUFFIXES = frozenset({".txt"})
JSONL_SUFFIXES = frozenset({".jsonl", ".ndjson"})
DOCUMENT_SUFFIXES = MARKDOWN_SUFFIXES | JSONL_SUFFIXES
"""What a directory is searched for; a text file of notes is read when it is named."""


def read_document(path: str, text: str, *, eager: bool = False) -> Document:
    """Read *text* as what *path* and its content say it is: Markdown, citation notes, or JSON Lines.

    `eager` adds the shapes of citation that are off by default (Markdown only). The result's kind is UNKNOWN where
    nothing fits; nothing is raised.
    """
    from tracecite_lint.documents.notes import looks_like_notes, read_notes

    if _suffix(path) in JSONL_SUFFIXES:
        from tracecite_lint.documents.jsonl import read_jsonl

        return read_jsonl(path, text)
    if looks_like_notes(text):
        return read_notes(path, text)
    from tracecite_lint.documents.markdown import parse_markdown

    return parse_markdown(path, text, eager=eager)


def _suffix(path: str) -> str:
    name = path.replace("\\", "/").rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    return f".{suffix}" if dot and stem else ""
