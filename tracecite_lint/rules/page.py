"""docs/rules.md: every rule on one page. `tracecite-lint explain --all --format markdown` writes it."""

from __future__ import annotations

from functools import lru_cache

from tracecite_lint.rules import GROUPS, RULES, rule_for
from tracecite_lint.rules.texts import rule_markdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

RULES_PAGE: Final = "https://github.com/tracecite-lint/tracecite-lint/blob/main/docs/rules.md"

_INTRODUCTION = """\
# Rules

Every code that tracecite-lint reports. `tracecite-lint explain CODE` shows the same text in a terminal, an editor leads to it
from the code of a finding, and SARIF reports carry it.

An *error* fails the run (exit status 2; 1 where a file could not be used at all), a *warning* does not. `--select`,
`--ignore` and the `severity` setting change what is reported and how it counts.

<!-- Written by `tracecite-lint explain --all --format markdown`; a test compares the two. -->
"""


def rules_page() -> str:
    """Return the page as Markdown."""
    parts = [_INTRODUCTION]
    anchors = _anchors()
    for group, title in GROUPS.items():
        rules = [rule for rule in RULES.values() if rule.group == group]
        parts.append(f"## {title}\n")
        parts.append(
            "\n".join(f"- [`{rule.code}`](#{anchors[rule.code]}): {rule.summary}" for rule in rules)
            + "\n"
        )
        parts += [f"### `{rule.code}`\n\n{rule_markdown(rule)}\n" for rule in rules]
    return "\n".join(parts)


def documentation_address(code: str) -> str | None:
    """Return the URL at which the rule of a diagnostic's *code* is explained; None for a code without one."""
    rule = rule_for(code)
    return f"{RULES_PAGE}#{_anchors()[rule.code]}" if rule is not None else None


@lru_cache
def _anchors() -> dict[str, str]:
    """Return the anchor that GitHub gives to the heading of each code: two that differ in case alone are numbered."""
    anchors: dict[str, str] = {}
    taken: dict[str, int] = {}
    for group in GROUPS:
        for code in (code for code, rule in RULES.items() if rule.group == group):
            anchor = code.lower().replace("<", "").replace(">", "")
            taken[anchor] = taken.get(anchor, -1) + 1
            anchors[code] = f"{anchor}-{taken[anchor]}" if taken[anchor] else anchor
    return anchors
