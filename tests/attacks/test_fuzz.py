"""No input makes a reader raise anything but what it documents."""

from __future__ import annotations

import io
import json
import tomllib
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import pytest
from amounts import sample
from mutations import HTML, JSON, MARKDOWN, TOML, fixtures, mutations
from pdf_files import paragraph, pdf

from tracecite_lint.calls import audit_calls
from tracecite_lint.calls.call import CallError
from tracecite_lint.calls.manifest import decode_batch_input, decode_manifest
from tracecite_lint.calls.providers import PROVIDERS
from tracecite_lint.documents import read_document
from tracecite_lint.documents.notes import parse_citation_notes
from tracecite_lint.documents.report import parse_markdown_report
from tracecite_lint.documents.vendors.codex_trace import ExportError, codex_trace
from tracecite_lint.engine import readings
from tracecite_lint.engine.verdicts import PageVerdicts, name_of
from tracecite_lint.files.chosen import ChosenFile
from tracecite_lint.jsonl import JsonError, parse_json, read_json_lines
from tracecite_lint.known.baseline import read_baseline
from tracecite_lint.known.ledger_files import LedgerError
from tracecite_lint.known.lock import read_lock
from tracecite_lint.settings import SettingsError, project_table, read_table
from tracecite_lint.sources.charset import decode_html, decode_text, decode_xml, parse_content_type
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.extract import extract
from tracecite_lint.sources.files import resolve_local
from tracecite_lint.sources.options import allowed_host, parse_connect_to
from tracecite_lint.sources.page import Page, PageHead, Sections
from tracecite_lint.sources.policy import redirect_target, resolve
from tracecite_lint.trace.compare import compare_jsonl
from tracecite_lint.trace.validate import validate_evidence_jsonl, validate_jsonl

Read = Callable[[bytes, Path], object]


class Reader(NamedTuple):
    """What is fed to `read`, which may raise `documented`."""

    name: str
    read: Read
    seeds: Sequence[bytes]
    grammar: Sequence[str]
    documented: tuple[type[Exception], ...] = ()
    amount: int = 1_700

    @property
    def inputs(self) -> list[bytes]:
        """All inputs, the same in each run."""
        return list(mutations(self.seeds, self.grammar, self.amount))


def text(data: bytes) -> str:
    """Return *data* as text that may hold half of a surrogate pair, as no file can but a caller's string may."""
    return data.decode("utf-8", "surrogateescape")


def document(name: str, *, eager: bool = False) -> Read:
    """Return the reading of a document called *name*."""
    return lambda data, _: read_document(name, text(data), eager=eager)


def source(content_type: str | None, url: str = "https://a.b/") -> Read:
    """Return the reading of a source of one type."""
    return lambda data, _: extract(data, content_type, url)


def chosen(read: Callable[[ChosenFile], object]) -> Callable[[Path], object]:
    """Return a reader of what a person named."""
    return lambda path: read(ChosenFile(path))


def from_file(name: str, read: Callable[[Path], object]) -> Read:
    """Return the reading of a file called *name*."""

    def written_and_read(data: bytes, folder: Path) -> None:
        (folder / name).write_bytes(data)
        read(folder / name)

    return written_and_read


def settings(path: Path) -> None:
    """Read settings, as a repository's and as the user's own."""
    table = project_table(path)
    if table is not None:
        read_table(table, str(path), own=True)
        read_table(table, str(path), own=False)


def whole_row(data: bytes, _: Path) -> None:
    """Read the first row of a page whose digest fits, whatever else it holds."""
    PageHead.from_bytes(ROW[:MAGIC] + blake2b(data, digest_size=DIGEST).digest() + data)


def kept_verdicts(data: bytes, _: Path) -> None:
    """Read verdicts that an earlier run has left: what is unsound counts as missing."""
    entries = json.loads(data)
    for entry in entries.values() if isinstance(entries, dict) else ():
        PageVerdicts("", {name_of(CITATION, ""): entry}).get(CITATION, "")


def kept_reading(data: bytes, _: Path) -> None:
    """Read what a document said in an earlier run."""
    readings.decoded(data, "a.md", REPORT)


def audit(provider: str) -> Read:
    """Return the audit of a log, once by itself and once with itself as the manifest."""
    return lambda data, _: (
        audit_calls(data, provider=provider),
        audit_calls(io.BytesIO(data), data, provider=provider),
    )


def url(data: bytes, folder: Path) -> None:
    """Read a URL everywhere that one is read: as a source, as a redirect, as a path."""
    start = resolve("https://www.iana.org/a/b")
    for read in (
        lambda: resolve(text(data)),
        lambda: resolve(f"http://{text(data)}"),
        lambda: redirect_target(start, text(data), followed=0),
        lambda: resolve_local(text(data), document=folder / "a.md", root=folder),
    ):
        try:
            read()
        except SourceError:
            continue


PAGE = Page(
    url="https://a.b/", final_url="https://a.b/", status=200, content_type="text/html", text="some words\n" * 9, prepared=b"x",
    fetched_at=1.0, fresh_until=2.0, etag='"a"', last_modified="b", sections=Sections(headings={"a": (0, 4)}, lines=(0, 5), pages=(0,)),
)  # fmt: skip
ROW, TEXT_ROW = PAGE.rows(extract_version=1, prepare_version=1)
MAGIC, DIGEST = 5, 16
assert Page.from_rows(PageHead.from_bytes(ROW)[0], TEXT_ROW) == (PAGE, 1)

REPORT = (
    "# Words\n\nIt says “a document of words” ([s](https://a.b/)).\n\n<!-- tracecite-ignore -->\n"
)
READING = readings.encoded(read_document("a.md", REPORT))
assert READING is not None
CITATION = readings.decoded(READING, "a.md", REPORT).citations[0]
VERDICTS = [
    b'{"a": [[0, 9, 12, 30], ["omission"], ["and"], 3, 2]}',
    b'{"a": [["a document", 0.9, [["equal", "a "], ["delete", "b"]], "a document"]]}',
]

REPORTS = fixtures(
    "fixtures/reports/*.md", "fixtures/failing/*.md", "docs/citations.md", "docs/suppressions.md"
)
NOTES = fixtures("fixtures/notes/*")
TRACES = fixtures(
    "fixtures/traces/*.jsonl", "fixtures/traces/failing/*.jsonl", "fixtures/traces/web/*.jsonl"
)
CALLS = fixtures("fixtures/calls/*.jsonl", "fixtures/calls/wrong/*.jsonl")
PAGES = fixtures("fixtures/pages/*.html")
LEDGERS = [
    b'{"version": 1, "findings": [{"file": "a.md", "code": "X", "source": "u", "quote": "q", "count": 1}]}',
    b'{"version": 1, "sources": [{"file": "a.md", "source": "u", "quote": "q", "digest": "00", "date": "2026-01-01"}],'
    b' "failures": [{"source": "u", "code": "X", "since": "2026-01-01", "count": 2}]}',
]
SETTINGS = [
    b"select = ['QUOTE']\nttl = '3h'\nexclude = ['a/**']\n[hosts.'www.iana.org']\nconcurrency = 1\n[severity]\nX = 'error'\n",
    b"[tool.tracecite-lint]\nignore = ['X']\n[tool.tracecite-lint.per-file-ignores]\n'*.md' = ['X']\n",
]
URLS = [
    b"https://www.iana.org/a?b=c#d",
    b"//www.iana.org:80/",
    "http://bücher.de/ü".encode(),
    b"../a%20b.md#x",
    b"file:///etc/x",
]

READERS = [
    Reader("report", document("a.md"), REPORTS, MARKDOWN, amount=5_000),
    Reader("report, eagerly", document("a.mdx", eager=True), REPORTS, MARKDOWN, amount=3_000),
    Reader("notes", document("a.txt"), NOTES, MARKDOWN, amount=3_000),
    Reader("notes of the library", lambda d, _: parse_citation_notes(text(d)), NOTES, MARKDOWN),
    Reader("report of the library", lambda d, _: parse_markdown_report(text(d)), REPORTS, MARKDOWN),
    Reader("trace and vendors", document("a.jsonl"), TRACES, JSON, amount=6_000),
    Reader("validation", lambda d, _: validate_jsonl(text(d)), TRACES, JSON, amount=3_000),
    Reader("evidence", lambda d, _: validate_evidence_jsonl(text(d)), TRACES, JSON, amount=3_000),
    Reader("comparison", lambda d, _: compare_jsonl(text(d), text(d[::2])), TRACES, JSON),
    Reader("codex", lambda d, _: list(codex_trace(io.BytesIO(d))), TRACES, JSON, (ExportError,)),
    Reader(
        "JSON lines", lambda d, _: list(read_json_lines(io.BytesIO(d))), TRACES, JSON, amount=3_000
    ),
    Reader("JSON", lambda d, _: parse_json(text(d)), TRACES, JSON, (JsonError,), amount=3_000),
    *(Reader(f"log of {name}", audit(name), CALLS, JSON) for name in PROVIDERS),
    Reader(
        "manifest",
        lambda d, _: decode_manifest(d),
        fixtures("fixtures/calls/manifest.json"),
        JSON,
        (CallError,),
    ),
    Reader("batch", lambda d, _: decode_batch_input(d, request="body"), CALLS, JSON, (CallError,)),
    Reader(
        "settings", from_file("tracecite-lint.toml", settings), SETTINGS, TOML, (SettingsError,)
    ),
    Reader("pyproject", from_file("pyproject.toml", settings), SETTINGS, TOML, (SettingsError,)),
    Reader(
        "baseline", from_file("baseline.json", chosen(read_baseline)), LEDGERS, JSON, (LedgerError,)
    ),
    Reader("lock", from_file("lock.json", chosen(read_lock)), LEDGERS, JSON, (LedgerError,)),
    Reader("HTML", source("text/html"), PAGES, HTML, (SourceError,), amount=5_000),
    Reader("local HTML", source("text/html", "/a/b.html"), PAGES, HTML, (SourceError,)),
    Reader("XHTML", source("application/xhtml+xml; charset=gbk"), PAGES, HTML, (SourceError,)),
    Reader("XML", source("application/xml"), PAGES, HTML, (SourceError,)),
    Reader(
        "JSON page",
        source("application/json"),
        [*TRACES, *fixtures("fixtures/pages/*.json")],
        JSON,
        (SourceError,),
    ),
    Reader("text", source("text/plain; charset=shift_jis"), NOTES, MARKDOWN, (SourceError,)),
    Reader("Markdown page", source("text/markdown"), REPORTS, MARKDOWN, (SourceError,)),
    Reader("local Markdown", source(None, "/a/b.md"), REPORTS, MARKDOWN, (SourceError,)),
    Reader("unnamed type", source(None), PAGES, HTML, (SourceError,)),
    Reader(
        "PDF",
        source("application/pdf"),
        [pdf(paragraph("some", "words"))],
        HTML,
        (SourceError,),
        amount=100,
    ),
    Reader(
        "type", lambda d, _: parse_content_type(text(d)), [b'text/html; charset="utf-8"; a=b'], HTML
    ),
    Reader(
        "charset",
        lambda d, _: (decode_html(d, None), decode_text(d, text(d[:9])), decode_xml(d, None)),
        PAGES,
        HTML,
    ),
    Reader("row of the cache", lambda d, _: PageHead.from_bytes(d), [ROW], JSON, (ValueError,)),
    Reader("row with its digest", whole_row, [ROW[MAGIC + DIGEST :]], JSON, (ValueError,)),
    Reader("verdicts of the cache", kept_verdicts, VERDICTS, JSON, (ValueError,)),
    Reader(
        "reading of the cache", kept_reading, [READING], JSON, (ValueError, TypeError, KeyError)
    ),
    Reader("URL", url, URLS, MARKDOWN, amount=3_000),
    Reader("allowed host", lambda d, _: allowed_host(text(d)), URLS, JSON, (ValueError,)),
    Reader(
        "way to connect",
        lambda d, _: parse_connect_to(text(d)),
        [b"a.b:80:[::1]:90"],
        JSON,
        (ValueError,),
    ),
]


def test_there_are_as_many_as_are_promised():
    assert sum(reader.amount for reader in READERS) >= 69_000


def test_the_readers_of_rows_get_past_the_digest():
    whole_row(ROW[MAGIC + DIGEST :], Path())


def read_all(reader: Reader, inputs: Sequence[bytes], folder: Path) -> None:
    """Feed *inputs* to *reader*; what it does not document is shown with the input that brought it about."""
    for data in inputs:
        try:
            reader.read(data, folder)
        except reader.documented:
            continue
        except Exception as error:
            error.add_note(f"the input was {data!r}")
            raise


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_no_input_raises_what_is_not_documented(reader, tmp_path):
    read_all(reader, sample(reader.inputs, 3 if reader.amount == 100 else 25), tmp_path)


@pytest.mark.exhaustive
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_nor_does_any_of_all_inputs(reader, tmp_path):
    read_all(reader, reader.inputs, tmp_path)


def test_what_is_read_is_read_as_what_it_is():
    """The unchanged fixtures do get past the first line of each reader."""
    assert read_document("a.md", text(REPORTS[0])).citations
    assert read_document("a.txt", text(NOTES[0])).citations
    assert any(read_document("a.jsonl", text(trace)).citations for trace in TRACES)
    assert tomllib.loads(text(SETTINGS[0]))
    assert extract(PAGES[0], "text/html", "https://a.b/").text
