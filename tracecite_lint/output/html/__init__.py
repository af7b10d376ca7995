"""The html format: one page that needs nothing but itself, to be read, filtered, printed and sent on (docs/outputs.md)."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from importlib.resources import files
from itertools import groupby

from tracecite_lint import __version__
from tracecite_lint.light.lazy import regex
from tracecite_lint.model import CheckResult, Diagnostic, Severity
from tracecite_lint.output.findings import base_code, help_for
from tracecite_lint.output.html.cards import Cards
from tracecite_lint.output.html.elements import attributes, element, text
from tracecite_lint.output.html.entries import Entry, entries
from tracecite_lint.output.html.totals import totals
from tracecite_lint.output.line_links import line_links
from tracecite_lint.output.snippet import document_lines
from tracecite_lint.output.summary import (
    is_inconclusive,
    summary_lines,
    total_of,
)
from tracecite_lint.rules import rule_for

_CODE = regex("`([^`]+)`")
_PART = 25
"""Entries that are laid out together."""
_HELPS = 5
"""Different ways out that are said for one code."""


def render(result: CheckResult, written_to: str | None = None) -> str:
    """Return the page. *written_to* is its file, relative to the working directory (None: stdout), for links to lines.

    Every word in it that is not ours is text (elements.py), and should one not be, the policy of the page runs no script
    and loads nothing but its own (Content Security Policy Level 3, hashes).
    """
    style, script = _part("report.css"), _part("report.js")
    head = (
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(style, script)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">'
        f'<meta name="generator" content="tracecite-lint {__version__}">'
        f"<title>{text(_title(result))}</title>"
        # Without one a browser asks the server of the page for /favicon.ico.
        '<link rel="icon" href="data:,">'
        f"<style>{style}</style>"
    )
    body = _body(result, written_to) + f"<script>{script}</script>"
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(part: str) -> str:
    return f"sha256-{b64encode(sha256(part.encode()).digest()).decode()}"


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _title(result: CheckResult) -> str:
    total = total_of(result.citations)
    return f"{total.mismatch} mismatched, {total.unverifiable} unverifiable of {total.quotations} quotations"


def _body(result: CheckResult, written_to: str | None) -> str:
    listed = entries(result)
    found = [entry for entry in listed if entry.found]
    rest = [entry for entry in listed if not entry.found]
    sections = {entry.file: f"f{number}" for number, entry in enumerate(_firsts(found))}
    texts = {path: document_lines(text) for path, text in result.texts.items()}
    links = line_links(result.directory, written_to, os.environ)
    cards = Cards(texts, links, findings=len(found), others=len(rest))
    return (
        _header(result)
        + f'<section class="totals" aria-label="Totals">{totals(result, listed, sections)}</section>'
        + _TOOLS
        + "<main>"
        + _findings(found, cards, sections)
        + _others(rest, cards)
        + _what_to_do(result.diagnostics)
        + "</main>"
        + _footer(result)
    )


def _header(result: CheckResult) -> str:
    lines = summary_lines(result)
    verdict = "fail" if _fails(result) else "open" if is_inconclusive(result) else "pass"
    said = "".join(f"<p>{text(line)}</p>" for line in lines)
    return f'<header class="top {verdict}"><h1>{text(_headline(result))}</h1>{said}</header>'


def _fails(result: CheckResult) -> bool:
    return any(item.severity is Severity.ERROR for item in result.diagnostics)


def _headline(result: CheckResult) -> str:
    total = total_of(result.citations)
    checked = total.verified + total.mismatch + total.unverifiable
    if not total.quotations:
        return "No quotation was checked"
    if not checked:
        return "Nothing was looked up" if not total.suppressed else "All findings are suppressed"
    if total.verified == checked:
        return (
            f"All {checked:,} quotations stand in their sources" if checked > 1 else "It is there"
        )
    return f"{total.verified:,} of {checked:,} quotations stand in their sources"


_TOOLS = """<form class="tools" role="search" aria-label="Filter" hidden>
<input type="search" id="q" placeholder="Filter by words" aria-label="Filter by words" autocomplete="off" spellcheck="false">
<select id="c" aria-label="Code"></select><select id="h" aria-label="Host"></select><select id="f" aria-label="Document"></select>
<output id="n" aria-live="polite"></output>
<button type="reset">Clear</button><button type="button" id="theme" aria-label="Light or dark">◐</button><button type="button" id="help" aria-haspopup="dialog" aria-label="Keys">?</button>
<fieldset id="v"><legend>Verdict</legend></fieldset>
</form>
<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl>
<dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous finding</dd>
<dt><kbd>o</kbd></dt><dd>open its place in the source</dd>
<dt><kbd>l</kbd></dt><dd>open its line in the document</dd>
<dt><kbd>/</kbd></dt><dd>filter by words</dd>
<dt><kbd>1</kbd> … <kbd>7</kbd></dt><dd>show or hide a verdict</dd>
<dt><kbd>x</kbd></dt><dd>clear all filters</dd>
<dt><kbd>t</kbd></dt><dd>light or dark</dd>
<dt><kbd>?</kbd></dt><dd>these keys</dd></dl>
<form method="dialog"><button>Close</button></form></dialog>"""


def _findings(found: list[Entry], cards: Cards, sections: dict[str, str]) -> str:
    if not found:
        return '<section class="found"><h2>Findings</h2><p class="none">None.</p></section>'
    parts = []
    for file, group in groupby(found, key=lambda entry: entry.file):
        shown = _parts("div", map(cards.finding, group))
        parts.append(
            f'<section class="file" id="{sections[file]}">{_file_heading(file, cards)}{shown}</section>'
        )
    count = f"<small>{len(found):,}</small>"
    return f'<section class="found"><h2>Findings {count}</h2>{"".join(parts)}</section>'


def _others(rest: list[Entry], cards: Cards) -> str:
    if not rest:
        return ""
    parts = []
    for file, group in groupby(rest, key=lambda entry: entry.file):
        shown = _parts("ol", map(cards.row, group))
        parts.append(f'<section class="file">{_file_heading(file, cards)}{shown}</section>')
    heading = f"<h2>Without a finding <small>{len(rest):,}</small></h2>"
    return f'<section class="rest">{heading}{"".join(parts)}</section>'


def _parts(name: str, shown: Iterable[str]) -> str:
    """Return entries in parts that a browser lays out when they come into view, however many there are."""
    every = list(shown)
    parts = (every[at : at + _PART] for at in range(0, len(every), _PART))
    return "".join(f'<{name} class="part">{"".join(part)}</{name}>' for part in parts)


def _file_heading(file: str, cards: Cards) -> str:
    return element("h3", cards.file_link(file)) if file else ""


def _what_to_do(found: Iterable[Diagnostic]) -> str:
    """Return for each code what it is and the way out, said once and not in each card."""
    helps: dict[str, dict[str, None]] = {}
    for diagnostic in found:
        helps.setdefault(base_code(diagnostic.code), {})[help_for(diagnostic)] = None
    if not helps:
        return ""
    parts = []
    for code, said in sorted(helps.items()):
        rule = rule_for(code)
        summary = element("p", _with_code(f"{rule.summary}.")) if rule else ""
        ways = "".join(element("p", _with_code(way)) for way in [*said][:_HELPS] if way)
        parts.append(
            f"<dt{attributes(id=f'code-{code}')}><code>{text(code)}</code></dt><dd>{summary}{ways}</dd>"
        )
    return f'<section class="ways"><h2>What to do</h2><dl>{"".join(parts)}</dl></section>'


def _with_code(words: str) -> str:
    """Return the plain Markdown of a rule (Rule) as HTML."""
    return _CODE.sub(r"<code>\1</code>", text(words))


def _footer(result: CheckResult) -> str:
    notes = "".join(element("li", text(note)) for note in result.notes)
    shown = f"<ul>{notes}</ul>" if notes else ""
    return (
        f"<footer>{shown}<p>tracecite-lint {__version__} checks that the quoted words stand in the source that is cited, "
        "not whether the source supports what is said.</p></footer>"
    )


def _firsts(found: list[Entry]) -> list[Entry]:
    """Return the first entry of each document."""
    return [next(group) for _, group in groupby(found, key=lambda entry: entry.file)]
