"""A real Emacs with Eglot, set up as docs/editors.md says. Opt-in, `pytest -m editors`: apt-get install emacs-nox elpa-eglot elpa-markdown-mode"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from editor_blocks import block
from loopback import Loopback

EMACS = shutil.which("emacs")
STORY = Path(__file__).with_name("story.el")
PAGE = "https://www.example.com/mills"
SENTENCE = "The old mill stands at the mouth of the river and grinds at ebb tide."
WRONG = SENTENCE.replace("ebb", "high")
REPORT = f"# Tide mills 🌊\n\n- 🌊 Über die Mühle: “{WRONG}” ([mills]({PAGE}))\n"


@pytest.mark.skipif(EMACS is None, reason="there is no Emacs")
def test_emacs_marks_explains_and_mends(
    tmp_path: Path, loopback: Loopback, cafile: Path, monkeypatch: pytest.MonkeyPatch
):
    assert EMACS is not None
    loopback.page(PAGE, SENTENCE)
    report, result = tmp_path / "report.md", tmp_path / "result.json"
    report.write_text(REPORT)
    program = tmp_path / "bin" / "tracecite-lint"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tracecite_lint "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    init = tmp_path / "init.el"
    reach = " ".join(json.dumps(rule) for rule in loopback.connect_to)
    init.write_text(
        "(package-initialize)\n"
        + block("Emacs")
        + "(setq-default eglot-workspace-configuration\n"
        + f"  '((:tracecite . (:connectTo [{reach}] :cafile {json.dumps(str(cafile))}))))\n"
    )
    done = subprocess.run(
        [
            EMACS,
            "--batch",
            "--no-init-file",
            "-l",
            str(init),
            "-l",
            str(STORY),
            str(report),
            str(result),
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.exists(), done.stderr
    seen: dict[str, Any] = json.loads(result.read_text())
    (mark,) = seen["before"]
    assert mark["words"] == WRONG
    assert "the quoted words do not stand in the source" in mark["text"]
    assert "**✗ Not in the source**" in seen["hover"]
    assert (
        "Open this source at the quotation" not in seen["offered"]
    )  # Eglot 1.9 opens no documents
    assert seen["after"] == []
    assert report.read_text() == REPORT.replace("high", "ebb")
