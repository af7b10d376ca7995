"""Markdown that would take too long to read is an error of its document, by every way in which it comes."""

from __future__ import annotations

import json

import pytest
from git_work import make_work

from tracecite_lint.documents import read_document

TOO_MUCH = "> “one two three”\n\n" * 40_000


def codes(ran):
    return [(item["file"], item["code"]) for item in json.loads(ran.out)["diagnostics"]]


def test_it_fails_the_run(lint, write):
    write("a.md", TOO_MUCH)
    ran = lint("a.md", "--offline", "--format=json")
    assert (ran.status, codes(ran)) == (1, [("a.md", "FILE_TOO_LARGE")])


def test_and_the_report_that_an_older_command_reads(lint, write):
    write("a.md", TOO_MUCH)
    ran = lint("check-report", "a.md")
    assert ran.status != 0
    assert "more quotations, links and blocks than are read in one piece" in ran.out + ran.err


def test_a_record_that_holds_it_is_named_by_its_line():
    def message(text):
        content = [{"type": "text", "text": text}]
        record = {"type": "message", "role": "assistant", "model": "claude-3", "content": content}
        return json.dumps(record)

    text = "\n".join(map(message, ("“a b c” ([t](http://u.v))", TOO_MUCH + "[t](http://u.v)")))
    document = read_document("a.jsonl", text)
    assert [(item.code, item.span.line) for item in document.diagnostics] == [("FILE_TOO_LARGE", 2)]
    assert [item.span.line for item in document.citations] == [1]


@pytest.mark.parametrize("arguments", [["--changed"], ["--diff-base", "HEAD~1"]])
def test_a_change_of_one_that_was_too_large_before_is_not_passed_over(
    lint, write, tmp_path, arguments
):
    work = make_work(tmp_path / "work")
    work.record("a.md", TOO_MUCH)
    work.record("b.txt", "b")
    work.stage("a.md", TOO_MUCH + "more\n")
    ran = lint(*arguments, "--offline", "--format=json", cwd=work.path)
    assert (ran.status, codes(ran)) == (1, [("a.md", "FILE_TOO_LARGE")])
