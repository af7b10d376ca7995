"""A document that cites itself shows nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tracecite_lint.engine.job import Job
from tracecite_lint.engine.reach import resolve_source
from tracecite_lint.model import Document, DocumentKind
from tracecite_lint.settings import Settings
from tracecite_lint.sources.errors import SourceError


@pytest.fixture
def job(tmp_path: Path) -> Job:
    document = Document(path="docs/a.md", text="", kind=DocumentKind.MARKDOWN)
    location = tmp_path / "docs" / "a.md"
    return Job(document=document, location=location, root=tmp_path, settings=Settings())


@pytest.mark.parametrize("uri", ["a.md", "./a.md", "../docs/a.md", "/docs/a.md", "a.md?plain=1"])
def test_the_own_file_is_no_source(job: Job, uri: str) -> None:
    target = resolve_source(uri, job)

    assert isinstance(target, SourceError)
    assert target.code == "SELF_CITATION"


@pytest.mark.parametrize("uri", ["b.md", "a.md#part", "#:~:text=words", "https://example.org/a.md"])
def test_another_file_and_a_part_are_sources(job: Job, uri: str) -> None:
    assert not isinstance(resolve_source(uri, job), SourceError)
