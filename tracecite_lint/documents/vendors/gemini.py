"""Gemini: groundingMetadata of generateContent and annotations of the Interactions API; offsets count UTF-8 bytes."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate

from tracecite_lint.documents.vendors.answer import annotated_quotations
from tracecite_lint.documents.vendors.record import (
    Quotation,
    Record,
    bodies,
    index_of,
    items_of,
    record_of,
    text_of,
)
from tracecite_lint.documents.vendors.reference_marks import Annotation, RecordSource
from tracecite_lint.json_strings import JsonPath
from tracecite_lint.jsonl import JsonValue
from tracecite_lint.naming.uris import is_web


class GeminiReader:
    """Reads responses of generateContent (REST and SDK spelling) and of the Interactions API."""

    def recognises(self, record: Record) -> bool:
        """Tell whether *record* is a response of either, bare or in an envelope."""
        return _response(record) is not None

    def quotations(self, record: Record) -> Iterator[Quotation]:
        """Yield what the answers quote from the pages they are grounded in."""
        found = _response(record)
        if found is None:
            return
        path, body = found
        for index, item in enumerate(items_of(body.get("candidates"))):
            yield from _candidate(record_of(item), (*path, "candidates", index))
        for index, item in enumerate(items_of(body.get("steps"))):
            step = record_of(item)
            yield from _contents(step.get("content"), (*path, "steps", index, "content"))
        yield from _contents(body.get("outputs"), (*path, "outputs"))


def _response(record: Record) -> tuple[JsonPath, Record] | None:
    for path, body in bodies(record):
        candidates = [record_of(item) for item in items_of(body.get("candidates"))]
        if any("content" in candidate for candidate in candidates):
            return path, body
        steps = [record_of(item) for item in items_of(body.get("steps"))]
        outputs = [record_of(item) for item in items_of(body.get("outputs"))]
        if any(step.get("type") == "model_output" for step in steps):
            return path, body
        if any(output.get("type") == "text" for output in outputs):
            return path, body
    return None


def _candidate(candidate: Record, path: JsonPath) -> Iterator[Quotation]:
    grounding = record_of(_either(candidate, "groundingMetadata", "grounding_metadata"))
    chunks = [
        _chunk(item) for item in items_of(_either(grounding, "groundingChunks", "grounding_chunks"))
    ]
    supports = _by_part(items_of(_either(grounding, "groundingSupports", "grounding_supports")))
    for index, item in enumerate(items_of(record_of(candidate.get("content")).get("parts"))):
        part = record_of(item)
        text = text_of(part.get("text"))
        if not text or part.get("thought") is True:
            continue
        places = _Bytes(text)
        annotations = [
            annotation
            for support in supports[index]
            if (annotation := _support(support, places, chunks)) is not None
        ]
        yield from annotated_quotations(
            text, (*path, "content", "parts", index, "text"), annotations
        )


def _chunk(item: JsonValue) -> RecordSource | None:
    chunk = record_of(item)
    page = record_of(chunk.get("web")) or record_of(
        _either(chunk, "retrievedContext", "retrieved_context")
    )
    uri = text_of(page.get("uri"))
    return RecordSource(uri, text_of(page.get("title"))) if is_web(uri) else None


def _by_part(supports: list[JsonValue]) -> defaultdict[int, list[Record]]:
    """Return the supports by the number of the part of the answer that they are for."""
    by_part: defaultdict[int, list[Record]] = defaultdict(list)
    for item in supports:
        support = record_of(item)
        segment = record_of(support.get("segment"))
        # A protobuf leaves a zero out.
        by_part[index_of(_either(segment, "partIndex", "part_index")) or 0].append(support)
    return by_part


def _support(
    support: Record, places: _Bytes, chunks: list[RecordSource | None]
) -> Annotation | None:
    segment = record_of(support.get("segment"))
    start = index_of(_either(segment, "startIndex", "start_index")) or 0
    end = index_of(_either(segment, "endIndex", "end_index")) or 0
    indices = items_of(_either(support, "groundingChunkIndices", "grounding_chunk_indices"))
    sources = [
        chunk
        for item in indices
        if (index := index_of(item)) is not None
        and index < len(chunks)
        and (chunk := chunks[index]) is not None
    ]
    return _covering(places, start, end, sources)


def _contents(value: JsonValue, path: JsonPath) -> Iterator[Quotation]:
    for index, item in enumerate(items_of(value)):
        block = record_of(item)
        text = text_of(block.get("text"))
        if block.get("type") != "text" or not text:
            continue
        places = _Bytes(text)
        annotations = [
            annotation
            for entry in items_of(block.get("annotations"))
            if (annotation := _annotation(record_of(entry), places)) is not None
        ]
        yield from annotated_quotations(text, (*path, index, "text"), annotations)


def _annotation(entry: Record, places: _Bytes) -> Annotation | None:
    uri = text_of(entry.get("url")) or text_of(entry.get("source"))
    sources = [RecordSource(uri, text_of(entry.get("title")))] if is_web(uri) else []
    start = index_of(entry.get("start_index")) or 0
    return _covering(places, start, index_of(entry.get("end_index")) or 0, sources)


def _covering(
    places: _Bytes, start: int, end: int, sources: list[RecordSource]
) -> Annotation | None:
    if not sources or not start < end <= places.count:
        return None
    return Annotation(places.characters(start), places.characters(end), tuple(sources), covers=True)


class _Bytes:
    """Where the characters of a text end in its UTF-8: looked up once, as a long answer has many annotations."""

    def __init__(self, text: str) -> None:
        self._ends: Sequence[int] = range(1, len(text) + 1)
        if not text.isascii():
            self._ends = list(accumulate(len(character.encode()) for character in text))
        self.count = self._ends[-1]

    def characters(self, offset: int) -> int:
        """Return how many whole characters stand before the byte at *offset*."""
        return bisect_right(self._ends, offset)


def _either(record: Record, name: str, other: str) -> JsonValue:
    return record[name] if name in record else record.get(other)
