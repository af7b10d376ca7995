"""The reports of a run: one module per format, each from a CheckResult to text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tracecite_lint.model import CheckResult

FORMATS = (
    "full",
    "concise",
    "grouped",
    "json",
    "json-lines",
    "sarif",
    "github",
    "gitlab",
    "junit",
    "markdown",
    "html",
    "agent",
)
"""The names that `render` knows, in the order the help shows them."""

SHOWS_FIXES = frozenset({"full", "json", "json-lines", "sarif", "github", "junit", "html"})
"""The formats that tell what --fix would write."""

SHOWS_ELSEWHERE = SHOWS_FIXES | {"markdown", "html", "agent"}
"""The formats that tell which other sources hold a quotation."""


def render(
    name: str,
    result: CheckResult,
    *,
    color: bool = False,
    verbosity: int = 0,
    written_to: str | None = None,
    again: str | None = None,
) -> str:
    """Return the report of *result* in the format *name*, ending in a line feed unless it is empty.

    *color* and *verbosity* (below 0: `-q`, above: `-v`) count for `full`, `concise` and `grouped` alone; *written_to*, the
    file it goes to, relative to the working directory (None: stdout), for formats with links; *again*, how a
    hook manager runs the check again (None: there is none), for `full`. Nothing of the words of
    private documents, and no password of a URL, is in any report. Raises ValueError for an unknown name.
    """
    # Imported here: a run needs one format, and a hook pays for each import.
    from tracecite_lint.output.findings import without_passwords, without_private_words

    shown = without_passwords(without_private_words(result))
    match name:
        case "full":
            from tracecite_lint.output import full

            return full.render(shown, color=color, verbosity=verbosity, again=again)
        case "concise":
            from tracecite_lint.output import concise

            return concise.render(shown, color=color, verbosity=verbosity)
        case "grouped":
            from tracecite_lint.output import grouped

            return grouped.render(shown, color=color, verbosity=verbosity)
        case "json":
            from tracecite_lint.output import json_report

            return json_report.render(shown)
        case "json-lines":
            from tracecite_lint.output import json_lines

            return json_lines.render(shown)
        case "sarif":
            from tracecite_lint.output import sarif

            return sarif.render(shown)
        case "github":
            from tracecite_lint.output import github

            return github.render(shown)
        case "gitlab":
            from tracecite_lint.output import gitlab

            return gitlab.render(shown)
        case "junit":
            from tracecite_lint.output import junit

            return junit.render(shown)
        case "markdown":
            from tracecite_lint.output import markdown

            return markdown.render(shown, written_to)
        case "html":
            from tracecite_lint.output import html

            return html.render(shown, written_to)
        case "agent":
            from tracecite_lint.output import agent

            return agent.render(shown)
    raise ValueError(f"unknown format {name!r}: one of {', '.join(FORMATS)}")
