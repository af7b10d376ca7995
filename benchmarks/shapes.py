"""Measures which citations of real Markdown files are found, missed and invented.

    python -m benchmarks.shapes DIR [--eager] [--library] [--all]

DIR holds Markdown files and three files that a careful reader made of them:

- `shapes.jsonl`: `{file, line, end_line, quote, source, shape, confidence, counted, note}`, one line for each citation;
- `traps.jsonl`: `{file, line, text, link, why}`, strings in quotation marks or blockquotes that are no citations;
- `scope.json` (may be missing): `{file: last line that was read}`; nothing after it is counted.

The product is called as a black box (`tracecite-lint --dump --format json`); `--library` calls the library instead.
A row is found when a citation shares most of its words and has its source. Rows that are not both `clear` and `counted` are
shown apart, and count neither as missed nor, when found, as invented. Exit status 0 when the targets hold, 1 otherwise.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

FOUND_TARGET, TRAP_TARGET, INVENTED_TARGET = 0.97, 0.01, 0.03
_WORD = re.compile(r"[^\W_]")
_TOKEN = re.compile(r"[぀-ヿ㐀-鿿]|[^\W_]+")
_MARKUP = re.compile(
    r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)|<[^<>]+>|^[ \t]*(?:>[ \t]?)+", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Found:
    """A citation as the product reports it."""

    file: str
    line: int
    end_line: int
    words: tuple[str, ...]
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Row:
    """A citation, or a trap, as the reader of the files wrote it down. `source` is empty for a trap without a link."""

    file: str
    line: int
    end_line: int
    words: tuple[str, ...]
    text: str
    source: str
    shape: str = "trap"
    counts: bool = True
    clear: bool = True


@dataclass(slots=True)
class Score:
    """What came out for one set of rows."""

    found: int = 0
    missed: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """The rows that count."""
        return self.found + len(self.missed)


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, lower-case; a Han or Kana character is a word."""
    return tuple(_TOKEN.findall(html.unescape(text).casefold()))


def url_key(url: str) -> str:
    """Return a URL for comparison: decoded, without a text directive and a final slash."""
    return unquote(html.unescape(url)).partition("#:~:")[0].rstrip("/#")


def shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words two texts share, counted as often as they occur in both."""
    return sum((Counter(one) & Counter(other)).values())


def is_same(row: Row, found: Found) -> bool:
    """Tell whether a citation is about the words of a row."""
    if row.file != found.file or found.line > row.end_line + 1 or found.end_line < row.line - 1:
        return False
    least = min(len(row.words), len(found.words))
    common = shared(row.words, found.words)
    return least > 0 and common >= 0.7 * least and common >= 0.3 * len(row.words)


def is_trapped(trap: Row, found: Found) -> bool:
    """Tell whether a citation took a trap: its words (a trap may be cut short), with its link if it names one."""
    if trap.file != found.file or not found.line - 2 <= trap.line <= found.end_line + 2:
        return False
    if trap.source and url_key(trap.source) != url_key(found.source):
        return False
    if not trap.words or shared(trap.words, found.words) < 0.8 * len(trap.words):
        return False
    begins = found.words[: len(trap.words)] == trap.words
    return begins or len(found.words) <= 2 * len(trap.words)


def read_rows(folder: Path) -> tuple[list[Row], list[Row]]:
    """Return the citations and the traps that were written down for *folder*."""
    rows = [
        Row(
            item["file"],
            item["line"],
            item["end_line"],
            words_of(item["quote"]),
            item["quote"],
            item["source"],
            item["shape"],
            item["confidence"] == "clear" and item["counted"],
            item["confidence"] == "clear",
        )
        for item in _json_lines(folder / "shapes.jsonl")
    ]
    traps = [
        Row(
            item["file"],
            item["line"],
            item["line"],
            words_of(item["text"]),
            item["text"],
            item["link"] or "",
        )
        for item in _json_lines(folder / "traps.jsonl")
    ]
    return rows, traps


def _json_lines(path: Path) -> Iterable[dict]:  # type: ignore[type-arg]
    return (json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip())


def found_by_command(folder: Path, files: Sequence[str], *, eager: bool) -> list[Found]:
    """Return the citations that `tracecite-lint --dump` finds in *files*."""
    command = [sys.executable, "-m", "tracecite_lint", "--dump", "--format", "json"]
    with tempfile.TemporaryDirectory() as temporary:
        if eager:
            config = Path(temporary, "eager.toml")
            config.write_text('citations = "eager"\n', "utf-8")
            command += ["--config", str(config)]
        done = subprocess.run(
            [*command, "--", *files], cwd=folder, capture_output=True, text=True, check=False
        )
    try:
        report = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"benchmarks.shapes: no JSON from {' '.join(command)}: {done.stderr.strip()}")
    lines = {
        file: re.split(r"\r\n|\n|\r", (folder / file).read_bytes().decode("utf-8-sig"))
        for file in files
    }
    return [_from_report(item, lines[item["file"]]) for item in report["citations"]]


def _from_report(item: dict, lines: list[str]) -> Found:  # type: ignore[type-arg]
    first, last = item["line"], item["end_line"]
    part = lines[first - 1 : last]
    part[-1] = part[-1][: item["end_column"] - 1]
    part[0] = part[0][item["column"] - 1 :]
    text = item.get("quote") or _MARKUP.sub(" ", "\n".join(part))
    return Found(item["file"], first, last, words_of(text), text, item["source"])


def found_by_library(folder: Path, files: Sequence[str], *, eager: bool) -> list[Found]:
    """Return the citations that the library finds in *files*."""
    from tracecite_lint.documents import read_document

    found = []
    for file in files:
        document = read_document(
            file, (folder / file).read_bytes().decode("utf-8-sig"), eager=eager
        )
        found += [
            Found(
                file,
                item.span.line,
                item.span.end_line,
                words_of(item.quote),
                item.quote,
                item.source.uri,
            )
            for item in document.citations
        ]
    return found


def shortened(text: str, length: int = 90) -> str:
    """Return *text* on one line, cut to *length*."""
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[: length - 1] + "…"


def measure(rows: list[Row], traps: list[Row], found: list[Found], *, details: bool) -> bool:
    """Print what was found, missed, invented and trapped; tell whether the targets hold."""
    shapes: dict[str, Score] = defaultdict(Score)
    files: dict[str, Score] = defaultdict(Score)
    apart = Score()
    for row in rows:
        candidates = [item for item in found if is_same(row, item)]
        right = any(url_key(item.source) == url_key(row.source) for item in candidates)
        scores = (shapes[row.shape], files[row.file]) if row.counts else (apart,) * row.clear
        for score in scores:
            if right:
                score.found += 1
            else:
                got = ", ".join(sorted({item.source for item in candidates}))
                reason = f"wrong source {got}" if got else "not found"
                score.missed.append(
                    f"{row.file}:{row.line} {row.shape}: {shortened(row.text)} ({reason}; wanted {row.source})"
                )
    known = [
        item
        for item in found
        if any(is_same(row, item) and url_key(row.source) == url_key(item.source) for row in rows)
    ]
    strangers = [item for item in found if item not in known]
    taken = [
        (trap, item)
        for trap in traps
        for item in [next((s for s in strangers if is_trapped(trap, s)), None)]
        if item is not None
    ]
    invented = [
        item
        for item in strangers
        if not any(is_same(row, item) for row in rows if not row.counts)
        and not any(is_trapped(trap, item) for trap in traps)
    ]
    _print_scores("shape", shapes)
    _print_scores("file", files)
    total = Score(
        sum(s.found for s in shapes.values()), [m for s in shapes.values() for m in s.missed]
    )
    share = total.found / total.total if total.total else 1.0
    trapped = len(taken) / len(traps) if traps else 0.0
    strange = len(invented) / len(found) if found else 0.0
    if details:
        _print_list("missed", sorted(total.missed))
        _print_list(
            "traps taken",
            [f"{t.file}:{t.line} {shortened(t.text)} -> {i.source}" for t, i in taken],
        )
        _print_list(
            "invented", [f"{i.file}:{i.line} {shortened(i.text)} -> {i.source}" for i in invented]
        )
    print(f"found    {total.found}/{total.total} ({share:.1%})")
    print(f"traps    {len(taken)}/{len(traps)} taken ({trapped:.1%})")
    print(f"invented {len(invented)} of {len(found)} reported ({strange:.1%})")
    print(f"apart    {apart.found}/{apart.total} clear rows that are not counted")
    return share >= FOUND_TARGET and trapped <= TRAP_TARGET and strange <= INVENTED_TARGET


def _print_scores(title: str, scores: dict[str, Score]) -> None:
    width = max((len(name) for name in scores), default=0)
    print(f"{title.ljust(width)}  found  of")
    for name, score in sorted(scores.items()):
        print(f"{name.ljust(width)}  {score.found:5d}  {score.total:2d}")
    print()


def _print_list(title: str, lines: list[str]) -> None:
    print(f"{title} ({len(lines)})")
    for line in lines:
        print(f"  {line}")
    print()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the measurement; see the module's text."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.shapes", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument(
        "--eager", action="store_true", help="with the shapes that are off by default"
    )
    parser.add_argument("--library", action="store_true", help="call the library, not the command")
    parser.add_argument("--quiet", action="store_true", help="counts only, no list of failures")
    options = parser.parse_args(arguments)
    rows, traps = read_rows(options.folder)
    scope_file = options.folder / "scope.json"
    scope = json.loads(scope_file.read_text("utf-8")) if scope_file.is_file() else {}
    files = sorted(path.name for path in options.folder.glob("*.md"))
    find = found_by_library if options.library else found_by_command
    found = [
        item
        for item in find(options.folder, files, eager=options.eager)
        if item.line <= scope.get(item.file, item.line)
    ]
    held = measure(rows, traps, found, details=not options.quiet)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
