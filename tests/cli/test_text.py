"""`text`: what a quotation is compared with, and where words stand: the answer to “but I see it on the page”."""

from __future__ import annotations

import os

import pytest

URL = "https://www.iana.org/help/text"
PAGE = """<h1 id="top">Geese</h1><p>The count of geese was taken in every single week of 2024.</p>
<h2 id="mill">The mill</h2><p>Tickets are sold up to 180 days ahead. A dam with a sluice<sup>12</sup> was built there.</p>
<script>alert("never shown")</script><p>The count of ducks was taken in every single week of 2024.</p>"""


@pytest.fixture
def asked(lint, loopback, cafile):
    """Ask for the page: with these arguments after its address."""
    loopback.page(URL, PAGE)

    def ask(*arguments: str):
        return lint("text", URL, *arguments, *loopback.arguments(cafile))

    return ask


def test_the_text_that_is_compared_is_printed(asked):
    ran = asked()

    assert ran.status == 0
    assert ran.out.splitlines()[:3] == [
        "Geese",
        "",
        "The count of geese was taken in every single week of 2024.",
    ]
    assert "A dam with a sluice12 was built there." in ran.out
    assert "never shown" not in ran.out
    assert ran.err.startswith(f"{URL}: text/html, ")
    assert asked("-q").err == ""


def test_words_that_stand_there_are_shown_with_their_place(asked):
    ran = asked("--find", "tickets are sold up to 180 days ahead".capitalize())

    assert ran.status == 0
    assert ran.out == ("found\n  line 7, column 1\n    | Tickets are sold up to 180 days ahead\n")


def test_what_a_match_took_is_said(asked):
    ran = asked("--find", "A dam with a sluice was built")

    assert ran.status == 0
    assert "found (folds: reference-markers)\n" in ran.out


def test_the_closest_passages_come_with_their_differences(asked):
    ran = asked("--find", "The count of swans was taken in every single week of 2024")

    assert ran.status == 2
    lines = ran.out.splitlines()
    assert lines[0].startswith("not found; the closest passages")
    assert {lines[2].strip(), lines[4].strip()} == {
        f"| The count of [-swans-] {{+{bird}+}} was taken in every single week of 2024"
        for bird in ("geese", "ducks")
    }
    assert "line 3, column 1, 9" in ran.out
    assert len(lines) == 5


def test_of_words_that_are_only_partly_there_the_longest_part_is_shown(asked):
    words = "Nobody ever wrote this at all, but days ahead. A dam with a, and then it went on in other ways"
    ran = asked("--find", words)

    assert ran.status == 2
    assert "longest part" in ran.out
    assert "| days ahead. A dam with a" in ran.out


def test_where_nothing_is_alike_that_is_said(asked):
    ran = asked("--find", "zyx")

    assert (ran.status, ran.out) == (2, "not found\nnothing there comes close\n")


def test_a_source_that_cannot_be_read_says_why(lint, write):
    ran = lint("text", "https://www.iana.org/", "--offline")
    assert ran.status == 2
    assert ran.err.startswith("NOT_IN_CACHE: ")

    ran = lint("text", "gone.md")
    assert (ran.status, ran.out) == (2, "")
    assert "no such file" in ran.err


def test_a_file_may_have_any_name_and_lie_anywhere(lint, write, tmp_path_factory):
    write("a #1 %41.md", "One *small* line.\n")
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "two.txt"
    elsewhere.write_text("Two lines.\n", "utf-8")

    assert lint("text", "a #1 %41.md").out == "One small line.\n"
    assert lint("text", str(elsewhere)).out.strip() == "Two lines."


def test_a_fragment_names_a_part_of_a_file(lint, write):
    write("a.md", "# One\n\nFirst.\n\n# Two\n\nSecond.\n")

    assert lint("text", "a.md#two").out.split() == ["Two", "Second."]
    assert lint("text", "a.md#two", "--find", "First").status == 2
    assert "column 1, #two\n" in lint("text", "a.md#two", "--find", "Second").out
    assert "has no part #three" in lint("text", "a.md#three").said


def test_words_of_records_are_not_shown(lint, write):
    write("log.jsonl", '{"type":"user","message":"the merger closes on friday"}\n')

    for arguments in ((), ("--find", "the merger closes on friday")):
        ran = lint("text", "log.jsonl", *arguments)
        assert ran.status == 1
        assert "merger" not in ran.said
        assert "records" in ran.err


def test_nothing_of_a_page_can_steer_a_terminal(lint, write):
    write("a.txt", "One \x1b[2J\u202etwo three four\n")

    assert lint("text", "a.txt").out == "One \\x1b[2J\\u202etwo three four\n"
    assert "\x1b" not in lint("text", "a.txt", "--find", "[2J two three four").out


def test_a_pipe_is_no_source_and_the_time_of_the_run_holds(lint, write, tmp_path):
    write("a.txt", "One\n")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert lint("text", "pipe").status == 2

    assert "NOT_CHECKED_TIME_BUDGET" in lint("text", "a.txt", "--max-time", "0.000001").err


def test_no_words_are_no_question(lint, write):
    write("a.txt", "One\n")

    assert "--find needs words" in lint("text", "a.txt", "--find", " ").err
