"""Rules about the files that were to be checked, and about the memory of earlier runs: baseline and lock."""

from __future__ import annotations

from tracecite_lint.model import Severity
from tracecite_lint.rules.rule import Rule

RULES = (
    Rule(
        code="FILE_NOT_FOUND",
        group="files",
        usage=True,
        summary="A file that was named does not exist",
        explanation="A path on the command line names no file or directory.",
        why="A run that skips what it was asked to check would pass for the wrong reason.",
        example="tracecite-lint reprot.md",
        fix="Correct the path. Paths are relative to the directory the command runs in.",
    ),
    Rule(
        code="UNREADABLE_FILE",
        group="files",
        usage=True,
        summary="A file that was named cannot be read",
        explanation="The file exists, but the system refuses to open or read it, it is no regular file, or it is git's own.",
        why="A run that skips what it was asked to check would pass for the wrong reason.",
        example="tracecite-lint /root/report.md",
        fix="The message holds the system's reason; most often the permissions or the kind of file are wrong.",
    ),
    Rule(
        code="NOT_UTF8_TEXT",
        group="files",
        usage=True,
        summary="A document is not UTF-8 text",
        explanation="The file holds bytes that are not valid UTF-8, so its words and columns are not known.",
        why="Guessing an encoding would turn correct quotations into wrong ones.",
        example="report.md saved as UTF-16 or windows-1252",
        fix="Save the file as UTF-8 (`iconv -f windows-1252 -t utf-8`), or leave it out with `exclude`.",
    ),
    Rule(
        code="FILE_TOO_LARGE",
        group="files",
        usage=True,
        summary="A document is too large to be checked",
        explanation="The file is larger than the limit that the message names.",
        why="Such a file is rarely a document, and reading it would hold up every run.",
        example="tracecite-lint export-of-everything.md",
        fix="Split the document, or leave the file out with `exclude`.",
    ),
    Rule(
        code="STALE_BASELINE_ENTRY",
        group="baseline",
        severity=Severity.WARNING,
        summary="The baseline lists a finding that is gone",
        explanation=(
            "The baseline allows this finding more often than it occurs now: it was mended, moved to another file or "
            "deleted. A warning, and an error under `--strict-baseline`."
        ),
        why="An entry that is not needed any more would hide the same finding when it comes back.",
        example='{"file": "report.md", "code": "QUOTE_NOT_IN_LIVE_SOURCE", "count": 2, …} where one is left',
        fix="Run `tracecite-lint baseline prune` and commit the baseline file.",
    ),
    Rule(
        code="SOURCE_CHANGED",
        group="drift",
        summary="The words around a quotation changed since it was locked",
        explanation=(
            "The quotation still stands in its source, but the text right before or after it is not what it was when "
            "the lock file was written. Reported under `--lock FILE` only."
        ),
        why=(
            "A quotation that is still there word for word can mean something else in its new surroundings: a "
            "“not” before it, a correction after it, another section."
        ),
        example="“… may be used without prior coordination” where “no longer” now stands before it",
        fix="Read the source again. If the quotation still says what you mean, accept it with `--update-lock`.",
    ),
    Rule(
        code="SOURCE_DEAD",
        group="drift",
        summary="A source failed three times or more, over three days or more",
        explanation=(
            "Under `--lock FILE` every failure to read a source is noted with its time. From the third one in a row "
            "on, when at least three days lie between the first and the last, the source is called dead. Fewer or "
            "closer failures stay what they are: a source that could not be read this time."
        ),
        why="One bad night of a server is no news; a page that has been gone for days is.",
        example="404 on Monday, Tuesday and Thursday night",
        fix="Cite another copy of the source, an archived one for example.",
    ),
)
