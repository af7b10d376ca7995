"""How large the html report of many citations is, and how long a browser takes to show and to filter it.

    python -m benchmarks.html_page [--citations 10000] [--chromium /usr/bin/chromium]

Three kinds of run: all verified, all mismatched, and all mismatched in a script that takes three bytes a letter. Needs a
Chromium and the package playwright (`pip install playwright`; it need not bring a browser of its own).
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tracecite_lint.model import (
    CheckedCitation,
    CheckResult,
    Citation,
    Diagnostic,
    Difference,
    Nearest,
    Shape,
    SourceRef,
    Span,
    Summary,
    Verdict,
    verdict_counts,
)
from tracecite_lint.output import render

_FILES, _HOSTS = 200, 120
LATIN = "the count of geese at the old weir was taken in every week of the year number {0} and none was left out "
HAN = "第{0}周在旧堰处对大雁的统计没有遗漏任何一只而且每一次统计都有两个人在场并且写下了日期和天气的情况"

_FILTER = """async (steps) => {
    const form = document.querySelector('.tools');
    const times = [];
    for (const [id, value] of steps) {
        const at = form.dataset.at, start = performance.now();
        const field = document.getElementById(id);
        field.value = value;
        field.dispatchEvent(new Event('input', {bubbles: true}));
        while (form.dataset.at === at) await new Promise((go) => setTimeout(go, 1));
        await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
        times.push(performance.now() - start);
    }
    return times;
}"""


def run(count: int, verdict: Verdict, words: str) -> CheckResult:
    """Return a run of *count* citations with *verdict*, each of its own *words*, over many documents and hosts."""
    made = [_citation(number, verdict, words) for number in range(count)]
    citations = tuple(item for item, _, _ in made)
    texts: dict[str, str] = {}
    for item, _, paragraph in made:
        texts[item.file] = texts.get(item.file, "") + paragraph
    summary = Summary(files=len(texts), citations=count, **verdict_counts(citations))
    found = tuple(finding for _, finding, _ in made if finding is not None)
    return CheckResult(citations=citations, diagnostics=found, summary=summary, texts=texts)


def _citation(
    number: int, verdict: Verdict, words: str
) -> tuple[CheckedCitation, Diagnostic | None, str]:
    quote = (words.format(number) * 2).strip()
    source = f"https://host-{number % _HOSTS}.example/reports/2026/page-{number}.html"
    before = f"A report of the year says, and says it twice, that “{quote}"
    line = 2 * (number // _FILES) + 1
    span = Span(line, len(before) - len(quote) + 1, line, len(before) + 1)
    file = f"docs/part-{number % _FILES}.md"
    item = CheckedCitation(
        file=file,
        citation=Citation(
            passages=(quote,), span=span, source=SourceRef(source), shape=Shape.INLINE
        ),
        verdict=verdict,
        code=None if verdict is Verdict.VERIFIED else "QUOTE_NOT_IN_LIVE_SOURCE",
        final_url=source,
        fetched_at=1_795_953_600.0,
    )
    paragraph = f"{before}” ([page {number}]({source})), which nobody had looked at before.\n\n"
    return item, _finding(item) if verdict is Verdict.MISMATCH else None, paragraph


def _finding(item: CheckedCitation) -> Diagnostic:
    quote = item.citation.quote
    middle = len(quote) // 2
    differences = (
        Difference("equal", quote[:middle]),
        Difference("delete", "ninety "),
        Difference("insert", "hundred and eighty "),
        Difference("equal", quote[middle:]),
    )
    return Diagnostic(
        code="QUOTE_NOT_IN_LIVE_SOURCE",
        message="the quoted words do not stand in the source",
        span=item.citation.span,
        file=item.file,
        source=item.citation.source.uri,
        quote=quote,
        nearest=Nearest(f"{quote[:middle]}hundred and eighty {quote[middle:]}", 0.97, differences),
    )


def measured(page: Path, chromium: str) -> Iterator[tuple[str, float]]:
    """Yield what was measured in the browser, in milliseconds."""
    from playwright.sync_api import sync_playwright

    steps = [["q", "geese"], ["q", "page-777"], ["q", ""], ["h", "host-7.example"], ["h", ""]]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1440, "height": 900})
        start = time.perf_counter()
        tab.goto(page.as_uri())
        yield "open", 1000 * (time.perf_counter() - start)
        times = tab.evaluate(_FILTER, steps)
        yield "first filter by words", times[0]
        yield "slowest filter", max(times)
        yield "median filter", statistics.median(times)
        browser.close()


def main() -> None:
    """Print a table: a row for each kind of run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--citations", type=int, default=10_000)
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    args = parser.parse_args()
    kinds = {
        "verified": (Verdict.VERIFIED, LATIN),
        "mismatched": (Verdict.MISMATCH, LATIN),
        "mismatched, Chinese": (Verdict.MISMATCH, HAN),
    }
    for name, (verdict, words) in kinds.items():
        result = run(args.citations, verdict, words)
        start = time.perf_counter()
        text = render("html", result, written_to="report.html")
        cells = [
            f"{len(text.encode()) / 1e6:.1f} MB",
            f"written in {time.perf_counter() - start:.1f} s",
        ]
        if args.chromium:
            with tempfile.TemporaryDirectory() as folder:
                page = Path(folder, "report.html")
                page.write_text(text, "utf-8")
                cells += [f"{what} {took:.0f} ms" for what, took in measured(page, args.chromium)]
        print(f"{args.citations:,} {name}: {', '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
