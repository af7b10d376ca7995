"""Where a rule is explained on the web."""

from __future__ import annotations

import re

from tracecite_lint.rules import rule_for

PAGE = "https://github.com/tracecite-lint/tracecite-lint/blob/main/docs/rules.md"


def rule_page(code: str = "") -> str:
    """Return the address of the page of rules, at the heading of *code*."""
    rule = rule_for(code)
    if rule is None:
        return PAGE
    # As GitHub makes anchors of headings: other signs are dropped.
    return f"{PAGE}#{re.sub('[^a-z0-9_-]', '', rule.code.lower())}"
