"""What fixes may never do (docs/commands.md, Fixes), on mismatches of eight kinds."""

from __future__ import annotations

import pytest
from made_mismatches import KINDS, checked, made, worsened

from tracecite_lint.engine.edits import edited

PAGE = """\
# The ferry

The ferry crosses the sound 14 times a day between March and October, weather permitting. It does not run when the wind is
stronger than 18 metres per second, and then the bridge at the northern end is the only way across. In 2019 the crossing was
free for the first time, paid for by both towns. The captain never leaves the bridge while passengers are on board, whatever
the sea looks like in every single week of the count.

## What we saw

Few of the islanders own a boat of their own, yet most of them can row one well. Winter crossings are rare, and nobody
remembers one in the month of January.
"""
SENTENCES = [
    "The ferry crosses the sound 14 times a day between March and October, weather permitting.",
    "It does not run when the wind is stronger than 18 metres per second, and then the bridge at the northern end is the only way across.",
    "In 2019 the crossing was free for the first time, paid for by both towns.",
    "The captain never leaves the bridge while passengers are on board, whatever the sea looks like in every single week of the count.",
    "Few of the islanders own a boat of their own, yet most of them can row one well.",
    "Winter crossings are rare, and nobody remembers one in the month of January.",
]


@pytest.fixture
def report(tmp_path):
    def write(*quotes):
        (tmp_path / "page.md").write_text(PAGE)
        lines = (f"The report says “{quote}” ([ferry](page.md)).\n" for quote in quotes)
        (tmp_path / "report.md").write_text("\n".join(lines))
        return tmp_path

    return write


@pytest.mark.parametrize("kind", KINDS)
def test_no_fix_makes_it_worse(report, kind):
    others = [*SENTENCES[1:], SENTENCES[0]]
    quotes = [made(kind, *pair) for pair in zip(SENTENCES, others, strict=True)]
    folder = report(*filter(None, quotes))
    assert list(worsened(folder, "report.md")) == []


@pytest.mark.parametrize(
    ("quote", "fixed"),
    [
        ("the captain never leaves the bridge", "“[t]he captain never leaves the bridge”"),
        ("yet, most of them can row one well", "“yet most of them can row one well”"),
        ("winter crossings, are rare", "“[w]inter crossings are rare”"),
        # Outside of the marks the full stop would part the quotation from its link.
        (
            "The ferry crosses the sound 14 times a day, the authors say.",
            "a day, the authors say.” (",
        ),
        ("The captain never leaves the bri", "“The captain never leaves the bri”"),
        (
            "the sea looks like in every single week of the count, the authors write",
            "week of the count”, the authors write",
        ),
        # An omission mark at either end stays, and what stands between is mended.
        ("yet, most of them can row …", "“yet most of them can row …”"),
        ("... yet, most of them can row", "“... yet most of them can row”"),
        ("[…] yet, most of them can row [...]", "“[…] yet most of them can row [...]”"),
        ("…yet, most of them can row…", "“…yet most of them can row…”"),
    ],
)
def test_what_a_safe_fix_does(report, quote, fixed):
    folder = report(quote)
    result, job = checked(folder, "report.md")
    safe = [item.fix for item in result.diagnostics if item.fix and item.fix.is_safe]
    assert fixed in edited(job.document.text, tuple(edit for fix in safe for edit in fix.edits))


@pytest.mark.parametrize(
    ("quote", "offered"),
    [
        (
            "The ferry crosses the sound 41 times a day",
            "The ferry crosses the sound 14 times a day",
        ),
        (
            "It does run when the wind is stronger than 18 metres",
            "It does not run when the wind is stronger than 18 metres",
        ),
        ("most of them can row one well. What we", None),  # a heading would be spliced in
        (
            "The captain always leaves his cabin while passengers stay on board",
            None,
        ),  # too little alike
        ("whatever the sea looks like in every week that was counted, they all agree on it", None),
    ],
)
def test_an_unsafe_fix_is_one_passage_and_no_more(report, quote, offered):
    (finding,) = checked(report(quote), "report.md")[0].diagnostics
    assert (finding.fix and finding.fix.replacement) == offered
    assert finding.fix is None or not finding.fix.is_safe
    assert finding.nearest is not None


@pytest.mark.parametrize(
    "quote",
    [
        "every single week of the count, they do not write",
        "every single week of the count, say 14 authors",
        "every single week of the count, on both of the islands",
    ],
)
def test_a_clause_that_says_more_than_who_says_it_stays_in_the_marks(report, quote):
    (finding,) = checked(report(quote), "report.md")[0].diagnostics
    assert finding.fix is None or not finding.fix.is_safe
