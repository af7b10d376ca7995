"""Traces and vendor records in `check` and `verify-urls`: the four outcomes, shared pages, and nothing private in any output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from loopback import Answer, redirect
from traces import Cited, trace

FIXTURES = Path(__file__).parents[2] / "fixtures"
IANA = "https://www.iana.org/help/example-domains"
PAGE = (
    "As described in RFC 2606 and RFC 6761, a number of domains such as example.com and example.org"
    " are maintained for documentation purposes. These domains may be used as illustrative examples"
    " in documents without prior coordination with us."
)
URL = "https://www.example.org/geese"
SECRET = "sesquipedalian"
FORMATS = (
    *("full", "concise", "json", "json-lines", "sarif", "github", "gitlab", "junit"),
    *("markdown", "html", "agent"),
)


def fixtures(folder: str) -> list[str]:
    return sorted(path.name for path in (FIXTURES / "traces" / folder).glob("*.jsonl"))


@pytest.fixture
def iana(loopback):
    # The first URL that is written is the one that is asked for, its utm_source too.
    for url in (IANA, f"{IANA}?utm_source=openai"):
        loopback.page(url, PAGE)
    return loopback


def test_the_local_fixtures_pass_without_a_network(lint):
    ran = lint("--all", "--offline", "--format=json", str(FIXTURES / "traces"), cwd=FIXTURES)
    assert ran.status == 0
    assert ran.json["summary"]["verified"] == len(fixtures(".")) > 4


@pytest.mark.parametrize("name", fixtures("web"))
def test_a_fixture_passes_against_its_page(lint, iana, cafile, name):
    ran = lint(str(FIXTURES / "traces" / "web" / name), "--format=json", *iana.arguments(cafile))
    assert (ran.status, ran.codes) == (0, [])
    assert ran.json["summary"]["verified"] == ran.json["summary"]["citations"] == 1


@pytest.mark.parametrize("name", fixtures("failing"))
def test_its_twin_with_one_other_word_fails(lint, iana, cafile, name):
    path = FIXTURES / "traces" / "failing" / name
    ran = lint(str(path), "--format=json", *iana.arguments(cafile), cwd=FIXTURES.parent)
    assert ran.status == 2
    assert set(ran.codes) <= {"QUOTE_NOT_IN_LIVE_SOURCE", "QUOTE_NOT_IN_SOURCE"}
    assert ran.json["summary"]["mismatch"] == ran.json["summary"]["citations"] == 1
    for item in ran.json["citations"]:
        line = path.read_text().split("\n")[item["line"] - 1]
        words = line[item["column"] - 1 : item["end_column"] - 1]
        assert len(words.split()) > 4
        assert line[item["column"] - 2] in '"“'


def captured_in_trace(*citations: tuple[str, str], uri: str = URL) -> str:
    """Return a run that captured each content and quotes from it."""
    uris = [uri if number == 0 else f"{uri}/{number}" for number in range(len(citations))]
    return trace(*(Cited(uri, *texts) for uri, texts in zip(uris, citations, strict=True)))


@pytest.mark.parametrize(
    ("content", "quote", "codes", "verdict", "captured", "said"),
    [
        ("grey geese flew", "grey geese", [], "verified", True, "captured and live"),
        ("white swans", "white swans", ["QUOTE_NOT_IN_LIVE_SOURCE"], "mismatch", True, "captured only"),
        ("white swans", "grey geese", ["QUOTE_NOT_IN_SOURCE"], "verified", False, "live only"),
        (
            "white swans",
            "red robins",
            ["QUOTE_NOT_IN_LIVE_SOURCE", "QUOTE_NOT_IN_SOURCE"],
            "mismatch",
            False,
            "neither captured nor live",
        ),
    ],
)  # fmt: skip
def test_a_citation_of_a_trace_ends_in_one_of_four_ways(
    lint, write, loopback, cafile, content, quote, codes, verdict, captured, said
):
    loopback.page(URL, "Twelve grey geese flew south.")
    write("t.jsonl", captured_in_trace((content, quote)))
    ran = lint("t.jsonl", "--format=json", *loopback.arguments(cafile))
    assert (ran.status, sorted(ran.codes)) == (2 if codes else 0, codes)
    (citation,) = ran.json["citations"]
    assert (citation["verdict"], citation["captured"]) == (verdict, captured)
    assert f"1 {said}" in lint("t.jsonl", *loopback.arguments(cafile)).out


def test_the_live_source_is_matched_as_a_report_is_and_the_captured_one_to_the_byte(
    lint, write, loopback, cafile
):
    loopback.page(URL, "Twelve <b>“grey”</b> geese")
    write("t.jsonl", captured_in_trace(('Twelve "grey"\ngeese', 'Twelve "grey" geese')))
    ran = lint("t.jsonl", "--format=json", *loopback.arguments(cafile))
    assert ran.codes == ["QUOTE_NOT_IN_SOURCE"]
    assert ran.json["citations"][0]["verdict"] == "verified"


def test_a_source_that_only_the_trace_holds_is_judged_by_that(lint, write):
    write("good.jsonl", captured_in_trace(("grey geese", "geese"), uri="urn:birds:1"))
    write("bad.jsonl", captured_in_trace(("grey geese", "swans"), uri="urn:birds:1"))
    assert lint("good.jsonl").status == 0
    assert lint("bad.jsonl", "--format=json").codes == ["QUOTE_NOT_IN_SOURCE"]


def test_a_file_of_the_trace_is_read_below_the_repository_only(lint, write):
    write("a.txt", "Twelve grey geese")
    write("good.jsonl", captured_in_trace(("grey geese", "grey geese"), uri="file:a.txt"))
    assert lint("good.jsonl").status == 0
    write("bad.jsonl", captured_in_trace(("root", "root"), uri="file:///etc/passwd"))
    assert lint("bad.jsonl", "--format=json").codes == ["URL_BLOCKED"]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (PAGE[:150] + "...", 0),
        (PAGE[:147] + "&am...", 0),
        (PAGE[:150].replace("number", "handful")[:150] + "...", 2),
        (PAGE[:150].replace("are maintained", "are not maintained")[:150] + "...", 2),
    ],
)
def test_a_passage_that_web_search_cut_is_verified_as_far_as_it_goes(
    lint, write, iana, cafile, words, status
):
    assert len(words) == 153
    citation = {"type": "web_search_result_location", "url": IANA, "cited_text": words}
    block = {"type": "text", "text": "x", "citations": [citation]}
    record = {"type": "message", "role": "assistant", "content": [block]}
    write("t.jsonl", json.dumps(record))
    assert lint("t.jsonl", *iana.arguments(cafile)).status == status


def test_a_redirect_of_a_grounded_answer_is_followed(lint, write, loopback, cafile):
    hop = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/abc"
    loopback.script(hop, redirect(IANA))
    loopback.page(IANA, PAGE)
    text = (FIXTURES / "traces" / "web" / "gemini.jsonl").read_text().replace(IANA, hop)
    write("t.jsonl", text)
    ran = lint("t.jsonl", "--format=json", *loopback.arguments(cafile))
    assert ran.status == 0
    assert ran.json["citations"][0]["final_url"] == IANA


# ---- verify-urls


def test_verify_urls_keeps_its_lines(lint, write, loopback, cafile):
    loopback.page(URL, "Twelve grey geese flew south.")
    loopback.page(f"{URL}/1", "Twelve white swans swam north.")
    good = captured_in_trace(("grey geese", "grey geese"), ("white swans", "white swans"))
    write("good.jsonl", good)
    ran = lint("verify-urls", "good.jsonl", *loopback.arguments(cafile))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == (
        f"PASS: 2/2 citations appear in 2 live web sources\n  PASS {URL}\n  PASS {URL}/1\n"
    )
    write(
        "bad.jsonl", captured_in_trace(("red robins", "red robins"), ("white swans", "white swans"))
    )
    ran = lint("verify-urls", "bad.jsonl", *loopback.arguments(cafile))
    assert ran.status == 2
    assert ran.out == (
        "FAIL: 1/2 citations appear in 2 live web sources\n"
        f"  FAIL {URL}\n"
        "    [QUOTE_NOT_IN_LIVE_SOURCE:claim-1]\n"
        f"  PASS {URL}/1\n"
    )
    assert len(loopback.requests) == 4  # each run asks again


def test_verify_urls_as_json(lint, write, loopback, cafile):
    loopback.page(URL, "Twelve grey geese flew south.")
    loopback.script(f"{URL}/1", Answer(status=404))
    text = captured_in_trace(
        ("geese", "geese"), ("swans", "swans"), ("robins", "robins"), ("owls", "owls")
    )
    lines = text.replace(f"{URL}/2", "https://localhost/x").replace(f"{URL}/3", "file:a.txt")
    write("t.jsonl", lines)
    ran = lint("verify-urls", "t.jsonl", "--json", *loopback.arguments(cafile))
    assert ran.status == 2
    counts = {name: ran.json[f"{name}_count"] for name in ("source", "citation", "matched")}
    assert counts == {"source": 4, "citation": 4, "matched": 1}
    assert ran.json["items"][0] == {
        "index": 1,
        "url": URL,
        "ok": True,
        "citation_count": 1,
        "matched_count": 1,
        "diagnostics": [],
    }
    assert [item["diagnostics"] for item in ran.json["items"][1:]] == [
        ["HTTP_STATUS_404"],
        ["INVALID_OR_BLOCKED_URL"],
        ["INVALID_OR_BLOCKED_URL"],
    ]


def test_a_source_that_nothing_cites_is_named(lint, write, loopback, cafile):
    loopback.page(URL, "Twelve grey geese flew south.")
    loopback.page(f"{URL}/1", "Twelve white swans swam north.")
    text = captured_in_trace(("grey geese", "geese"), ("white swans", "swans"))
    write(
        "t.jsonl",
        text.replace('"source_id": "s1", "quote": "swans"', '"source_id": "s0", "quote": "grey"'),
    )
    ran = lint("verify-urls", "t.jsonl", *loopback.arguments(cafile))
    assert ran.status == 0
    assert ran.out == (
        "PASS: 2/2 citations appear in 2 live web sources\n"
        f"  PASS {URL}\n"
        f"  PASS {URL}/1\n"
        "    [NO_CITATIONS_FOR_SOURCE]\n"
    )


def test_verify_urls_shares_pages_with_reports_through_the_cache(lint, write, loopback, cafile):
    loopback.page(URL, "Twelve grey geese flew south.")
    write("report.md", f"It says “Twelve grey geese flew south” ([geese]({URL}#top)).\n")
    write("t.jsonl", captured_in_trace(("grey geese", "grey geese")))
    reach = loopback.arguments(cafile)
    assert lint("report.md", *reach).status == 0
    assert lint("verify-urls", "t.jsonl", "--offline", *reach).status == 0
    assert lint("t.jsonl", "--offline", *reach).status == 0
    assert len(loopback.requests) == 1
    for command in (["verify-urls", "t.jsonl"], ["t.jsonl"]):  # it is not the live page
        assert "NOT_IN_CACHE" in lint(*command, "--offline").out


def test_a_source_that_cannot_be_reached_is_no_mismatch(lint, write):
    write("t.jsonl", captured_in_trace(("grey geese", "grey geese")))
    ran = lint("verify-urls", "t.jsonl", "--offline")
    assert (ran.status, ran.out) == (
        2,
        f"FAIL: 0/1 citations appear in 1 live web sources\n  FAIL {URL}\n    [NOT_IN_CACHE]\n",
    )
    assert lint("verify-urls", "t.jsonl", "--offline", "--allow-unreachable").status == 0


# ---- privacy


def private_records(quote: str, content: str) -> dict[str, str]:
    """Return a file of each kind whose content and quotations hold the given words."""
    codex = [
        {"type": "thread.started", "thread_id": "t1"},
        {
            "type": "item.completed",
            "item": {"type": "command_execution", "command": "cat", "aggregated_output": content},
        },
        {
            "type": "item.completed",
            "item": {"type": "agent_message", "text": f"It says “{quote}”."},
        },
    ]
    cited = {"type": "web_search_result_location", "url": URL, "cited_text": quote}
    anthropic = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": quote, "citations": [cited]}],
    }
    chat = {"role": "assistant", "content": f"# {quote}\n\nIt says “{quote}” ([x]({URL}))."}
    broken = f'{{"role": "assistant", "content": "{content}'
    kinds = {"codex": codex, "anthropic": [anthropic], "chat": [chat]}
    lines = {
        name: "".join(json.dumps(record) + "\n" for record in records)
        for name, records in kinds.items()
    }
    lines["broken"] = lines["chat"] + broken + "\n" + broken
    lines["trace"] = captured_in_trace((content, quote))
    lines["broken-trace"] = lines["trace"] + lines["trace"] + broken
    return lines


@pytest.fixture
def private_files(write, loopback) -> None:
    """Records whose page nearly holds their words, so that a suggestion would show them."""
    words = f"the {SECRET} geese of the north flew over five hills"
    loopback.page(URL, words.replace("five", "six") + " and then over the sea")
    for state, content in (("captured", words), ("other", words.replace("geese", "swans"))):
        for name, text in private_records(words, content).items():
            write(f"{state}-{name}.jsonl", text)


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_of_a_record_is_in_any_report(lint, private_files, loopback, cafile, form):
    for flags in ([], ["-vv"]):
        ran = lint(".", *flags, f"--format={form}", *loopback.arguments(cafile))
        assert ran.status == 2
        assert "trace.jsonl" in ran.out
        assert SECRET not in ran.out + ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        [".", "-q"],
        [".", "--statistics", "-v"],
        [".", "--dump"],
        [".", "--dump", "--format=json"],
        [".", "--fix", "--unsafe-fixes", "--diff"],
        ["baseline", "create", "."],
    ],
)
def test_nor_in_what_else_a_command_prints(lint, private_files, loopback, cafile, arguments):
    ran = lint(*arguments, *loopback.arguments(cafile))
    assert "Traceback" not in ran.err
    assert SECRET not in ran.out + ran.err


def test_the_cache_and_the_ledgers_tell_nothing_of_a_record(
    lint, write, loopback, cafile, tmp_path
):
    loopback.page(URL, "Twelve grey geese flew south.")
    for name, text in private_records(f"the {SECRET} geese flew over hills", SECRET).items():
        write(f"{name}.jsonl", text)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    lint(".", "--allow-unreachable", *loopback.arguments(cafile))
    lint("baseline", "create", ".", *loopback.arguments(cafile))
    cache = tmp_path.with_name(f"{tmp_path.name}-cache")
    written = [path for path in (*tmp_path.rglob("*"), *cache.rglob("*")) if path.is_file()]
    fresh = [path for path in written if before.get(path) != path.read_bytes()]
    assert any(cache in path.parents for path in fresh)
    assert [path for path in fresh if SECRET.encode() in path.read_bytes()] == []
