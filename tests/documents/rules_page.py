"""The tables of rules and refusals in docs/citations.md, made from those in the code: `python tests/documents/rules_page.py`."""

from __future__ import annotations

from pathlib import Path

from tracecite_lint.documents.citing import quoted_blocks, running_text
from tracecite_lint.documents.citing.candidate import Refusal, Rule, Table, described, no_source
from tracecite_lint.documents.citing.html_quotes import q_element
from tracecite_lint.documents.citing.labelled import labelled
from tracecite_lint.documents.citing.text_fragments import text_directive

PAGE = Path(__file__).parents[2] / "docs" / "citations.md"
BEGIN, END = "<!-- rules: begin -->\n", "<!-- rules: end -->\n"
CONTEXTS: dict[str, Table] = {
    "Words in marks": running_text.TABLE,
    "Blockquotes and callouts": (labelled, *quoted_blocks.BLOCKQUOTES),
    "HTML elements": (q_element, *quoted_blocks.ELEMENTS),
    "Links": (text_directive,),
    "Words in marks, eager": running_text.EAGER,
    "Blockquotes, eager": quoted_blocks.EAGER,
}


def entries(table: Table) -> list[Rule | Refusal]:
    """Return the rules and refusals of a table, each refusal of single rules behind the others."""
    found = list(table)
    for entry in table:
        if isinstance(entry, Rule):
            found += [refusal for refusal in entry.unless if refusal not in found]
    return found


def tables() -> str:
    """Return the section of the page."""
    lines = []
    for title, table in CONTEXTS.items():
        lines += [
            f"### {title}: the rules",
            "",
            "| | rule | shape | looks for | not if | example |",
        ]
        lines += ["|---:|---|---|---|---|---|"]
        for index, entry in enumerate(table, start=1):
            if isinstance(entry, Rule):
                looks_for, example = described(entry)
                unless = ", ".join(refusal.reason for refusal in entry.unless)
                lines.append(
                    f"| {index} | `{entry.name}` | `{entry.shape.value}` | {looks_for} | {unless} | {_code(example)} |"
                )
        refusals = [entry for entry in entries(table) if isinstance(entry, Refusal)]
        if refusals and "eager" not in title:
            lines += ["", f"### {title}: the refusals", "", "| | passed over as | when | example |"]
            lines += ["|---:|---|---|---|"]
        for refusal in [*refusals, no_source] if "eager" not in title and refusals else ():
            index = table.index(refusal) + 1 if refusal in table else ""
            looks_for, example = described(refusal)
            lines.append(f"| {index} | {refusal.reason} | {looks_for} | {_code(example)} |")
        lines.append("")
    return "\n".join(lines)


def _code(example: str) -> str:
    text = example.replace("\n", " ⏎ ").replace("|", "\\|")
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def rewritten() -> str:
    """Return the page with its tables as the code has them."""
    head, _, rest = PAGE.read_bytes().decode("utf-8").partition(BEGIN)
    return f"{head}{BEGIN}\n{tables()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_bytes(rewritten().encode())
