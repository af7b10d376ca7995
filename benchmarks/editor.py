"""From a key to its diagnostics: milliseconds of the language server on long reports whose pages are in the cache.

python benchmarks/editor.py [--citations 10 100 1000] [--keys 30]

A report has five lines for each citation; one citation in twenty is of words that its page does not hold. A real server is
spoken to over stdio, as an editor that is sent its diagnostics. Times run from the moment a change is written to the moment
the diagnostics of that version have been read.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tracecite_lint.documents import read_document
from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.folded import FOLD_VERSION
from tracecite_lint.sources.cache import Cache
from tracecite_lint.sources.page import Page
from tracecite_lint.sources.policy import resolve

PAGES = 100
"""Distinct pages at most; real reports cite some pages many times."""
FILLER = ("Between two quotations there is text that quotes nothing.", "It has two lines.", "")


def sentence(number: int) -> str:
    """Return the words that page and report share."""
    return (
        f"In year {number} of the survey the gauge at the lower weir read {number * 7 % 983} lines"
    )


def report(citations: int) -> str:
    """Return a report of *citations* citations, five lines each."""
    lines = []
    for number in range(citations):
        words = sentence(number)
        if number % 20 == 7:
            words = words.replace("lower", "upper")
        url = f"https://survey{number % PAGES}.example.com/readings"
        lines += [f"Reading {number}: “{words}” ([survey]({url})).", "", *FILLER]
    return "\n".join(lines) + "\n"


def fill_cache(directory: Path, citations: int) -> None:
    """Put the pages that the report cites into the cache."""
    cache = Cache(directory)
    for page in range(min(PAGES, citations)):
        held = [sentence(number) for number in range(page, citations, PAGES)]
        # As long as an encyclopaedia's article.
        text = "\n".join(
            [*held, *(f"Paragraph {n} of page {page} says more." for n in range(2000))]
        )
        source = resolve(f"https://survey{page}.example.com/readings", allow_hosts=())
        now = time.time()
        cache.keep_page(
            source.key,
            Page(
                url=source.url,
                final_url=source.url,
                status=200,
                content_type="text/html",
                text=text,
                prepared=fold(text).to_bytes(),
                fetched_at=now,
                fresh_until=now + 3600,
            ),
            FOLD_VERSION,
        )
    cache.close()


class Server:
    """A language server, and an editor's end of its streams."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tracecite_lint", "server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
        )
        options = {"network": "cache-only"}
        params = {"capabilities": {}, "rootUri": folder.as_uri(), "initializationOptions": options}
        self.send("initialize", {**params, "processId": os.getpid()}, id=1)
        next(self._messages())
        self.send("initialized", {})

    def send(self, method: str, params: object, **more: object) -> None:
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def diagnostics(self, version: int) -> list[Any]:
        """Return the diagnostics of *version*, once they are there."""
        for message in self._messages():
            params = message.get("params", {})
            is_it = message.get("method") == "textDocument/publishDiagnostics"
            if is_it and params.get("version") == version:
                return list(params["diagnostics"])
        raise SystemExit("the server has ended")

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _messages(self) -> Iterator[Any]:
        stream = self._process.stdout
        assert stream is not None
        length = 0
        while line := stream.readline():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
            elif not line.strip():
                yield json.loads(stream.read(length))


def milliseconds(citations: int, keys: int) -> dict[str, float]:
    """Return the times of one report: opening it, then keys in its prose and keys in its quotations (medians)."""
    text = report(citations)
    times: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory, "work")
        folder.mkdir()
        os.environ["TRACECITE_LINT_CACHE_DIR"] = f"{directory}/cache"
        fill_cache(Path(directory, "cache"), citations)
        times["parse"] = parse_time(text)
        server = Server(folder)
        uri = (folder / "report.md").as_uri()
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        start = time.perf_counter()
        server.send("textDocument/didOpen", {"textDocument": item})
        found = server.diagnostics(1)
        times["open"] = 1000 * (time.perf_counter() - start)
        if len(found) != (citations + 12) // 20:
            raise SystemExit(f"{len(found)} diagnostics of {citations} citations")
        version = 1
        for kind, column in (("prose", 0), ("quotation", 40)):
            line = 5 * (citations // 2) + (2 if kind == "prose" else 0)
            costs = []
            for _ in range(keys):
                version += 1
                start = time.perf_counter()
                server.send("textDocument/didChange", change(uri, version, line, column))
                server.diagnostics(version)
                costs.append(1000 * (time.perf_counter() - start))
            times[kind] = statistics.median(costs)
        server.close()
    return times


def change(uri: str, version: int, line: int, column: int) -> dict[str, Any]:
    """Return the parameters of a change: the key x at a place."""
    at = {"line": line, "character": column}
    return {
        "textDocument": {"uri": uri, "version": version},
        "contentChanges": [{"range": {"start": at, "end": at}, "text": "x"}],
    }


def parse_time(text: str) -> float:
    """Return how long it takes to read *text* alone, in milliseconds: what every key costs at least."""
    costs = []
    for _ in range(5):
        start = time.perf_counter()
        read_document("report.md", text)
        costs.append(1000 * (time.perf_counter() - start))
    return statistics.median(costs)


def main() -> None:
    """Measure and print one line per size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--citations", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--keys", type=int, default=30)
    args = parser.parse_args()
    print("| lines | citations | opened | a key in prose | a key in a quotation | reading alone |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for citations in args.citations:
        found = milliseconds(citations, args.keys)
        cells = (found[name] for name in ("open", "prose", "quotation", "parse"))
        row = " | ".join(f"{value:,.0f} ms" for value in cells)
        print(f"| {5 * citations:,} | {citations:,} | {row} |")


if __name__ == "__main__":
    main()
