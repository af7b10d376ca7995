"""`explain`: what a code means, why it matters, an example, and what to do."""

from __future__ import annotations

import argparse
import textwrap

from tracecite_lint.cli.options import OK, UsageError
from tracecite_lint.output.json_objects import dumps
from tracecite_lint.rules import (
    GROUPS,
    RULES,
    Rule,
    rule_markdown,
    rule_text,
    similar_codes,
    spelled_rule,
)

_WIDTH = 88


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `explain`."""
    parser.add_argument(
        "codes", nargs="*", metavar="CODE", help="a code as reports show it; none: a list of all"
    )
    parser.add_argument("--all", action="store_true", help="explain every code")
    parser.add_argument(
        "--format",
        choices=("text", "json", "markdown"),
        default="text",
        help="`--all --format markdown` is docs/rules.md",
    )
    parser.add_argument(
        "--json",
        action="store_const",
        dest="format",
        const="json",
        help="the same as --format json",
    )


def run(args: argparse.Namespace) -> int:
    """Print the explanations, or without codes a line for each. Raises UsageError for an unknown code."""
    if args.all and args.codes:
        raise UsageError("--all explains every code; give it without codes")
    if args.all and args.format == "markdown":
        from tracecite_lint.rules.page import rules_page

        print(rules_page(), end="")
        return OK
    if not args.all and not args.codes and args.format == "text":
        print(_overview(), end="")
        return OK
    explained = dict(map(_explained, args.codes)) or RULES
    if args.format == "json":
        print(dumps([_object(code, rule) for code, rule in explained.items()], indent=2))
    elif args.format == "markdown":
        print(
            "\n\n".join(f"# `{code}`\n\n{rule_markdown(rule)}" for code, rule in explained.items())
        )
    else:
        print(
            "\n\n\n".join(
                f"{code}\n\n{_wrapped(rule_text(rule))}" for code, rule in explained.items()
            )
        )
    return OK


def _explained(code: str) -> tuple[str, Rule]:
    """Return *code* as reports write it, in capitals or not, and its rule: HTTP_STATUS_404 has that of HTTP_STATUS_<n>."""
    if (found := spelled_rule(code)) is not None:
        return found
    similar = similar_codes(code)
    hint = f" (did you mean {' or '.join(similar)}?)" if similar else ""
    raise UsageError(f"there is no code {code!r}{hint}; `tracecite-lint explain` lists them all")


def _wrapped(text: str) -> str:
    """Return *text* with its paragraphs filled; examples, which are indented, stay as they are."""
    return "\n\n".join(
        part
        if part.startswith(" ")
        else textwrap.fill(part, _WIDTH, break_long_words=False, break_on_hyphens=False)
        for part in text.split("\n\n")
    )


def _overview() -> str:
    width = max(map(len, RULES))
    parts = []
    for group, title in GROUPS.items():
        lines = [
            f"  {rule.code:{width}}  {rule.summary}"
            for rule in RULES.values()
            if rule.group == group
        ]
        parts.append("\n".join((title, *lines)) + "\n")
    return "\n".join(parts)


def _object(code: str, rule: Rule) -> dict[str, object]:
    return {
        "code": code,
        "group": rule.group,
        "severity": rule.severity.value,
        "default": rule.default,
        "unreachable": rule.unreachable,
        "usage": rule.usage,
        "summary": rule.summary,
        "explanation": rule.explanation,
        "why": rule.why,
        "example": rule.example,
        "fix": rule.fix,
    }
