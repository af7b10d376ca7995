"""Measures the language server: a key in a long report beside comrak's parse and walk of it, and memory with many pages.

A real server is spoken to over stdio. A key's CPU time is what the server's process uses until the diagnostics of that
version have been read.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.candidates import Candidate
from benchmarks.measuring import Row
from benchmarks.workspace import Survey, Workspace, run, serving

KEYS = 200
WALK = """
import comrak, sys, time
text = open(sys.argv[1]).read()
for _ in range(int(sys.argv[2])):
    start = time.process_time()
    tree = comrak.parse_document(text, comrak.ExtensionOptions(), comrak.ParseOptions(), comrak.RenderOptions())
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        node.sourcepos, node.node_value
        nodes.extend(node.children)
    del tree, node
    print(time.process_time() - start)
"""


class Server:
    """A language server under measurement, and an editor's end of its streams."""

    def __init__(self, candidate: Candidate, folder: Path, cache: Path, port: int) -> None:
        self._process = subprocess.Popen(
            [str(candidate.python), "-m", "tracecite_lint", "server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, "TRACECITE_LINT_CACHE_DIR": str(cache)},
        )
        options = {"network": "cache-only", "connectTo": [f"::127.0.0.1:{port}"]}
        params = {"capabilities": {}, "rootUri": folder.as_uri(), "initializationOptions": options}
        self.send("initialize", {**params, "processId": os.getpid()}, id=1)
        next(self._messages())
        self.send("initialized", {})

    def cpu(self) -> float:
        """Return the CPU seconds of the process so far, from its clock (clock_getcpuclockid)."""
        return time.clock_gettime((~self._process.pid << 3) | 2)

    def memory(self) -> float:
        """Return the resident memory in MiB."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def send(self, method: str, params: object, **more: object) -> None:
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def open(self, uri: str, text: str) -> list[Any]:
        """Open a document and return its diagnostics."""
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": item})
        return self.diagnostics(uri, 1)

    def diagnostics(self, uri: str, version: int) -> list[Any]:
        """Return the diagnostics of *version*, once they are there."""
        for message in self._messages():
            params = message.get("params", {})
            is_it = message.get("method") == "textDocument/publishDiagnostics"
            if is_it and params.get("version") == version and params.get("uri") == uri:
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


def rows(space: Workspace) -> Iterator[Row]:
    """Measure keys in a report of 5,000 lines with 1,000 citations, and ten documents that cite 200 pages."""
    survey = Survey(pages=200, size=100_000)
    with serving(survey) as port:
        caches = space.caches(survey, port)
    citations = space.scaled(1000)
    report = space.documents("keys", survey, citations=citations, files=1) / "00000.md"
    walk = run([sys.executable, "-c", WALK, str(report), "30"], space.top)
    base = [float(line) for line in walk.split()]
    keys: dict[str, str] = {}
    memory: dict[str, str] = {}
    folders = space.documents("ten-documents", survey, citations=200, files=10)
    for candidate in space.candidates:
        server = Server(candidate, report.parent, caches[candidate.name], port)
        costs = _keys(server, report)
        held = server.memory()
        server.close()
        p50, p95 = statistics.median(costs), statistics.quantiles(costs, n=20)[-1]
        floor = statistics.median(base)
        keys[candidate.name] = (
            f"p50 {p50 / floor:.1f}×, p95 {p95 / floor:.1f}× "
            f"({p50 * 1000:.0f} and {p95 * 1000:.0f} ms, {held:.0f} MiB)"
        )
        memory[candidate.name] = (
            f"{_memory(candidate, folders, caches[candidate.name], port):.0f} MiB"
        )
    what = f"one key in {5 * citations:,} lines with {citations:,} citations"
    yield Row(what, "comrak parse + walk of that text", "p50 ≤ 3×, p95 ≤ 5×", keys)
    yield Row("editor with 10 documents and 200 pages", "", "≤ 120 MB", memory)


def _keys(server: Server, report: Path) -> Sequence[float]:
    """Return the CPU seconds of each key, typed by turns in prose and in a quotation, anywhere."""
    text = report.read_text()
    uri = report.as_uri()
    if found := server.open(uri, text):
        raise SystemExit(f"the pages are not in the cache: {found[0]['message']}")
    draw, costs = random.Random(5), []
    places = (len(text.split("\n")) - 3) // 5
    for number in range(KEYS + 5):
        version = number + 2
        line, column = 5 * draw.randrange(places) + 2, 40
        if number % 2:
            line, column = line + 2, 5
        at = {"line": line, "character": column}
        change = {"range": {"start": at, "end": at}, "text": "x"}
        before = server.cpu()
        document = {"uri": uri, "version": version}
        server.send(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [change]}
        )
        server.diagnostics(uri, version)
        if number >= 5:
            costs.append(server.cpu() - before)
    return costs


def _memory(candidate: Candidate, folder: Path, cache: Path, port: int) -> float:
    server = Server(candidate, folder, cache, port)
    for path in sorted(folder.glob("*.md")):
        server.open(path.as_uri(), path.read_text())
    memory = server.memory()
    server.close()
    return memory
