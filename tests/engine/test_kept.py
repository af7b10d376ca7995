"""What earlier runs found out: an unchanged sweep works nothing out again, and whatever changes is checked again."""

from __future__ import annotations

import gc
import json
import sqlite3
import time
import weakref
from collections import Counter
from pathlib import Path

import pytest

from tracecite_lint import documents
from tracecite_lint.cli import main
from tracecite_lint.documents import read_document
from tracecite_lint.engine import deciding, program, readings, verdicts
from tracecite_lint.matching import fold as fold_module
from tracecite_lint.matching.folded import FOLD_VERSION
from tracecite_lint.model import DocumentKind
from tracecite_lint.sources.cache import Cache
from tracecite_lint.sources.freshness import STALE_LIMIT
from tracecite_lint.sources.page import Page
from tracecite_lint.sources.policy import resolve

ONE, TWO = "https://www.example.org/one", "https://www.example.org/two"
GOOD = "The mill was closed in the spring"
BAD = "The mill was opened in the autumn"


class Sweep:
    """Sweeps over a folder of documents, whose pages are in a cache; `done` counts what the last one worked out."""

    def __init__(self, folder: Path, capsys) -> None:
        self.docs, self.cache = folder / "docs", folder / "cache"
        self.docs.mkdir()
        self._capsys = capsys
        self.done: Counter[str] = Counter()

    def write(self, name: str, *lines: str) -> None:
        (self.docs / name).write_text("\n\n".join(lines) + "\n")

    def page(self, url: str, *paragraphs: str) -> None:
        text = "\n\n".join(paragraphs)
        now = time.time()
        prepared = fold_module.fold(text).to_bytes()
        page = Page(
            url=url, final_url=url, status=200, content_type="text/html", text=text,
            prepared=prepared, fetched_at=now, fresh_until=now + 60,
        )  # fmt: skip
        cache = Cache(self.cache)
        cache.keep_page(resolve(url).key, page, FOLD_VERSION)
        cache.close()

    def run(self, *options: str) -> list[str]:
        """Run a sweep and return the verdicts, `suppressed` for those that a comment silences."""
        self.done.clear()
        main(["--offline", "--cache-dir", str(self.cache), "--format", "json", ".", *options])
        found = json.loads(self._capsys.readouterr().out)["citations"]
        return ["suppressed" if item["suppressed"] else item["verdict"] for item in found]


@pytest.fixture
def sweep(tmp_path, monkeypatch, capsys) -> Sweep:
    made = Sweep(tmp_path, capsys)
    monkeypatch.chdir(made.docs)
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)

    def counted(module: object, name: str, label: str) -> None:
        original = getattr(module, name)

        def count(*arguments, **options):
            made.done[label] += 1
            return original(*arguments, **options)

        monkeypatch.setattr(module, name, count)

    counted(documents, "read_document", "parsed")
    counted(deciding, "decide", "decided")
    counted(Page, "from_rows", "decoded")
    counted(fold_module, "fold", "folded")
    monkeypatch.setattr(verdicts, "_WORTH_KEEPING", 1)
    monkeypatch.setattr(readings, "_WORTH_KEEPING", 1)
    made.page(ONE, "First.", GOOD + ".", "Last.")
    made.page(TWO, "Something else. " * 9)
    made.write("a.md", f"It says “{GOOD}” ([one]({ONE})).", f"It says “{BAD}” ([two]({TWO})).")
    made.write("b.md", f"It says “{GOOD}” ([one]({ONE})).")
    assert made.run() == ["verified", "mismatch", "verified"]
    assert made.done["parsed"] == 2 and made.done["decoded"]
    return made


def test_an_unchanged_sweep_parses_nothing_and_reads_no_page(sweep):
    sweep.write("a.md", f"It says “{GOOD}” ([one]({ONE})).")
    assert sweep.run() == ["verified", "verified"]
    assert sweep.run() == ["verified", "verified"]
    assert sweep.done == {}


def test_each_page_is_read_once_however_often_it_is_cited(sweep):
    for number in range(5):
        sweep.write(f"{number}.md", f"{number} says “mill was closed” ([one]({ONE})).")
    sweep.run()
    assert (sweep.done["parsed"], sweep.done["decoded"]) == (5, 1)


def test_what_stands_there_word_for_word_takes_no_folded_text(sweep, monkeypatch):
    asked = Counter[str]()
    original = deciding._folded_page

    def counted(page: Page) -> object:
        asked[page.url] += 1
        return original(page)

    monkeypatch.setattr(deciding, "_folded_page", counted)
    words = [GOOD, "mill was closed in the spring", "was closed"]
    sweep.write("a.md", *(f"It says “{item}” ([one]({ONE}))." for item in words))
    assert sweep.run() == ["verified"] * 4
    assert asked == {}
    sweep.write("a.md", *(f"It says “{item},” ([one]({ONE}))." for item in words))
    assert sweep.run() == ["verified"] * 4
    assert asked == {ONE: 1}


class TestWhatChangedIsCheckedAgain:
    def test_the_quotation(self, sweep):
        sweep.write("b.md", f"It says “{BAD}” ([one]({ONE})).")
        assert sweep.run() == ["verified", "mismatch", "mismatch"]
        assert (sweep.done["parsed"], sweep.done["decided"]) == (1, 1)

    def test_the_source(self, sweep):
        sweep.write("b.md", f"It says “{GOOD}” ([two]({TWO})).")
        assert sweep.run() == ["verified", "mismatch", "mismatch"]
        assert (sweep.done["parsed"], sweep.done["decided"]) == (1, 1)

    def test_the_page(self, sweep):
        sweep.page(ONE, BAD + ".")
        assert sweep.run() == ["mismatch", "mismatch", "mismatch"]
        assert sweep.done["parsed"] == 0

    def test_the_page_that_holds_it_by_now(self, sweep):
        sweep.page(TWO, BAD + ".")
        assert sweep.run() == ["verified", "verified", "verified"]

    def test_a_suppression(self, sweep):
        silenced = f"It says “{BAD}” ([two]({TWO})). <!-- tracecite-disable-line -->"
        sweep.write("a.md", f"It says “{GOOD}” ([one]({ONE})).", silenced)
        found = sweep.run()
        assert (found, sweep.done["parsed"]) == (["verified", "suppressed", "verified"], 1)
        sweep.write("a.md", f"It says “{GOOD}” ([one]({ONE})).", silenced.partition(" <!")[0])
        assert sweep.run() == ["verified", "mismatch", "verified"]

    def test_a_setting_that_counts_for_reading(self, sweep):
        sweep.run("--config", str(config(sweep, 'citations = "eager"')))
        assert sweep.done["parsed"] == 2

    def test_a_setting_that_counts_for_findings(self, sweep, capsys):
        assert main(["--offline", "--cache-dir", str(sweep.cache), "."]) == 2
        ignored = ["--ignore", "QUOTE_NOT_IN_LIVE_SOURCE"]
        assert main(["--offline", "--cache-dir", str(sweep.cache), ".", *ignored]) == 0
        assert main(["--offline", "--cache-dir", str(sweep.cache), "."]) == 2
        capsys.readouterr()

    def test_the_program(self, sweep, monkeypatch):
        monkeypatch.setattr(program, "program_digest", lambda: b"another")
        sweep.run()
        assert (sweep.done["parsed"], sweep.done["decided"]) == (2, 2)

    def test_nothing_counts_that_is_to_be_read_anew(self, sweep):
        sweep.run("--refresh")
        assert (sweep.done["parsed"], sweep.done["decided"]) == (2, 2)


def config(sweep: Sweep, text: str) -> Path:
    path = sweep.docs.parent / "settings.toml"
    path.write_text(text + "\n")
    return path


def test_the_digest_of_the_program_tells_changed_files_apart(tmp_path, monkeypatch):
    (tmp_path / "engine").mkdir()
    module = tmp_path / "engine" / "program.py"
    module.write_text("a = 1\n")
    monkeypatch.setattr(program, "__file__", str(module))
    seen = set()
    for text in ("a = 1\n", "a = 12\n"):
        module.write_text(text)
        program.program_digest.cache_clear()
        seen.add(program.program_digest())
    monkeypatch.undo()
    program.program_digest.cache_clear()
    assert len(seen) == 2


def test_what_was_kept_longer_ago_than_a_page_may_be_used_does_not_count(tmp_path):
    cache = Cache(tmp_path / "cache")
    now = time.time()
    cache.keep_derived({"a": b"x"}, now=now)
    assert cache.derived("a", now=now + STALE_LIMIT - 1) == b"x"
    assert cache.derived("a", now=now + STALE_LIMIT + 1) is None
    assert cache.derived("a", now=now - 2 * 24 * 3600) is None  # from the future
    cache.close()


def test_a_few_citations_write_nothing(sweep, monkeypatch):
    monkeypatch.undo()
    monkeypatch.chdir(sweep.docs)
    before = rows(sweep)
    sweep.write("c.md", f"It says “{GOOD}” ([one]({ONE})), and the mill.")
    main(["--offline", "--cache-dir", str(sweep.cache), "c.md"])
    assert rows(sweep) == before


def rows(sweep: Sweep) -> dict[str, bytes]:
    connection = sqlite3.connect(sweep.cache / "cache.db")
    found = dict(connection.execute("SELECT key, value FROM Cache"))
    connection.close()
    return found


def test_nothing_of_a_record_is_kept():
    line = json.dumps({"type": "answer", "run_id": "r", "claims": []})
    document = read_document("t.jsonl", line + "\n")
    assert document.kind is DocumentKind.TRACE
    assert readings.encoded(document) is None


TEXT = f"# Report\n\nIt says “{GOOD}” ([one]({ONE})). “Nobody said this to anyone”\n"


def test_a_reading_is_read_back_as_it_was():
    document = read_document("a.md", TEXT)
    data = readings.encoded(document)
    assert data is not None
    assert readings.decoded(data, "a.md", TEXT) == document


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("an address that the document does not hold", lambda said: first(said, 2, "https://a.org/")),
        ("a place outside", lambda said: first(said, 1, [1, 1, 900, 1])),
        ("a place before the start", lambda said: first(said, 1, [0, 1, 1, 1])),
        ("a place that ends before it begins", lambda said: first(said, 1, [3, 9, 3, 2])),
        ("a column without end", lambda said: first(said, 1, [1, 1, 1, 2**63])),
        ("a place of true and false", lambda said: first(said, 1, [True, True, True, True])),
        ("words that are none", lambda said: first(said, 0, [5])),
        ("a shape that is none", lambda said: first(said, 5, "shapeless")),
        ("a field too many", lambda said: said["citations"][0].append(1)),
        ("a field too few", lambda said: said["citations"][0].pop()),
        ("a kind that is not kept", lambda said: said.update(kind="trace")),
        ("a code that is none", lambda said: said["diagnostics"].append(["X", "", [1, 1, 1, 1], "error", "", "", ""])),
    ],
)  # fmt: skip
def test_a_reading_that_is_unsound_does_not_count(name, change):
    data = readings.encoded(read_document("a.md", TEXT))
    assert data is not None
    said = json.loads(data)
    change(said)
    with pytest.raises((ValueError, TypeError, KeyError)):
        readings.decoded(json.dumps(said).encode(), "a.md", TEXT)


def first(said: dict, field: int, value: object) -> None:
    said["citations"][0][field] = value


@pytest.mark.parametrize(
    "entry",
    [
        *(None, {}, [], "x", [1], [[]], [[1, 2]], [[0], [], [], 0, None], [[9, 2], [], [], 0, None]),
        *([[0, 1], ["no fold"], [], 0, None], [[0, 1], [], [5], 0, None], [[0, 1], [], [], -1, None]),
        *([[0, 1], [], [], 0, "1"], [[0, 2**32], [], [], 0, None], [[0, 1.5], [], [], 0, None]),
        *([["a", 2, [], "a"]], [["a", float("nan"), [], "a"]], [["a", 0.5, [["x", "a"]], "a"]]),
        *([["a", 0.5, [["equal", 5]], "a"]], [[5, 0.5, [], "a"]], [["a", True, [], None]]),
    ],
)  # fmt: skip
def test_a_verdict_that_is_unsound_does_not_count(entry):
    citation = read_document("a.md", TEXT).citations[0]
    kept = verdicts.PageVerdicts("", {verdicts.name_of(citation, ""): entry})
    assert kept.get(citation, "") is None


def test_a_verdict_says_no_words_of_its_own(sweep):
    """A forged row can make a quotation pass, as a forged page can; what is said of one that fails comes from here."""
    citation = read_document("a.md", TEXT).citations[0]
    kept = verdicts.PageVerdicts("", {verdicts.name_of(citation, ""): [None, "number"]})
    decision = kept.get(citation, "")
    assert decision is not None
    assert decision.message == "the quoted words do not stand in the source: a number differs"


def test_of_the_pages_of_a_sweep_a_few_are_held_at_a_time(sweep, monkeypatch):
    """A folded text and what is searched of it hold each other: without help they would be freed late, if at all."""
    made: list[weakref.ref[object]] = []
    held = []
    original = deciding._folded_page

    def counted(page: Page) -> object:
        folded = original(page)
        made.append(weakref.ref(folded))
        held.append(sum(item() is not None for item in made))
        return folded

    monkeypatch.setattr(deciding, "_folded_page", counted)
    for number in range(20):
        url = f"https://www.example.org/{number}"
        sweep.page(url, GOOD.replace(" ", "\n") + ".")  # found by its fold
        sweep.write(f"{number}.md", f"It says “{GOOD}” ([page]({url})).")
    gc.disable()
    try:
        assert sweep.run().count("verified") == 22
    finally:
        gc.enable()
    assert len(made) >= 20
    assert max(held) <= deciding._LATEST + 1
