"""What a document amounts to, in numbers and as a list: for status lines, code lenses and lists of an editor."""

from __future__ import annotations

import json
import platform
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from lsprotocol import types

from tracecite_lint import __version__
from tracecite_lint.model import Asks, CheckedCitation, Diagnostic
from tracecite_lint.naming.uris import public_uri, without_passwords
from tracecite_lint.output.summary import outcome_of, total_of
from tracecite_lsp.looking import Looked

_LONGEST = 80
"""Characters of a quotation that a list shows."""


def counts(looked: Looked) -> dict[str, int]:
    """Return how many quotations are what: each is counted once, however many sources it has.

    `verified`, `mismatch`, `unverifiable` and `suppressed` as in a report, `unread` for those whose source has not been
    looked at, `passedOver` for those that have no source in reach.
    """
    total = total_of(looked.citations)
    judged = total.verified + total.mismatch + total.unverifiable + total.suppressed
    return {
        "verified": total.verified,
        "mismatch": total.mismatch,
        "unverifiable": total.unverifiable,
        "suppressed": total.suppressed,
        "unread": total.quotations - judged,
        "passedOver": sum(1 for _ in _without_source(looked)),
    }


def citation_list(looked: Looked) -> list[dict[str, Any]]:
    """Return each citation, each claim that is checked, and each quotation without a source, in the order of the document.

    `state` is a key of `counts`, `range` the place of the quotation; `words` are empty in private documents. `note` tells
    what is to be known beside the words: the code and the source, and for a claim what is looked for.
    """
    entries = [_entry(looked, item) for item in (*looked.citations, *looked.claims)]
    for finding in _without_source(looked):
        start, end = looked.places.offsets(finding.span)
        words = "" if finding.private else looked.places.positions.text[start:end]
        entries.append(
            _row("passedOver", looked.places.range(finding.span), words, "no source in reach")
        )
    entries.sort(key=lambda entry: (entry["range"].start.line, entry["range"].start.character))
    return entries


def standing(items: Iterable[CheckedCitation]) -> str:
    """Return what *items*, the citations of one source, amount to: `3 of 4 quotations stand`."""
    outcomes = Counter(map(outcome_of, items))
    number = outcomes.total()
    stand = outcomes["verified"]
    noun = "quotation" if number == 1 else "quotations"
    verb = "stands" if 1 in (stand, number) else "stand"
    unread = f", {outcomes['']} not read yet" if outcomes[""] else ""
    unknown = (
        f", {outcomes['unverifiable']} could not be checked" if outcomes["unverifiable"] else ""
    )
    return f"{stand} of {number} {noun} {verb}{unknown}{unread}"


def started_as(options: object) -> str:
    """Return the line that a log begins with: which program this is, how it was started, and the settings it was given."""
    settings = json.dumps(options, ensure_ascii=False, default=str)
    # Not `sys.orig_argv`: with `-c` that is a whole program.
    command = shlex.join([sys.executable, *sys.argv])
    python = f"Python {platform.python_version()} on {platform.system()}"
    return f"tracecite-lint {__version__} ({python}), started as: {command}; settings: {settings}"


def _without_source(looked: Looked) -> Iterator[Diagnostic]:
    return (item for item in looked.job.document.diagnostics if item.code == "UNASSOCIATED_QUOTE")


def _entry(looked: Looked, item: CheckedCitation) -> dict[str, Any]:
    citation = item.citation
    outcome = outcome_of(item)
    source = without_passwords(public_uri(citation.source.uri))
    # Another source holds the words: the quotation stands.
    state = {"": "unread", "alternative": "verified"}.get(outcome, outcome)
    note = f"{item.code}: {source}" if item.code is not None else source
    if citation.asks is not Asks.QUOTATION:
        note = f"{citation.asks.value}: {note}"
    words = "" if citation.private else citation.quote
    return _row(state, looked.places.range(citation.span), words, note)


def _row(state: str, range: types.Range, words: str, note: str) -> dict[str, Any]:
    words = " ".join(words.split())
    if len(words) > _LONGEST:
        words = f"{words[: _LONGEST - 1].rstrip()}…"
    return {"state": state, "range": range, "words": words, "note": note}
