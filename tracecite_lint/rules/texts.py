"""A rule as text: the one wording that docs/rules.md, `explain`, SARIF help and hovers show."""

from __future__ import annotations

from tracecite_lint.rules.rule import Rule


def rule_markdown(rule: Rule) -> str:
    """Return *rule* as Markdown, without a heading."""
    fence = "````" if "```" in rule.example else "```"
    return "\n\n".join(
        (
            f"{rule.summary}.",
            rule.explanation,
            f"**Why it matters.** {rule.why}".rstrip(),
            f"**Example**\n\n{fence}text\n{rule.example}\n{fence}",
            f"**What to do.** {rule.fix}",
            f"*{rule_status(rule)}*",
        )
    )


def rule_text(rule: Rule) -> str:
    """Return *rule* as plain text, without a heading."""
    example = "\n".join(f"    {line}".rstrip() for line in rule.example.split("\n"))
    return "\n\n".join(
        (
            f"{rule.summary}.",
            rule.explanation,
            f"Why it matters: {rule.why}".rstrip(),
            f"Example:\n\n{example}",
            f"What to do: {rule.fix}",
            rule_status(rule),
        )
    )


def rule_status(rule: Rule) -> str:
    """Return in a sentence how *rule* counts."""
    parts = [f"Severity: {rule.severity.value}"]
    if rule.usage:
        parts.append("exit status 1")
    if not rule.default:
        parts.append("off unless selected")
    if rule.unreachable:
        parts.append("forgiven by --allow-unreachable")
    return "; ".join(parts) + "."
