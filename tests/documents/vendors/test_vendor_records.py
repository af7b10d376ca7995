"""Each vendor's records: which quotations are found, where in the raw line, and with which source."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracecite_lint.documents.jsonl import read_jsonl
from tracecite_lint.model import Document, DocumentKind, Shape

QUOTE = "the market grew by five percent"
A, B, C = "https://a.example.org/x", "https://b.example.org/y", "https://c.example.org/z"

Record = dict[str, Any]
Found = tuple[str, str, bool | None]
"""The raw words at the citation's span, its source, and whether the file itself holds them."""


def read(*records: Record, ensure_ascii: bool = False) -> Document:
    text = "".join(json.dumps(record, ensure_ascii=ensure_ascii) + "\n" for record in records)
    document = read_jsonl("records.jsonl", text)
    assert document.kind is DocumentKind.VENDOR
    assert document.private
    assert all(item.private and item.shape is Shape.VENDOR for item in document.citations)
    return document


def found(*records: Record) -> list[Found]:
    return [
        (raw(document, index), citation.source.uri, citation.captured)
        for document in [read(*records)]
        for index, citation in enumerate(document.citations)
    ]


def raw(document: Document, index: int = 0) -> str:
    span = document.citations[index].span
    assert span.line == span.end_line
    return document.text.split("\n")[span.line - 1][span.column - 1 : span.end_column - 1]


# ---- Anthropic

LONG = (
    "The committee found that the “programme” was delivered late and over budget in nine of the"
    " twelve regions, and that nobody had told the ministry about it before May."
)


def message(*blocks: Record, **fields: Any) -> Record:
    return {"type": "message", "role": "assistant", "content": list(blocks), **fields}


def cited(*citations: Record) -> Record:
    return {"type": "text", "text": "It was late.", "citations": list(citations)}


def from_search(words: str, url: str = A) -> Record:
    return {"type": "web_search_result_location", "url": url, "title": "T", "cited_text": words}


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (LONG, LONG),
        ("delivered late...", "delivered late..."),
        # 150 characters and three dots: cut, and the last word may be half a word
        (LONG[:150] + "...", LONG[: LONG.rindex(" ", 0, 150)]),
        # an entity that the cut left unfinished
        # shorter than a cut one: as it stands
        ("a b " * 36 + "x &am" + "...", "a b " * 36 + "x &am..."),
        ("ab " * 48 + "c &am" + "...", "ab " * 48 + "c &am..."),
        (("ab " * 50)[:146] + "&quo" + "...", ("ab " * 48).strip()),
        # scripts without spaces are cut between any two characters
        ("委员会发现" * 30 + "...", "委员会发现" * 30),
        ("委员会发现" * 28 + "报告reglemen" + "...", "委员会发现" * 28 + "报告"),
        ("x" * 150 + "...", "x" * 150),
    ],
)
def test_a_cut_passage_is_held_to_its_whole_words(words: str, kept: str) -> None:
    document = read(message(cited(from_search(words))))
    (citation,) = document.citations
    assert citation.passages == (kept.strip(),)
    assert raw(document) == json.dumps(citation.passages[0], ensure_ascii=False)[1:-1]


def test_entities_are_decoded_and_the_range_is_that_of_the_raw_words() -> None:
    words = "costs &lt; 5 &amp; more &#x2014; &unknown; AT&T"
    document = read(message(cited(from_search(words))))
    assert document.citations[0].passages == ("costs < 5 & more — &unknown; AT&T",)
    assert raw(document) == words


def test_a_cut_is_counted_in_utf16_units_too() -> None:
    words = "😀 " + "word " * 29 + "wo"
    assert len(words.encode("utf-16-le")) == 300
    document = read(message(cited(from_search(words + "..."))))
    assert document.citations[0].passages == (("😀 " + "word " * 29).strip(),)


@pytest.mark.parametrize("ensure_ascii", [True, False])
def test_escapes_and_surrogate_pairs_are_counted(ensure_ascii: bool) -> None:
    record = message(cited(from_search("x")), note="é😀", model="😀")
    record["content"].append(cited(from_search("  the 😀 “grey”\tgeese ")))
    document = read(record, ensure_ascii=ensure_ascii)
    expected = json.dumps("the 😀 “grey”\tgeese", ensure_ascii=ensure_ascii)[1:-1]
    assert raw(document, 1) == expected


def document_block(source: Record, title: str | None = None) -> Record:
    return {"type": "document", "source": source, "title": title}


def in_document(words: str, index: int, kind: str = "char_location", **fields: Any) -> Record:
    return {"type": kind, "cited_text": words, "document_index": index, **fields}


def asked(*blocks: Record) -> Record:
    return {"model": "m", "messages": [{"role": "user", "content": list(blocks)}]}


TEXT_DOCUMENT = document_block({"type": "text", "media_type": "text/plain", "data": LONG}, "Report")
URL_DOCUMENT = document_block({"type": "url", "url": "https://a.example.org/report.pdf"}, "PDF")


@pytest.mark.parametrize(
    ("block", "citation", "source", "captured"),
    [
        (URL_DOCUMENT, in_document("late", 0), "https://a.example.org/report.pdf", None),
        (
            URL_DOCUMENT,
            in_document("late", 0, "page_location", start_page_number=4, end_page_number=5),
            "https://a.example.org/report.pdf#page=4",
            None,
        ),
        (TEXT_DOCUMENT, in_document("delivered late", 0), "captured:", True),
        (TEXT_DOCUMENT, in_document("delivered early", 0), "captured:", False),
        (
            document_block({"type": "content", "content": [{"type": "text", "text": LONG}]}),
            in_document("delivered late", 0, "content_block_location"),
            "captured:",
            True,
        ),
        (
            {
                "type": "search_result",
                "source": A,
                "title": "T",
                "content": [{"type": "text", "text": LONG}],
            },
            {
                "type": "search_result_location",
                "source": A,
                "cited_text": "delivered late",
                "search_result_index": 0,
            },
            A,
            True,
        ),
        (
            {"type": "tool_result", "content": [TEXT_DOCUMENT]},
            in_document("delivered late", 0),
            "captured:",
            True,
        ),
    ],
)
def test_a_document_of_the_request_is_the_source(
    block: Record, citation: Record, source: str, captured: bool | None
) -> None:
    for name in ("request", "params"):
        record = {name: asked(block), "response": message(cited(citation))}
        ((words, uri, held),) = found(record)
        assert words == citation["cited_text"]
        assert uri.startswith(source) if source == "captured:" else uri == source
        assert held is captured


def test_a_document_is_found_by_its_title_where_the_indexes_do_not_fit() -> None:
    other = document_block({"type": "text", "data": "something else"}, "Other")
    record = {
        "request": asked(other, TEXT_DOCUMENT),
        "response": message(
            cited(in_document("delivered late", 1), in_document("late", 0, document_title="Report"))
        ),
    }
    assert [(words, held) for words, _, held in found(record)] == [
        ("delivered late", True),
        ("late", True),
    ]


@pytest.mark.parametrize(
    "citation",
    [
        in_document("late", 0),
        in_document("late", 7),
        in_document("", 0, url=A),
        {"type": "char_location", "cited_text": "late"},
        {"type": "web_search_result_location", "cited_text": 3, "url": A},
        {},
    ],
)
def test_a_citation_without_a_source_in_the_record_is_none(citation: Record) -> None:
    assert found(message(cited(citation), stop_reason="end_turn")) == []


def fetched(url: str, text: str) -> Record:
    content = document_block({"type": "text", "media_type": "text/plain", "data": text}, "Page")
    result = {"type": "web_fetch_result", "url": url, "content": content}
    return {"type": "web_fetch_tool_result", "tool_use_id": "t1", "content": result}


def test_a_fetched_page_is_captured_and_can_be_read_again() -> None:
    record = message(
        fetched(A, LONG), cited(in_document("delivered late", 0), in_document("never delivered", 0))
    )
    assert found(record) == [("delivered late", A, True), ("never delivered", A, False)]


def test_a_stream_carries_citations_as_deltas() -> None:
    def delta(citation: Record) -> Record:
        inner = {"type": "citations_delta", "citation": citation}
        return {"type": "content_block_delta", "index": 0, "delta": inner}

    start = {"type": "message_start", "message": message()}
    fetch = {"type": "content_block_start", "index": 0, "content_block": fetched(B, LONG)}
    stream = [start, fetch, delta(from_search("grew")), delta(in_document("delivered late", 0))]
    events = [*stream, start, delta(in_document("delivered late", 0))]
    assert found(*events) == [("grew", A, None), ("delivered late", B, True)]
    enveloped = [{"event": event["type"], "data": event} for event in stream]
    assert found(*enveloped) == [("grew", A, None), ("delivered late", B, True)]


def test_batch_results_are_read() -> None:
    result = {"type": "succeeded", "message": message(cited(from_search("grew")))}
    assert found({"custom_id": "1", "result": result}) == [("grew", A, None)]


# ---- OpenAI and what speaks like it

LINKED = f"The page says “{QUOTE}” ([a]({A}?utm_source=openai)), others disagree."


def responses(text: str, *annotations: Record, **fields: Any) -> Record:
    block = {"type": "output_text", "text": text, "annotations": list(annotations)}
    output = [{"type": "web_search_call"}, {"type": "message", "content": [block]}]
    return {"object": "response", "output": output, **fields}


def completion(text: str, *annotations: Record, **fields: Any) -> Record:
    inner = {"role": "assistant", "content": text, "annotations": list(annotations)}
    return {"object": "chat.completion", "choices": [{"index": 0, "message": inner}], **fields}


def url_citation(text: str, marked: str, url: str, *, nested: bool = False) -> Record:
    start = text.index(marked)
    fields = {"start_index": start, "end_index": start + len(marked), "url": url, "title": "T"}
    if nested:
        return {"type": "url_citation", "url_citation": fields}
    return {"type": "url_citation", **fields}


@pytest.mark.parametrize("nested", [False, True])
def test_a_link_in_the_answer_is_the_source(nested: bool) -> None:
    annotation = url_citation(LINKED, f"([a]({A}?utm_source=openai))", A, nested=nested)
    record = (completion if nested else responses)(LINKED, annotation)
    assert found(record) == [(QUOTE, f"{A}?utm_source=openai", None)]
    assert found({"id": "b1", "custom_id": "1", "response": {"body": record}}) == found(record)


@pytest.mark.parametrize("mark", ["[1]", "【4:0†source】", "\ue200cite\ue202turn0search0\ue201"])
def test_an_annotated_mark_is_a_reference(mark: str) -> None:
    text = f"It said “{QUOTE}” last year. {mark} Others say “we will never agree to that”."
    assert found(responses(text, url_citation(text, mark, A))) == [(QUOTE, A, None)]


def test_an_annotated_sentence_speaks_for_its_own_quotations() -> None:
    sentence = f"Later it said “{QUOTE}” in a speech."
    text = f"First it said “nothing will change at all”. {sentence} Then “it all came to nothing”."
    assert found(responses(text, url_citation(text, sentence, B))) == [(QUOTE, B, None)]


@pytest.mark.parametrize(
    "annotation",
    [
        {},
        {"type": "file_citation", "file_id": "f1"},
        {"type": "url_citation", "start_index": -1, "end_index": 5, "url": A},
        {"type": "url_citation", "start_index": 3, "end_index": 99999, "url": A},
        {"type": "url_citation", "start_index": "3", "end_index": 5.5, "url": A},
        {"type": "url_citation", "start_index": 0, "end_index": 20, "url": "file:///etc/passwd"},
    ],
)
def test_an_annotation_that_makes_no_sense_is_passed_over(annotation: Record) -> None:
    text = f"It said “{QUOTE}” last year."
    assert found(responses(text, annotation)) in ([], [(QUOTE, A, None)])


def test_an_answer_in_a_web_api_cites_no_local_file() -> None:
    assert found(responses(f"It said “{QUOTE}” ([notes](notes.md)).")) == []


# ---- Perplexity

NUMBERED = f"It grew: “{QUOTE}” [1][3]. Others say “that is simply not the case” [2]."


@pytest.mark.parametrize(
    "fields",
    [
        {"citations": [A, B, C]},
        {"search_results": [{"url": url, "title": "T"} for url in (A, B, C)]},
        {"citations": [A, B, C], "search_results": [{"url": A, "title": "T"}]},
    ],
)
def test_a_number_is_a_source_of_the_list(fields: Record) -> None:
    assert found(completion(NUMBERED, **fields)) == [
        (QUOTE, A, None),
        (QUOTE, C, None),
        ("that is simply not the case", B, None),
    ]


def test_a_number_is_the_id_of_a_result_in_the_agent_api() -> None:
    record = responses(f"It grew: “{QUOTE}” [7].")
    results = {"type": "search_results", "results": [{"id": 1, "url": A}, {"id": 7, "url": B}]}
    record["output"].insert(0, results)
    assert found(record) == [(QUOTE, B, None)]


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        (f"> {QUOTE.capitalize()}. [2]", [B]),
        (f"As the agency wrote [2]:\n\n> {QUOTE.capitalize()}.", [B]),
        (f"- It said “{QUOTE} [2].”", [B]),
        (f"It said “{QUOTE}” in May [1, 2].", [A, B]),
        (f"It said “{QUOTE}” [9].", []),
        (f"It said “{QUOTE}”.", []),
        (f"It said “{QUOTE}” [1].\n\n[1]: {C}", [C]),
        (f"It said “{QUOTE}” `x[1]`.", []),
    ],
)
def test_numbers_stand_where_writers_put_them(text: str, sources: list[str]) -> None:
    record = completion(text, citations=[A, B])
    assert [uri for _, uri, _ in found(record)] == sources


# ---- Gemini

GROUNDED = f"Ünïcode 😀: it said “{QUOTE}” in May. It also said “nothing about the weather here”."


def grounded(text: str, start: int | None, end: int, *, snake: bool = False) -> Record:
    segment = {"endIndex": end, "text": "the model's own words"}
    if start is not None:
        segment["startIndex"] = start
    support = {"segment": segment, "groundingChunkIndices": [1, 0, 7]}
    chunks = [{"web": {"uri": A, "title": "a"}}, {"web": {"uri": B}}]
    metadata = {"groundingChunks": chunks, "groundingSupports": [support]}
    candidate = {"content": {"parts": [{"text": text}]}, "groundingMetadata": metadata}
    record = {"candidates": [candidate]}
    if snake:
        spelling = json.dumps(record)
        for name in ("Metadata", "Chunks", "Supports"):
            spelling = spelling.replace(f"grounding{name}", f"grounding_{name.lower()}")
        spelling = spelling.replace("groundingChunkIndices", "grounding_chunk_indices")
        spelling = spelling.replace("endIndex", "end_index").replace("startIndex", "start_index")
        return json.loads(spelling)
    return record


@pytest.mark.parametrize("snake", [False, True])
@pytest.mark.parametrize("start", [None, 0, 12])
def test_offsets_count_utf8_bytes_and_zero_may_be_left_out(start: int | None, snake: bool) -> None:
    end = len(GROUNDED[: GROUNDED.index(" It also")].encode())
    record = grounded(GROUNDED, start, end, snake=snake)
    assert found(record) == [(QUOTE, B, None), (QUOTE, A, None)]


def test_a_support_speaks_for_its_own_part_and_range_only() -> None:
    start = len(GROUNDED[: GROUNDED.index("It also")].encode())
    record = grounded(GROUNDED, start, len(GROUNDED.encode()))
    assert {words for words, _, _ in found(record)} == {"nothing about the weather here"}
    record["candidates"][0]["content"]["parts"].insert(0, {"text": "thinking", "thought": True})
    assert found(record) == []


@pytest.mark.parametrize(("start", "end"), [(0, 0), (5, 3), (0, 10**9), (-1, 5)])
def test_a_range_outside_the_answer_is_passed_over(start: int, end: int) -> None:
    assert found(grounded(GROUNDED, start, end)) == []


@pytest.mark.parametrize("name", ["steps", "outputs"])
def test_the_interactions_api_annotates_sentences(name: str) -> None:
    end = len(GROUNDED[: GROUNDED.index(" It also")].encode())
    annotation = {"type": "url_citation", "url": A, "start_index": 0, "end_index": end}
    block = {"type": "text", "text": GROUNDED, "annotations": [annotation]}
    step = {"type": "model_output", "content": [block]}
    assert found({name: [step if name == "steps" else block]}) == [(QUOTE, A, None)]


# ---- Codex

CONTENT = "The archive release date is 2026-10-04.\nThe maintainer is the Documentation Group.\n"
DATE = "The archive release date is 2026-10-04."
TOOL_RESULTS = "captured:tool-results"


def codex(*items: Record) -> list[Record]:
    events = [{"type": "thread.started", "thread_id": "t1"}, {"type": "turn.started"}]
    return [*events, *({"type": "item.completed", "item": item} for item in items)]


def command(output: str, line: str = "cat facts.txt") -> Record:
    return {
        "type": "command_execution",
        "command": line,
        "aggregated_output": output,
        "exit_code": 0,
    }


def says(text: str) -> Record:
    return {"type": "agent_message", "text": text}


def test_codex_quotes_what_its_tools_returned() -> None:
    mcp = {
        "type": "mcp_tool_call",
        "server": "files",
        "tool": "read",
        "result": {
            "content": [{"type": "text", "text": "Folding bicycles travel free of charge."}]
        },
    }
    answer = says(
        f"It says “{DATE}” and “folding bicycles travel free of charge” and “{DATE[:-3]}5.”"
    )
    lower = answer["text"].replace("folding", "Folding")
    assert found(*codex(command(CONTENT), mcp, says(lower))) == [
        (DATE, TOOL_RESULTS, True),
        ("Folding bicycles travel free of charge", TOOL_RESULTS, True),
        (f"{DATE[:-3]}5.", TOOL_RESULTS, False),
    ]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (f"It reads:\n\n> {DATE}", [(DATE, TOOL_RESULTS, True)]),
        (f"> {DATE}", []),
        (f"It says “{DATE}” ([facts](facts.txt)).", [(DATE, TOOL_RESULTS, True)]),
        (f"It says “{DATE}” ([a]({A})).", [(DATE, A, None)]),
        ("I named the field “release date”.", []),
        ("I wrote “the dog ate all of the homework” to it.", []),
        ("I wrote “the cat ate all of the homework” to it.", None),
    ],
)
def test_what_codex_quotes_without_a_link_is_a_sentence_it_did_not_write(
    answer: str, expected: list[Found] | None
) -> None:
    written = command("", "echo 'the dog ate all of the homework' > excuse.txt")
    outcome = found(*codex(command(CONTENT), written, says(answer)))
    if expected is None:
        expected = [("the cat ate all of the homework", TOOL_RESULTS, False)]
    assert outcome == expected


def test_without_tools_codex_quotes_nothing_but_the_web() -> None:
    assert found(*codex(says(f"It says “{DATE}”, and “{QUOTE}” ([a]({A})).")))[-1] == (
        QUOTE,
        A,
        None,
    )
    assert found(*codex(says(f"It says “{DATE}”."))) == []


def test_captured_texts_come_with_the_document() -> None:
    document = read(*codex(command(CONTENT), command("more"), says(f"It says “{DATE}”")))
    assert document.captured == {TOOL_RESULTS: f"{CONTENT}\n\nmore"}
    assert CONTENT not in repr(document).replace(document.text, "")


# ---- Claude Code


def session(*messages: Record) -> list[Record]:
    return [
        {"type": item["role"], "sessionId": "s1", "uuid": f"u{index}", "message": item}
        for index, item in enumerate(messages)
    ]


def uses(name: str, call: str = "t1", **arguments: str) -> Record:
    block = {"type": "tool_use", "id": call, "name": name, "input": arguments}
    return {"role": "assistant", "content": [block]}


def returns(content: Any, call: str = "t1") -> Record:
    block = {"type": "tool_result", "tool_use_id": call, "content": content}
    return {"role": "user", "content": [block]}


def answers(text: str) -> Record:
    return {"role": "assistant", "content": [{"type": "text", "text": text}]}


@pytest.mark.parametrize(
    ("tool", "content", "captured"),
    [
        ("Read", f"     1→{DATE}\n     2→The end.", True),
        ("Read", f"    10\t{DATE}", True),
        ("Bash", CONTENT, True),
        ("Bash", [{"type": "text", "text": CONTENT}], True),
        ("mcp__files__read", CONTENT, True),
        ("Bash", "something else", False),
        # what a model wrote is no source
        ("WebFetch", CONTENT, None),
        ("WebSearch", CONTENT, None),
        ("Task", CONTENT, None),
    ],
)
def test_claude_code_quotes_what_was_returned_word_for_word(
    tool: str, content: Any, captured: bool | None
) -> None:
    lines = session(uses(tool), returns(content), answers(f"It says “{DATE}”"))
    expected = [] if captured is None else [(DATE, TOOL_RESULTS, captured)]
    assert found(*lines) == expected


def test_a_digest_of_a_page_is_no_source_but_its_link_is() -> None:
    lines = session(
        uses("WebFetch", url=A), returns(CONTENT), answers(f"It says “{DATE}” ([a]({A})).")
    )
    assert found(*lines) == [(DATE, A, None)]


def test_words_of_the_user_and_of_the_agent_itself_are_no_quotations() -> None:
    lines = session(
        {"role": "user", "content": "Change it to “geese fly south in the autumn”."},
        uses("Bash"),
        returns(CONTENT),
        uses("Edit", "t2", new_string="ducks swim north in the spring"),
        answers("It is “geese fly south in the autumn” and “ducks swim north in the spring” now."),
    )
    assert found(*lines) == []


# ---- chat logs


@pytest.mark.parametrize(
    "record",
    [
        {"role": "assistant", "content": LINKED},
        {"role": "assistant", "content": [{"type": "text", "text": LINKED}]},
        {"messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": LINKED}]},
        {"id": 7, "message": {"role": "assistant", "content": LINKED}},
    ],
)
def test_a_chat_log_is_read_for_what_the_assistant_quotes(record: Record) -> None:
    user = {"role": "user", "content": f"Is “{QUOTE}” in [b]({B})?"}
    assert found(user, record) == [(QUOTE, f"{A}?utm_source=openai", None)]


def test_a_chat_log_may_quote_a_local_file() -> None:
    record = {"role": "assistant", "content": f"It says “{QUOTE}” ([notes](notes.md))."}
    assert found(record) == [(QUOTE, "notes.md", None)]


def test_a_text_fragment_in_an_answer_is_a_quotation() -> None:
    url = f"{A}#:~:text=market%20grew"
    document = read({"role": "assistant", "content": f"See [the report]({url})."})
    (citation,) = document.citations
    assert citation.directives[0].start == "market grew"


# ---- all of them


def test_records_of_several_vendors_may_share_a_file() -> None:
    records = [
        responses(LINKED),
        message(cited(from_search("grew"))),
        completion(NUMBERED, citations=[A]),
        {"unknown": True},
        {"role": "assistant", "content": LINKED},
    ]
    assert [words for words, _, _ in found(*records)] == [QUOTE, "grew", QUOTE, QUOTE]


@pytest.mark.parametrize("ensure_ascii", [True, False])
def test_a_quotation_in_markdown_is_found_in_the_raw_line(ensure_ascii: bool) -> None:
    text = f"# 😀\n\n- é “**{QUOTE}**\nin 😀 May” ([a]({A}))\n"
    document = read(responses(text), ensure_ascii=ensure_ascii)
    assert document.citations[0].passages == (f"{QUOTE} in 😀 May",)
    expected = json.dumps(f"**{QUOTE}**\nin 😀 May", ensure_ascii=ensure_ascii)[1:-1]
    assert raw(document).strip("*") == expected.strip("*")


@pytest.mark.parametrize(
    "hostile",
    [
        {
            "type": "message",
            "role": "assistant",
            "content": [None, 3, {"citations": [None, [], 1]}],
        },
        {"candidates": [None, {"content": []}, {"content": {"parts": 3}, "groundingMetadata": []}]},
        {"choices": [None, {"message": None}, {"message": {"content": 5, "annotations": "x"}}]},
        {"output": [{"type": "message", "content": {}}, {"type": "message", "content": [[], 3]}]},
        {"choices": [{"message": {"content": LINKED}}], "citations": [None, 3, {}]},
        {"type": "item.completed", "item": {"type": ["agent_message"], "text": {}}},
        {"type": "user", "sessionId": "s", "message": {"role": 3, "content": [{"type": 1}]}},
        {"messages": [None, [], {"role": "assistant", "content": {"text": 3}}]},
        {"steps": [{"type": "model_output", "content": [{"type": "text", "annotations": [3]}]}]},
    ],
)
def test_records_of_the_wrong_shape_do_no_harm(hostile: Record) -> None:
    read_jsonl("records.jsonl", json.dumps(hostile) + "\n" + json.dumps(responses(LINKED)))


WORDS = [
    *("type", "role", "content", "message", "assistant", "user", "citations", "cited_text", "text"),
    *("choices", "output", "annotations", "url_citation", "start_index", "end_index", "url", A),
    *("candidates", "parts", "groundingMetadata", "groundingChunks", "groundingSupports", "web"),
    *("segment", "groundingChunkIndices", "uri", "item", "item.completed", "thread.started"),
    *("agent_message", "command_execution", "aggregated_output", "sessionId", "uuid", "tool_use"),
    *("tool_result", "name", "id", "Bash", "search_results", "results", "messages", "steps"),
    *("content_block_delta", "delta", "citation", "document", "source", "document_index", LINKED),
]
VALUES = st.recursive(
    st.sampled_from(WORDS) | st.integers(-2, 400) | st.none() | st.booleans() | st.just("\ud83d"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5)
    ),
    max_leaves=25,
)


@given(st.lists(st.dictionaries(st.sampled_from(WORDS), VALUES, max_size=6), max_size=4))
@settings(max_examples=300)
def test_no_record_does_harm(records: list[Record]) -> None:
    text = "".join(json.dumps(record) + "\n" for record in [says("x"), *records, *codex(says("y"))])
    read_jsonl("records.jsonl", text)


def test_a_long_answer_is_not_encoded_again_for_each_of_its_supports():
    words = "“é b c d” x. "
    width = len(words.encode())

    def encoded(count: int) -> int:
        supports = [
            {"segment": {"startIndex": at * width, "endIndex": (at + 1) * width - 1}}
            | {"groundingChunkIndices": [0]}
            for at in range(count)
        ]
        candidate = {
            "content": {"parts": [{"text": words * 100}]},
            "groundingMetadata": {
                "groundingChunks": [{"web": {"uri": "https://example.org/"}}],
                "groundingSupports": supports,
            },
        }
        line = json.dumps({"candidates": [candidate]})
        lengths: list[int] = []

        def profile(_frame: object, event: str, called: object) -> None:
            if event == "c_call" and getattr(called, "__name__", "") in ("encode", "decode"):
                lengths.append(len(called.__self__))

        sys.setprofile(profile)
        try:
            document = read_jsonl("a.jsonl", line)
        finally:
            sys.setprofile(None)
        assert document.citations
        return sum(lengths)

    assert encoded(80) < 2 * encoded(1) + 1_000
