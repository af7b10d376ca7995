"""Content codings, undone piece by piece and never further than asked."""

import gzip
import zlib

import pytest

from tracecite_lint.sources.decoding import decoder_for
from tracecite_lint.sources.errors import SourceError

TEXT = b"The words of the page, again and again. " * 500
LIMIT = 10 * len(TEXT)


def raw_deflate(data: bytes) -> bytes:
    compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return compressor.compress(data) + compressor.flush()


CODED = [
    ("", TEXT),
    ("identity", TEXT),
    ("gzip", gzip.compress(TEXT, mtime=0)),
    ("GZip", gzip.compress(TEXT, mtime=0)),
    ("x-gzip", gzip.compress(TEXT, mtime=0)),
    ("gzip", gzip.compress(TEXT[:77], mtime=0) + gzip.compress(TEXT[77:], mtime=0)),
    ("gzip", gzip.compress(TEXT, mtime=0) + b"\0\0\0\0"),
    ("gzip", gzip.compress(TEXT, mtime=0) + b"garbage"),
    ("deflate", zlib.compress(TEXT)),
    ("deflate", raw_deflate(TEXT)),
]


@pytest.mark.parametrize("size", [1, 2, 3, 1000, 10**9])
@pytest.mark.parametrize(("coding", "data"), CODED)
def test_a_body_is_decoded_in_pieces_of_any_size(coding, data, size):
    decoder = decoder_for(coding)
    pieces = [data[i : i + size] for i in range(0, len(data), size)]
    assert b"".join(decoder.decode(piece, LIMIT) for piece in pieces) == TEXT
    assert decoder.is_complete()


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_an_empty_body_is_complete(coding):
    assert decoder_for(coding).is_complete()


@pytest.mark.parametrize(
    ("coding", "data"), [item for item in CODED[2:] if len(item[1]) < 1000][:8]
)
def test_a_body_that_is_cut_is_not_complete(coding, data):
    decoder = decoder_for(coding)
    decoder.decode(data[:20], LIMIT)
    assert not decoder.is_complete()


def test_one_byte_of_a_body_is_not_complete():
    decoder = decoder_for("gzip")
    decoder.decode(b"\x1f", LIMIT)
    assert not decoder.is_complete()


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_no_more_is_decoded_than_asked_for(coding):
    zeros = bytes(50_000_000)
    data = gzip.compress(zeros, 9, mtime=0) if coding == "gzip" else zlib.compress(zeros, 9)
    decoder = decoder_for(coding)
    assert decoder.decode(data, 1001) == bytes(1001)


@pytest.mark.parametrize(
    ("coding", "data"),
    [("gzip", b"no gzip at all"), ("deflate", b"\x78\x9cno deflate"), ("gzip", gzip.compress(TEXT, mtime=0)[:-8] + bytes(8))],
)  # fmt: skip
def test_a_damaged_body_is_an_error(coding, data):
    with pytest.raises(zlib.error):
        decoder_for(coding).decode(data, LIMIT)


@pytest.mark.parametrize("coding", ["br", "zstd", "compress", "gzip, gzip", "é"])
def test_a_coding_that_was_not_asked_for_is_named(coding):
    with pytest.raises(SourceError) as raised:
        decoder_for(coding)
    assert raised.value.code == "HTTP_BODY_READ_FAILED"
