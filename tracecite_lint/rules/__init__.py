"""The registry of every code: the one source of `explain`, docs/rules.md, SARIF help and hover text."""

from __future__ import annotations

from functools import cache, lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from tracecite_lint.rules.rule import Rule
    from tracecite_lint.rules.texts import rule_markdown, rule_status, rule_text

__all__ = [
    "GROUPS",
    "HTTP_STATUS",
    "RULES",
    "Rule",
    "is_unreachable",
    "names_of",
    "rule_for",
    "rule_markdown",
    "rule_status",
    "rule_text",
    "similar_codes",
    "spelled_rule",
]

GROUPS: Final[dict[str, str]] = {
    "citations": "Quotations and their sources",
    "suppressions": "Suppression comments",
    "sources": "Sources that could not be read",
    "drift": "Sources that change (`--lock`)",
    "baseline": "Baselines",
    "reports": "Labelled report blocks (`check-report`)",
    "notes": "Citation notes",
    "traces": "Agent traces",
    "calls": "Call audit",
    "files": "Files that were to be checked",
}
"""Each group of rules with its title, in the order docs/rules.md has them."""

HTTP_STATUS: Final = "HTTP_STATUS_<n>"
"""The one rule that stands for a family of codes: `HTTP_STATUS_404`, `HTTP_STATUS_503`, …"""

if TYPE_CHECKING:
    RULES: dict[str, Rule]
    """Every rule by its code."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - as the language has it
    """Return what is made or imported when it is first asked for: most commits have no findings."""
    if name == "RULES":
        return _rules()
    if name == "Rule":
        from tracecite_lint.rules.rule import Rule

        return Rule
    if name in ("rule_markdown", "rule_status", "rule_text"):
        from tracecite_lint.rules import texts

        return getattr(texts, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _rules() -> dict[str, Rule]:
    from tracecite_lint.rules import calls, citations, files, reports, sources, traces

    groups = (citations, sources, reports, traces, calls, files)
    return {rule.code: rule for module in groups for rule in module.RULES}


# RFC 9110: 408 is the server's word for a timeout, 429 (RFC 6585) and 5xx for "not now".
_UNREACHABLE_STATUSES = frozenset({408, 429, *range(500, 600)})


def rule_for(code: str) -> Rule | None:
    """Return the rule of a diagnostic's code; `HTTP_STATUS_404` is an `HTTP_STATUS_<n>`, `X:claim-1` an `X`."""
    base = code.partition(":")[0]
    return _rules().get(HTTP_STATUS if _status(base) is not None else base)


def spelled_rule(code: str) -> tuple[str, Rule] | None:
    """Return what a person calls *code*, in capitals or not, as reports write it, and its rule; None if there is none."""
    for spelling in (code, code.upper(), code.lower()):
        rule = rule_for(spelling)
        if rule is not None:
            return spelling, rule
    return None


def names_of(code: str) -> frozenset[str]:
    """Return the codes under which settings, comments and baselines may name a diagnostic of *code*, as it is written or by its rule."""
    rule = rule_for(code)
    return frozenset({code.partition(":")[0], *((rule.code, *rule.covered_by) if rule else ())})


def is_unreachable(code: str) -> bool:
    """Tell whether *code* says that a source could not be reached, which `--allow-unreachable` forgives."""
    status = _status(code.partition(":")[0])
    if status is not None:
        return status in _UNREACHABLE_STATUSES
    rule = rule_for(code)
    return rule is not None and rule.unreachable


@lru_cache
def similar_codes(code: str) -> tuple[str, ...]:
    """Return up to three known codes or groups that a person who wrote *code* may have meant, the closest first."""
    from difflib import get_close_matches  # 10 ms to import, and most runs have no typing error

    known = {name.lower(): name for name in (*_rules(), *GROUPS)}
    close = get_close_matches(code.lower().replace("-", "_"), known, n=3)
    return tuple(known[name] for name in close)


def _status(code: str) -> int | None:
    digits = code.removeprefix("HTTP_STATUS_")
    if digits == code or len(digits) != 3 or not (digits.isascii() and digits.isdigit()):
        return None
    return int(digits)
