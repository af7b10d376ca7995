from __future__ import annotations

from pathlib import Path

import pytest
from call_records import envelope, manifest, record

from tracecite_lint.calls.diagnostics import log_diagnostics, provider_of
from tracecite_lint.files.chosen import ChosenFile
from tracecite_lint.model import Span

OLLAMA = {"model": "tide-2", "done": True, "prompt_eval_count": 1, "eval_count": 2}


def test_a_finding_spans_its_line_from_where_it_is_known_to_be() -> None:
    lines = [record("é"), record("é"), '{"a":1,"a":1}', record("b", output_tokens=None)]
    found = log_diagnostics("\r\n".join(lines))
    assert [(item.code, item.span) for item in found] == [
        ("duplicate_call", Span(2, 1, 2, len(lines[1]) + 1)),
        ("invalid_json", Span(3, 8, 3, len(lines[2]) + 1)),
        ("missing_usage", Span(4, 1, 4, len(lines[3]) + 1)),
    ]
    assert all(item.help and item.message for item in found)


def test_what_is_about_the_whole_log_stands_on_line_0(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(manifest(task_ids=["t1"], required_stages=["draft", "check"]))
    found = log_diagnostics(record("a"), ChosenFile(path))
    assert [(item.code, item.span.line) for item in found] == [("missing_stage", 0)]
    assert log_diagnostics(record("a")) == ()


def test_a_manifest_that_cannot_be_read_is_a_finding_and_the_log_is_audited(tmp_path: Path) -> None:
    log = f"{record('a')}\n{record('a')}"
    found = log_diagnostics(log, ChosenFile(tmp_path / "none.json"))
    assert [item.code for item in found] == ["invalid_manifest", "duplicate_call"]
    assert "none.json cannot be read" in found[0].message


@pytest.mark.parametrize(
    ("lines", "provider"),
    [
        ([record("a")], "normalized"),
        ([record("a", response="text that nobody reads")], "normalized"),
        ([record("a"), "{", envelope(OLLAMA)], "mixed"),
        ([envelope({"text": "?"})], "normalized"),
        (['{"resourceSpans":[]}'], "otlp"),
        ([], "normalized"),
    ],
)
def test_envelopes_are_recognised(lines: list[str], provider: str) -> None:
    assert provider_of("\n".join(lines)) == provider


def test_envelopes_of_several_vendors_are_audited() -> None:
    chat = {"object": "chat.completion", "model": "tide-2", "choices": [], "usage": None}
    found = log_diagnostics("\n".join([envelope(OLLAMA), envelope(chat, call_id="e2")]))
    assert [(item.code, item.line) for item in found] == [("missing_usage", 2)]


def test_spans_without_model_calls_are_no_empty_log() -> None:
    assert log_diagnostics('{"resourceSpans":[]}') == ()
    assert [
        item.code for item in log_diagnostics('{"resourceSpans":[]}\n{"resourceSpans":{}}')
    ] == ["invalid_provider_record"]
