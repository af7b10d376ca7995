"""The contents that a trace captured, by the URI of their source."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from tracecite_lint.errors import require_text
from tracecite_lint.trace.events import Finding, TextTrace, ToolResult, Trace, read_events


def source_snapshot_matches(text: str, uri: str, content: str) -> bool:
    """Tell whether *content* is, character for character, what the trace *text* captured from *uri*.

    False for a trace with a line or a field that cannot be read, and for a URI without captured content; the order and
    the completeness of the trace are not judged.
    """
    require_text("source_snapshot_matches", text=text, uri=uri, content=content)
    findings: list[Finding] = []
    contents = [held for of, held in _contents(TextTrace(text), findings) if of == uri]
    return not findings and contents[:1] == [content]


def captured_digests(trace: Trace) -> dict[str, bytes]:
    """Return the SHA-256 of the UTF-8 form of each captured content, by URI; the first one of a URI counts."""
    digests: dict[str, bytes] = {}
    for uri, content in _contents(trace, []):
        if uri not in digests:
            digests[uri] = sha256(content.encode()).digest()
    return digests


def _contents(trace: Trace, findings: list[Finding]) -> Iterator[tuple[str, str]]:
    for event in read_events(trace, findings.append):
        if isinstance(event, ToolResult) and event.ok:
            for source in event.sources:
                if source.content is not None:
                    yield source.uri, source.content
