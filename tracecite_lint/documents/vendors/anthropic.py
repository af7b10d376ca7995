"""Anthropic Messages: each citation of a text block holds the words it cites, whole responses and streams alike."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from functools import cached_property
from hashlib import sha256

from tracecite_lint.documents.vendors.answer import linked_quotations
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
from tracecite_lint.json_strings import JsonPath
from tracecite_lint.jsonl import JsonValue
from tracecite_lint.light.lazy import dataclass, regex
from tracecite_lint.naming.uris import is_web

# Web search cites the first 150 characters of a longer passage, then three dots.
_CUT_LENGTH = 150
_CUT_MARK = "..."
_CUT_ENTITY = regex(r"&#?\w{0,31}\Z")
_ENTITY = regex(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# The last word before the cut may be half a word. Scripts without spaces between words are cut between any two
# characters, which matching allows for.
_CUT_WORD = regex(r"\s*[^\s\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uff00-\uffef]*\Z")

_BLOCKS = frozenset(
    {"server_tool_use", "web_search_tool_result", "web_fetch_tool_result", "thinking", "tool_use"}
)
_STREAM = frozenset(
    {
        "message_start",
        "message_delta",
        "message_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
    }
)
_REQUESTS = ("request", "params", "body", "input")


@dataclass(frozen=True)
class _Document:
    """A document that the model was given. `text` is None where the record does not hold it."""

    url: str
    title: str
    text: str | None

    @cached_property
    def captured_uri(self) -> str:
        """A name for a document that has no address; it is the same wherever the same text is cited."""
        if self.text is None:
            return ""
        return f"captured:document:sha256:{sha256(self.text.encode()).hexdigest()[:16]}"


class _Given:
    """The documents and the search results that the model was given; each kind is numbered from 0 by itself."""

    def __init__(self) -> None:
        self._documents: list[_Document] = []
        self._titled: dict[str, _Document] = {}
        self._results: list[_Document] = []

    def add(self, content: JsonValue) -> None:
        """Take in the documents among the blocks of a message, in its tool results too."""
        for item in items_of(content):
            block = record_of(item)
            kind = block.get("type")
            if kind == "document":
                self._add_document("", block)
            elif kind == "web_fetch_tool_result":
                fetched = record_of(block.get("content"))
                self._add_document(text_of(fetched.get("url")), record_of(fetched.get("content")))
            elif kind == "search_result":
                text = _joined(block.get("content"))
                title = text_of(block.get("title"))
                self._results.append(_Document(text_of(block.get("source")), title, text))
            elif kind == "tool_result":
                self.add(block.get("content"))

    def document(self, citation: Record) -> _Document | None:
        """Return what *citation* names by its index, or by its title where the request was not recorded."""
        result = index_of(citation.get("search_result_index"))
        if result is not None:
            return self._results[result] if result < len(self._results) else None
        index = index_of(citation.get("document_index"))
        if index is None:
            return None
        title = text_of(citation.get("document_title"))
        named = self._titled.get(title)
        indexed = self._documents[index] if index < len(self._documents) else None
        if indexed is not None and (named is None or indexed.title == title):
            return indexed
        return named

    def _add_document(self, url: str, block: Record) -> None:
        source = record_of(block.get("source"))
        url = url or text_of(source.get("url"))
        document = _Document(url, text_of(block.get("title")), _source_text(source))
        self._documents.append(document)
        if document.title:
            self._titled.setdefault(document.title, document)


class AnthropicReader:
    """Reads responses of the Messages API, bare, in an envelope with their request, or as the events of a stream."""

    def __init__(self) -> None:
        self._streamed = _Given()

    def recognises(self, record: Record) -> bool:
        """Tell whether *record* is a response or an event of a stream."""
        return _response(record) is not None or _event(record) is not None

    def quotations(self, record: Record) -> Iterator[Quotation]:
        """Yield each citation of the response, and what its text quotes with a link."""
        event = _event(record)
        found = _response(record)
        if event is not None:
            yield from self._event_quotations(*event)
        elif found is not None:
            yield from _response_quotations(record, *found)

    def _event_quotations(self, path: JsonPath, event: Record) -> Iterator[Quotation]:
        kind = event.get("type")
        if kind == "message_start":
            self._streamed = _Given()
        elif kind == "content_block_start":
            self._streamed.add([event.get("content_block")])
        elif kind == "content_block_delta":
            citation = record_of(record_of(event.get("delta")).get("citation"))
            yield from _cited(citation, (*path, "delta", "citation"), self._streamed)


def _response(record: Record) -> tuple[JsonPath, Record] | None:
    for path, body in bodies(record):
        if _is_response(body):
            return path, body
    return None


def _is_response(body: Record) -> bool:
    if body.get("role") != "assistant" or not isinstance(body.get("content"), list):
        return False
    if body.get("type") == "message" or "stop_reason" in body:
        return True
    blocks = [record_of(item) for item in items_of(body["content"])]
    return any(text_of(block.get("type")) in _BLOCKS or "citations" in block for block in blocks)


def _event(record: Record) -> tuple[JsonPath, Record] | None:
    for path, body in bodies(record):
        if text_of(body.get("type")) in _STREAM:
            return path, body
    return None


def _response_quotations(record: Record, path: JsonPath, body: Record) -> Iterator[Quotation]:
    content = items_of(body["content"])
    given = _given(record)
    given.add(content)
    for index, item in enumerate(content):
        here = (*path, "content", index)
        for number, citation in enumerate(items_of(record_of(item).get("citations"))):
            yield from _cited(record_of(citation), (*here, "citations", number), given)
    for text_path, text in texts_of(body["content"], (*path, "content")):
        yield from linked_quotations(text, text_path)


def _cited(citation: Record, path: JsonPath, given: _Given) -> Iterator[Quotation]:
    cited = text_of(citation.get("cited_text"))
    document = given.document(citation)
    uri = text_of(citation.get("url")) or text_of(citation.get("source"))
    if document is not None:
        uri = uri or document.url or document.captured_uri
    if not cited.strip() or not uri:
        return
    page = index_of(citation.get("start_page_number"))
    if page and is_web(uri) and "#" not in uri:
        uri += f"#page={page}"
    end = len(cited)
    passage = cited
    if citation.get("type") == "web_search_result_location":
        end = _end_of_whole_words(cited)
        passage = _ENTITY.sub(lambda entity: html.unescape(entity[0]), cited[:end])
    yield Quotation(
        path=(*path, "cited_text"),
        start=len(cited) - len(cited.lstrip()),
        end=len(cited[:end].rstrip()),
        passages=(passage.strip(),),
        uri=uri,
        title=text_of(citation.get("title")) or text_of(citation.get("document_title")),
        captured=_returning(document.text) if document and document.text else None,
    )


def _returning(text: str) -> Callable[[], str]:
    return lambda: text


def _end_of_whole_words(cited: str) -> int:
    """Return where the words end that are sure to be whole; *cited* may have been cut, and marked with three dots."""
    kept = cited.removesuffix(_CUT_MARK)
    # Counted in characters, or as JavaScript does in UTF-16 units.
    if kept == cited or _CUT_LENGTH not in (len(kept), len(kept.encode("utf-16-le")) // 2):
        return len(cited)
    kept = _CUT_ENTITY.sub("", kept)
    whole = _CUT_WORD.sub("", kept)
    return len(whole if whole.strip() else kept)


def _given(record: Record) -> _Given:
    """Return what the request that *record* holds beside the response gave the model, in the order of the indexes."""
    given = _Given()
    for request in (record, *(record_of(record.get(name)) for name in _REQUESTS)):
        for message in items_of(request.get("messages")):
            given.add(record_of(message).get("content"))
    return given


def _source_text(source: Record) -> str | None:
    if source.get("type") == "text":
        return text_of(source.get("data")) or None
    return _joined(source.get("content"))


def _joined(content: JsonValue) -> str | None:
    return "\n".join(text for _, text in texts_of(content, ())) or None
