"""Words that try to steer: a terminal, a line, a workflow's log, or the parser of a report."""

from __future__ import annotations

import json

CONTROLS = (
    *map(chr, range(0x01, 0x20)),
    *map(chr, range(0x7F, 0xA0)),
    *(
        "\u00ad",
        "\u061c",
        "\u180e",
        "\u200b",
        "\u200e",
        "\u200f",
        "\u2028",
        "\u2029",
        "\u202a",
        "\u202e",
        "\u2060",
    ),
    *(
        "\u2066",
        "\u2069",
        "\ufeff",
        "\ufff9",
        "\ufffb",
        "\U000e0001",
        "\U000e0041",
        "\ufffe",
        "\uffff",
        "\U0001bca0",
    ),
)
"""Every character of C0 (but NUL, which no text file holds), DEL, C1, and those that reorder, hide or end a line."""

SEQUENCES = (
    *(
        "\x1b[2J",
        "\x1b[31m",
        "\x1b]8;;http://evil.org/\x07click\x1b]8;;\x07",
        "\x1b]0;title\x07",
        "\x1b]52;c;YQ==\x1b\\",
    ),
    *(
        "\x9b2J",
        "\x9d0;x\x9c",
        "\x1bP+q\x1b\\",
        "\x08\x08\x08",
        "\r::error::x",
        "\n::error file=a::x",
        "\n ::set-output name=a::b",
    ),
    *(
        "##[error]x",
        "\n##[add-mask]a",
        "::stop-commands::x",
        "%0A::error::x",
        "%0D%0A##[command]x",
        "::warning title=a::",
    ),
    *(
        "]]>",
        "</failure><x>",
        "&#x1b;",
        "<!--",
        '"><script>alert(1)</script>',
        "`",
        "|",
        "\\",
        "\\x1b",
        "{}",
        "${{ github.token }}",
    ),
    *("\ufdd01\ufdd1", "\u202eevil\u202c", "﷽", "e" + "\u0301" * 30),
)


def hostile(number: int) -> str:
    """Return three words with a few of the tricks between them, another few for each *number*."""
    tricks = [*CONTROLS, *SEQUENCES]
    first, second, third = (tricks[(number * 3 + step) % len(tricks)] for step in range(3))
    return f"quoted{first} words{second} of{third} {number}"


ROUNDS = -(-(len(CONTROLS) + len(SEQUENCES)) // 3)
"""How many numbers bring each trick up once."""


def without_lines(text: str) -> str:
    """Return *text* as it can stand in one paragraph of Markdown."""
    return text.replace("\n", "&#10;").replace("\r", "&#13;")


def document(source: str) -> str:
    """Return a report whose quotations, links, references and comments are hostile; each cites *source*."""
    parts = ["# Hostile \x1b[31m"]
    for number in range(ROUNDS):
        words = without_lines(hostile(number))
        parts += [
            f"They say “{words}” ([{words}]({source})).",
            f"They say “{words}” (<http://u.v/{words.replace(' ', '')}>).",
            f"They say “some other words {number}” ([x](http://a{words.replace(' ', '')}.org/)).",
            f"They say “some plain words {number}” [{words}][ref{words}].",
            f"> {words}\n>\n> — [{words}]({source}#{words.replace(' ', '')})",
            f"<!-- tracecite-disable-next-line {words} -- {words} -->",
        ]
    return "\n\n".join(parts) + "\n"


def page() -> str:
    """Return an HTML page that says almost what `document` quotes."""
    parts = (f"<p>quoted words {hostile(number)} of it {number}</p>" for number in range(ROUNDS))
    return "<!doctype html><title>\x1b[2J</title>" + "".join(parts)


def quoting(source: str) -> str:
    """Return a harmless report of quotations that are almost in `page`."""
    lines = (
        f"They say “quoted words of them {number}” ([page]({source}))." for number in range(ROUNDS)
    )
    return "\n\n".join(lines) + "\n"


def trace() -> str:
    """Return a trace whose every string is hostile, lines that are none, and vendors' records."""
    lines = []
    for number in range(ROUNDS):
        words = hostile(number)
        lines += [
            json.dumps({"event": words, "run_id": words, words: words}),
            json.dumps(
                {"role": "assistant", "content": f"“{words}” (https://www.iana.org/{number})"}
            ),
            json.dumps(
                {
                    "type": words,
                    "id": words,
                    "content": [
                        {
                            "type": "text",
                            "text": words,
                            "citations": [{"cited_text": words, "url": words}],
                        }
                    ],
                }
            ),
            json.dumps(
                {**dict.fromkeys(CALL, words), "call_id": f"{words}{number % 2}", "status": words}
            ),
            words.replace("\n", " ").replace("\r", " "),
        ]
    return "\n".join(lines) + "\n"


CALL = ("task_id", "run_id", "stage", "call_id", "model")
"""What names a call in a log of model calls."""

FILE_NAMES = tuple(
    f"n{number}{trick.replace('/', '')}.md"
    for number, trick in enumerate((*CONTROLS, *SEQUENCES))
    if "\0" not in trick
)
