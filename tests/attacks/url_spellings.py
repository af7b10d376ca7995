"""URLs that mean a forbidden target in one reader or another, and odd ones that mean a public page in all of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

TARGETS = (
    *("127.0.0.1", "127.255.255.254", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "192.0.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255"),
)
NAMES = (
    *(
        "localhost",
        "a.localhost",
        "printer.local",
        "metadata.google.internal",
        "a.test",
        "a.invalid",
    ),
    *("a.example", "intranet", "wpad", "kubernetes", "localhost6", "ip6-localhost"),
)
IPV6 = (
    *(
        "::1",
        "::",
        "0:0:0:0:0:0:0:1",
        "::ffff:127.0.0.1",
        "::ffff:7f00:1",
        "::FFFF:10.0.0.1",
        "fe80::1",
    ),
    *(
        "fe80::1%25eth0",
        "fe80::1%eth0",
        "fc00::1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001::1",
        "v1.x",
    ),
    *("2606:4700::1111", "127.0.0.1", "localhost", "::1]", "::127.0.0.1", "ff02::1", "", "fec0::1"),
)
OTHER_SCHEMES = (
    *(
        "file",
        "ftp",
        "ftps",
        "gopher",
        "dict",
        "ldap",
        "tftp",
        "ws",
        "wss",
        "jar:http",
        "view-source:http",
    ),
    *(
        "data",
        "javascript",
        "vbscript",
        "blob:http",
        "about",
        "httpx",
        "http+unix",
        "git",
        "ssh",
        "sftp",
    ),
    *(
        "netdoc",
        "php",
        "smb",
        "unix",
        "h\u200bttp",
        "ｈｔｔｐ",
        "http ",
        " http\t",
        "ht\ntp",
        "\x00http",
    ),
)

_FULL_WIDTH = str.maketrans(
    "0123456789abcdefghijklmnopqrstuvwxyz.",
    "０１２３４５６７８９ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ．",
)
_CIRCLED = str.maketrans(
    "0123456789abcdefghijklmnopqrstuvwxyz", "⓪①②③④⑤⑥⑦⑧⑨ⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣⓤⓥⓦⓧⓨⓩ"
)
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_BOLD = str.maketrans("0123456789", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗")
_ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
_DOTS = (".", "。", "．", "｡", "%2e", "%2E", "%E3%80%82", "\u2024")


def forbidden(port: int) -> list[str]:
    """Return spellings of forbidden targets, some with *port*, where a canary listens."""
    found = dict.fromkeys(_forbidden(port))
    return list(found)


def _forbidden(port: int) -> Iterator[str]:
    for host in _hosts():
        yield f"http://{host}/"
        yield f"https://{host}:443/latest/meta-data/?a=b#c"
    for host in ("127.0.0.1", "localhost", "127.1", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]"):
        yield from _dressed(host, port)
    for host, digits in product(("127.0.0.1", "www.iana.org", "localhost"), _ports(port)):
        yield f"http://{host}:{digits}/"
        yield f"https://{host}:{digits}/"
    for scheme, rest in product(
        OTHER_SCHEMES, ("://127.0.0.1", ":127.0.0.1", f"://127.0.0.1:{port}/x")
    ):
        yield scheme + rest
    yield from _misplaced_controls(port)


def _hosts() -> Iterator[str]:
    for address in TARGETS:
        for number, dot in product(_numbers(address), _DOTS):
            yield number.replace(".", dot)
        yield from _in_other_scripts(address)
        yield f"%{ord(address[0]):02x}{address[1:]}"
        yield "".join(f"%{ord(char):02X}" for char in address)
        yield "".join(f"%25{ord(char):02X}" for char in address)
    for name in NAMES:
        yield from (
            name,
            name.upper(),
            name.title(),
            f"{name}.",
            f"{name}..",
            f".{name}",
            f"www.{name}.",
        )
        yield from _in_other_scripts(name)
        yield "".join(f"%{ord(char):02x}" for char in name)
        yield from (
            f"{name[0]}{odd}{name[1:]}" for odd in "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0f"
        )
        yield from (
            name.replace("s", "ſ"),
            name.replace("l", "ℓ"),
            name.replace("k", "\u212a"),
            name.replace(".", "。"),
        )
    for address in IPV6:
        yield from (f"[{address}]", f"[{address.upper()}]", f"%5B{address}%5D", f"［{address}］")
        if ":" in address:
            yield address


def _numbers(address: str) -> Iterator[str]:
    """Return the old spellings of an IPv4 address: one to four parts, each decimal, octal or hexadecimal."""
    parts = [int(part) for part in address.split(".")]
    for length in (4, 3, 2, 1):
        tail = 0
        for part in parts[length - 1 :]:
            tail = tail * 256 + part
        for style in (
            str,
            "0{:o}".format,
            "0x{:x}".format,
            "0X{:X}".format,
            "00000{:o}".format,
            "0x000{:x}".format,
        ):
            yield ".".join(map(style, [*parts[: length - 1], tail]))
        mixed = ("{}", "0{:o}", "0x{:x}", "{}")
        yield ".".join(
            s.format(p) for s, p in zip(mixed, [*parts[: length - 1], tail], strict=False)
        )
    yield f"{address}."


def _in_other_scripts(host: str) -> Iterator[str]:
    for table in (_FULL_WIDTH, _CIRCLED, _SUPERSCRIPT, _BOLD, _ARABIC):
        yield host.translate(table)
        yield host.translate(table) + "."
        yield host[:1].translate(table) + host[1:]
    encoded = host.translate(_FULL_WIDTH).encode()
    yield "".join(f"%{byte:02X}" for byte in encoded)


def _dressed(host: str, port: int) -> Iterator[str]:
    """Return URLs in which other parts disguise *host*."""
    own = ("", ":80", ":", f":{port}", ":0080", ":00000000000000000080")
    users = ("", "@", "a@", "a:b@", "www.iana.org@", "www.iana.org:443@", "a@b@", "%40@", "www.iana.org%2f@", ":@",
             "www.iana.org\\@", "www.iana.org%00@", "www.iana.org%23@", "www.iana.org;@", "www.iana.org&@")  # fmt: skip
    slashes = ("//", "/", "", "///", "\\\\", "/\\", "\\/", "////", "//\\", "/ /", "//%2f")
    for user, suffix, slash in product(users, own, slashes):
        yield f"http:{slash}{user}{host}{suffix}/"
    for user, suffix in product(users, own):
        yield f"HTTPS://{user}{host}{suffix}"
        yield f"//{user}{host}{suffix}/"
        yield f"hTTp://{user}{host}{suffix}\\@www.iana.org/"
    for tail in ("\\.www.iana.org/", "%00.www.iana.org/", "%0d%0a.www.iana.org/", "%20.www.iana.org/", "%2f.www.iana.org/",
                 "%5c@www.iana.org/", "%09/", " /", "%23@www.iana.org/", ";www.iana.org/", ",www.iana.org/", "%3f/"):  # fmt: skip
        yield f"http://{host}{tail}"


def _ports(port: int) -> list[str]:
    return [
        *(
            str(port),
            f"0{port}",
            f"{port:05}",
            f"+{port}",
            f"-{port}",
            f"{port}x",
            f"0x{port:x}",
            f" {port}",
        ),
        *(
            f"{port} ",
            f"{65536 + port}",
            f"{port}:80",
            f"80:{port}",
            f"80@{port}",
            "%38%30",
            "８０",
            "22",
            "0",
        ),
        *(
            f"{port}.0",
            f"{port}%00",
            str(port).translate(_ARABIC),
            str(port).translate(_FULL_WIDTH),
            "8080",
            "1",
        ),
    ]


def _misplaced_controls(port: int) -> Iterator[str]:
    text = f"http://127.0.0.1:{port}/"
    for control in (
        *map(chr, range(0x20)),
        "\x7f",
        "\x80",
        "\x85",
        "\x9b",
        "\u2028",
        "\u202e",
        "\ufeff",
        "\ud800",
    ):
        for at in (0, 2, 5, 6, 7, 9, 12, 16, len(text)):
            yield text[:at] + control + text[at:]
            yield f"https://127.0.0.1/{control}"


ALLOWED = (
    *("https://www.iana.org/page", "HTTPS://WWW.IANA.ORG/page", "https://www.iana.org:443/page"),
    *("https://www.iana.org./page", "https://www.iana.org:/page", "  https://www.iana.org/page  "),
    *(
        "https://www.iana.org/page#@127.0.0.1/",
        "https://www.iana.org/page#//localhost/",
        "https://www.iana.org:0443/page",
    ),
    *(
        "https://ＷＷＷ.ｉａｎａ.ｏｒｇ/page",
        "https://www。iana．org/page",
        "https://%77ww.iana.org/page",
        "http://www.iana.org/page",
    ),
    *(
        "http://www.iana.org:80/page",
        "https://ⓦⓦⓦ.iana.org/page",
        "https://www.ia\u00adna.org/page",
        "https://ｗww.iana.org/page#x",
    ),
    *("https://www.iana.org/page?utm_source=a", "https://www.iana.org/page?u=http://127.0.0.1/"),
    *("https://www.iana.org/page?@127.0.0.1", "https://www.iana.org/page#:~:text=127.0.0.1"),
)
"""Spellings of `www.iana.org/page`, whatever its query."""
