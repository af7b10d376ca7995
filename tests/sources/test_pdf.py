"""The text of PDFs: order, hyphens, pages, and that no PDF takes the run down."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest
from pdf_files import Drawn, paragraph, pdf

from tracecite_lint.model import MARKER_END, MARKER_START
from tracecite_lint.sources import pdf as pdf_module
from tracecite_lint.sources.deadline import Deadline
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.extract import extract
from tracecite_lint.sources.pdf_reader import (
    MAX_CPU_SECONDS,
    MAX_MEMORY,
    MAX_PAGES,
    Line,
    joined_pages,
    ordered_lines,
)

WEB = "https://www.example.org/paper.pdf"
needs_pdfium = pytest.mark.skipif(
    importlib.util.find_spec("pypdfium2") is None, reason="needs the pdf extra"
)


def text_of(*pages: list[Drawn]) -> str:
    return extract(pdf(*pages), "application/pdf", WEB).text


PAGES = [
    ("lines follow each other", [*paragraph("one", "two")], "one\ntwo"),
    ("quotation marks and dashes", [*paragraph("“one” – two’s")], "“one” – two’s"),
    ("a broken word is joined", [*paragraph("the num-", "ber of it")], "the number of it"),
    ("a name keeps its hyphen", [*paragraph("by Jean-", "Paul")], "by Jean-Paul"),
    (
        "a compound keeps its hyphen",
        [*paragraph("a well-known cat", "and a well-", "known dog")],
        "a well-known cat\nand a well-known dog",
    ),
    (
        "columns from left to right",
        [*paragraph("right", "hand", x=330), *paragraph("left", "side")],
        "left\nside\nright\nhand",
    ),
    (
        "the foot of the page comes last",
        [Drawn(72, 40, "foot"), *paragraph("one", "two"), *paragraph("three", x=330)],
        "one\ntwo\nthree\nfoot",
    ),
    ("what is drawn from below", [Drawn(72, 600, "two"), Drawn(72, 700, "one")], "one\ntwo"),
    (
        "a raised number is marked",
        [Drawn(72, 700, "word"), Drawn(98.5, 705, "12", 7), Drawn(110, 700, "next")],
        f"word{MARKER_START}12{MARKER_END} next",
    ),
    (
        "a number on the line is not",
        [Drawn(72, 700, "word"), Drawn(102, 700, "12"), Drawn(120, 700, "next")],
        "word 12 next",
    ),
]


@needs_pdfium
@pytest.mark.parametrize(("lines", "text"), [row[1:] for row in PAGES])
def test_a_page_is_read_in_its_order(lines, text):
    assert text_of(lines).strip() == text


@needs_pdfium
def test_each_page_says_where_it_begins():
    extracted = extract(
        pdf(paragraph("one"), [], paragraph("two", "more"), paragraph("three")),
        "application/pdf",
        WEB,
    )
    length = len(extracted.text)
    windows = [extracted.sections.window(f"page={number}", length) for number in (1, 3, 4, 5)]
    assert [extracted.text[slice(*window)].split() if window else None for window in windows] == [
        ["one"],
        ["two", "more"],
        ["three"],
        None,
    ]
    assert extracted.sections.page_at(extracted.text.index("more")) == 3
    assert extracted.sections.window("zoom=50&page=4", length) == windows[2]


@needs_pdfium
@pytest.mark.parametrize("content_type", ["application/pdf", "application/octet-stream", None])
def test_a_pdf_is_known_by_its_type_or_its_first_bytes(content_type):
    assert extract(pdf(paragraph("words")), content_type, WEB).content_type == "application/pdf"


BROKEN = [
    (b"%PDF-1.4\nnonsense", "UNSUPPORTED_CONTENT_TYPE"),
    (pdf(paragraph("words"))[:200], "UNSUPPORTED_CONTENT_TYPE"),
    (pdf([]), "SOURCE_HAS_NO_TEXT"),
    (
        pdf(
            paragraph("words"),
            encryption=b"/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<%s>/U<%s>>>"
            % (b"00" * 32, b"11" * 32),
        ),
        "SOURCE_BLOCKED",
    ),
]


@needs_pdfium
@pytest.mark.parametrize(("body", "code"), BROKEN)
def test_a_pdf_that_cannot_be_read_is_an_error_of_one_line(body, code):
    with pytest.raises(SourceError) as raised:
        extract(body, "application/pdf", WEB)
    assert raised.value.code == code
    assert raised.value.help
    assert "\n" not in raised.value.message


@needs_pdfium
def test_a_pdf_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(pdf_module, "MAX_SECONDS", 0.001)
    with pytest.raises(SourceError) as raised:
        extract(pdf(paragraph("words")), "application/pdf", WEB)
    assert raised.value.code == "SOURCE_TOO_LARGE"


@needs_pdfium
def test_a_crash_of_the_library_is_an_error_and_no_more(monkeypatch, tmp_path):
    # A pypdfium2 that kills its process stands in front of the real one.
    (tmp_path / "pypdfium2.py").write_text("import os; os.kill(os.getpid(), 11)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(SourceError) as raised:
        extract(pdf(paragraph("words")), "application/pdf", WEB)
    assert raised.value.code == "UNSUPPORTED_CONTENT_TYPE"
    assert "damaged" in raised.value.message


@needs_pdfium
def test_nothing_is_imported_from_the_working_directory(monkeypatch, tmp_path):
    (tmp_path / "json.py").write_text("raise SystemExit(3)\n")
    monkeypatch.chdir(tmp_path)
    assert text_of(paragraph("words")).strip() == "words"


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(SourceError) as raised:
        extract(pdf(paragraph("words")), "application/pdf", WEB)
    assert raised.value.code == "UNSUPPORTED_CONTENT_TYPE"
    assert "'.[pdf]'" in raised.value.help


def test_running_heads_and_feet_do_not_divide_sentences():
    pages = [[f"Journal {number}", f"sentence {number} begins", "Page 1"] for number in (1, 2, 3)]
    text, starts = joined_pages(pages)
    assert text.startswith("sentence 1 begins\nsentence 2 begins\nsentence 3 begins\n")
    assert text.count("Journal") == 3
    assert starts == [0, 18, 36]


def test_a_word_may_be_broken_over_two_pages():
    text, starts = joined_pages([["the num-"], ["ber of it"]])
    assert text[: starts[1]].split() == ["the", "number"]
    assert text[starts[1] :].split() == ["of", "it"]


def test_boxes_that_wait_for_each_other_are_all_kept():
    lines = [
        Line("a", 0, 10, 0, 30),
        Line("b", 5, 15, 10, 40),
        Line("c", 0, 30, 5, 35),
        Line("d", 12, 40, 0, 8),
    ]
    assert sorted(line.text for line in ordered_lines(lines)) == ["a", "b", "c", "d"]


def test_a_page_of_many_boxes_stays_as_it_is_drawn():
    lines = [Line(str(number), 0, 10, number * 20, number * 20 + 10) for number in range(500)]
    assert ordered_lines(lines) == lines


@needs_pdfium
def test_a_pdf_of_too_many_pages_is_not_read():
    body = pdf(*[[] for _ in range(MAX_PAGES + 1)])
    with pytest.raises(SourceError, match="more pages") as caught:
        pdf_module.pdf_text(body)
    assert caught.value.code == "SOURCE_TOO_LARGE"


@needs_pdfium
@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux alone")
def test_a_pdf_that_asks_for_too_much_memory_is_given_up():
    packed = zlib.compressobj(9)
    pieces = [packed.compress(b" " * 2**20) for _ in range(2 * MAX_MEMORY // 2**20)]
    bomb = zlib.compress(b"".join((*pieces, packed.flush())), 9)
    body = pdf([])
    stream = b"<</Length 5>>\nstream\nBT\nET\nendstream"
    filters = b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>\nstream\n%s\nendstream"
    assert stream in body
    with pytest.raises(SourceError, match="memory") as raised:
        pdf_module.pdf_text(body.replace(stream, filters % (len(bomb), bomb)))
    assert raised.value.code == "SOURCE_TOO_LARGE"


FAKE = """
import os, resource, time
class PdfiumError(Exception):
    pass
class PdfDocument:
    def __init__(self, body):
        open({path!r}, "w").write(str(os.getpid()))
        {does}
"""
needs_limits = pytest.mark.skipif(sys.platform == "win32", reason="no limits of a process there")


@pytest.fixture
def library(monkeypatch, tmp_path):
    """Put a PDF library that does what a test says in front of the real one; the result is the file with its process."""

    def put(does: str) -> Path:
        started = tmp_path / "started"
        (tmp_path / "pypdfium2.py").write_text(FAKE.format(path=str(started), does=does))
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        return started

    return put


@needs_pdfium
@needs_limits
def test_the_library_runs_under_its_limits(library):
    library(
        "raise PdfiumError([resource.getrlimit(getattr(resource, n)) for n in ('RLIMIT_CPU', 'RLIMIT_AS')])"
    )
    with pytest.raises(SourceError) as raised:
        extract(pdf(paragraph("words")), "application/pdf", WEB)
    assert str((MAX_CPU_SECONDS, MAX_CPU_SECONDS + 1)) in raised.value.message
    if sys.platform == "linux":
        assert str((MAX_MEMORY, MAX_MEMORY)) in raised.value.message


@needs_pdfium
@needs_limits
def test_one_that_takes_too_much_cpu_time_is_given_up(library):
    library("resource.setrlimit(resource.RLIMIT_CPU, (1, 2))\n        while True: pass")
    with pytest.raises(SourceError) as raised:
        extract(pdf(paragraph("words")), "application/pdf", WEB)
    assert (raised.value.code, raised.value.message) == (
        "SOURCE_TOO_LARGE",
        "the PDF takes too long to read",
    )


@needs_pdfium
@needs_limits
def test_a_pdf_under_way_ends_with_the_time_of_the_run(library, monkeypatch):
    started = library("time.sleep(600)")
    run, given = subprocess.run, []

    def watched(command, **options):
        given.extend([options["timeout"], float(command[-1])])
        return run(command, **options)

    monkeypatch.setattr(pdf_module.subprocess, "run", watched)
    with pytest.raises(SourceError) as raised:
        pdf_module.pdf_text(pdf(paragraph("words")), Deadline(time.monotonic() + 3))
    assert raised.value.code == "NOT_CHECKED_TIME_BUDGET"
    assert max(given) <= 3  # for us and for the process itself, which nobody may be left to end
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)


@needs_pdfium
@needs_limits
def test_it_ends_by_itself_where_nobody_waits_for_it(library):
    library("time.sleep(600)")
    command = [sys.executable, "-P", "-m", "tracecite_lint.sources.pdf_reader", "3"]
    ended = subprocess.run(command, input=pdf(paragraph("words")), timeout=60)
    assert -ended.returncode == signal.SIGALRM


@needs_pdfium
def test_after_the_time_of_the_run_none_is_started(library):
    started = library("pass")
    with pytest.raises(SourceError) as raised:
        pdf_module.pdf_text(pdf(paragraph("words")), Deadline(time.monotonic() - 1))
    assert raised.value.code == "NOT_CHECKED_TIME_BUDGET"
    assert not started.exists()
