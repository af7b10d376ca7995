"""Ctrl-C at any moment: no traceback, exit status 130, and what was found until then. The signals are real ones."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM_ITSELF = (sys.executable, "-m", "tracecite_lint")
INTERRUPTED = "tracecite-lint: interrupted\n"

# Runs the command line as its script does. Modules are imported as ever, but for one: before it comes SIGINT. Without
# a name all modules that a run imports are printed in the end.
PROGRAM = """
import atexit, os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            os.kill(os.getpid(), signal.SIGINT)
        imported.append(name)

wanted, imported = sys.argv.pop(1), []
sys.meta_path.insert(0, Interrupting())
if not wanted:
    atexit.register(lambda: print(*imported, file=sys.stderr))
from tracecite_lint.__main__ import main
sys.exit(main())
"""


def run(folder: Path, wanted: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, wanted, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_ctrl_c_at_any_import_of_a_run(write, tmp_path, loopback, cafile):
    loopback.page("https://a.example.org/", "The quick brown fox jumps over the lazy dog.")
    write("r.md", "“The quick brown fox jumps over” ([s](https://a.example.org/))\n")
    arguments = ("r.md", "--refresh", *loopback.arguments(cafile))
    done = run(tmp_path, "", *arguments)
    assert done.returncode == 0, done
    imported = done.stderr.split()
    # What comes before `main` is entered is the interpreter's, and not ours to answer for.
    ours = imported[imported.index("tracecite_lint.cli") :]
    assert {"tracecite_lint.cli.check", "tracecite_lint.sources.http", "aiohttp"} <= set(ours)
    for name in dict.fromkeys([*ours[:8], *ours[8::20], *ours[-4:]]):
        done = run(tmp_path, name, *arguments)
        assert (name, done.returncode, done.stderr) == (name, 130, INTERRUPTED)


@pytest.mark.parametrize("command", [["r.md"], ["explain", "--all"]])
def test_ctrl_c_after_any_time(write, tmp_path, command):
    write("r.md", "# Nothing is quoted\n")
    for milliseconds in (0, 5, 10, 20, 40, 60, 80, 100, 150, 200, 300):
        process = subprocess.Popen(
            [*PROGRAM_ITSELF, *command],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(milliseconds / 1000)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        if process.returncode in (0, 130):
            assert err in ("", INTERRUPTED)
        else:
            # The interpreter was still starting, and had not come to `main`.
            assert process.returncode in (-signal.SIGINT, 1)
            assert not re.search(r'start\.py", line [0-9]+, in main', err)


def test_a_process_that_ignores_interrupts_goes_on_doing_so(write, tmp_path):
    write("r.md", "# Nothing is quoted\n")
    script = f"trap '' INT; exec {sys.executable} -c \"$0\" tracecite_lint.engine.check r.md"
    done = subprocess.run(
        ["sh", "-c", script, PROGRAM],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_ctrl_c_ends_a_process_without_a_stderr(write, tmp_path):
    write("r.md", "# Nothing is quoted\n")
    script = f'{sys.executable} -c "$0" tracecite_lint.cli.options r.md 2>&-'
    done = subprocess.run(["sh", "-c", script, PROGRAM], cwd=tmp_path, check=False)
    assert done.returncode == 130


def test_sigterm_ends_as_it_always_does(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "tracecite_lint", "server"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    process.terminate()
    assert process.wait(60) == -signal.SIGTERM
    process.communicate()


HELD = "“The quick brown fox jumps over” ([s](https://a.example.org/))\n"
WRONG = "“The quick brown fax jumps over” ([s](https://a.example.org/))\n"
SLOW = "“These words stand somewhere else” ([s](https://slow.example.org/a))\n"
BOTH = "“The quick brown fax jumps over” ([s](https://a.example.org/), [t](https://slow.example.org/b))\n"


@pytest.fixture
def interrupted(loopback, cafile, tmp_path):
    """Run a check of r.md, and interrupt it while the pages of slow.example.org are asked for and the others are there."""
    loopback.page("https://a.example.org/", "The quick brown fox jumps over the lazy dog.")
    for name in "ab":
        loopback.script(
            f"https://slow.example.org/{name}", lambda exchange: exchange.wait(60) and None
        )

    def start(*arguments: str) -> subprocess.CompletedProcess[str]:
        # The page that is there comes from the cache.
        subprocess.run(
            [*PROGRAM_ITSELF, "cached.md", *loopback.arguments(cafile)],
            cwd=tmp_path,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        process = subprocess.Popen(
            [*PROGRAM_ITSELF, "r.md", *arguments, *loopback.arguments(cafile)],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 60
        while not any("slow" in url for url in loopback.urls()) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        return subprocess.CompletedProcess([], process.returncode, out, err)

    (tmp_path / "cached.md").write_text(HELD)
    return start


def test_what_was_found_until_then_is_printed(interrupted, write):
    write("r.md", "\n".join([HELD, WRONG, SLOW, BOTH]))
    done = interrupted()
    assert (done.returncode, done.stderr) == (130, INTERRUPTED)
    assert done.stdout.count("error[QUOTE_NOT_IN_LIVE_SOURCE]") == 1
    assert "r.md:3" in done.stdout
    assert "interrupted: 3 of 5 citations were not checked" in done.stdout
    assert "1 verified, 1 mismatched, 0 unverifiable" in done.stdout


def test_an_interrupted_run_writes_no_file(interrupted, write, tmp_path):
    write("r.md", "\n".join([HELD, WRONG, SLOW]))
    write("report.json", "as it was")
    before = sorted(tmp_path.iterdir())
    done = interrupted(
        *("--format", "full", "--format", "json", "--output-file", "report.json"),
        *("--lock", "lock.json", "--fix", "--unsafe-fixes"),
    )
    assert (done.returncode, done.stderr) == (130, INTERRUPTED)
    assert "1 verified, 1 mismatched" in done.stdout
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "report.json").read_text() == "as it was"
    assert "fax" in (tmp_path / "r.md").read_text()


def test_known_findings_stay_left_out_when_a_run_is_interrupted(
    interrupted, write, lint, loopback, cafile
):
    write("r.md", WRONG)
    assert lint("baseline", "create", "r.md", *loopback.arguments(cafile)).status == 0
    write("r.md", "\n".join([HELD, WRONG, SLOW]))
    done = interrupted()
    assert "QUOTE_NOT_IN_LIVE_SOURCE" not in done.stdout
    assert "STALE_BASELINE_ENTRY" not in done.stdout
    assert "1 verified, 0 mismatched" in done.stdout
