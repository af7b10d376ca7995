"""The registry of every code: the one source of `explain`, docs/rules.md, SARIF help and hover text."""

from __future__ import annotations

from dataclasses import dataclass

from tracecite_lint.model import Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """One code: what it means, why it matters, an example, and what to do about it."""

    code: str
    name: str
    """A short kebab-case name, for SARIF."""
    summary: str
    """One line."""
    explanation: str
    example: str
    fix: str
    severity: Severity = Severity.ERROR
    group: str = "citations"
    unreachable: bool = False
    """The source could not be reached: `--allow-unreachable` reports it without failing the run."""
    default: bool = True
    """Reported without being selected by name."""
    usage: bool = False
    """A finding that ends the run with exit status 1 (unreadable input, malformed notes) and not 2."""


RULES: dict[str, Rule] = {}


def rule_for(code: str) -> Rule | None:
    """Return the rule of a diagnostic's code; `HTTP_STATUS_404` is an `HTTP_STATUS_<n>`, `X:claim-1` an `X`."""
    base = code.partition(":")[0]
    if base.startswith("HTTP_STATUS_"):
        base = "HTTP_STATUS_<n>"
    return RULES.get(base)
