"""What one rule of the registry consists of."""

from __future__ import annotations

from tracecite_lint.light.lazy import dataclass
from tracecite_lint.model import Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One code: what it means, why it matters, an example, and what to do about it.

    The texts are Markdown of the plain kind (paragraphs and inline code), so that a terminal, a hover, SARIF
    and docs/rules.md can all show them.
    """

    code: str
    summary: str
    """One line, without a full stop."""
    explanation: str
    """What it means: when exactly it is reported."""
    why: str
    """Why it matters to the person who sees it."""
    example: str
    """Input that leads to it, or the line that a program sent, as it stands in a file."""
    fix: str
    """What to do about it."""
    fix_in_editor: str = ""
    """The same for who has an editor before them, where `fix` names the command or its options; empty: `fix` will do."""
    group: str
    severity: Severity = Severity.ERROR
    covered_by: tuple[str, ...] = ()
    """Codes of which it is the lighter kind: whoever ignores, silences or selects one of them means it too."""
    unreachable: bool = False
    """The source could not be reached: `--allow-unreachable` reports it without failing the run."""
    default: bool = True
    """Reported without being selected by name."""
    usage: bool = False
    """Ends the run with exit status 1 (unreadable input, malformed notes) and not 2."""
