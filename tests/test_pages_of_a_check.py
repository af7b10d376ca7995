"""What one check reads stands for all its documents only where it is the same file, read in the same way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tracecite_lint.documents import read_document
from tracecite_lint.engine.check import check_documents
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.reach import open_store
from tracecite_lint.model import Verdict
from tracecite_lint.settings import Settings

WORDS = "the mill was closed in the spring"


@pytest.mark.parametrize("staged_first", [True, False])
def test_a_file_on_disk_and_the_one_to_be_committed_are_two(
    tmp_path: Path, staged_first: bool
) -> None:
    (tmp_path / "notes.txt").write_text("Something else.\n")
    document = read_document("report.md", f"It says “{WORDS}” ([the notes](notes.txt)).\n")
    settings = Settings(no_cache=True)
    place = {"location": tmp_path / "report.md", "root": tmp_path, "settings": settings}
    on_disk = Job(document=document, **place)
    staged = Job(document=document, **place, read=lambda _: WORDS.encode())
    jobs = [staged, on_disk] if staged_first else [on_disk, staged]
    with open_store(settings.reach(), work_tree=tmp_path) as store:
        found = [item.verdict for item in check_documents(jobs, store).citations]
    expected = [Verdict.VERIFIED, Verdict.MISMATCH]
    assert found == (expected if staged_first else expected[::-1])
