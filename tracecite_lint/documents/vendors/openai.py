"""OpenAI Responses and Chat Completions, and what speaks like them: Azure, xAI, Perplexity with its numbered sources."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from tracecite_lint.documents.markup.pairs import is_short
from tracecite_lint.documents.vendors.answer import annotated_quotations, numbered_quotations
from tracecite_lint.documents.vendors.record import (
    Quotation,
    Record,
    bodies,
    index_of,
    items_of,
    record_of,
    text_of,
    texts_of,
)
from tracecite_lint.documents.vendors.reference_marks import Annotation, RecordSource
from tracecite_lint.json_strings import JsonPath
from tracecite_lint.jsonl import JsonValue
from tracecite_lint.light.lazy import regex
from tracecite_lint.naming.uris import is_web

_LOOKED_AT = 2000
"""Characters of an annotated range that tell what it is: a mark is far shorter."""
_LINK = regex(r"\]\(")
# A reference in brackets, or one in private-use characters, which the vendor's own interface replaces.
_MARK = regex(r"\s*(?:[(\[【].{0,80}[)\]】]|[\ue000-\uf8ff].*)\s*", re.DOTALL)


class OpenAIReader:
    """Reads responses of both interfaces, bare or in an envelope; of a stream, the event that holds the whole."""

    def recognises(self, record: Record) -> bool:
        """Tell whether *record* is such a response."""
        return _response(record) is not None

    def quotations(self, record: Record) -> Iterator[Quotation]:
        """Yield what the answers quote from the pages they link, annotate or number."""
        found = _response(record)
        if found is None:
            return
        path, body = found
        numbered = _numbered_sources(body)
        for index, item in enumerate(items_of(body.get("choices"))):
            message = record_of(record_of(item).get("message"))
            here = (*path, "choices", index, "message", "content")
            for text_path, text in texts_of(message.get("content"), here):
                yield from _answer(text, text_path, message.get("annotations"), numbered)
        for index, item in enumerate(items_of(body.get("output"))):
            yield from _output(record_of(item), (*path, "output", index), numbered)


def _response(record: Record) -> tuple[JsonPath, Record] | None:
    for path, body in bodies(record):
        choices = [record_of(item) for item in items_of(body.get("choices"))]
        output = [record_of(item) for item in items_of(body.get("output"))]
        if any(isinstance(choice.get("message"), dict) for choice in choices):
            return path, body
        if any(item.get("type") == "message" for item in output):
            return path, body
    return None


def _output(item: Record, path: JsonPath, numbered: dict[int, RecordSource]) -> Iterator[Quotation]:
    if item.get("type") != "message":
        return
    for index, entry in enumerate(items_of(item.get("content"))):
        block = record_of(entry)
        text = text_of(block.get("text"))
        yield from _answer(
            text, (*path, "content", index, "text"), block.get("annotations"), numbered
        )


def _answer(
    text: str, path: JsonPath, annotations: JsonValue, numbered: dict[int, RecordSource]
) -> Iterator[Quotation]:
    if numbered:
        yield from numbered_quotations(text, path, numbered)
    else:
        links = [link.start() for link in _LINK.finditer(text)]
        found = (_annotation(record_of(item), text, links) for item in items_of(annotations))
        yield from annotated_quotations(text, path, [item for item in found if item is not None])


def _annotation(entry: Record, text: str, links: Sequence[int]) -> Annotation | None:
    """Return an annotation that the Markdown does not hold already as a link; *links* are where it has one."""
    if entry.get("type") != "url_citation":
        return None
    # Chat Completions nests the fields, Responses does not.
    fields = record_of(entry.get("url_citation")) or entry
    uri = text_of(fields.get("url"))
    start, end = index_of(fields.get("start_index")), index_of(fields.get("end_index"))
    if not is_web(uri) or start is None or end is None:
        return None
    link = bisect_left(links, start)
    if link < len(links) and links[link] + 2 <= end:
        return None
    # The range is the mark of a reference, or the words that the page supports: a long one needs no look at its end.
    marked = text[start : min(end, start + _LOOKED_AT)]
    covers = not is_short(marked) and not _MARK.fullmatch(marked)
    return Annotation(start, end, (RecordSource(uri, text_of(fields.get("title"))),), covers=covers)


def _numbered_sources(body: Record) -> dict[int, RecordSource]:
    """Return what `[n]` in the answer stands for: Perplexity's citations, or the results of its searches by id."""
    numbered: dict[int, RecordSource] = {}
    for item in items_of(body.get("output")):
        block = record_of(item)
        if block.get("type") == "search_results":
            for result in items_of(block.get("results")):
                number = index_of(record_of(result).get("id"))
                if number is not None:
                    numbered[number] = _result(result)
    for number, result in enumerate(items_of(body.get("search_results")), start=1):
        numbered[number] = _result(result)
    for number, url in enumerate(items_of(body.get("citations")), start=1):
        if isinstance(url, str):
            known = numbered.get(number)
            title = known.title if known and known.uri == url else ""
            numbered[number] = RecordSource(text_of(url), title)
    return {number: source for number, source in numbered.items() if is_web(source.uri)}


def _result(value: JsonValue) -> RecordSource:
    result = record_of(value)
    return RecordSource(text_of(result.get("url")), text_of(result.get("title")))
