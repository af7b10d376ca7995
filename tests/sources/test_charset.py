"""Which encoding a body is in, as browsers decide it."""

import pytest

from tracecite_lint.sources.charset import (
    declared_in_html,
    decode_html,
    decode_text,
    decode_xml,
    known_label,
    parse_content_type,
)

JAPANESE = "吾輩は猫である。①～"
KOREAN = "나는 고양이로소이다 똠방각하"
CHINESE = "我是猫。还没有名字"
RUSSIAN = "Я кот, имени у меня ещё нет"

CONTENT_TYPES = [
    (None, ("", None)),
    ("", ("", None)),
    ("text/html", ("text/html", None)),
    ("Text/HTML; Charset=GBK", ("text/html", "GBK")),
    ('text/html;charset="utf-8"', ("text/html", "utf-8")),
    ("text/html; x=y; charset=koi8-r; charset=gbk", ("text/html", "koi8-r")),
    ('text/html; x="a;charset=gbk"; charset=big5', ("text/html", "big5")),
    ("text/html; charset=", ("text/html", None)),
    ("nonsense; charset=gbk", ("", "gbk")),
]


@pytest.mark.parametrize(("header", "expected"), CONTENT_TYPES)
def test_a_content_type_is_taken_apart(header, expected):
    assert parse_content_type(header) == expected


def page(declaration: str, words: str) -> str:
    return f"<!doctype html><head>{declaration}<title>t</title></head><p>{words}</p>"


IN_THE_HEADER = [
    ("shift_jis", "cp932", JAPANESE),
    ("euc-jp", "euc-jp", "吾輩は猫である"),
    ("iso-2022-jp", "iso-2022-jp", "吾輩は猫である"),
    ("euc-kr", "cp949", KOREAN),
    ("ks_c_5601-1987", "cp949", KOREAN),
    ("gbk", "gb18030", CHINESE + "€"),
    ("gb2312", "gb18030", CHINESE + "€"),
    ("gb18030", "gb18030", CHINESE + "🐈"),
    ("big5", "big5hkscs", "我是貓。還沒有名字"),
    ("koi8-r", "koi8-r", RUSSIAN),
    ("windows-1251", "cp1251", RUSSIAN),
    ("latin1", "cp1252", "“I am a cat” – €"),
    ("iso-8859-1", "cp1252", "“I am a cat” – €"),
    ("us-ascii", "cp1252", "“I am a cat” – €"),
    ("utf-16le", "utf-16-le", JAPANESE),
    ("utf-16be", "utf-16-be", JAPANESE),
    (" UTF8 ", "utf-8", JAPANESE),
]


@pytest.mark.parametrize(("label", "codec", "words"), IN_THE_HEADER)
def test_the_charset_of_the_header_is_followed(label, codec, words):
    assert words in decode_html(page("", words).encode(codec), label)


IN_THE_PAGE = [
    '<meta charset="shift_jis">',
    "<meta charset=shift_jis>",
    "<META CHARSET='Shift_JIS' />",
    '<meta name="x" charset="x-sjis">',
    '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">',
    "<meta content='text/html;charset = \"sjis\"' http-equiv=content-type>",
    "<!-- comment --><meta charset=sjis>",
    "<!--><meta charset=sjis>",
    "<script>'<meta charset=gbk>'</script><meta charset=sjis>",
    "<style><meta charset=gbk></style><meta charset=sjis>",
    "<title><meta charset=gbk></title><meta charset=sjis>",
    "<meta charset=no-such-charset><meta charset=sjis>",
    "<meta charset=sjis><meta charset=gbk>",
    "<bogus a='<meta charset=gbk>'><meta charset=sjis>",
    '<meta content="text/html; charset=gbk"><meta charset=sjis>',
    # Blink goes on while the page is still in its head.
    "<script>" + "x" * 3000 + "</script><meta charset=sjis>",
]


@pytest.mark.parametrize("declaration", IN_THE_PAGE)
def test_the_charset_of_the_page_is_followed(declaration):
    assert JAPANESE in decode_html(page(declaration, JAPANESE).encode("cp932"), None)


NOT_DECLARED = [
    "<!-- <meta charset=koi8-r> -->",
    "<script><meta charset=koi8-r></script>",
    "<title><meta charset=koi8-r></title>",
    "<textarea><meta charset=koi8-r></textarea>",
    "<p title='<meta charset=koi8-r>'>",
    "<meta name=charset content=koi8-r>",
    "<meta http-equiv=content-type content='text/html; charset'>",
    "<div>" + " " * 1024 + "<meta charset=koi8-r>",
    "</head>" + " " * 1024 + "<meta charset=koi8-r>",
    "<svg><![CDATA[<meta charset=koi8-r>]]></svg>",
]


@pytest.mark.parametrize("declaration", NOT_DECLARED)
def test_what_is_no_declaration_takes_no_effect(declaration):
    assert declared_in_html(page(declaration, "").encode()) is None


PRECEDENCE = [
    ("a byte order mark beats both", "utf-8-sig", "koi8-r", "<meta charset=gbk>"),
    ("a UTF-16 mark beats both", "utf-16", "koi8-r", "<meta charset=gbk>"),
    ("the header beats the page", "cp1251", "windows-1251", "<meta charset=gbk>"),
    ("an unknown header does not count", "koi8-r", "no-such", "<meta charset=koi8-r>"),
    ("UTF-16 in a page means UTF-8", "utf-8", None, "<meta charset=utf-16>"),
    ("undeclared UTF-8 is UTF-8", "utf-8", None, ""),
]


@pytest.mark.parametrize(("codec", "label", "declaration"), [row[1:] for row in PRECEDENCE])
def test_what_beats_what(codec, label, declaration):
    assert RUSSIAN in decode_html(page(declaration, RUSSIAN).encode(codec), label)


def test_an_xml_declaration_counts_where_there_is_no_meta():
    source = f'<?xml version="1.0" encoding="koi8-r"?><html><p>{RUSSIAN}'
    assert RUSSIAN in decode_html(source.encode("koi8-r"), None)


def test_undeclared_bytes_that_are_no_utf8_are_windows_1252():
    assert decode_html(b"\x93caf\xe9\x94 \x81", None) == "“café” \x81"


def test_bytes_that_the_encoding_lacks_are_replaced():
    assert decode_html(b"caf\xe9", "utf-8") == "caf\ufffd"


def test_user_defined_in_a_page_means_windows_1252():
    assert decode_html(b"<meta charset=x-user-defined>\xe9", None).endswith("é")


TEXTS = [
    (b"caf\xc3\xa9", None, "café"),
    (b"\xef\xbb\xbfcaf\xc3\xa9", None, "café"),
    (b"\xff\xfec\0", None, "c"),
    (b"caf\xe9", None, None),
    (b"caf\xe9", "utf-8", None),
    (b"caf\xe9", "no-such", None),
    (b"caf\xe9", "latin1", "café"),
]


@pytest.mark.parametrize(("body", "label", "text"), TEXTS)
def test_other_text_is_utf8_or_what_its_header_says(body, label, text):
    assert decode_text(body, label) == text


def test_xml_may_declare_its_encoding():
    source = f'<?xml version="1.0" encoding="koi8-r"?><a>{RUSSIAN}</a>'
    assert decode_xml(source.encode("koi8-r"), None) == source
    assert decode_xml(source.encode(), "utf-8") == source


@pytest.mark.parametrize(
    ("label", "known"), [("UTF-8", "utf-8"), ("nonsense", None), (None, None), ("utf\u20118", None)]
)
def test_only_the_labels_of_the_standard_are_known(label, known):
    assert known_label(label) == known


@pytest.mark.parametrize(
    "unit", [b"<!--", b"<meta ", b"<a b='", b"<script>", b"a=b ", b"<!-- -->", b"<meta charset=x>"]
)
def test_a_hostile_head_is_searched_to_its_end(unit):
    assert decode_html(unit * 20000, None)
