"""Programs behind pipes: what they print comes whole, and none of them lasts longer than it may."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from tracecite_lint.light import processes
from tracecite_lint.light.processes import TimeIsUpError, run, start

LARGE = 3 * 2**20
"""More than a pipe holds, in both directions."""

COPY = "import sys; data = sys.stdin.buffer.read(); sys.stdout.buffer.write(data); sys.stderr.write('e' * len(data))"


@pytest.fixture(params=["spawned", "portable"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to start a process: that of Windows is `subprocess`."""
    if request.param == "portable":
        monkeypatch.setattr(processes, "_spawns", lambda: False)
    elif not hasattr(os, "posix_spawn"):
        pytest.skip("the system starts no process with its pipes in place")


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def soon() -> float:
    return time.monotonic() + 60


@pytest.mark.usefixtures("either")
def test_all_that_is_given_and_printed_comes_through() -> None:
    done = run(python(COPY), env=os.environ, given=b"x" * LARGE, until=soon())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"x" * LARGE, b"e" * LARGE)


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize(
    ("code", "status"),
    [("raise SystemExit(3)", 3), ("import os; os.kill(os.getpid(), 9)", -9), ("pass", 0)],
)
def test_the_exit_status_is_told(code: str, status: int) -> None:
    if status < 0 and os.name == "nt":
        pytest.skip("no signals")
    # It does not read what it is given either.
    assert run(python(code), env=os.environ, given=b"x" * LARGE, until=soon()).returncode == status


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize(
    "code",
    [
        "import time; time.sleep(60)",
        "import os, time; os.close(1); os.close(2); time.sleep(60)",
        "while True: print('x' * 1000)",
    ],
)
def test_what_takes_too_long_is_ended(code: str) -> None:
    with pytest.raises(TimeIsUpError):
        run(python(code), env=os.environ, given=b"", until=time.monotonic() + 0.5)


@pytest.mark.usefixtures("either")
def test_a_program_that_is_not_there_is_an_os_error() -> None:
    with pytest.raises(OSError):
        run(["/nowhere/at/all"], env=os.environ, given=b"", until=soon())
    with pytest.raises(OSError):
        start(["/nowhere/at/all"], env=os.environ)


@pytest.mark.usefixtures("either")
def test_a_conversation_goes_on_line_by_line_and_byte_by_byte() -> None:
    code = "import sys\nfor line in sys.stdin: print(len(line)); print(line * 1000, end='', flush=True)"
    asked = start(python(code), env=os.environ)
    asked.until = soon()
    for word in (b"one\n", b"three\n"):
        asked.write(word)
        assert asked.readline() == b"%d\n" % len(word)
        assert asked.read(1000 * len(word)) == word * 1000
    asked.kill()


@pytest.mark.usefixtures("either")
def test_a_question_that_is_not_answered_in_time_ends_the_conversation() -> None:
    asked = start(python("import sys, time; time.sleep(60)"), env=os.environ)
    asked.until = time.monotonic() + 0.5
    with pytest.raises(TimeIsUpError):
        asked.readline()
    with pytest.raises(OSError):  # it is gone
        for _ in range(100):
            asked.write(b"x" * 2**16)
    asked.kill()


@pytest.mark.skipif(not hasattr(os, "posix_spawn"), reason="nothing is spawned here")
def test_where_a_stream_is_closed_no_pipe_takes_its_place() -> None:
    code = (
        "import os, sys, time\n"
        "from tracecite_lint.light.processes import run\n"
        "os.close(0)\n"
        f"done = run([sys.executable, '-c', {COPY!r}], env=os.environ, given=b'abc', until=time.monotonic() + 60)\n"
        "print(done.stdout, done.stderr)"
    )
    done = subprocess.run(python(code), capture_output=True, text=True)
    assert done.stdout == "b'abc' b'eee'\n", done.stderr
