"""The list of citations that were let pass unchecked."""

import json
import sqlite3
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from tracecite_lint.known.unchecked import UncheckedCitation, UncheckedCitations
from tracecite_lint.sources.cache import Cache

DAY = 24 * 3600.0

ONE = UncheckedCitation(
    repository="/home/me/reports",
    key="one",
    file="docs/report.md",
    source="https://iana.org/a",
    code="HOST_UNRESOLVED",
    noted_at=float(int(time.time())),
)
TWO = replace(ONE, key="two")
ELSEWHERE = replace(ONE, repository="/home/me/notes")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_what_is_added_stays_until_it_is_removed(directory):
    unchecked = UncheckedCitations(directory)
    unchecked.add([ONE, TWO, ELSEWHERE])
    unchecked.close()
    later = UncheckedCitations(directory)
    assert later.of(ONE.repository) == [ONE, TWO]
    assert later.of("/home/me") == []
    later.remove(ONE.repository, ["one", "no such key"])
    assert later.of(ONE.repository) == [TWO]
    assert later.of(ELSEWHERE.repository) == [ELSEWHERE]
    assert later.problem is None
    later.close()


def test_a_citation_stands_on_the_list_once(directory):
    unchecked = UncheckedCitations(directory)
    unchecked.add([ONE, replace(ONE, code="REQUEST_TIMEOUT")])
    assert [item.code for item in unchecked.of(ONE.repository)] == ["REQUEST_TIMEOUT"]
    unchecked.close()


def test_clearing_the_cache_leaves_the_list(directory):
    unchecked = UncheckedCitations(directory)
    unchecked.add([ONE])
    cache = Cache(directory)
    cache.clear()
    assert cache.problem is None
    cache.close()
    assert unchecked.of(ONE.repository) == [ONE]
    unchecked.close()


def test_the_directories_are_private(directory):
    unchecked = UncheckedCitations(directory)
    unchecked.add([ONE])
    unchecked.close()
    assert directory.stat().st_mode & 0o077 == 0
    assert (directory / "unchecked").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "value", [b"", b"{}", b"[]", b"null", b'{"repository": 5}', b"[" * 100_000], ids=lambda v: repr(v[:9])
)  # fmt: skip
def test_a_damaged_entry_is_left_out(value, directory):
    unchecked = UncheckedCitations(directory)
    unchecked.add([ONE, TWO])
    with sqlite3.connect(directory / "unchecked" / "cache.db") as connection:
        connection.execute("UPDATE Cache SET value = ? WHERE key LIKE '%/one'", (value,))
    connection.close()
    assert unchecked.of(ONE.repository) == [TWO]
    unchecked.close()


@pytest.mark.parametrize("days", [2, -91])
def test_an_entry_of_another_time_is_left_out(days, directory):
    unchecked = UncheckedCitations(directory)
    unchecked.add([replace(ONE, noted_at=ONE.noted_at + days * DAY), TWO])
    assert unchecked.of(ONE.repository) == [TWO]
    unchecked.close()


def altered(**changes: object) -> bytes:
    return json.dumps(asdict(ONE) | changes).encode()


UNSOUND = [
    *(
        {"noted_at": value}
        for value in (float("inf"), float("nan"), 1e300, 10**400, -1.0, True, "1", None)
    ),
    *({"code": code} for code in ("", "UNASSOCIATED_QUOTE", "HTTP_STATUS_404", 5, None)),
    *(
        {name: value}
        for name in ("key", "file", "source", "repository")
        for value in (5, None, ["a"])
    ),
    {"key": "another"},
    {"repository": "/home/me/another"},
    {"source": "x" * 300_000},
    {"more": 1},
]


@pytest.mark.parametrize("changes", UNSOUND, ids=lambda changes: repr(changes)[:40])
def test_an_entry_that_no_run_has_noted_is_left_out(changes, directory):
    unchecked = UncheckedCitations(directory)
    unchecked.add([ONE, TWO])
    with sqlite3.connect(directory / "unchecked" / "cache.db") as connection:
        value = altered(**changes)
        connection.execute("UPDATE Cache SET value = ? WHERE key LIKE '%/one'", (value,))
    connection.close()
    assert unchecked.of(ONE.repository) == [TWO]
    assert unchecked.problem is None
    unchecked.close()


@pytest.mark.parametrize("directory", [None, Path("/proc/no-such-home")])
def test_a_list_that_cannot_be_kept_costs_no_run(directory):
    unchecked = UncheckedCitations(directory)
    unchecked.add([ONE])
    unchecked.remove(ONE.repository, ["one"])
    assert unchecked.of(ONE.repository) == []
    assert (unchecked.problem is None) == (directory is None)
    unchecked.close()
