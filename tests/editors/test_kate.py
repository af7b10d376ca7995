"""A real Kate on a screen of its own, set up as docs/editors.md says. Opt-in, `pytest -m editors`: apt-get install kate xvfb dbus-x11 imagemagick"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from editor_blocks import block
from PIL import Image

PROGRAMS = ("kate", "xvfb-run", "dbus-run-session", "import")
PATIENCE = 90
REPORT = "# Tide mills\n\n“The gate {} shut when the tide turns” ([source](source.md))\n"
KATERC = """\
[Kate Plugins]
lspclientplugin=true

[General]
Startup Session=new

[lspclient]
AllowedServerCommandLines={server} server
"""
# The server is started as always; what it says is taken down on the way.
SERVER = '#!/bin/sh\n"{python}" -m tracecite_lint "$@" | tee "{log}"\n'
SESSION = """\
kate --new "$1" & kate=$!
until test -e "$2"; do sleep 0.2; done
import -window root "$3"
kill $kate
"""


@pytest.mark.skipif(not all(map(shutil.which, PROGRAMS)), reason=f"needs {', '.join(PROGRAMS)}")
def test_kate_draws_a_mark_under_what_is_wrong_and_none_under_what_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "source.md").write_text("The gate is shut when the tide turns.\n")
    assert red_pixels(tmp_path, REPORT.format("was"), "QUOTE_NOT_IN_SOURCE") > 50
    assert red_pixels(tmp_path, REPORT.format("is"), '"verified": 1') == 0


def red_pixels(folder: Path, text: str, awaited: str) -> int:
    """Let Kate show *text*, wait until the server has said *awaited*, and count the red pixels of the screen."""
    home = folder / awaited.strip('"').partition('"')[0]
    config, programs, log = home / ".config", home / "bin", home / "server.log"
    for path in (config / "kate" / "lspclient", programs):
        path.mkdir(parents=True)
    (config / "kate" / "lspclient" / "settings.json").write_text(block("Kate"))
    server = programs / "tracecite-lint"
    server.write_text(SERVER.format(python=sys.executable, log=log))
    server.chmod(0o755)
    # Kate asks once whether a server may be started; this is what it takes down as the answer.
    (config / "katerc").write_text(KATERC.format(server=server))
    report, ready, picture = folder / "report.md", home / "ready", home / "screen.png"
    report.write_text(text)
    home.chmod(0o700)
    process = subprocess.Popen(
        [
            *("xvfb-run", "--auto-servernum", "--server-args=-screen 0 1000x600x24"),
            *("dbus-run-session", "--", "sh", "-c", SESSION, "kate"),
            *map(str, (report, ready, picture)),
        ],
        env=os.environ
        | {
            "HOME": str(home),
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "XDG_CONFIG_HOME": str(config),
            "XDG_RUNTIME_DIR": str(home),
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        end = time.monotonic() + PATIENCE
        while awaited not in (log.read_text() if log.exists() else ""):
            assert time.monotonic() < end, "the server was not heard of"
            time.sleep(0.2)
        time.sleep(3)  # to draw it
        ready.touch()
        process.wait(PATIENCE)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    with Image.open(picture) as screen:
        colours = screen.convert("RGB").getcolors(1 << 24) or []
    return sum(
        count for count, (red, green, blue) in colours if red > 150 and green < 90 and blue < 90
    )
