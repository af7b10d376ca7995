"""Measures false alarms and misses on real pages: quotations that a browser shows, and altered ones.

    python -m benchmarks.accuracy DIR [--kind KIND ...] [--keep DIR]

DIR holds saved pages and what is quoted from them, in one of two forms:

- `pages.jsonl`: `{id, file, url, charset}` (`charset` is what the server sends, or null) beside `quotes.jsonl`:
  `{page, quote, present, kind, note}`;
- `pages.jsonl` alone: `{file, content_type, quote, present, group}` (`content_type` is the header, or null), a quotation a page.

The product is a black box. A server on loopback serves each page under a host name of its own; each quotation is written into
reports in several shapes (inline, blockquote with attribution, lead-in), and `tracecite-lint --format json` checks them. A
quotation that holds quotation marks, or fewer than three words, is left out of the inline shape, for which it is none.

Exit status 0 when the targets hold: false alarms for at most 0.1 % of what is present, no miss of what is absent (at most 5 %
of what is hidden inline; what only a style sheet hides is counted apart), and the same verdict in each shape.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

FALSE_ALARM_TARGET, HIDDEN_TARGET = 0.001, 0.05
HIDDEN, STYLED = "hidden", "hidden-by-stylesheet"
DOMAIN = "pages.example.org"
MISSING = "not found"
_MARKS = re.compile('["“”„‟«»‹›「」『』〝〞＂]')
_ESCAPED = re.compile(r"[!#$%&()*+\-./:<=>@\[\\\]^_`{|}~]")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Page:
    """A saved page: its bytes and the Content-Type it is served with."""

    host: str
    body: bytes
    content_type: str | None

    @property
    def url(self) -> str:
        """Where the reports say it is."""
        return f"http://{self.host}/page.html"


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation of a page, and whether the page shows it."""

    page: Page
    text: str
    present: bool
    kind: str
    note: str


@dataclass(slots=True)
class Report:
    """A report in the making: its lines, and on which of them each quotation stands (1-based, inclusive)."""

    lines: list[str] = field(default_factory=list)
    places: list[tuple[int, int, Quote]] = field(default_factory=list)

    def add(self, quote: Quote, lines: Sequence[str]) -> None:
        """Write one citation, apart from the one before."""
        self.lines += [f"### Finding {len(self.places) + 1}", ""]
        first = len(self.lines) + 1
        self.lines += [*lines, ""]
        self.places.append((first, len(self.lines), quote))

    def quote_at(self, line: int) -> Quote | None:
        """Return the quotation that stands on *line*."""
        return next((q for first, last, q in self.places if first <= line <= last), None)


def read_folder(folder: Path) -> list[Quote]:
    """Return the quotations of a folder of either form."""
    rows = _rows(folder / "pages.jsonl")
    if not (folder / "quotes.jsonl").exists():
        return [
            Quote(
                _page(folder, row, index, _text(row.get("content_type"))),
                str(row["quote"]),
                bool(row["present"]),
                str(row.get("group", "page")),
                str(row.get("note", "")),
            )
            for index, row in enumerate(rows)
        ]
    pages = {}
    for index, row in enumerate(rows):
        charset = f"; charset={row['charset']}" if row.get("charset") else ""
        pages[row["id"]] = _page(folder, row, index, f"text/html{charset}")
    return [
        Quote(
            pages[row["page"]],
            str(row["quote"]),
            bool(row["present"]),
            str(row["kind"]),
            str(row.get("note", "")),
        )
        for row in _rows(folder / "quotes.jsonl")
    ]


def _rows(path: Path) -> list[dict[str, object]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _page(folder: Path, row: Mapping[str, object], index: int, content_type: str | None) -> Page:
    name = Path(str(row["file"])).stem.lower()
    return Page(f"{name}-{index}.{DOMAIN}", (folder / str(row["file"])).read_bytes(), content_type)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


@contextmanager
def serving(pages: Iterable[Page]) -> Iterator[int]:
    """Serve each page at any path of its host name; yield the port on 127.0.0.1."""
    by_host = {page.host: page for page in pages}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = by_host.get(self.headers.get("Host", "").partition(":")[0])
            self.send_response(404 if page is None else 200)
            body = b"" if page is None else page.body
            if page is not None and page.content_type is not None:
                self.send_header("Content-Type", page.content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def escaped(text: str) -> str:
    """Return *text* as Markdown that renders as it."""
    return _ESCAPED.sub(r"\\\g<0>", " ".join(text.split(" ")).strip())


def inline(quote: Quote) -> list[str] | None:
    """Write “…” ([source](url)), if the quotation can stand in quotation marks."""
    if _MARKS.search(quote.text) or len(_WORD.findall(quote.text)) < 3:
        return None
    return [f"“{escaped(quote.text)}” ([source]({quote.page.url}))"]


def attributed_blockquote(quote: Quote) -> list[str]:
    """Write a blockquote that ends in a line with the source."""
    return [f"> {escaped(quote.text)}", ">", f"> — [source]({quote.page.url})"]


def lead_in(quote: Quote) -> list[str]:
    """Write a sentence with the link that leads to a blockquote."""
    return [f"As [the source]({quote.page.url}) puts it:", "", f"> {escaped(quote.text)}"]


SHAPES: dict[str, Callable[[Quote], list[str] | None]] = {
    "inline": inline,
    "blockquote": attributed_blockquote,
    "lead-in": lead_in,
}


def write_reports(quotes: Sequence[Quote], folder: Path) -> dict[str, tuple[str, Report]]:
    """Write a report for each page and shape; return, by file name, its shape and what stands in it."""
    reports: dict[str, tuple[str, Report]] = {}
    by_host: dict[str, list[Quote]] = defaultdict(list)
    for quote in quotes:
        by_host[quote.page.host].append(quote)
    for host, of_page in by_host.items():
        for shape, write in SHAPES.items():
            report = Report()
            for quote in of_page:
                lines = write(quote)
                if lines is not None:
                    report.add(quote, lines)
            if report.places:
                name = f"{host.partition('.')[0]}-{shape}.md"
                text = "\n".join(report.lines)
                (folder / name).write_text(text, encoding="utf-8", newline="\n")
                reports[name] = shape, report
    return reports


def check(folder: Path, port: int) -> list[dict[str, object]]:
    """Run the product over the reports in *folder* and return its citations. Exits if it fails."""
    command = [sys.executable, "-m", "tracecite_lint", "check", "--isolated", "--format", "json"]
    command += ["--quiet", "--cache-dir", str(folder.parent / "cache")]
    command += ["--connect-to", f"::127.0.0.1:{port}", "."]
    run = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
    )
    if run.returncode not in (0, 2):
        raise SystemExit(f"{' '.join(command)}\nexit status {run.returncode}\n{run.stderr}")
    citations: list[dict[str, object]] = json.loads(run.stdout)["citations"]
    return citations


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the product says of one quotation in one shape: a verdict, or MISSING."""

    quote: Quote
    shape: str
    verdict: str
    code: str

    @property
    def failure(self) -> str:
        """Name what is wrong with it; empty if nothing is."""
        if self.verdict == "verified":
            return "" if self.quote.present else "miss"
        if self.verdict == "mismatch":
            return "false alarm" if self.quote.present else ""
        return self.verdict


def outcomes(
    reports: Mapping[str, tuple[str, Report]], citations: Iterable[Mapping[str, object]]
) -> list[Outcome]:
    """Put the product's citations beside the quotations that were written."""
    said: dict[tuple[str, int], tuple[str, str]] = {}
    for citation in citations:
        name = Path(str(citation["file"])).name
        quote = reports[name][1].quote_at(int(str(citation["line"])))
        if quote is not None:
            said[name, id(quote)] = str(citation["verdict"]), str(citation["code"] or "")
    return [
        Outcome(quote, shape, *said.get((name, id(quote)), (MISSING, "")))
        for name, (shape, report) in reports.items()
        for _, _, quote in report.places
    ]


def table(results: Sequence[Outcome]) -> list[str]:
    """Return the counts by kind and shape, failures of all as `wrong`."""
    totals: Counter[tuple[bool, str, str]] = Counter()
    wrong: Counter[tuple[bool, str, str]] = Counter()
    for result in results:
        key = result.quote.present, result.quote.kind, result.shape
        totals[key] += 1
        wrong[key] += bool(result.failure)
    kinds = sorted({(present, kind) for present, kind, _ in totals}, reverse=True)
    lines = [f"{'':34}" + "".join(f"{shape:>16}" for shape in SHAPES)]
    for present, kind in kinds:
        cells = (
            f"{wrong[present, kind, shape]} of {totals[present, kind, shape]}" for shape in SHAPES
        )
        label = f"{'present' if present else 'absent'}: {kind}"
        lines.append(f"{label:34}" + "".join(f"{cell:>16}" for cell in cells))
    return lines


def disagreements(results: Iterable[Outcome]) -> list[str]:
    """Return a line for each quotation whose verdict is not the same in each shape."""
    by_quote: dict[int, list[Outcome]] = defaultdict(list)
    for result in results:
        by_quote[id(result.quote)].append(result)
    return [
        f"  {quote_line(found[0].quote)}\n      "
        + ", ".join(f"{result.shape}: {result.verdict}" for result in found)
        for found in by_quote.values()
        if len({result.verdict for result in found}) > 1
    ]


def quote_line(quote: Quote) -> str:
    """Describe a quotation on one line."""
    note = f"  ← {quote.note}" if quote.note else ""
    return f"{quote.page.host.partition('.')[0]} [{quote.kind}] {quote.text}{note}"


def summary(results: Sequence[Outcome]) -> tuple[list[str], bool]:
    """Return what came out in a few lines, and whether the targets hold."""
    present = [r for r in results if r.quote.present]
    absent = [r for r in results if not r.quote.present and r.quote.kind not in (HIDDEN, STYLED)]
    hidden = [r for r in results if r.quote.kind == HIDDEN]
    styled = [r for r in results if r.quote.kind == STYLED]
    alarms = [r for r in present if r.failure == "false alarm"]
    misses = [r for r in absent if r.failure == "miss"]
    shown = [r for r in hidden if r.failure == "miss"]
    unread = [r for r in results if r.verdict == "unverifiable"]
    unfound = [r for r in results if r.verdict == MISSING]
    split = disagreements(results)
    lines = [
        f"false alarms          {_share(alarms, present)}",
        f"misses                {_share(misses, absent)}",
        f"hidden inline, passed {_share(shown, hidden)}",
        f"hidden by style sheet {_share([r for r in styled if r.failure == 'miss'], styled)}",
        f"unverifiable          {_share(unread, results)}",
        f"citations not found   {_share(unfound, results)}",
        f"verdict hangs on the shape: {len(split)}",
        *split,
    ]
    holds = (
        len(alarms) <= FALSE_ALARM_TARGET * len(present)
        and not misses
        and len(shown) <= HIDDEN_TARGET * len(hidden)
        and not (unread or unfound or split)
    )
    return lines, holds


def _share(some: Sequence[Outcome], of: Sequence[Outcome]) -> str:
    share = f" ({100 * len(some) / len(of):.2f} %)" if of else ""
    return f"{len(some):6} of {len(of)}{share}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.accuracy",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--kind", action="append", help="only quotations of this kind")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the reports here")
    options = parser.parse_args(arguments)
    quotes = read_folder(options.folder)
    if options.kind:
        quotes = [quote for quote in quotes if quote.kind in options.kind]
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or Path(temporary)).resolve() / "reports"
        folder.mkdir(parents=True, exist_ok=True)
        reports = write_reports(quotes, folder)
        with serving({quote.page.host: quote.page for quote in quotes}.values()) as port:
            results = outcomes(reports, check(folder, port))
    for result in results:
        if result.failure and result.quote.kind != STYLED:
            label = f"{result.failure} ({result.shape})"
            code = f" {result.code}" if result.failure == "unverifiable" else ""
            print(f"{label:26}{code} {quote_line(result.quote)}")
    lines, holds = summary(results)
    print("", *table(results), "", *lines, sep="\n")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
