"""No command keeps its cache inside the work tree: what lies there came with the repository, or would go into it."""

from __future__ import annotations

import pytest
from traces import Cited, trace

URL = "https://www.example.org/geese"
WORDS = "Twelve grey geese flew south"
FILES = {
    "report.md": f"It says “{WORDS}” ([geese]({URL})).\n",
    "notes.txt": f"claim: Geese fly.\nquote: {WORDS}\nurl: {URL}\n",
    "run.jsonl": trace(Cited(URL, WORDS, WORDS)),
}


@pytest.mark.parametrize(
    "command",
    [
        ["check", "report.md"],
        ["baseline", "create", "report.md"],
        ["check-report", "report.md"],
        ["verify-notes", "notes.txt"],
        ["verify-urls", "run.jsonl"],
    ],
    ids=lambda command: command[0],
)
def test_a_cache_inside_the_work_tree_is_not_used(lint, write, loopback, cafile, tmp_path, command):
    loopback.page(URL, WORDS)
    for name, text in FILES.items():
        write(name, text)
    ran = lint(*command, "--cache-dir=kept", *loopback.arguments(cafile))
    assert ran.status == 0, ran.out + ran.err
    assert loopback.urls() == [URL]
    assert not (tmp_path / "kept").exists()
