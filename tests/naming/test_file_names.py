"""What a file's name says of its content: the one classifier."""

from __future__ import annotations

import pytest

from tracecite_lint.naming.file_names import FileKind, is_mdx, kind_of


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a.md", FileKind.MARKDOWN),
        ("docs/X.Md", FileKind.MARKDOWN),
        ("REPORT.MARKDOWN", FileKind.MARKDOWN),
        ("a.RMD", FileKind.MARKDOWN),
        ("a.tar.qMd", FileKind.MARKDOWN),
        ("LOG.JSONL", FileKind.JSON_LINES),
        ("a\\b.Ndjson", FileKind.JSON_LINES),
        ("NOTES.TXT", FileKind.TEXT),
        (".md", None),
        ("docs.md/.jsonl", None),
        ("..md", None),
        ("md", None),
        ("a.md.bak", None),
        ("a.", None),
        ("docs.md/readme", None),
        ("a.\u212amd", None),
    ],
)
def test_the_suffix_decides_in_any_case(path: str, kind: FileKind | None) -> None:
    assert kind_of(path) is kind


def test_only_mdx_is_mdx() -> None:
    assert is_mdx("docs/Page.MDX")
    assert not is_mdx("page.md")
    assert not is_mdx("mdx")
