from __future__ import annotations

import json
from typing import Any

import pytest

from tracecite_lint.documents import read_document
from tracecite_lint.documents.jsonl import read_jsonl
from tracecite_lint.model import Document, DocumentKind, Shape, Span

Record = dict[str, Any]

CONTENT = "Twelve grey geese 😀 flew “south”.\n"
CALL = {"type": "tool_call", "run_id": "r1", "call_id": "c1", "tool": "read"}
SOURCE = {"id": "s1", "uri": "https://www.iana.org/a", "title": "T", "content": CONTENT}
RESULT = {"type": "tool_result", "run_id": "r1", "call_id": "c1", "ok": True, "sources": [SOURCE]}


def answer(*citations: Record) -> Record:
    claims = [{"text": "Geese.", "citations": [citation]} for citation in citations]
    return {"type": "answer", "run_id": "r1", "claims": claims}


def cited(quote: str, source_id: str = "s1") -> Record:
    return {"source_id": source_id, "quote": quote}


def jsonl(*records: Record, ensure_ascii: bool = False) -> str:
    return "".join(json.dumps(record, ensure_ascii=ensure_ascii) + "\n" for record in records)


def raw(document: Document, span: Span | None) -> str:
    assert span is not None
    assert span.line == span.end_line
    line = document.text.removeprefix("\ufeff").split("\n")[span.line - 1]
    return line[span.column - 1 : span.end_column - 1]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (jsonl(CALL), DocumentKind.TRACE),
        (jsonl({"type": "answer", "run_id": "r1"}), DocumentKind.TRACE),
        ("\n \nno json\n[1]\n" + jsonl(CALL), DocumentKind.TRACE),
        ("\ufeff" + jsonl(CALL).replace("\n", "\r\n"), DocumentKind.TRACE),
        (jsonl({"type": "answer", "run_id": 3}), DocumentKind.UNKNOWN),
        (jsonl({"type": "thread.started", "thread_id": "t"}), DocumentKind.VENDOR),
        (jsonl({"role": "assistant", "content": "x"}), DocumentKind.VENDOR),
        (jsonl({"role": "superuser", "content": "x"}), DocumentKind.UNKNOWN),
        (
            jsonl({"run_id": "r", "task_id": "t", "stage": "s", "call_id": "c"}),
            DocumentKind.CALLS,
        ),
        (jsonl({"resourceSpans": []}), DocumentKind.CALLS),
        (jsonl({"a": 1}, {"b": 2}), DocumentKind.UNKNOWN),
        (jsonl({"a": 1}, CALL), DocumentKind.TRACE),
        ("", DocumentKind.UNKNOWN),
        ("{\n", DocumentKind.UNKNOWN),
        ("just text\nand more", DocumentKind.UNKNOWN),
    ],
)
def test_the_first_records_tell_the_kind(text: str, kind: DocumentKind) -> None:
    document = read_jsonl("a/b.jsonl", text)
    assert document.kind is kind
    assert (document.path, document.text) == ("a/b.jsonl", text)
    assert document.private
    assert read_document("a/b.jsonl", text) == document


def test_what_is_of_no_known_kind_is_left_alone() -> None:
    document = read_jsonl("x.jsonl", '{"a":1}\nno json\n{"a":1,"a":2}\n')
    assert (document.citations, document.diagnostics) == ((), ())


@pytest.mark.parametrize("ensure_ascii", [True, False])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_a_citation_of_a_trace_stands_at_its_quote(ensure_ascii: bool, bom: str) -> None:
    quotes = ["geese 😀 flew “south”", "swans", "flew"]
    records = [CALL, RESULT, answer(*map(cited, quotes))]
    document = read_jsonl("x.jsonl", bom + jsonl(*records, ensure_ascii=ensure_ascii))
    assert [citation.passages for citation in document.citations] == [(quote,) for quote in quotes]
    assert [raw(document, citation.span) for citation in document.citations] == [
        json.dumps(quote, ensure_ascii=ensure_ascii)[1:-1] for quote in quotes
    ]
    assert [citation.captured for citation in document.citations] == [True, False, True]
    assert [citation.record for citation in document.citations] == [1, 2, 3]
    for citation in document.citations:
        assert citation.private
        assert citation.shape is Shape.TRACE
        assert citation.claim == ""
        assert (citation.source.uri, citation.source.title) == (SOURCE["uri"], "T")
        assert raw(document, citation.source.span) == SOURCE["uri"]


def test_findings_of_evidence_mode_stand_at_the_quote_they_are_about() -> None:
    records = [CALL, RESULT, answer(cited("swans"), cited("flew", "s9"), cited("flew"))]
    document = read_jsonl("x.jsonl", jsonl(*records, {"type": "x", "run_id": "r1"}))
    assert [(item.code, item.line) for item in document.diagnostics] == [
        ("UNKNOWN_EVENT", 4),
        ("QUOTE_NOT_IN_SOURCE", 3),
        ("UNKNOWN_SOURCE", 3),
    ]
    assert all(item.private for item in document.diagnostics)
    assert document.diagnostics[0].span == Span(4, 1, 4, 1)
    assert raw(document, document.diagnostics[1].span) == "swans"
    assert raw(document, document.diagnostics[2].span) == "flew"
    assert len(document.citations) == 2


def test_a_source_without_content_is_neither_captured_nor_not() -> None:
    bare = {key: value for key, value in SOURCE.items() if key != "content"}
    document = read_jsonl("x.jsonl", jsonl(CALL, RESULT | {"sources": [bare]}, answer(cited("x"))))
    assert [citation.captured for citation in document.citations] == [None]
    assert {item.code for item in document.diagnostics} == {"MISSING_SOURCE_CONTENT"}


def test_the_older_source_ids_make_no_citation() -> None:
    older = {"type": "answer", "run_id": "r1", "claims": [{"text": "x", "source_ids": ["s1"]}]}
    document = read_jsonl("x.jsonl", jsonl(CALL, RESULT, older))
    assert document.citations == ()
    (finding,) = document.diagnostics
    assert finding.code == "MISSING_QUOTE"
    assert raw(document, finding.span) == "s1"


VENDOR_LINE = json.dumps({"role": "assistant", "content": "“a b c d” ([x](https://a.org/))"})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("no json", "invalid JSON: expected a value (column 1)"),
        ('{"a":NaN}', "invalid JSON: NaN is no JSON number (column 6)"),
        ('{"a":1,"a":1}', "invalid JSON: the object has the same key twice (column 8)"),
        ("[" * 100_000, "inside one another (column 1025)"),
        ("\ufeff{}", "invalid JSON: expected a value (column 1)"),
        ('{"a":"\x00"}', "must be escaped (column 7)"),
    ],
)
def test_a_broken_record_is_named_and_the_others_are_read(line: str, message: str) -> None:
    document = read_jsonl("x.jsonl", f"{VENDOR_LINE}\n{line}\n{VENDOR_LINE}\n")
    assert len(document.citations) == 2
    (finding,) = document.diagnostics
    assert (finding.code, finding.line) == ("INVALID_JSON", 2)
    assert finding.message.endswith(message)


def test_a_last_record_still_being_written_is_said_to_be_that() -> None:
    document = read_jsonl("x.jsonl", f"{VENDOR_LINE}\n{VENDOR_LINE[:-9]}")
    assert len(document.citations) == 1
    (finding,) = document.diagnostics
    assert (finding.code, finding.line) == ("INVALID_JSON", 2)
    assert finding.message.startswith("the last line is cut off")


@pytest.mark.parametrize(
    "line",
    [
        VENDOR_LINE.replace('"role"', f'"n": {"7" * 5_000}, "role"'),
        VENDOR_LINE.replace('"role"', f'"n": {"[" * 1000}{"]" * 1000}, "role"'),
        VENDOR_LINE.replace('"role"', '"n": "\\ud83d \\udc00\\ud83d", "role"'),
        VENDOR_LINE.replace('"role"', '"n": "\u2028\x85", "role"'),
        VENDOR_LINE + "\r",
    ],
)
def test_what_is_odd_in_a_record_does_not_move_its_quotations(line: str) -> None:
    document = read_jsonl("x.jsonl", line + "\n")
    assert document.diagnostics == ()
    (citation,) = document.citations
    assert raw(document, citation.span) == "a b c d"


def test_half_a_surrogate_pair_in_an_answer_is_one_character() -> None:
    line = VENDOR_LINE.replace('"content": "', '"content": "\\ud83d ')
    document = read_jsonl("x.jsonl", line)
    assert raw(document, document.citations[0].span) == "a b c d"
