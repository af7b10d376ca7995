"""Known findings: recognised by citation, counted, reported when they are gone."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tracecite_lint.cli import main
from tracecite_lint.files.chosen import ChosenFile
from tracecite_lint.known.baseline import (
    UNREACHABLE,
    Baseline,
    Entry,
    apply_baseline,
    baseline_text,
    create_baseline,
    entry_lines,
    prune_baseline,
    read_baseline,
    stale_entries,
    stale_finding,
    update_baseline,
    write_baseline,
)
from tracecite_lint.known.identity import citation_identity
from tracecite_lint.known.ledger_files import LedgerError
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
    Summary,
    Verdict,
)

EVERYTHING = Scope(folder="")


def failing(
    words: str,
    line: int,
    *,
    file: str = "a.md",
    source: str = "https://example.org/",
    code: str = "QUOTE_NOT_IN_LIVE_SOURCE",
    severity: Severity = Severity.ERROR,
) -> tuple[CheckedCitation, Diagnostic]:
    """Return a citation that does not hold, with its finding."""
    span = Span(line, 3, line, 3 + len(words))
    citation = Citation(passages=(words,), span=span, source=SourceRef(source), shape=Shape.INLINE)
    verdict = Verdict.MISMATCH if code.startswith("QUOTE") else Verdict.UNVERIFIABLE
    return (
        CheckedCitation(file=file, citation=citation, verdict=verdict, code=code),
        Diagnostic(
            code=code,
            message="no",
            span=span,
            file=file,
            source=source,
            quote=words,
            severity=severity,
        ),
    )


def run(*findings: tuple[CheckedCitation, Diagnostic], directory: str = "") -> CheckResult:
    """Return the result of a run with these findings."""
    citations = tuple(item for item, _ in findings)
    verdicts = [item.verdict for item in citations]
    return CheckResult(
        citations=citations,
        diagnostics=tuple(diagnostic for _, diagnostic in findings),
        summary=Summary(
            citations=len(citations),
            mismatch=verdicts.count(Verdict.MISMATCH),
            unverifiable=verdicts.count(Verdict.UNVERIFIABLE),
        ),
        directory=directory,
    )


def left_over(result: CheckResult, baseline: Baseline) -> list[str]:
    """Return the words of the findings that *baseline* lets through."""
    return [item.quote for item in apply_baseline(result, baseline).result.diagnostics]


def test_a_baseline_lets_exactly_the_known_findings_pass():
    before = run(failing("one two", 1), failing("three four", 2))

    applied = apply_baseline(before, create_baseline(before))

    assert applied.result.diagnostics == ()
    assert len(applied.unused) == 0
    assert [(item.suppressed, item.baselined) for item in applied.result.citations] == [
        (True, True)
    ] * 2
    assert applied.result.summary == Summary(citations=2, suppressed=2, baselined=2)


def test_a_new_finding_is_reported():
    baseline = create_baseline(run(failing("one two", 1)))

    assert left_over(run(failing("one two", 1), failing("new words", 2)), baseline) == ["new words"]


@pytest.mark.parametrize(
    "moved",
    [
        failing("one two", 99),
        failing("one\n  two", 1),
    ],
)
def test_lines_and_line_breaks_do_not_count(moved):
    assert left_over(run(moved), create_baseline(run(failing("one two", 1)))) == []


@pytest.mark.parametrize(
    "other",
    [
        failing("one three", 1),
        failing("one two", 1, file="b.md"),
        failing("one two", 1, source="https://example.org/b"),
        failing("one two", 1, code="HTTP_STATUS_404"),
    ],
)
def test_another_quotation_file_source_or_code_is_another_finding(other):
    assert left_over(run(other), create_baseline(run(failing("one two", 1)))) != []


def test_known_findings_are_counted():
    baseline = create_baseline(run(failing("one two", 1), failing("one two", 5)))
    three = run(failing("one two", 1), failing("one two", 5), failing("one two", 9))

    applied = apply_baseline(three, baseline)

    assert [item.span.line for item in applied.result.diagnostics] == [9]
    assert [item.baselined for item in applied.result.citations] == [True, True, False]
    assert applied.result.summary == Summary(citations=3, mismatch=1, suppressed=2, baselined=2)


def test_what_was_not_checked_anew_has_the_first_claim():
    known, copy = failing("one two", 1), failing("one two", 5)
    baseline = create_baseline(run(known))
    unchecked = [citation_identity("a.md", known[0].citation)]

    applied = apply_baseline(run(copy), baseline, unchecked)

    assert applied.result.diagnostics == (copy[1],)
    assert apply_baseline(run(copy), baseline).result.diagnostics == ()


def test_sources_that_cannot_be_reached_are_one_kind_of_finding():
    baseline = create_baseline(run(failing("one two", 1, code="REQUEST_TIMEOUT")))

    assert [entry.code for entry in baseline.counts] == [UNREACHABLE]
    assert left_over(run(failing("one two", 1, code="HTTP_STATUS_503")), baseline) == []
    assert left_over(run(failing("one two", 1, code="HTTP_STATUS_404")), baseline) == ["one two"]


def test_warnings_need_no_baseline():
    assert len(create_baseline(run(failing("one two", 1, severity=Severity.WARNING)))) == 0


@pytest.mark.parametrize(
    "code",
    ["FILE_NOT_FOUND", "NOT_UTF8_TEXT", "STALE_BASELINE_ENTRY", "SOURCE_CHANGED", "SOURCE_DEAD"],
)
def test_a_baseline_never_hides_what_was_not_read_or_has_changed(code):
    finding = Diagnostic(code=code, message="no", span=Span(1, 1, 1, 1), file="a.md")
    result = CheckResult(diagnostics=(finding,))

    assert len(create_baseline(result)) == 0
    forged = Baseline({Entry("a.md", code, "", "x" * 16): 1})
    assert apply_baseline(result, forged).result.diagnostics == (finding,)


def test_findings_without_a_citation_are_known_by_what_they_say_but_not_where():
    def result(message: str) -> CheckResult:
        finding = Diagnostic(
            code="DUPLICATE_CALL", message=message, span=Span(9, 1, 9, 2), file="t.jsonl"
        )
        return CheckResult(diagnostics=(finding,))

    baseline = create_baseline(result("first used on line 3"))

    assert apply_baseline(result("first used on line 4"), baseline).result.diagnostics == ()
    assert apply_baseline(result("something else"), baseline).result.diagnostics != ()


def test_paths_are_those_of_the_repository():
    inside = run(failing("one two", 1, file="a.md"), directory="docs")
    baseline = create_baseline(inside)

    assert [entry.file for entry in baseline.counts] == ["docs/a.md"]
    assert left_over(run(failing("one two", 1, file="docs/a.md")), baseline) == []
    assert left_over(run(failing("one two", 1, file="a.md")), baseline) == ["one two"]


def test_private_words_are_known_by_their_hash_alone():
    item, diagnostic = failing("a secret of three words", 1)
    private = (
        replace(item, citation=replace(item.citation, private=True)),
        replace(diagnostic, quote="", private=True),
    )
    baseline = create_baseline(run(private))

    assert "secret" not in baseline_text(baseline)
    assert left_over(run(private), baseline) == []
    other = replace(item.citation, passages=("another secret",), private=True)
    assert left_over(run((replace(item, citation=other), private[1])), baseline) == [""]


def test_what_other_findings_of_a_citation_fail_is_not_marked_as_known():
    item, diagnostic = failing("one two", 1)
    second = replace(diagnostic, code="UNDEFINED_REFERENCE")
    result = replace(run((item, diagnostic)), diagnostics=(diagnostic, second))

    applied = apply_baseline(result, create_baseline(run((item, diagnostic)))).result

    assert applied.diagnostics == (second,)
    assert not applied.citations[0].baselined
    assert applied.summary.mismatch == 1


def test_a_mended_finding_is_stale():
    baseline = create_baseline(run(failing("one two", 1), failing("one two", 2), failing("x y", 3)))
    unused = apply_baseline(run(failing("one two", 1)), baseline).unused

    assert sorted(stale_entries(unused, EVERYTHING).values()) == [1, 1]


@pytest.mark.parametrize(
    ("count", "lines", "said"),
    [
        (1, {0: 4}, "1 known finding is not found any more in a.md (line 4)"),
        (
            3,
            {0: 4, 1: 9, 2: 5},
            "3 known findings are not found any more in 3 files (lines 4, 5, 9)",
        ),
        (2, {}, "2 known findings are not found any more in 2 files"),
        (
            1200,
            {number: 4 + number for number in range(1200)},
            "1,200 known findings are not found any more in 1,200 files"
            " (lines 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 1,190 more)",
        ),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_what_is_stale_is_one_line_with_a_count_and_line_numbers(count, lines, said, strict):
    entries = [
        Entry(f"{'ab'[number > 0]}{number or ''}.md", "QUOTE_NOT_IN_SOURCE", "", "x")
        for number in range(count)
    ]
    stands = {entries[number]: line for number, line in lines.items()}
    found = stale_finding(dict.fromkeys(entries, 1), stands, "b.json", strict=strict)
    assert (found.code, found.file, found.message) == ("STALE_BASELINE_ENTRY", "b.json", said)
    assert found.line == (4 if lines else 1)
    assert found.severity is (Severity.ERROR if strict else Severity.WARNING)


def test_the_lines_are_those_of_the_file(tmp_path):
    place = ChosenFile(tmp_path / "b.json")
    known = create_baseline(run(*(failing(words, 1) for words in ("one two", "x y", "p q"))))
    write_baseline(place, known)
    lines = (tmp_path / "b.json").read_text().splitlines()
    stands = entry_lines(place)
    assert stands.keys() == known.counts.keys()
    assert all(entry.quote in lines[number - 1] for entry, number in stands.items())
    # Laid out anew by some tool, the entries are read all the same, and have no line of their own.
    (tmp_path / "b.json").write_text(
        json.dumps(json.loads((tmp_path / "b.json").read_text()), indent=4)
    )
    assert read_baseline(place) == known
    assert entry_lines(place) == {}


def test_a_reviewer_sees_the_places_and_the_first_words(tmp_path):
    long = "this many words are more than anybody needs to know which of the quotations it is"
    known = create_baseline(
        run(failing("one  two", 3), failing("one two", 9), failing(long, 4), failing("文" * 90, 5))
    )
    records = json.loads(baseline_text(known))["findings"]
    assert {(tuple(item["lines"]), item["words"]) for item in records} == {
        ((3, 9), "one two"),
        ((4,), "this many words are more than anybody needs to know which…"),
        ((5,), "文" * 60 + "…"),
    }
    item, diagnostic = failing("a secret of three words", 1)
    private = replace(diagnostic, quote="", private=True)
    (record,) = json.loads(baseline_text(create_baseline(run((item, private)))))["findings"]
    assert record.keys() == {"file", "code", "source", "quote", "count"}
    item, diagnostic = failing("see https://me:secret@example.org/ there", 1)
    assert "secret" not in baseline_text(create_baseline(run((item, diagnostic))))


def test_a_file_of_an_earlier_version_is_read_and_gets_places_when_it_is_brought_up_to_date(
    tmp_path,
):
    place = ChosenFile(tmp_path / "b.json")
    today = run(failing("one two", 3))
    known = create_baseline(today)
    (tmp_path / "b.json").write_text(baseline_text(replace(known, shown={})))
    old = read_baseline(place)
    assert (old.counts, old.shown) == (known.counts, {})
    assert left_over(today, old) == []
    assert update_baseline(old, today, EVERYTHING) == known
    assert prune_baseline(old, today, EVERYTHING) == known


@pytest.mark.parametrize(
    ("scope", "stale"),
    [
        (Scope(), []),
        (Scope(files={"a.md"}), ["a.md"]),
        (Scope(folder="docs"), ["docs/gone.md"]),
        (Scope(files={"a.md"}, folder="docs"), ["a.md", "docs/gone.md"]),
        (EVERYTHING, ["a.md", "docs/gone.md", "docs2/gone.md"]),
    ],
)
def test_only_what_was_looked_at_can_be_stale(scope, stale):
    files = ("a.md", "docs/gone.md", "docs2/gone.md")
    unused = create_baseline(run(*(failing("one two", 1, file=file) for file in files)))

    assert [entry.file for entry in stale_entries(unused, scope)] == stale


def test_a_source_that_was_reached_this_time_is_not_stale():
    unused = create_baseline(run(failing("one two", 1, code="REQUEST_TIMEOUT")))

    assert stale_entries(unused, EVERYTHING) == {}


@pytest.mark.parametrize("code", ["REQUEST_TIMEOUT", "NOT_IN_CACHE", "HTTP_STATUS_503"])
def test_a_finding_is_not_gone_because_its_source_could_not_be_reached(code):
    baseline = create_baseline(run(failing("one two", 1)))
    today = run(failing("one two", 1, code=code, severity=Severity.WARNING))

    assert len(apply_baseline(today, baseline).unused) == 0
    assert prune_baseline(baseline, today, EVERYTHING) == baseline
    assert update_baseline(baseline, today, EVERYTHING) == baseline


def test_update_keeps_what_an_unreachable_source_hides_and_adds_that_it_is_one():
    known = failing("one two", 1)
    down = failing("one two", 1, code="HTTP_STATUS_503")

    updated = update_baseline(create_baseline(run(known)), run(down), EVERYTHING)

    assert updated.counts == {
        **create_baseline(run(known)).counts,
        **create_baseline(run(down)).counts,
    }
    assert update_baseline(updated, run(down), EVERYTHING) == updated


def test_update_takes_in_and_throws_out_within_its_scope():
    old = create_baseline(run(failing("old", 1), failing("kept", 1, file="other.md")))

    new = update_baseline(old, run(failing("new", 1)), Scope(files={"a.md"}))

    assert new == create_baseline(run(failing("new", 1), failing("kept", 1, file="other.md")))


def test_prune_adds_nothing():
    old = create_baseline(
        run(failing("a b", 1), failing("a b", 2), failing("gone", 3), failing("x", 1, file="o.md"))
    )

    new = prune_baseline(old, run(failing("a b", 7), failing("new", 8)), Scope(files={"a.md"}))

    assert new == create_baseline(run(failing("a b", 7), failing("x", 1, file="o.md")))


def test_the_file_is_sorted_with_a_line_for_each_finding(tmp_path):
    findings = [failing("b", 1), failing("a", 2), failing("a", 3, file="0.md"), failing("a", 4)]
    path = tmp_path / "baseline.json"

    write_baseline(ChosenFile(path), create_baseline(run(*findings)))
    first = path.read_text("utf-8")
    write_baseline(ChosenFile(path), create_baseline(run(*reversed(findings))))

    assert path.read_text("utf-8") == first
    assert sum('"file"' in line for line in first.splitlines()) == 3
    assert [record["file"] for record in json.loads(first)["findings"]] == ["0.md", "a.md", "a.md"]
    assert sorted(record["count"] for record in json.loads(first)["findings"]) == [1, 1, 2]


def test_what_is_written_is_what_is_read(tmp_path):
    baseline = create_baseline(
        run(
            failing("one two", 1),
            failing("one two", 2),
            failing("“Anführung”", 3, file="ü/ä “1”\n.md", code="HTTP_STATUS_404"),
        )
    )
    path = tmp_path / "baseline.json"

    assert write_baseline(ChosenFile(path), baseline)
    assert read_baseline(ChosenFile(path)) == baseline
    assert not write_baseline(ChosenFile(path), baseline)


def test_an_empty_baseline_is_a_file_too(tmp_path):
    path = tmp_path / "baseline.json"
    write_baseline(ChosenFile(path), Baseline())

    assert read_baseline(ChosenFile(path)) == Baseline()


def test_records_that_a_merge_left_twice_are_added(tmp_path):
    path = tmp_path / "baseline.json"
    write_baseline(ChosenFile(path), create_baseline(run(failing("one two", 1))))
    document = json.loads(path.read_text("utf-8"))
    document["findings"] *= 2
    path.write_text(json.dumps(document), "utf-8")

    assert len(read_baseline(ChosenFile(path))) == 2


def test_a_link_stays_a_link_and_a_mode_a_mode(tmp_path):
    target = tmp_path / "target.json"
    target.write_text("old", "utf-8")
    target.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(target)

    write_baseline(ChosenFile(link), Baseline())

    assert link.is_symlink()
    assert read_baseline(ChosenFile(target)) == Baseline()
    assert target.stat().st_mode & 0o777 == 0o640
    assert {path.name for path in tmp_path.iterdir()} == {"target.json", "link.json"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such baseline; `tracecite-lint baseline create` writes one"),
        ("", "not valid JSON"),
        ("<<<<<<< HEAD", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("\xff", "not valid JSON"),
        ("[]", "not a file of version 1"),
        ('{"version": 2}', "not a file of version 1"),
        ('{"version": 1, "findings": {}}', "'findings' is not a list of objects"),
        ('{"version": 1, "findings": [1]}', "'findings' is not a list of objects"),
        ('{"version": 1, "findings": [{"file": 1}]}', "no text 'file'"),
        (
            '{"version": 1, "findings": [{"file": "", "code": "", "source": "", "quote": "", "count": %s}]}',
            "no 'count' that is a number above 0",
        ),
    ],
)
@pytest.mark.parametrize("count", ["0", "true", '"1"', "1.5"])
def test_a_file_that_is_no_baseline_is_refused_in_one_line(tmp_path, content, message, count):
    path = tmp_path / "baseline.json"
    if content is not None:
        path.write_text(content.replace("%s", count), "latin-1")

    with pytest.raises(LedgerError) as raised:
        read_baseline(ChosenFile(path))

    assert message in str(raised.value)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_directory_is_refused(tmp_path):
    with pytest.raises(LedgerError, match="directory"):
        read_baseline(ChosenFile(tmp_path))


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(LedgerError, match="cannot be written"):
        write_baseline(ChosenFile(tmp_path / "no" / "such" / "folder.json"), Baseline())


# --- adopting the tool -------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with 6 documents of 10 wrong quotations each, and a hook that checks every commit."""
    monkeypatch.chdir(tmp_path)
    return made_repository(tmp_path, documents=6)


def made_repository(tmp_path, documents):
    git("init", "-q", "-b", "main")
    git("config", "user.name", "Test")
    git("config", "user.email", "test@example.org")
    write("source.txt", "The quick brown fox jumps over the lazy dog.\n")
    for document in range(documents):
        write(f"docs/{document}.md", "\n".join(wrong(number) for number in range(10)))
    hook = tmp_path / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tracecite_lint --color never\n')
    hook.chmod(0o755)
    git("add", "-A")
    return tmp_path


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)


def commit() -> tuple[bool, str]:
    """Commit everything; tell whether the hook let it pass, and what it said."""
    git("add", "-A")
    done = git("commit", "-m", "change")
    return done.returncode == 0, done.stdout + done.stderr


def wrong(number: int) -> str:
    return f"> The quick brown fox number {number} jumps.\n>\n> — [s](../source.txt)\n"


def write(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")


def test_adopting_takes_one_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    made_repository(tmp_path, documents=20)
    passed, said = commit()
    assert not passed
    assert "200 mismatched" in said

    assert main(["baseline", "create"]) == 0
    assert capsys.readouterr().out == (
        ".tracecite-baseline.json: 200 known findings in 20 files (200 added, 0 gone)\n"
    )
    assert main(["--all"]) == 0
    assert "200 known findings are left out: .tracecite-baseline.json" in capsys.readouterr().out
    passed, said = commit()
    assert passed, said


def test_life_with_a_baseline(repository, capsys):
    main(["baseline", "create"])
    assert commit()[0]

    # A new wrong quotation fails, in a document that has known ones; lines above do not matter.
    known = Path("docs/3.md").read_text("utf-8")
    write("docs/3.md", f"# Title\n\n{wrong(77)}\n{known}")
    passed, said = commit()
    assert not passed
    assert "docs/3.md:3:3: error[QUOTE_NOT_IN_SOURCE]" in said
    assert said.count("error[") == 1

    # The same known quotation once more is one too many.
    write("docs/3.md", f"{known}\n{wrong(4)}")
    assert not commit()[0]

    # A mended one is reported as stale, and fails under --strict-baseline alone.
    write("docs/3.md", known.replace("fox number 5 jumps", "fox jumps"))
    passed, said = commit()
    assert passed, said
    capsys.readouterr()
    assert main(["--all"]) == 0
    assert (
        capsys.readouterr().out.count("1 known finding is not found any more in docs/3.md (line ")
        == 1
    )
    assert main(["--all", "--strict-baseline"]) == 2
    assert "error[STALE_BASELINE_ENTRY]" in capsys.readouterr().out
    assert main(["docs/4.md", "--strict-baseline"]) == 0

    # A document that is gone is known to be gone only by a run over everything.
    Path("docs/5.md").unlink()
    capsys.readouterr()
    assert main(["baseline", "prune"]) == 0
    assert capsys.readouterr().out == (
        ".tracecite-baseline.json: 49 known findings in 5 files (0 added, 11 gone)\n"
    )
    assert main(["--all", "--strict-baseline"]) == 0

    # Prune adds nothing; update does.
    write("docs/4.md", wrong(99))
    assert main(["baseline", "prune", "docs/3.md"]) == 0
    assert main(["--all"]) == 2
    capsys.readouterr()
    assert main(["baseline", "update", "docs/4.md"]) == 0
    assert capsys.readouterr().out == (
        ".tracecite-baseline.json: 40 known findings in 5 files (1 added, 10 gone)\n"
    )
    assert main(["--all", "--strict-baseline"]) == 0


def test_a_subdirectory_sees_the_same_baseline(repository, capsys, monkeypatch):
    main(["baseline", "create"])
    monkeypatch.chdir(repository / "docs")
    capsys.readouterr()

    assert main(["--all", "--strict-baseline"]) == 0
    assert "60 known findings are left out: ../.tracecite-baseline.json" in capsys.readouterr().out
    assert main(["1.md", "--no-baseline"]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--baseline", "missing.json", "docs/1.md"], "no such baseline"),
        (["baseline", "prune"], "no such baseline; `tracecite-lint baseline create` writes one"),
        (["baseline", "update", "--baseline", "missing.json"], "missing.json: no such baseline"),
        (["baseline", "create", "--baseline", "source.txt"], "source.txt is there already"),
        (["--no-baseline", "--strict-baseline", "docs/1.md"], "--no-baseline reads none"),
        (["--update-lock", "docs/1.md"], "--update-lock needs --lock FILE"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(repository, capsys, arguments, message):
    assert main(arguments) == 1

    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_a_baseline_that_the_settings_name_must_be_there(repository, capsys):
    write(".tracecite-lint.toml", 'baseline = "known.json"\n')

    assert main(["docs/1.md"]) == 1
    assert "known.json: no such baseline" in capsys.readouterr().err
    assert main(["baseline", "create"]) == 0
    assert (repository / "known.json").is_file()
    assert main(["--all"]) == 0


def test_a_file_that_cannot_be_read_is_never_known(repository, capsys):
    Path("docs/bad.md").write_bytes(b"\xff")
    git("add", "-A")

    assert main(["baseline", "create"]) == 1
    assert "docs/bad.md: NOT_UTF8_TEXT" in capsys.readouterr().out
    assert main(["--all"]) == 1
