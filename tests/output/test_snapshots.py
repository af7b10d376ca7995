"""Every format, from one run with all verdicts."""

from __future__ import annotations

import pytest
from output_sample import DUMPED, RESULT, SECRET
from output_snapshots import CASES, DIRECTORY

from tracecite_lint.output import FORMATS, render


@pytest.mark.parametrize("name", CASES)
def test_report_is_the_one_that_was_reviewed(name):
    assert CASES[name]() == (DIRECTORY / name).read_bytes().decode("utf-8")


def test_every_snapshot_has_its_report():
    assert {path.name for path in DIRECTORY.iterdir()} == set(CASES)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("result", [RESULT, DUMPED], ids=["checked", "dumped"])
@pytest.mark.parametrize("verbosity", [0, 2])
def test_nothing_private_and_nothing_that_steers_a_terminal_is_in_any_report(
    name, result, verbosity
):
    report = render(name, result, verbosity=verbosity)

    assert SECRET not in report
    assert not set(report) & set("\x1b\r\x07\u202e\u2066\u200b\ufdd0\ufdd1")


def test_an_unknown_format_is_named():
    with pytest.raises(ValueError, match=r"'yaml'.*one of full, concise"):
        render("yaml", RESULT)
