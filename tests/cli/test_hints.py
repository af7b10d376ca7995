"""What a run says to those who stand before a finding: where they read on, and what a link may lack."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tracecite_lint.rules import RULES
from tracecite_lint.rules.links import PAGE, rule_page

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("target", "host"),
    [
        ("council.example.org/minutes/3", "council.example.org"),
        ("example.org/a#b", "example.org"),
        ("www.example.org", "www.example.org"),
        ("notes.md", ""),
        ("v1.2.md", ""),
        ("example.org", ""),  # an outline of Emacs
        ("pages/example.org", ""),
        ("/example.org/a", ""),
        ("v1.2/a", ""),
    ],
)
def test_a_link_without_its_scheme_is_asked_about(lint, write, target, host):
    write("a.md", f"“three words here” ([the minutes]({target}))\n")
    ran = lint("a.md")
    assert "SOURCE_UNAVAILABLE" in ran.out
    said = re.search(r"is `https://` missing before (\S+)\?", ran.out)
    assert (said[1] if said else "") == host


def test_a_hook_names_what_its_reader_can_run(lint, write):
    write("a.md", "“three words here” ([notes](notes.txt)), “four words stand here” ([b](b.txt))\n")
    write("notes.txt", "Nothing of that.\n")
    outside, hooked = lint("a.md"), lint("a.md", env={"PRE_COMMIT": "1"})
    assert outside.out.endswith("run `tracecite-lint explain CODE` for more\n")
    assert hooked.out.endswith(
        f"check again: `pre-commit run tracecite-lint`; more on each code: {PAGE}\n"
    )
    write("b.txt", "four words stand here\n")
    hooked = lint("a.md", env={"PRE_COMMIT": "1"})
    assert hooked.out.endswith(f"{PAGE}#quote_not_in_source\n")
    pushed = lint("a.md", env={"PRE_COMMIT": "1", "PRE_COMMIT_TO_REF": "HEAD"})
    assert pushed.out.endswith(f"\nmore on each code: {PAGE}#quote_not_in_source\n")


def test_the_address_of_a_rule_is_a_heading_of_the_page():
    page = (ROOT / "docs" / "rules.md").read_text("utf-8")
    headings = {
        re.sub(r"[^\w-]", "", line).lower() for line in page.splitlines() if line.startswith("### ")
    }
    for code in (*RULES, "HTTP_STATUS_404", "QUOTE_NOT_IN_SOURCE:claim-1"):
        assert rule_page(code).partition("#")[2] in headings, code
