"""Inputs that are almost right: fixtures and snippets of each grammar, cut, joined, doubled and damaged, by a seeded chance."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]

_BYTES = (
    *(
        b"\x00",
        b"\x01",
        b"\x1b[2J",
        b"\x7f",
        b"\x80",
        b"\xc0\xaf",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\xff\xfe",
    ),
    *(
        b"\xef\xbb\xbf",
        b"\xe2\x80\xa8",
        b"\xe2\x80\xae",
        b"\xf0\x9f\x98\x80",
        b"\xef\xb7\x90",
        b"\xef\xb7\x91",
    ),
    *(
        b"\n",
        b"\r\n",
        b"\r",
        b"\t",
        b" " * 50,
        b'"',
        b"'",
        b"\\",
        b"{",
        b"}",
        b"[",
        b"]",
        b"<",
        b">",
        b"&",
        b"%",
    ),
    *(
        b"0",
        b"-1",
        b"1e999",
        b"NaN",
        b"99999999999999999999",
        b"9" * 400,
        b"null",
        b"true",
        b"\\ud800",
        b"\\u0000",
    ),
)

MARKDOWN = (
    *(
        "“",
        "”",
        '"',
        "« ",
        "> ",
        "\n",
        "\n\n",
        "|",
        "`",
        "```\n",
        "[t](http://u.v)",
        "([t](a.md))",
        "[^1]",
        "[^1]: ",
        "[1]",
    ),
    *(
        "[1] http://u.v\n",
        "# References\n",
        '<blockquote cite="u">',
        "</blockquote>",
        '<q cite="u">',
        "</q>",
        "<!--",
        "-->",
    ),
    *(
        "<!-- tracecite-disable -->",
        "<!-- tracecite-enable -->",
        "<!-- tracecite-disable-next-line X -- y -->",
        "***",
    ),
    *(
        "[//]: # (tracecite-disable-file)",
        "{/* tracecite-disable-line */}",
        "<!-- tracecite-disable-next-line",
        "- ",
        "1. ",
    ),
    *(
        "    ",
        "---\n",
        "{/* ",
        " */}",
        "<figure>",
        "</figure>",
        "— ",
        "> [!quote] ",
        "> Quote: ",
        "> Source: ",
        "<br>",
    ),
    *(
        "![i](u)",
        "three words here",
        "#:~:text=a,b",
        "claim: x\n",
        "quote: y\n",
        "url: z\n",
        "【1†x】",
        "\\(",
        "&#x202e;",
    ),
)
JSON = (
    *(
        '"type":',
        '"run_id":"r"',
        '"citations":[',
        '"quote":"a b c"',
        '"source_id":1',
        '"uri":"https://a.b/"',
        '"text":"“a b c d”"',
    ),
    *(
        '{"event":"answer"}',
        '"usage":{"input_tokens":1}',
        '"content":[]',
        '"content":{}',
        '"role":"assistant"',
        '"annotations":[{}]',
    ),
    *(
        '"start_index":-1',
        '"end_index":1e3',
        '"groundingMetadata":{}',
        '"resourceSpans":[[]]',
        '"choices":[null]',
        "\n",
        ",",
        ":",
    ),
    *(
        '"message":{"content":"x"}',
        '"custom_id":"a"',
        '"attributes":[{"key":"gen_ai.x"}]',
        '"claims":[[1]]',
        '"sources":[{}]',
    ),
)
HTML = (
    *(
        "<p>",
        "</p>",
        "<table><tr><td>",
        "</table>",
        "<pre>\n",
        "<script>",
        "</script>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<svg>",
    ),
    *(
        "<style>",
        "<template>",
        "<details>",
        "<li>",
        "<br/>",
        "&#0;",
        "&#x110000;",
        "&notit;",
        "<a id=",
        " hidden",
        "<math>",
        "<select>",
    ),
    *(
        '<meta charset="utf-16">',
        '<meta http-equiv="refresh" content="0">',
        "<frameset>",
        "<title>404",
        '<p style="display:none">',
    ),
    *(
        "<?xml version='1.0' encoding='x'?>",
        "<!DOCTYPE a [<!ENTITY b '&b;'>]>",
        "&b;",
        "<a:b xmlns:a=''>",
        "<plaintext>",
        "<noscript>",
    ),
)
TOML = (
    *(
        "[",
        "]",
        "[[a]]",
        "=",
        "hosts.'x'.ttl = 1",
        "ttl = 'x'",
        "select = [1]",
        "exclude = ['**']",
        "per-file-ignores = {a = ['b']}",
    ),
    *(
        "lock = '../x'",
        "baseline = '/x'",
        "citations = 'eager'",
        "max-time = 1e999",
        "[tool.tracecite-lint]",
        "# ",
        "'''",
        "1979-05-27",
    ),
)


def fixtures(*patterns: str) -> list[bytes]:
    """Return the files of the repository that *patterns* name, or the 4,000 bytes at their beginning."""
    found = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    assert found
    return [path.read_bytes()[:4_000] for path in found]


def mutations(seeds: Sequence[bytes], grammar: Sequence[str], amount: int) -> Iterator[bytes]:
    """Return *amount* inputs, the same ones each time: the *seeds* themselves, what grows from them, and bare *grammar*."""
    chance = random.Random(f"{len(seeds)} {len(grammar)}")
    pieces = [*_BYTES, *(piece.encode() for piece in grammar)]
    for number in range(amount):
        if number < len(seeds):
            yield seeds[number]
        elif chance.random() < 0.3:
            yield b"".join(chance.choices(pieces, k=chance.randint(0, 25)))
        else:
            data = bytearray(chance.choice(seeds))
            for _ in range(chance.choice((1, 1, 2, 4, 12))):
                _change(data, chance, pieces, seeds)
            yield bytes(data)


def _change(
    data: bytearray, chance: random.Random, pieces: Sequence[bytes], seeds: Sequence[bytes]
) -> None:
    start = chance.randint(0, len(data))
    end = min(len(data), start + int(chance.expovariate(1 / 12)))
    match chance.randrange(7):
        case 0:
            data[start:end] = b""
        case 1:
            data[start:start] = data[start:end] * chance.randint(1, 6)
        case 2:
            data[start:end] = chance.choice(pieces)
        case 3:
            data[start:start] = chance.choice(pieces) * chance.choice((1, 1, 1, 40))
        case 4:
            other = chance.choice(seeds)
            at = chance.randint(0, len(other))
            data[start:end] = other[at : at + chance.randint(1, 200)]
        case 5:
            for index in range(start, end):
                data[index] ^= 1 << chance.randrange(8)
        case 6:
            del data[start:]
