"""The tables of `--statistics`: how often each code was found, and in which documents and on which hosts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

from tracecite_lint.model import CheckResult
from tracecite_lint.naming.uris import UriKind, scheme_of, uri_kind, web_address
from tracecite_lint.output.findings import base_code
from tracecite_lint.output.terminal import columns, printable
from tracecite_lint.rules import rule_for

LOCAL = "local files"
"""What stands for the host of a source that is no web page."""


def statistics(result: CheckResult) -> str:
    """Return three tables, the most frequent first in each; nothing if there is no finding.

    Findings that are not about a source have no host.
    """
    if not result.diagnostics:
        return ""
    found = result.diagnostics
    codes = Counter(base_code(item.code) for item in found)
    files = Counter(printable(item.file) for item in found if item.file)
    hosts = Counter(printable(host_of(item.source)) for item in found if item.source)
    tables = [_by_code(codes), _table("by host", hosts), _table("by file", files)]
    return "\n".join("".join(f"{line}\n" for line in table) for table in tables if table)


def host_of(uri: str) -> str:
    """Return the host of a web source without its `www.`, else LOCAL, or the URI's scheme if it is none of both."""
    kind = uri_kind(uri)
    if kind is not UriKind.WEB:
        return LOCAL if kind is UriKind.FILE else f"{scheme_of(uri)}:"
    try:
        host = urlsplit(web_address(uri)).hostname or ""
    except ValueError:
        return uri
    return host.removeprefix("www.") or uri


def _by_code(codes: Counter[str]) -> list[str]:
    width = max(map(len, codes))
    summaries = {code: rule.summary if (rule := rule_for(code)) else "" for code in codes}
    return [
        f"{count}  {code:{width}}  {summaries[code]}".rstrip() for count, code in _ranked(codes)
    ]


def _table(heading: str, counts: Counter[str]) -> list[str]:
    rows = [f"{count}  {name}" for count, name in _ranked(counts)]
    return [f"{heading}:", *(f"  {row}" for row in rows)] if rows else []


def _ranked(counts: Counter[str]) -> Iterator[tuple[str, str]]:
    """Yield each count, aligned to the right, with its name."""
    width = columns(str(max(counts.values()))) if counts else 0
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:{width}}", name
