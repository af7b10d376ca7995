"""Lock files: changed surroundings are told, typography is no change, a source is dead after three failures over three days."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from loopback import Answer

from tracecite_lint.cli import main
from tracecite_lint.engine.surroundings import words_around
from tracecite_lint.files.chosen import ChosenFile
from tracecite_lint.known.identity import CitationIdentity
from tracecite_lint.known.ledger_files import LedgerError
from tracecite_lint.known.lock import (
    Failures,
    Lock,
    lock_text,
    read_lock,
    updated_lock,
    with_drift,
    write_lock,
)
from tracecite_lint.known.scope import Scope
from tracecite_lint.model import (
    CheckedCitation,
    CheckResult,
    Citation,
    Diagnostic,
    Severity,
    Shape,
    SourceRef,
    Span,
    Verdict,
)

HOUR = 3600.0
DAY = 24 * HOUR
NOON = 1795953600.0  # 2026-11-29T12:00:00Z
EVERYTHING = Scope(folder="")
QUOTE = "used without prior coordination"
PAGE = f"Example domains are for documents. They may be {QUOTE} with us. More is in RFC 2606."
URL = "https://example.org/page#top"


def around(page: str, quote: str = QUOTE) -> tuple[str, str]:
    start = page.index(quote)
    return words_around(page, [(start, start + len(quote))])


def verified(page: str = PAGE, **changes: object) -> CheckedCitation:
    """Return a citation that was found in *page*."""
    citation = Citation(
        passages=(QUOTE,), span=Span(3, 5, 3, 36), source=SourceRef(URL), shape=Shape.INLINE
    )
    item = CheckedCitation(
        file="a.md",
        citation=citation,
        verdict=Verdict.VERIFIED,
        around=around(page),
        final_url="https://example.org/page",
        fetched_at=NOON,
    )
    return replace(item, **changes)


def unverifiable(code: str = "HTTP_STATUS_404") -> CheckedCitation:
    return verified(
        verdict=Verdict.UNVERIFIABLE, code=code, around=None, final_url=None, fetched_at=None
    )


def result_of(*items: CheckedCitation) -> CheckResult:
    """Return a run with these citations, and a finding for each that failed."""
    return CheckResult(
        citations=items,
        diagnostics=tuple(
            Diagnostic(
                code=item.code,
                message="no",
                span=item.citation.span,
                file=item.file,
                source=item.citation.source.uri,
                severity=Severity.WARNING,
            )
            for item in items
            if item.code
        ),
    )


def recorded(*items: CheckedCitation) -> Lock:
    return updated_lock(Lock(), result_of(*items), EVERYTHING, now=NOON)


def found(lock: Lock, *items: CheckedCitation, now: float = NOON + DAY) -> list[Diagnostic]:
    """Return the findings of a later run under *lock*."""
    result = result_of(*items)
    later = updated_lock(lock, result, EVERYTHING, now=now)
    return list(with_drift(result, lock, later.failures, lambda finding: finding).diagnostics)


# --- changes -----------------------------------------------------------------------------------------


def test_nothing_is_said_of_a_page_that_stayed():
    assert found(recorded(verified()), verified()) == []


@pytest.mark.parametrize(
    ("page", "told"),
    [
        (
            PAGE.replace("may be", "may no longer be"),
            "before it stood “Example domains are for documents. They may be”, "
            "now “Example domains are for documents. They may no longer be”",
        ),
        (
            PAGE.replace("with us", "except abroad"),
            "after it stood “with us. More is in RFC 2606”, now “except abroad. More is in RFC 2606”",
        ),
    ],
)
def test_changed_words_around_a_quotation_are_told(page, told):
    (finding,) = found(recorded(verified()), verified(page))

    assert finding.code == "SOURCE_CHANGED"
    assert finding.severity is Severity.ERROR
    assert (finding.file, finding.span, finding.source) == ("a.md", Span(3, 5, 3, 36), URL)
    assert finding.message == f"the words around the quotation are not those of 2026-11-29: {told}"


LONG_PAGE = f"Start of it. One two three four five six seven. {PAGE} Seven six five four three two one. End."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" may be ", "\n\nmay  be\u00a0"),
        ("documents.", "“documents”:"),
        ("documents.", "documents[7]."),
        ("documents.", "docu\u00adments\ufdd07\ufdd1."),
        ("End.", "And much more further down."),
        ("Start of it.", "Something new at the top."),
    ],
)
def test_typography_references_and_distant_changes_are_no_change(old, new):
    assert found(recorded(verified(LONG_PAGE)), verified(LONG_PAGE.replace(old, new))) == []


def test_a_quotation_that_is_gone_is_a_mismatch_and_no_change():
    gone = verified(verdict=Verdict.MISMATCH, code="QUOTE_NOT_IN_LIVE_SOURCE", around=None)

    assert [item.code for item in found(recorded(verified()), gone)] == ["QUOTE_NOT_IN_LIVE_SOURCE"]


def test_a_new_citation_has_not_changed():
    assert found(Lock(), verified()) == []


def test_a_private_citation_is_compared_without_its_words():
    secret = replace(verified(), citation=replace(verified().citation, private=True))
    changed = replace(secret, around=around(PAGE.replace("may be", "must not be")))
    lock = recorded(secret)

    (finding,) = found(lock, changed)

    assert "They may be" not in lock_text(lock)
    assert finding.message == "the words around the quotation are not those of 2026-11-29"
    assert (finding.private, finding.quote) == (True, "")
    assert found(lock, secret) == []


@pytest.mark.parametrize("silent", [{"suppressed": True}, {"alternative": True}])
def test_what_counts_for_nothing_is_not_reported(silent):
    changed = verified(PAGE.replace("may be", "may not be"), **silent)

    assert found(recorded(verified()), changed) == []


def test_settings_and_comments_can_silence_a_change():
    result = result_of(verified(PAGE.replace("may be", "may not be")))

    assert with_drift(result, recorded(verified()), {}, lambda _: None) == result


def test_a_change_is_reported_until_it_is_accepted():
    changed = result_of(verified(PAGE.replace("may be", "may not be")))
    lock = recorded(verified())

    kept = updated_lock(lock, changed, EVERYTHING, now=NOON + DAY)
    accepted = updated_lock(lock, changed, EVERYTHING, now=NOON + DAY, accept=True)

    assert kept == lock
    assert [item.code for item in found(kept, *changed.citations)] == ["SOURCE_CHANGED"]
    assert found(accepted, *changed.citations) == []


# --- what is recorded --------------------------------------------------------------------------------


def test_a_run_without_changes_leaves_the_file_as_it_is():
    lock = recorded(verified())
    again = verified(fetched_at=NOON + 9 * DAY)

    assert lock_text(
        updated_lock(lock, result_of(again), EVERYTHING, now=NOON + 9 * DAY)
    ) == lock_text(lock)


@pytest.mark.parametrize(
    ("scope", "kept"),
    [
        (Scope(), True),
        (Scope(files={"b.md"}), True),
        (Scope(files={"a.md"}), False),
        (EVERYTHING, False),
    ],
)
def test_a_citation_that_is_gone_is_dropped_where_the_run_looked(scope, kept):
    lock = updated_lock(recorded(verified()), result_of(), scope, now=NOON)

    assert bool(lock.readings) is kept


@pytest.mark.parametrize(
    "item",
    [
        unverifiable(),
        verified(verdict=Verdict.MISMATCH, code="QUOTE_NOT_IN_LIVE_SOURCE", around=None),
        verified(verdict=None, around=None),
    ],
)
def test_a_reading_outlives_a_run_that_could_not_repeat_it(item):
    lock = recorded(verified())

    assert updated_lock(lock, result_of(item), EVERYTHING, now=NOON).readings == lock.readings


def test_what_was_never_verified_is_not_recorded():
    assert recorded(unverifiable("SOURCE_BLOCKED")) == Lock()


def test_paths_are_those_of_the_repository():
    result = replace(result_of(verified()), directory="docs")

    assert [
        place.file for place in updated_lock(Lock(), result, EVERYTHING, now=NOON).readings
    ] == ["docs/a.md"]


def test_what_is_written_is_what_is_read(tmp_path):
    lock = updated_lock(
        recorded(verified(), verified(file="ü “b”.md")),
        result_of(verified(), verified(file="ü “b”.md"), replace(unverifiable(), file="c.md")),
        EVERYTHING,
        now=NOON,
    )
    path = tmp_path / "lock.json"

    assert write_lock(ChosenFile(path), lock)
    assert read_lock(ChosenFile(path)) == lock
    assert lock.failures and len(lock.readings) == 2
    assert not write_lock(ChosenFile(path), read_lock(ChosenFile(path)))


def test_the_file_has_a_line_for_each_record(tmp_path):
    text = lock_text(recorded(verified(), verified(file="b.md")))

    (line,) = [line for line in text.splitlines() if '"a.md"' in line]
    assert '"read": "2026-11-29T12:00:00Z"' in line
    assert '"before": "Example domains are for documents. They may be"' in line


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not valid JSON"),
        ('{"version": 1, "citations": [{"file": "a"}]}', "no text 'source'"),
        (
            '{"version": 1, "failures": [{"source": "u", "code": "c", "count": 1, "first": "x", "last": "x"}]}',
            "'x' is no time such as",
        ),
    ],
)
def test_a_file_that_is_no_lock_is_refused_in_one_line(tmp_path, content, message):
    path = tmp_path / "lock.json"
    path.write_text(content, "utf-8")

    with pytest.raises(LedgerError, match=message):
        read_lock(ChosenFile(path))


def test_a_missing_lock_is_told_apart(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_lock(ChosenFile(tmp_path / "lock.json"))


# --- dead sources ------------------------------------------------------------------------------------


def after(times: list[float], code: str = "HTTP_STATUS_404") -> Lock:
    """Return the lock after runs at these times in each of which the source failed."""
    lock = recorded(verified())
    for time in times:
        lock = updated_lock(lock, result_of(unverifiable(code)), EVERYTHING, now=time)
    return lock


@pytest.mark.parametrize(
    ("times", "dead"),
    [
        ([NOON], False),
        ([NOON, NOON + 3 * DAY], False),
        ([NOON, NOON + DAY, NOON + 2 * DAY], False),
        ([NOON, NOON + DAY, NOON + 3 * DAY - 1], False),
        ([NOON, NOON + DAY, NOON + 3 * DAY], True),
        ([NOON, NOON + DAY, NOON + 2 * DAY, NOON + 3 * DAY], True),
        ([NOON + n for n in range(99)], False),
        ([NOON, NOON + 60, NOON + 120, NOON + 3 * DAY], False),
        ([NOON, NOON + 2 * HOUR, NOON + 3 * DAY], True),
    ],
)
def test_a_source_is_dead_after_three_failures_over_three_days(times, dead):
    lock = after(times[:-1])

    codes = [item.code for item in found(lock, unverifiable(), now=times[-1])]

    assert codes == ["SOURCE_DEAD" if dead else "HTTP_STATUS_404"]


def test_a_dead_source_fails_also_where_unreachable_ones_are_forgiven():
    (finding,) = found(
        after([NOON, NOON + DAY]), unverifiable("HTTP_STATUS_503"), now=NOON + 4 * DAY
    )

    assert finding.severity is Severity.ERROR
    assert finding.message == (
        "the source could not be read 3 times since 2026-11-29, the last time with HTTP_STATUS_503"
    )


def test_one_good_answer_begins_the_count_anew():
    lock = updated_lock(
        after([NOON, NOON + DAY]),
        result_of(verified(fetched_at=NOON + 2 * DAY)),
        EVERYTHING,
        now=NOON + 2 * DAY,
    )

    assert lock.failures == {}


def test_a_fresh_page_of_before_the_failures_is_no_answer():
    lock = after([NOON + HOUR])
    cached = result_of(verified(fetched_at=NOON, from_cache=True))

    assert updated_lock(lock, cached, EVERYTHING, now=NOON + 2 * HOUR).failures == lock.failures


@pytest.mark.parametrize(
    "code",
    [
        *("NOT_IN_CACHE", "NOT_CHECKED_TIME_BUDGET", "URL_BLOCKED", "SOURCE_BLOCKED"),
        *(
            "INVALID_OR_BLOCKED_URL",
            "SOURCE_HAS_NO_TEXT",
            "UNSUPPORTED_SOURCE_URI",
            "SOURCE_UNAVAILABLE",
        ),
    ],
)
def test_what_says_nothing_of_a_sources_health_is_not_counted(code):
    assert recorded(unverifiable(code)).failures == {}
    before = after([NOON])
    assert updated_lock(before, result_of(unverifiable(code)), EVERYTHING, now=NOON + DAY) == before


@pytest.mark.parametrize(
    "code", ["HOST_UNRESOLVED", "HTTP_REQUEST_FAILED", "REQUEST_TIMEOUT", "HTTP_STATUS_410"]
)
def test_what_says_that_a_source_did_not_answer_is_counted(code):
    assert recorded(unverifiable(code)).failures == {
        "https://example.org/page": Failures(1, NOON, NOON, code)
    }


def test_a_source_that_is_cited_often_fails_once_a_run():
    lock = recorded(*(replace(unverifiable(), file=f"{n}.md") for n in range(5)))

    assert lock.failures["https://example.org/page"].count == 1


def test_a_page_past_its_time_counts_as_a_failure_to_reach_its_source():
    stale = verified(stale=True, from_cache=True)
    lock = Lock(failures={"https://example.org/page": Failures(2, NOON, NOON + DAY, "STALE")})

    assert [item.code for item in found(lock, stale, now=NOON + 3 * DAY)] == ["SOURCE_DEAD"]
    assert found(Lock(), stale) == []


def test_a_suppressed_finding_stays_silent_when_its_source_dies():
    silent = replace(unverifiable(), suppressed=True)
    result = replace(result_of(silent), diagnostics=())
    dead = {"https://example.org/page": Failures(9, NOON, NOON + 9 * DAY, "HTTP_STATUS_404")}

    assert with_drift(result, Lock(), dead, lambda finding: finding).diagnostics == ()


def test_places_tell_citations_apart():
    lock = recorded(verified(), verified(file="b.md"))

    assert {place.file for place in lock.readings} == {"a.md", "b.md"}
    assert all(
        isinstance(place, CitationIdentity) and place.source == URL for place in lock.readings
    )


# --- the command -------------------------------------------------------------------------------------

SENTENCE = "These domains may be used without prior coordination with us."


@pytest.fixture
def checked(loopback, cafile, tmp_path, monkeypatch, capsys):
    """Run the command on a report of one quotation, whose page the test changes."""
    monkeypatch.chdir(tmp_path)
    Path("report.md").write_text(
        f"They may be “{QUOTE}” ([page](https://www.example.org/page)).\n", "utf-8"
    )
    loopback.page("https://www.example.org/page", SENTENCE)

    def run(*arguments: str) -> tuple[int, str]:
        status = main(["report.md", "--refresh", *loopback.arguments(cafile), *arguments])
        captured = capsys.readouterr()
        return status, captured.out + captured.err

    return run


def test_a_page_that_changed_around_its_quotation_is_told_until_it_is_accepted(checked, loopback):
    lock = ("--lock", "lock.json")
    assert checked(*lock)[0] == 0
    first = Path("lock.json").read_bytes()
    assert checked(*lock)[0] == 0
    assert Path("lock.json").read_bytes() == first

    loopback.page("https://www.example.org/page", SENTENCE.replace("may", "may no longer"))
    for _ in range(2):
        status, said = checked(*lock)
        assert status == 2
        assert "report.md:1:14: error[SOURCE_CHANGED]" in said
        assert (
            "before it stood “These domains may be”, now “These domains may no longer be”" in said
        )
    assert checked(*lock, "--ignore", "SOURCE_CHANGED")[0] == 0
    assert checked()[0] == 0

    assert checked(*lock, "--update-lock")[0] == 0
    assert checked(*lock)[0] == 0


def test_a_comment_can_silence_a_change_and_is_not_called_unused(checked, loopback):
    text = Path("report.md").read_text("utf-8")
    comment = "<!-- tracecite-disable-next-line SOURCE_CHANGED -- read again in May -->"
    Path("report.md").write_text(f"{comment}\n{text}", "utf-8")
    assert checked("--lock", "lock.json")[0] == 0

    loopback.page("https://www.example.org/page", SENTENCE.replace("may", "may not"))
    status, said = checked("--lock", "lock.json")

    assert status == 0
    assert "SUPPRESSION" not in said


def test_failures_are_counted_across_runs(checked, loopback):
    loopback.script("https://www.example.org/page", Answer(status=410))

    assert checked("--lock", "lock.json")[0] == 2

    (failures,) = read_lock(ChosenFile(Path("lock.json"))).failures.values()
    assert (failures.count, failures.code) == (1, "HTTP_STATUS_410")
    long_ago = replace(failures, count=2, first=failures.first - 4 * DAY, last=failures.last - DAY)
    write_lock(
        ChosenFile(Path("lock.json")), Lock(failures={"https://www.example.org/page": long_ago})
    )
    status, said = checked("--lock", "lock.json", "--allow-unreachable")
    assert status == 2
    assert "error[SOURCE_DEAD]: the source could not be read 3 times since" in said
    assert "error[HTTP_STATUS_410]" not in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--update-lock"], "--update-lock needs --lock FILE"),
        (["--lock", "missing/lock.json"], "cannot be written"),
        (["--lock", "report.md"], "report.md: not valid JSON"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(checked, arguments, message):
    status, said = checked(*arguments)

    assert status == 1
    assert message in said


def test_a_run_over_what_is_new_compares_and_writes_nothing(checked, loopback, monkeypatch):
    for command in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *command], check=True)
    assert checked("--changed", "--lock", "lock.json") == (
        1,
        f"tracecite-lint: error: {Path('lock.json').absolute()}: no such lock file; "
        "`tracecite-lint --all --lock FILE` writes one\n",
    )
    checked("--lock", "lock.json")
    before = Path("lock.json").read_bytes()

    loopback.page("https://www.example.org/page", SENTENCE.replace("may", "may not"))
    status, said = checked("--changed", "--lock", "lock.json")

    assert status == 2
    assert "error[SOURCE_CHANGED]" in said
    assert Path("lock.json").read_bytes() == before
