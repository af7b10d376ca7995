"""What a citation is recognised by, and the multiset difference."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracecite_lint.changes.keys import SourceKey, new_indexes, source_key

letters = st.lists(st.sampled_from("abc"), max_size=8)


@given(letters, st.lists(letters, max_size=3), st.randoms())
def test_new_is_what_every_parent_has_fewer_of(new, olds, random):
    familiar = [random.random() < 0.5 for _ in new]
    found = new_indexes(new, olds, familiar)
    assert found == sorted(set(found))
    expected = Counter(new)
    for old in olds:
        expected &= Counter(new) - Counter(old)
    assert Counter(new[index] for index in found) == expected


def test_of_equals_the_familiar_ones_are_old():
    assert new_indexes("aaa", ["aa"], [False, True, True]) == [0]
    assert new_indexes("aaa", ["aa"], [True, True, False]) == [2]
    assert new_indexes("aaa", ["aa"], [False, False, False]) == [2]


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        (
            "HTTPS://WWW.IANA.ORG/help?utm_source=x#part",
            ("https://www.iana.org/help", "part", False),
        ),
        ("https://www.iana.org/a#:~:text=words", ("https://www.iana.org/a", "", False)),
        ("data.txt#L1-L2", ("docs/data.txt", "L1-L2", True)),
        ("./a/../data%20b.txt", ("docs/data b.txt", "", True)),
        ("../data.txt?plain=1", ("data.txt", "", True)),
        ("/data.txt", ("data.txt", "", True)),
        ("file:data.txt", ("data.txt", "", True)),
        ("file:///srv/repository/docs/data.txt", ("docs/data.txt", "", True)),
        ("https-notes.md", ("docs/https-notes.md", "", True)),
        ("http-notes.md#L1", ("docs/http-notes.md", "L1", True)),
        ("HTTPS.md", ("docs/HTTPS.md", "", True)),
        ("//www.iana.org/help", ("https://www.iana.org/help", "", False)),
        ("#heading", ("docs/report.md", "heading", True)),
        ("../../../outside.txt", ("../../outside.txt", "", True)),
        ("mailto:someone@example.org", ("mailto:someone@example.org", "", False)),
        ("http://127.0.0.1/x", ("http://127.0.0.1/x", "", False)),
        ("https://[broken", ("https://[broken", "", False)),
    ],
)
def test_sources_are_recognised_by_where_they_lead(uri, expected):
    assert source_key(uri, "docs/report.md", Path("/srv/repository")) == SourceKey(*expected)
