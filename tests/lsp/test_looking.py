"""Looks at a text: what is read and matched again after a change, and what is left for when it is asked for."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from editing import edited
from tracecite_lsp import looking
from tracecite_lsp.citations import link_of
from tracecite_lsp.client_settings import ClientSettings
from tracecite_lsp.looking import Looked, Looker, Subject
from tracecite_lsp.page_sets import PageSets

from tracecite_lint.engine import check, deciding
from tracecite_lint.engine.check import Check
from tracecite_lint.light.lazy import replace
from tracecite_lint.model import Verdict
from tracecite_lint.settings import SettingsFinder
from tracecite_lint.sources.page import Page

ONE = "The gate is shut when the tide turns."
TWO = "The wheel runs for five hours at ebb."
REPORT = """\
“The gate is shut when the tide turns” ([one](one.md)).

“The gate was shut when the tide turns” ([one](one.md)).

“The wheel runs for five hours” ([two](two.md)).
"""


class Desk:
    """A folder with two sources, and one who looks at a report in it again and again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "one.md").write_text(ONE)
        (folder / "two.md").write_text(TWO)
        self.page_sets = PageSets(lambda _: None)
        self._looker = Looker(
            SettingsFinder({}, environ={}, isolated=True), "utf-16", self.page_sets.page_set
        )
        self._previous: Looked | None = None
        self._count = 0

    def look(self, text: str) -> Looked:
        self._count += 1
        subject = Subject(
            name="report.md",
            parsed_as="report.md",
            text=text,
            is_too_large=False,
            location=self.folder / "report.md",
            root=self.folder,
            client=ClientSettings(),
            reconsider=False,
            previous=self._previous,
        )
        self._previous = self._looker.look(subject, (self._count, 0))
        return self._previous


@pytest.fixture
def desk(folder: Path) -> Desk:
    """A desk to look from."""
    return Desk(folder)


def test_only_what_changed_is_matched_again(desk: Desk):
    memo = desk.look(REPORT).page_set.memo
    before = dict(memo)
    assert len(before) == 3
    desk.look(f"A new beginning.\n\n{REPORT}")
    assert memo == before
    desk.look(REPORT.replace("five hours", "five hours at ebb"))
    assert len(memo) == 4
    assert all(memo[name] is decision for name, decision in before.items())


def test_only_what_cites_a_changed_source_is_matched_again(desk: Desk):
    looked = desk.look(REPORT)
    memo = looked.page_set.memo
    (desk.folder / "one.md").write_text(ONE.replace("is shut", "was shut"))
    assert desk.page_sets.changed() == {looked.page_set}
    again = desk.look(REPORT)
    assert len(memo) == 5
    assert [item.code for item in again.citations] == ["QUOTE_NOT_IN_SOURCE", None, None]


def test_a_text_that_is_the_same_is_not_read_again(desk: Desk):
    first = desk.look(REPORT)
    assert desk.look(REPORT).job.document is first.job.document
    assert desk.look(REPORT + "\n").job.document is not first.job.document


def test_fixes_and_other_holders_are_worked_out_when_they_are_asked_for(desk: Desk):
    (desk.folder / "two.md").write_text(f"{TWO} The gate was shut when the tide turns.")
    looked = desk.look(REPORT)
    (finding,) = looked.diagnostics
    assert finding.fix is None
    assert finding.elsewhere == ()
    in_full = Check([looked.job], looked.page_set.store).look_up().result()
    (complete,) = in_full.diagnostics
    citation = looked.citations[1].citation
    assert looked.check.fix(looked.job, citation) == complete.fix is not None
    assert looked.check.elsewhere(looked.job, citation) == complete.elsewhere == ("two.md",)


def test_the_result_id_is_that_of_the_diagnostics_and_nothing_else(desk: Desk):
    first = desk.look(REPORT)
    assert desk.look(REPORT + "\nMore.\n").result_id == first.result_id
    assert desk.look("\n" + REPORT).result_id != first.result_id
    assert desk.look(REPORT.replace("was shut", "is shut")).result_id != first.result_id


def test_a_key_judges_what_it_changed_and_takes_over_the_rest(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    lines = [
        f"{number}: “The gate is shut when the tide turns” ([one](one.md)).\n"
        for number in range(300)
    ]
    desk.look("\n".join(lines))
    built: list[object] = []
    named: list[object] = []
    counted(monkeypatch, check, "_checked", built)
    counted(monkeypatch, deciding, "_name", named)
    lines[150] = lines[150].replace("shut", "shutx")
    looked = desk.look("\n".join(lines))
    assert [item.code for item in looked.citations].count(None) == 299
    assert len(built) <= 8  # what stands around it is read again with it
    assert len(named) <= 4 * 8
    built.clear()
    named.clear()
    desk.look("A line before all of it.\n\n" + "\n".join(lines))
    assert len(named) <= 4 * 8  # no verdict hangs on the place


def counted(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, calls: list[object]
) -> None:
    """Let *calls* hold the arguments with which the function *name* of *module* is called."""
    function = getattr(module, name)

    def count(*arguments: object, **named: object) -> object:
        calls.append(arguments)
        return function(*arguments, **named)

    monkeypatch.setattr(module, name, count)


def test_what_is_taken_over_is_what_a_first_look_finds(desk: Desk):
    draw = Random(15)
    text = "\n".join(
        [REPORT, "<!-- tracecite-disable-next-line -->", REPORT, *["A line.\n"] * 20, REPORT]
    )
    for _ in range(40):
        text = edited(draw, text)
        looked = desk.look(text)
        fresh = Desk(desk.folder).look(text)
        assert [replace(item, fetched_at=None) for item in looked.citations] == [
            replace(item, fetched_at=None) for item in fresh.citations
        ]
        assert looked.diagnostics == fresh.diagnostics
        assert (looked.shown, looked.status) == (fresh.shown, fresh.status)
        assert [place for _, place in looked.web_sources] == [
            place for _, place in fresh.web_sources
        ]


def test_the_texts_of_pages_are_not_kept_but_for_a_few(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    names = [f"source-{number}.md" for number in range(30)]
    for name in names:
        (desk.folder / name).write_text(f"{ONE} {name}\n\n" + "More of it.\n" * 100)
    text = "\n\n".join(f"“The gate is shut when the tide turns” ([it]({name}))." for name in names)
    looked = desk.look(text)
    assert {item.verdict for item in looked.citations} == {Verdict.VERIFIED}
    held = looked.page_set.pages.values()
    assert len(held) == 30
    assert not any(isinstance(page, Page) for page in held)
    assert looked.page_set.texts.characters < 5 * 1300
    reads: list[object] = []
    counted(monkeypatch, deciding, "read_local", reads)
    page = looked.check.page(looked.job, looked.citations[0].citation)
    assert page is not None
    assert page.text.startswith(ONE)
    assert len(reads) == 1
    assert all(link_of(looked, item) for item in looked.citations)
    reads.clear()
    again = desk.look("Before all.\n\n" + text)
    assert all(link_of(again, item) for item in again.citations)
    assert reads == []


def test_a_key_builds_the_diagnostics_of_what_it_changed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    lines = [
        f"{number}: “The gate was shut when the tide turns” ([one](one.md)).\n"
        for number in range(100)
    ]
    assert len(desk.look("\n".join(lines)).shown) == 100
    built: list[object] = []
    counted(monkeypatch, looking, "editor_diagnostic", built)
    lines[50] = lines[50].replace("turns", "turned")
    looked = desk.look("\n".join(lines))
    assert len(looked.shown) == 100
    assert len(built) <= 8


def test_only_an_editor_keeps_what_a_check_found_out(desk: Desk):
    looked = desk.look(REPORT)
    assert len(looked.check.carried.known) == 3
    once = Check([looked.job], looked.page_set.store).look_up()
    once.result()
    assert not once.carried.known
    assert len(once.carried.checked) == len(once.carried.found) == len(once.carried.reported) == 0
