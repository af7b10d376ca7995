"""How much a mismatch weighs, and what is said of it (docs/verdicts.md)."""

from __future__ import annotations

import json

import pytest

from tracecite_lint.cli import main
from tracecite_lint.matching.differences import difference_kind, light_difference
from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.nearest import nearest

PAGE = (
    "The drug is not yet safe for children, but it's safe for adults – the board said so in 2019. Is it? A dose of 1.5 mg is "
    "enough in 90 days, and the authors' own count well-known. The drug is safe. It does not harm."
)
HEAVY = "QUOTE_NOT_IN_SOURCE"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.txt").write_text(PAGE)

    def checked(quote, *arguments, above=""):
        (tmp_path / "r.md").write_text(f"{above}The leaflet says “{quote}” ([p](page.txt)).\n")
        status = main(["r.md", "--json", "--isolated", *arguments])
        return status, json.loads(capsys.readouterr().out)

    return checked


@pytest.mark.parametrize(
    ("quote", "code", "status"),
    [
        ("the drug is not yet safe for children", "QUOTE_CASE", 0),
        ("The drug is not yet safe for children but it's safe", "QUOTE_PUNCTUATION", 0),
        ("safe for adults, the board said so", "QUOTE_PUNCTUATION", 0),
        ("The drug is “not yet safe” for children", "QUOTE_PUNCTUATION", 0),
        ("own count well known", "QUOTE_PUNCTUATION", 0),
        ("the board said so in 2019, Is it", "QUOTE_PUNCTUATION", 0),
        ("The Drug is not yet safe for children", HEAVY, 2),
        ("but its safe for adults", HEAVY, 2),
        ("the board said so in 2019. Is it! A dose", HEAVY, 2),
        ("A dose of 1,5 mg is enough", HEAVY, 2),
        ("A dose of -1.5 mg is enough", HEAVY, 2),
        ("is enough in 90% days", HEAVY, 2),
        ("and the authors own count", HEAVY, 2),
        ("own count wellknown. The drug", HEAVY, 2),
    ],
)
def test_only_capitals_and_punctuation_weigh_less(run, quote, code, status):
    ended, report = run(quote)
    (finding,) = report["diagnostics"]
    assert (finding["code"], ended) == (code, status)
    assert report["citations"][0]["verdict"] == "mismatch"
    assert report["citations"][0]["code"] == code


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("is enough in 180 days, and the authors", "a number differs"),
        ("The drug is yet safe for children", "a negation differs"),
        ("The drug is not yet good for children", "words differ"),
        ("A dose of 1,5 mg is enough", "a number differs"),
        ("A dose of -1.5 mg is enough", "a number differs"),
        ("is enough in 90% days", "a number differs"),
        ("the board said so in 2019? Is it? A dose", "a sign differs"),
        ("the board said so in 2019. Is it! A dose", "a sign differs"),
        ("and the authors' own/count well-known", "a sign differs"),
        ("but its safe for adults", "words differ"),
        ("enough in 90 days … The drug is not yet safe", "in this order"),
        ("The drug is not yet safe for child", "a part of a longer one"),
        ("No such sentence was ever written anywhere", "nothing there is alike"),
    ],
)
def test_a_mismatch_says_what_differs(run, quote, said):
    (finding,) = run(quote)[1]["diagnostics"]
    assert said in finding["message"]


@pytest.mark.parametrize("arguments", [["--ignore", HEAVY], ["--ignore", "QUOTE_CASE"]])
def test_who_ignores_the_heavy_code_ignores_the_light_ones(run, arguments):
    assert run("the drug is not yet safe", *arguments)[1]["diagnostics"] == []


def test_who_selects_the_heavy_code_selects_the_light_ones(run):
    assert len(run("the drug is not yet safe", "--select", HEAVY)[1]["diagnostics"]) == 1
    assert run("the drug is not yet safe", "--select", "ELLIPSIS_GAP")[1]["diagnostics"] == []


def test_a_comment_about_the_heavy_code_silences_the_light_ones(run):
    comment = f"<!-- tracecite-disable-next-line {HEAVY} -- as printed -->\n"
    status, report = run("the drug is not yet safe", above=comment)
    assert (status, report["diagnostics"], report["summary"]["suppressed"]) == (0, [], 1)


def test_a_baseline_from_before_knows_the_light_ones(run, tmp_path, capsys):
    run("the drug is not yet safe")
    # As it was written when each mismatch had the one code.
    config = ["--config", str(tmp_path / "settings.toml")]
    (tmp_path / "settings.toml").write_text(
        'baseline = "b.json"\n[severity]\nQUOTE_CASE = "error"\n'
    )
    assert main(["baseline", "create", "r.md", *config]) == 0
    ledger = tmp_path / "b.json"
    ledger.write_text(ledger.read_text().replace("QUOTE_CASE", HEAVY))
    assert HEAVY in ledger.read_text()
    assert main(["r.md", *config]) == 0
    assert main(["baseline", "prune", "r.md", *config]) == 0
    assert HEAVY in ledger.read_text()


def test_the_summary_counts_what_weighs_less(run, capsys):
    run("the drug is not yet safe")
    assert main(["r.md", "--isolated"]) == 0
    assert "1 mismatched (1 in case or punctuation alone)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("quote", "left_out"),
    [
        ("The drug is … safe for children", "not yet"),
        ("it's safe for adults … the board", None),
        ("The drug is safe … harm.", None),  # over the end of a sentence
    ],
)
def test_a_negation_that_is_left_out_is_shown(run, quote, left_out):
    status, report = run(quote)
    found = [
        item["message"] for item in report["diagnostics"] if item["code"] == "OMITTED_NEGATION"
    ]
    assert status == 0
    assert report["citations"][0]["verdict"] == "verified"
    assert (f"“{left_out}”" in found[0]) if left_out else found == []


@pytest.mark.parametrize(
    ("one", "other"), [("a b", "a b"), ("a b", "a c"), ("a b c", "a b"), ("", "")]
)
def test_no_light_difference(one, other):
    assert light_difference(one, other) is None


def test_what_is_too_short_to_be_looked_for_is_not_called_unlike():
    source = fold(PAGE)
    assert difference_kind(source, ("Qx",), nearest(source, ("Qx",))) is None
