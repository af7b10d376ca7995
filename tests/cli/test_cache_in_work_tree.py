"""No command keeps its cache inside the work tree: what lies there came with the repository, or would go into it."""

from __future__ import annotations

import json

import pytest

URL = "https://www.example.org/geese"
WORDS = "Twelve grey geese flew south"
EVENTS = [
    {"type": "tool_call", "call_id": "c1", "tool": "read"},
    {
        "type": "tool_result",
        "call_id": "c1",
        "ok": True,
        "sources": [{"id": "s1", "uri": URL, "content": WORDS}],
    },
    {
        "type": "answer",
        "claims": [{"text": "x", "citations": [{"source_id": "s1", "quote": WORDS}]}],
    },
]
FILES = {
    "report.md": f"It says “{WORDS}” ([geese]({URL})).\n",
    "notes.txt": f"claim: Geese fly.\nquote: {WORDS}\nurl: {URL}\n",
    "run.jsonl": "".join(json.dumps({"run_id": "r1", **event}) + "\n" for event in EVENTS),
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
