"""`--fix --interactive` on a real terminal: what is asked, what each answer does, and what stays when it is broken off."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals on Windows")
from terminal import Terminal

QUIET = {"CI", "PRE_COMMIT", "GITHUB_ACTIONS", "NO_COLOR", "FORCE_COLOR"}
SOURCE = (
    "The quick brown fox jumps over the lazy dog, and nobody saw it.\n\n"
    "Five wizards jump quickly over the sleeping giant at dawn.\n\n"
    "Tickets are sold up to 180 days ahead of the departure.\n"
)
Keys = str | Callable[[], str]
FOX = "“the quick brown fox jumps over the lazy dog and nobody saw it” ([s](source.txt))."
FOX_FIXED = "“[t]he quick brown fox jumps over the lazy dog, and nobody saw it” ([s](source.txt))."
WIZARDS = "“Five wizards jump quickly, over the sleeping giant at dawn” ([s](source.txt))."
WIZARDS_FIXED = WIZARDS.replace("quickly, over", "quickly over")
TICKETS = "“Tickets are sold up to 90 days ahead of the departure” ([s](source.txt))."
TICKETS_FIXED = TICKETS.replace("90", "180")


@pytest.fixture
def folder(write, tmp_path) -> Path:
    write("source.txt", SOURCE)
    write("a.md", f"He wrote {FOX}\n\n{WIZARDS}\n\n{TICKETS}\n")
    write("b.md", f"{WIZARDS}\n")
    return tmp_path


@pytest.fixture
def dialogue(folder):
    """Return what answers each question of a run, and returns its exit status and the last screen.

    An answer is what to wait for on the screen, and the keys that are typed then.
    """

    def run(*answers: tuple[str, Keys], options: Sequence[str] = ()) -> tuple[int, str]:
        environment = {name: value for name, value in os.environ.items() if name not in QUIET}
        ours = [sys.executable, "-m", "tracecite_lint", "a.md", "b.md", "--fix", "--interactive"]
        shell = ["sh", "-c", 'trap : INT; cd "$0"; "$@"; echo "status $?."', str(folder)]
        with Terminal([*shell, *ours, *options], environment, columns=120, lines=90) as terminal:
            for question, keys in answers:
                terminal.wait_for(question, 30)
                terminal.type(keys() if callable(keys) else keys)
            terminal.wait_for("status ", 30)
            shown = terminal.text
        return int(shown.rpartition("status ")[2].partition(".")[0]), shown

    return run


def texts(folder: Path) -> list[str]:
    return [*(folder / "a.md").read_text()[:-1].split("\n\n"), (folder / "b.md").read_text()[:-1]]


def test_each_fix_is_shown_beside_its_source_and_made_or_not(dialogue, folder):
    status, shown = dialogue(("[1 of 3]", "n\r"), ("[2 of 3]", "y\r"), ("[3 of 3]", "n\r"))
    assert texts(folder) == [f"He wrote {FOX}", WIZARDS_FIXED, TICKETS, WIZARDS]
    assert "a.md:3:2" in shown and "closest: 99 % alike" in shown and "--fix:" in shown
    assert "fixed 1 quotation in 1 file" in shown
    # An unsafe fix is no question without the option that makes unsafe ones.
    assert "1 fix would change words and was not made" in shown
    assert status == 2


def test_all_of_a_file_is_not_all_of_the_next_one(dialogue, folder):
    _, shown = dialogue(
        ("[1 of 4]", "a\r"), ("[4 of 4]", "q\r"), options=["--unsafe-fixes", "--max-time", "1"]
    )
    assert texts(folder) == [f"He wrote {FOX_FIXED}", WIZARDS_FIXED, TICKETS_FIXED, WIZARDS]
    assert "[2 of 4]" not in shown
    assert "fixed 3 quotations in 1 file" in shown


def test_a_reason_is_written_where_the_finding_then_stands(dialogue, folder):
    status, shown = dialogue(
        ("[1 of 4]", "what?\r"),  # shows what may be answered
        ("a comment that silences", "y\r"),
        ("[2 of 4]", "i\r"),
        ("reason:", "ends --> here\r"),
        ("which would end the comment", "as the author wrote it\r"),
        ("[3 of 4]", "y\r"),
        ("[4 of 4]", "y\r"),
        options=["--unsafe-fixes"],
    )
    comment = "<!-- tracecite-disable-next-line QUOTE_PUNCTUATION -- as the author wrote it -->"
    assert texts(folder) == [
        f"He wrote {FOX_FIXED}",
        f"{comment}\n{WIZARDS}",
        TICKETS_FIXED,
        WIZARDS_FIXED,
    ]
    assert "fixed 3 quotations in 2 files" in shown
    assert "silenced 1 finding in 1 file" in shown
    assert (status, "1 suppressed" in shown) == (0, True)


@pytest.mark.parametrize(("keys", "status"), [("q\r", 2), ("\x04", 2), ("\x03", 130)])
def test_breaking_off_keeps_what_was_accepted(dialogue, folder, keys, status):
    ended, shown = dialogue(("[1 of 3]", "y\r"), ("[2 of 3]", keys))
    assert texts(folder) == [f"He wrote {FOX_FIXED}", WIZARDS, TICKETS, WIZARDS]
    assert sorted(path.name for path in folder.iterdir()) == ["a.md", "b.md", "source.txt"]
    assert "fixed 1 quotation in 1 file" in shown
    assert ended == status


def test_a_file_that_changed_meanwhile_is_left_as_it_is(dialogue, folder):
    typed = f"{WIZARDS}\n\nMore.\n"
    status, shown = dialogue(
        ("[1 of 3]", "n\r"),
        ("[2 of 3]", "n\r"),
        ("[3 of 3]", lambda: (folder / "b.md").write_text(typed) and "y\r"),
    )
    assert status == 1
    assert "b.md: changed while it was checked, and was left as it is" in shown
    assert (folder / "b.md").read_text() == typed


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--interactive"], "give --fix too"),
        (["--fix", "--interactive"], "standard input is none"),
        (["--fix", "--interactive", "--diff"], "leave out --diff"),
    ],
)
def test_without_a_terminal_nobody_is_asked(lint, folder, options, said):
    ran = lint("a.md", *options)
    assert (ran.status, ran.out) == (1, "")
    assert said in ran.err
    assert texts(folder)[1] == WIZARDS
