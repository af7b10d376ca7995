"""`--watch`: the check again when a document, a source or a setting changes, not for what we write ourselves, until Ctrl-C."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading

import pytest

pytestmark = pytest.mark.slow

SOURCE = "Five wizards jump quickly over the sleeping giant at dawn.\n"
TRUE = "“Five wizards jump quickly over the sleeping giant” ([s](source.txt)).\n"
WATCHING = "watching for changes; Ctrl-C ends it"


class Watcher:
    """A run of `--watch`; its lines on both streams, in the order in which they came."""

    def __init__(self, folder, *arguments):
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tracecite_lint", *arguments],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._pass_on, daemon=True).start()

    def _pass_on(self):
        for line in self._process.stdout:
            self._lines.put(line.rstrip())

    def said(self):
        """Return what is said until it watches again."""
        lines = []
        while not lines or lines[-1] != WATCHING:
            lines.append(self._lines.get(timeout=60))
        return "\n".join(lines[:-1])

    def is_quiet(self):
        try:
            return not self._lines.get(timeout=3)
        except queue.Empty:
            return True

    def end(self):
        self._process.send_signal(signal.SIGINT)
        assert self._process.wait(timeout=60) == 130


@pytest.fixture
def watch(tmp_path, write):
    write("source.txt", SOURCE)
    write("a.md", TRUE)
    started = []

    def begin(*arguments):
        started.append(Watcher(tmp_path, *arguments, "--watch"))
        return started[-1]

    yield begin
    for watcher in started:
        watcher._process.kill()
        watcher._process.wait()
        watcher._process.stdout.close()


def test_each_change_is_checked_and_no_more(watch, write):
    watcher = watch("-o", "report.json", "--format", "concise", "--lock", "lock.json")
    assert "1 verified" in watcher.said()
    assert watcher.is_quiet()  # our own report and lock are no change
    write("a.md", TRUE.replace("wizards", "lizards"))
    assert "1 mismatched" in watcher.said()
    write("source.txt", SOURCE.replace("wizards", "lizards"))
    assert "1 verified" in watcher.said()
    write("tracecite-lint.toml", "exclude = [\n")
    assert "tracecite-lint.toml: not valid TOML" in watcher.said()
    write("tracecite-lint.toml", 'exclude-url = ["source.txt"]\n')
    assert "1 citation is left out" in watcher.said()
    assert watcher.is_quiet()
    watcher.end()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a.md", "--fix"], "leave out --fix"),
        (["--diff-base", "HEAD"], "--watch looks at files on disk"),
        (["-"], "--watch looks at files on disk"),
        (["b.md"], "--watch b.md: no such file or directory"),
    ],
)
def test_what_cannot_be_watched_is_refused(lint, write, arguments, said):
    write("a.md", TRUE)
    ran = lint(*arguments, "--watch")
    assert (ran.status, ran.out) == (1, "")
    assert said in ran.err


def test_without_the_extra_the_way_out_is_named(lint, write, monkeypatch):
    write("a.md", TRUE)
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    ran = lint("a.md", "--watch")
    assert (ran.status, "pip install '.[watch]'" in ran.err) == (1, True)
