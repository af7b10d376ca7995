"""The list of citations that were let pass unchecked."""

import sqlite3
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tracecite_lint.known.unchecked import UncheckedCitation, UncheckedCitations
from tracecite_lint.sources.cache import Cache

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


@pytest.mark.parametrize("directory", [None, Path("/proc/no-such-home")])
def test_a_list_that_cannot_be_kept_costs_no_run(directory):
    unchecked = UncheckedCitations(directory)
    unchecked.add([ONE])
    unchecked.remove(ONE.repository, ["one"])
    assert unchecked.of(ONE.repository) == []
    assert (unchecked.problem is None) == (directory is None)
    unchecked.close()
