"""A sweep whose pages are yet to be fetched: which server is asked when, and how many processes are started."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from loopback import Loopback

from tracecite_lint.documents import read_document
from tracecite_lint.engine.check import check_documents
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.reach import open_store
from tracecite_lint.model import Verdict
from tracecite_lint.settings import Settings
from tracecite_lint.sources import helpers
from tracecite_lint.sources.options import HostOptions

WORDS = "the mill was closed in the spring"


@pytest.fixture
def sweep(tmp_path: Path, loopback: Loopback, cafile: Path):
    def check(urls: list[str], interval: float) -> list[Verdict | None]:
        for url in urls:
            loopback.page(url, f"As we know, {WORDS}.")
        text = "\n\n".join(f"It says “{WORDS}” ([page]({url}))." for url in urls)
        settings = Settings(
            connect_to=loopback.connect_to,
            cafile=str(cafile),
            cache_dir=str(tmp_path / "cache"),
            hosts={
                host: HostOptions(interval=interval, concurrency=4) for host in ("a.org", "b.org")
            },
        )
        job = Job(
            document=read_document("report.md", text),
            location=tmp_path / "report.md",
            root=tmp_path,
            settings=settings,
        )
        with open_store(settings.reach(), work_tree=tmp_path / "none") as store:
            return [item.verdict for item in check_documents([job], store).citations]

    return check


def test_a_host_does_not_wait_for_the_pages_of_another_that_are_cited_before_its_own(
    sweep, loopback, monkeypatch
):
    """More than are fetched at a time: in the order of the document the other host would come last but a few."""
    monkeypatch.setattr("tracecite_lint.sources.store._ACTIVE_FETCHES", 4)
    urls = [*(f"https://a.org/{number}" for number in range(20)), "https://b.org/"]
    assert sweep(urls, 0.02) == [Verdict.VERIFIED] * 21
    assert loopback.urls().index("https://b.org/") < 8


@pytest.mark.parametrize(("pages", "started"), [(10, 0), (24, 2)])
def test_processes_are_started_for_many_pages(sweep, monkeypatch, pages, started):
    monkeypatch.setattr(helpers.os, "cpu_count", lambda: 2)
    commands = []
    original = subprocess.Popen

    def counted(command, **options):
        commands.append(command)
        return original(command, **options)

    monkeypatch.setattr(helpers.subprocess, "Popen", counted)
    found = sweep([f"https://a.org/{number}" for number in range(pages)], 0.0)
    assert found == [Verdict.VERIFIED] * pages
    assert len(commands) == started
