"""Progress on a terminal: a bar, a rate, the time that is left; nothing of it anywhere else."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest
from loopback import Answer

from tracecite_lint.cli.progress import progress_line


@pytest.mark.parametrize(
    ("done", "total", "seconds", "line"),
    [
        (0, 12, 0.0, "░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 12 pages"),
        (6, 12, 1.0, "████████████░░░░░░░░░░░░ 6 of 12 pages"),
        (6, 12, 3.0, "████████████░░░░░░░░░░░░ 6 of 12 pages, 2 a second, 3 s left"),
        (12, 12, 9.0, "████████████████████████ 12 of 12 pages"),
        (1, 3, 120.0, "████████░░░░░░░░░░░░░░░░ 1 of 3 pages, 120 s a page, 4 min 0 s left"),
        (
            1000,
            9000,
            1000.0,
            "██░░░░░░░░░░░░░░░░░░░░░░ 1,000 of 9,000 pages, 1 a second, 2 h 13 min left",
        ),
    ],
)
def test_the_line(done, total, seconds, line):
    assert progress_line(done, total, seconds) == line


def shown_on_a_terminal(folder, *arguments: str) -> str:
    """Run the command with a terminal as its stderr, and return what that was sent."""
    ours, theirs = pty.openpty()
    quiet = {"CI", "PRE_COMMIT", "GITHUB_ACTIONS"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tracecite_lint", *arguments],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in quiet}
        | {"TERM": "xterm"},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    sent = b""
    try:
        while piece := os.read(ours, 4096):
            sent += piece
    except OSError:  # how Linux says that the other side is closed
        pass
    os.close(ours)
    assert process.wait() == 2
    return sent.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal")
def test_a_terminal_sees_the_bar_and_is_left_clean(write, tmp_path, loopback, cafile):
    urls = [f"https://www.iana.org/{number}" for number in range(3)]
    for url in urls:
        loopback.script(url, Answer("<p>Nothing of the kind.</p>"))
    write("r.md", "".join(f"“Some words that are quoted” ([page]({url}))\n\n" for url in urls))
    ways = ("r.md", "--no-cache", *loopback.arguments(cafile))

    sent = shown_on_a_terminal(tmp_path, *ways)

    assert re.match(r"\r\x1b\[K░+ 0 of 3 pages", sent)
    assert " 3 of 3 pages" in sent
    assert sent.endswith("\r\x1b[K")
    assert shown_on_a_terminal(tmp_path, *ways, "--no-progress") == ""
    assert shown_on_a_terminal(tmp_path, *ways, "-q") == ""
