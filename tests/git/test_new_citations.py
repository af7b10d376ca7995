"""Which citations are new: what changes the verdict of a quotation, on whatever line, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from git_work import Work, new_quotes, quoting, selected, staged, the_document

URL = "https://www.iana.org/help/example-domains"
OTHER_URL = "https://www.iana.org/domains/reserved"
ONE = "the first words stand here"
TWO = "the second words stand here"
THREE = "the third words stand here"


def labelled(quote: str, url: str) -> str:
    return f"> Quote: “{quote}”\n> Source: [page]({url})\n"


FOOTNOTES = f"He wrote “{ONE}”[^a] and “{TWO}”[^a].\n\nShe wrote “{THREE}”[^b].\n\n"
REFERENCES = f"He wrote “{ONE}” ([page][Ref]).\n\nShe wrote “{TWO}” ([page][ref]).\n\n"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            labelled(ONE, URL),
            labelled(ONE, OTHER_URL),
            [ONE],
            id="the source line of a block edited",
        ),
        pytest.param(
            FOOTNOTES + f"[^a]: [p]({URL})\n\n[^b]: [p]({URL})\n",
            FOOTNOTES + f"[^a]: [p]({OTHER_URL})\n\n[^b]: [p]({URL})\n",
            [ONE, TWO],
            id="a footnote edited",
        ),
        pytest.param(
            FOOTNOTES + f"[^a]: [p]({URL})\n",
            FOOTNOTES + f"[^a]: [p]({URL})\n\n[^b]: [p]({URL})\n",
            [THREE],
            id="a footnote added",
        ),
        pytest.param(
            FOOTNOTES + f"[^a]: [p]({URL})\n\n[^b]: [p]({URL})\n",
            FOOTNOTES + f"[^b]: [p]({URL})\n\n[^a]: [p]({URL})\n",
            [],
            id="footnotes reordered",
        ),
        pytest.param(
            REFERENCES + f"[ref]: {URL}\n",
            REFERENCES + f"[ref]: {OTHER_URL}\n",
            [ONE, TWO],
            id="a definition edited, its label in another case",
        ),
        pytest.param(
            REFERENCES + f"[ref]: {URL}\n[REF]: {OTHER_URL}\n",
            REFERENCES + f"[REF]: {OTHER_URL}\n[ref]: {URL}\n",
            [ONE, TWO],
            id="definitions reordered: the first wins",
        ),
        pytest.param(
            REFERENCES + f"[ref]: {URL}\n[REF]: {OTHER_URL}\n",
            REFERENCES + f"[REF]: {OTHER_URL}\n",
            [ONE, TWO],
            id="the first of two definitions removed",
        ),
        pytest.param(
            REFERENCES + f"[ref]: {URL}\n",
            REFERENCES + f"[ref]: {URL}\n[unused]: {OTHER_URL}\n",
            [],
            id="a definition that no quotation uses",
        ),
        pytest.param(
            f"A “{ONE}” [1] and “{TWO}” [2].\n\n## References\n\n[1] {URL}\n[2] {OTHER_URL}\n",
            f"A “{ONE}” [2] and “{TWO}” [1].\n\n## References\n\n[1] {OTHER_URL}\n[2] {URL}\n",
            [],
            id="a list of references renumbered",
        ),
        pytest.param(
            f"A “{ONE}” [1] and “{TWO}” [2].\n\n## References\n\n[1] {URL}\n[2] {OTHER_URL}\n",
            f"A “{ONE}” [1] and “{TWO}” [2].\n\n## References\n\n[1] {URL}\n[2] {URL}\n",
            [TWO],
            id="an entry of a list of references edited",
        ),
        pytest.param(
            f"```text\nA “{ONE}” ([p]({URL})).\n```\n",
            f"A “{ONE}” ([p]({URL})).\n",
            [ONE],
            id="a fence taken away",
        ),
        pytest.param(
            f"```text\n```\n\nA “{ONE}” ([p]({URL})).\n",
            f"```text\n\nA “{ONE}” ([p]({URL})).\n",
            [],
            id="a fence opened above",
        ),
        pytest.param(
            f"<!-- hidden\n\nA “{ONE}” ([p]({URL})).\n\n-->\n",
            f"<!-- hidden -->\n\nA “{ONE}” ([p]({URL})).\n\n-->\n",
            [ONE],
            id="a comment closed earlier",
        ),
        pytest.param(
            f"    A “{ONE}” ([p]({URL})).\n",
            f"A “{ONE}” ([p]({URL})).\n",
            [ONE],
            id="indented code becomes text",
        ),
        pytest.param(
            f"A “{ONE}” ([p]({URL})).\n",
            f"    A “{ONE}” ([p]({URL})).\n",
            [],
            id="text becomes indented code",
        ),
        pytest.param(
            f"A “{ONE}” ([p]({URL})).\n",
            f"Title\n\nA “{ONE}” ([p]({URL})).\n---\n",
            [],
            id="a setext underline: a heading that quotes the same",
        ),
        pytest.param(
            quoting(ONE, TWO),
            quoting(TWO, ONE),
            [],
            id="paragraphs moved",
        ),
        pytest.param(
            quoting(ONE),
            quoting(ONE).replace("words stand", "words\nstand"),
            [],
            id="a paragraph wrapped again",
        ),
        pytest.param(
            f"- A “{ONE}” ([p]({URL})).\n",
            f"- outer\n\n  - A “{ONE}” ([p]({URL})).\n",
            [],
            id="indented again",
        ),
        pytest.param(
            f"1. A “{ONE}” ([p]({URL})).\n",
            f"1. New.\n2. A “{ONE}” ([p]({URL})).\n",
            [],
            id="a list renumbered",
        ),
        pytest.param(
            quoting(ONE),
            quoting(ONE).replace("“", '"').replace("”", '"').replace("words", "*words*"),
            [],
            id="other quotation marks, emphasis",
        ),
        pytest.param(quoting(ONE), quoting(ONE, ONE), [ONE], id="the same quotation a second time"),
        pytest.param(quoting(ONE, ONE), quoting(ONE), [], id="one of two of the same deleted"),
        pytest.param(quoting(ONE, TWO), quoting(TWO), [], id="a citation deleted"),
        pytest.param(
            quoting(ONE, TWO, source=f"{URL}.pdf#page=3"),
            quoting(ONE, source=f"{URL}.pdf#page=3") + quoting(TWO, source=f"{URL}.pdf#page=4"),
            [TWO],
            id="only the page changed",
        ),
        pytest.param(
            quoting(ONE, TWO, source="data.txt#L10-L20"),
            quoting(ONE, source="data.txt#L10-L20") + quoting(TWO, source="data.txt#L10-L21"),
            [TWO],
            id="only the lines changed",
        ),
        pytest.param(
            f"See [it]({URL}#:~:text=the%20first) and [it]({URL}#:~:text=the%20second).\n",
            f"See [it]({URL}#:~:text=the%20first) and [it]({URL}#:~:text=the%20third).\n",
            ["the third"],
            id="only the text fragment changed",
        ),
        pytest.param(
            quoting(ONE),
            quoting(ONE, source=f"{URL}?utm_source=feed"),
            [],
            id="a tracking parameter makes no other source",
        ),
        pytest.param(
            f"A “{ONE}” ([p]({URL})).\n",
            f"A “{ONE}” ([p]({URL}), [q]({OTHER_URL})).\n",
            [ONE, ONE],
            id="a second source: either may hold it now",
        ),
        pytest.param(
            f"<!-- tracecite-disable-next-line -- known -->\nA “{ONE}” ([p]({URL})).\n",
            f"A “{ONE}” ([p]({URL})).\n",
            [ONE],
            id="a suppression removed",
        ),
        pytest.param(
            f"<!-- tracecite-disable-next-line -- known -->\nA “{ONE}” ([p]({URL})).\n",
            f"A “{ONE}” ([p]({URL})).\n\n"
            f"<!-- tracecite-disable-next-line -- known -->\nA “{ONE}” ([p]({URL})).\n",
            [ONE],
            id="the same words again, outside of the suppression",
        ),
    ],
)
def test_new_in_a_report(work: Work, old: str, new: str, expected: list[str]) -> None:
    work.record("report.md", old)
    work.stage("report.md", new)
    document = the_document(staged())
    assert [citation.quote for citation in document.new] == expected
    assert document.unchanged == len(document.document.citations) - len(expected)


def test_of_two_of_the_same_the_added_one_is_new(work: Work) -> None:
    work.record("report.md", f"Here is “{ONE}” ([p]({URL})).\n")
    work.stage("report.md", f"There is “{ONE}” ([p]({URL})).\n\nHere is “{ONE}” ([p]({URL})).\n")
    (citation,) = the_document(staged()).new
    assert citation.span.line == 1


def test_a_finding_about_the_form_is_new_only_once(work: Work) -> None:
    broken = f"A “{ONE}” ([p][nowhere]).\n"
    work.record("report.md", broken)
    work.stage("report.md", "A new line above.\n\n" + broken + f"\nA “{TWO}” ([p][elsewhere]).\n")
    document = the_document(staged())
    assert [finding.code for finding in document.document.diagnostics] == [
        "UNDEFINED_REFERENCE"
    ] * 2
    (finding,) = document.new_diagnostics
    assert finding.span.line == 5


def test_a_definition_removed_is_a_finding_about_each_of_its_quotations(work: Work) -> None:
    work.record("report.md", REFERENCES + f"[ref]: {URL}\n")
    work.stage("report.md", REFERENCES)
    document = the_document(staged())
    assert document.new == ()
    assert [finding.code for finding in document.new_diagnostics] == ["UNDEFINED_REFERENCE"] * 2


@pytest.mark.parametrize(
    ("name", "before", "after", "expected"),
    [
        (".tracecite-lint.toml", "", 'citations = "eager"\n', {"docs/a.md", "report.md"}),
        ("tracecite-lint.toml", "ttl = 60\n", "ttl = 90\n", {"docs/a.md", "report.md"}),
        ("docs/.tracecite-lint.toml", "ttl = 60\n", "ttl = 90\n", {"docs/a.md"}),
        (
            "pyproject.toml",
            "[tool.tracecite-lint]\nttl = 60\n",
            "[tool.tracecite-lint]\nttl = 90\n",
            {"docs/a.md", "report.md"},
        ),
        ("pyproject.toml", "[tool.other]\nttl = 60\n", "[tool.other]\nttl = 90\n", set()),
    ],
)
def test_when_the_settings_change_all_is_new_that_they_hold_for(
    work: Work, name: str, before: str, after: str, expected: set[str]
) -> None:
    work.stage("report.md", quoting(ONE))
    work.stage("docs/a.md", quoting(TWO))
    work.record(name, before)
    work.stage(name, after)
    assert new_quotes(staged(), []).keys() == expected


def test_when_the_settings_are_deleted_all_is_new(work: Work) -> None:
    work.stage(".tracecite-lint.toml", "ttl = 60\n")
    work.record("report.md", quoting(ONE))
    work.git("rm", "--quiet", ".tracecite-lint.toml")
    assert new_quotes(staged()) == {"report.md": [ONE]}


@pytest.mark.parametrize("how", ["changed", "moved", "deleted", "created"])
def test_quotations_of_a_local_file_are_new_when_it_changes(work: Work, how: str) -> None:
    if how != "created":
        work.stage("data/source.txt", f"{ONE} and {TWO}")
    work.stage("other.md", quoting(THREE, source="data/other.txt"))
    work.record("docs/report.md", quoting(ONE, source="../data/source.txt") + quoting(THREE))
    if how in {"changed", "created"}:
        work.stage("data/source.txt", TWO)
    elif how == "moved":
        work.git("mv", "data/source.txt", "data/moved.txt")
    else:
        work.git("rm", "--quiet", "data/source.txt")
    document = the_document(staged())
    assert (document.path, document.unchanged) == ("docs/report.md", 1)
    assert [citation.quote for citation in document.new] == [ONE]
    content = staged().read(work.path / "data" / "source.txt")
    assert content == (TWO.encode() if how in {"changed", "created"} else None)


def test_quotations_of_a_report_that_changes_are_new(work: Work) -> None:
    work.stage("cited.md", f"# Heading\n\n{ONE}\n")
    work.record("report.md", quoting(ONE, source="cited.md#heading"))
    work.stage("cited.md", f"# Heading\n\n{TWO}\n")
    assert new_quotes(staged()) == {"report.md": [ONE]}


def test_a_merge_that_changes_a_cited_file_is_looked_at(work: Work) -> None:
    work.record("source.txt", ONE)
    work.git("checkout", "--quiet", "-b", "topic")
    work.record("report.md", quoting(ONE, source="source.txt"))
    work.git("checkout", "--quiet", "main")
    work.record("source.txt", TWO)
    work.git("checkout", "--quiet", "topic")
    work.git("merge", "--no-commit", "--no-ff", "main")
    assert new_quotes(staged()) == {"report.md": [ONE]}


def test_a_merge_that_brings_a_file_and_its_citation_is_not_looked_at(work: Work) -> None:
    work.record("source.txt", ONE)
    work.git("checkout", "--quiet", "-b", "topic")
    work.record("topic.md", quoting(THREE))
    work.git("checkout", "--quiet", "main")
    work.stage("source.txt", TWO)
    work.record("report.md", quoting(TWO, source="source.txt"))
    work.git("checkout", "--quiet", "topic")
    work.git("merge", "--no-commit", "--no-ff", "main")
    assert new_quotes(staged()) == {}


def test_a_source_is_read_as_it_is_staged(work: Work) -> None:
    work.stage("source.txt", ONE)
    work.write("source.txt", TWO)
    assert staged().read(work.path / "source.txt") == ONE.encode()
    (work.path / "source.txt").unlink()
    assert staged().read(work.path / "source.txt") == ONE.encode()


def test_a_source_that_is_not_added_is_not_read_unless_it_is_ignored(work: Work) -> None:
    work.stage(".gitignore", "private/\n")
    work.write("forgotten.txt", ONE)
    work.write("private/source.txt", TWO)
    assert staged().read(work.path / "forgotten.txt") is None
    assert staged().read(work.path / "private" / "source.txt") == TWO.encode()


def test_a_source_behind_a_symlink_is_read_inside_the_repository_only(work: Work) -> None:
    work.stage("data/2026.txt", ONE)
    for name, target in (
        ("latest.txt", "data/2026.txt"),
        ("out.txt", "../../etc/hostname"),
        ("absolute.txt", "/etc/hostname"),
        ("circle.txt", "circle.txt"),
    ):
        (work.path / name).symlink_to(target)
        work.git("add", name)
    found = {
        name: staged().read(work.path / f"{name}.txt")
        for name in ("latest", "out", "absolute", "circle")
    }
    assert found == {"latest": ONE.encode(), "out": None, "absolute": None, "circle": None}


# -- JSON lines ------------------------------------------------------------------------------------


def trace(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def run(quotes: Sequence[str], content: str = f"{ONE}. {TWO}. {THREE}.") -> list[object]:
    source = {"id": "s1", "uri": URL, "content": content}
    claims = [
        {"text": f"Claim {number}.", "citations": [{"source_id": "s1", "quote": quote}]}
        for number, quote in enumerate(quotes)
    ]
    return [
        {"type": "tool_call", "run_id": "r", "call_id": "c", "tool": "search"},
        {"type": "tool_result", "run_id": "r", "call_id": "c", "ok": True, "sources": [source]},
        {"type": "answer", "run_id": "r", "claims": claims},
    ]


def message(quote: str) -> object:
    return {"role": "assistant", "content": f"It says “{quote}” ([the page]({URL}))."}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            trace(message(ONE), message(TWO)),
            trace(message(ONE), message(TWO), message(THREE)),
            [THREE],
            id="a line appended",
        ),
        pytest.param(
            trace(message(ONE), message(TWO)),
            trace(message(TWO), message(ONE)),
            [],
            id="records reordered",
        ),
        pytest.param(
            trace(message(ONE)),
            json.dumps(message(ONE), indent=None, separators=(",", ":"), ensure_ascii=False) + "\n",
            [],
            id="a record written again",
        ),
        pytest.param(trace(*run([ONE])), trace(*run([ONE, TWO])), [TWO], id="a claim added"),
        pytest.param(
            trace(*run([ONE, TWO])),
            trace(*run([ONE, TWO], content=f"{ONE}. Something else. {THREE}.")),
            [ONE, TWO],
            id="the captured source edited above the answer",
        ),
        pytest.param(
            trace(message(ONE)),
            trace(message(ONE)) + trace(message(TWO))[:-40],
            [],
            id="a last line half written",
        ),
    ],
)
def test_new_in_json_lines(work: Work, old: str, new: str, expected: list[str]) -> None:
    work.record("log.jsonl", old)
    work.stage("log.jsonl", new)
    (document,) = selected(staged()).documents
    assert [citation.quote for citation in document.new] == expected
