"""Mismatches of eight kinds, made out of a page's own sentences, and what may not happen to them when they are mended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tracecite_lint.engine.check import Check
from tracecite_lint.engine.edits import edited
from tracecite_lint.engine.fixes import fixes_by_file
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.reach import open_store
from tracecite_lint.inputs.reader import InputReader
from tracecite_lint.matching.editorial import has_negation
from tracecite_lint.model import CheckResult, Verdict
from tracecite_lint.settings import SettingsFinder

KINDS = (
    "number",
    "negation",
    "word",
    "comma",
    "first letter",
    "trailing clause",
    "words left out",
    "two sentences joined",
)


def made(kind: str, sentence: str, other: str) -> str | None:
    """Return *sentence* with a mistake of this *kind*, or None where it does not lend itself to one."""
    words = sentence.rstrip(".").split()
    middle = len(words) // 2
    if kind == "number":
        changed = re.sub(r"\d", lambda digit: str((int(digit[0]) + 3) % 10), sentence, count=1)
        return changed if changed != sentence else None
    if kind == "negation":
        if has_negation(sentence):
            return re.sub(r"\b(not|no|never|without) ", "", sentence, count=1)
        return " ".join([*words[:middle], "not", *words[middle:]])
    if kind == "word":
        return " ".join([*words[:middle], "however", *words[middle + 1 :]])
    if kind == "comma":
        return " ".join([*words[:middle]]) + ", " + " ".join(words[middle:])
    if kind == "first letter":
        return sentence[0].swapcase() + sentence[1:]
    if kind == "trailing clause":
        return " ".join(words) + ", the authors write"
    if kind == "words left out":
        return " ".join([*words[: middle - 1], *words[middle + 2 :]])
    return " ".join([*words[middle:], *other.rstrip(".").split()[:4]])


def checked(folder: Path, name: str) -> tuple[CheckResult, Job]:
    """Check the document *name* in *folder*."""
    finder = SettingsFinder({"no_cache": True}, environ={}, isolated=True)
    reader = InputReader(finder, folder)
    (job,) = reader.from_paths([folder / name]).jobs
    with open_store(job.settings.reach(), work_tree=folder) as store:
        return Check([job], store).look_up().result(), job


def worsened(folder: Path, name: str) -> Iterator[str]:
    """Yield what the fixes of the document *name* do that none may, in words."""
    result, job = checked(folder, name)
    text = job.document.text
    for finding in result.diagnostics:
        if finding.fix is None:
            continue
        new = edited(text, finding.fix.edits)
        (folder / name).write_text(new, encoding="utf-8")
        again, _ = checked(folder, name)
        if sum(item.verdict is Verdict.VERIFIED for item in again.citations) != (
            sum(item.verdict is Verdict.VERIFIED for item in result.citations) + 1
        ):
            yield f"does not verify: {finding.quote!r} -> {finding.fix.replacement!r}"
    safe = [fix for fixes in fixes_by_file(result.diagnostics).values() for fix in fixes]
    new = edited(text, tuple(edit for fix in safe for edit in fix.edits))
    if letters(new) != letters(text):
        yield "a safe fix changes letters or digits of the document"
    (folder / name).write_text(new, encoding="utf-8")
    again, _ = checked(folder, name)
    for before, after in zip(result.citations, again.citations, strict=True):
        lost = letters(before.citation.quote).removeprefix(letters(after.citation.quote))
        if any(map(str.isdigit, lost)) or has_negation(before.citation.quote) != has_negation(
            after.citation.quote
        ):
            yield f"a safe fix takes a digit or a negation out of the marks: {before.citation.quote!r}"
    (folder / name).write_text(text, encoding="utf-8")


def letters(text: str) -> str:
    """Return the letters and digits of *text*."""
    return "".join(filter(str.isalnum, text))
