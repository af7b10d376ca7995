"""The promises of docs/security.md: each names a test that is there and runs, and its numbers are those of the program."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tracecite_lint.sources.files import MAX_BYTES
from tracecite_lint.sources.http import MAX_HEADER_BYTES
from tracecite_lint.sources.options import FetchOptions, HostOptions
from tracecite_lint.sources.policy import MAX_REDIRECTS
from tracecite_lint.sources.politeness import MAX_RETRY_AFTER, TOTAL_LIMIT

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")

_ROW = re.compile(r"^\| (?!promise \|)(.+) \| (.+) \|$", re.MULTILINE)
_TEST = re.compile(r"`(tests/[\w/]+\.py(?:::\w+)+)`")
_WAITING = re.compile(r"HELD-BY: row \d+")


def promises() -> list[tuple[str, str]]:
    """Return each promise and what stands beside it."""
    tables = re.findall(r"^\| promise \| held by \|\n(?:\|.*\n)+", PAGE, re.MULTILINE)
    return [row for table in tables for row in _ROW.findall(table)]


PROMISES = promises()
TESTS = sorted(set(_TEST.findall(PAGE)))


@cache
def module(path: str) -> ast.Module:
    """Return the syntax tree of a file of tests."""
    return ast.parse((ROOT / path).read_bytes())


def definition(node_id: str) -> list[ast.stmt]:
    """Return the definitions that lead to a test, from its class to itself; raises LookupError if one is missing."""
    path, *names = node_id.split("::")
    body, found = module(path).body, []
    for name in names:
        kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        matching = [item for item in body if isinstance(item, kinds) and item.name == name]
        if not matching:
            raise LookupError(node_id)
        found.append(matching[-1])
        body = matching[-1].body
    return found


def test_the_page_promises_something():
    assert len(PROMISES) > 50


@pytest.mark.parametrize(("promise", "held_by"), PROMISES, ids=lambda text: text[:40])
def test_each_promise_names_what_holds_it(promise, held_by):
    assert _TEST.search(held_by) or _WAITING.search(held_by)
    assert _WAITING.sub("", _TEST.sub("", held_by)).strip() == ""


def test_each_promise_stands_there_once():
    assert len({promise for promise, _ in PROMISES}) == len(PROMISES)


def test_no_promise_waits_for_its_test():
    assert not _WAITING.search(PAGE)


@pytest.mark.parametrize("node_id", TESTS)
def test_each_named_test_is_there_and_runs(node_id):
    definitions = definition(node_id)
    assert definitions[-1].name.startswith("test_")
    marks = [ast.unparse(mark) for item in definitions for mark in item.decorator_list]
    marks += [
        ast.unparse(item.value)
        for item in module(node_id.partition("::")[0]).body
        if isinstance(item, ast.Assign) and "pytestmark" in ast.unparse(item.targets[0])
    ]
    assert not [mark for mark in marks if re.match(r"\[?pytest\.mark\.(skip|xfail|slow)\b", mark)]


def test_the_limits_are_as_documented():
    options, host = FetchOptions(), HostOptions()
    numbers = (options.timeout, options.backoff, options.backoff * 2, MAX_RETRY_AFTER)
    assert numbers == (20.0, 0.5, 1.0, 30.0)
    assert (MAX_HEADER_BYTES, MAX_BYTES) == (64 * 1024, 2 * 1024 * 1024)
    assert (options.retries, MAX_REDIRECTS) == (2, 5)
    assert (host.concurrency, host.interval) == (2, 0.25)
    assert TOTAL_LIMIT == 32
