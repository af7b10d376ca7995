"""Which addresses may be reached, and the old spellings of IPv4 addresses."""

import pytest

from tracecite_lint.sources.addresses import address_refusal, ipv4_from, looks_like_ipv4


@pytest.mark.parametrize(
    ("ip", "kind"),
    [
        ("0.0.0.0", "a reserved address"),
        ("10.0.0.1", "a private address"),
        ("100.64.0.1", "a shared address"),
        ("100.127.255.255", "a shared address"),
        ("127.0.0.1", "a loopback address"),
        ("127.255.255.254", "a loopback address"),
        ("169.254.169.254", "a link-local address"),
        ("172.16.0.1", "a private address"),
        ("172.31.255.255", "a private address"),
        ("192.0.0.1", "a reserved address"),
        ("192.0.2.1", "a documentation address"),
        ("192.88.99.1", "a 6to4 address"),
        ("192.168.1.1", "a private address"),
        ("198.18.0.1", "a benchmark address"),
        ("198.51.100.1", "a documentation address"),
        ("203.0.113.1", "a documentation address"),
        ("224.0.0.1", "a multicast address"),
        ("240.0.0.1", "a reserved address"),
        ("255.255.255.255", "a reserved address"),
        ("::", "a reserved address"),
        ("::1", "a loopback address"),
        ("::127.0.0.1", "a reserved address"),
        ("::ffff:127.0.0.1", "an IPv4-mapped address"),
        ("::ffff:8.8.8.8", "an IPv4-mapped address"),
        ("::ffff:0:127.0.0.1", "a reserved address"),
        ("64:ff9b::7f00:1", "a NAT64 address"),
        ("64:ff9b:1::a00:1", "a NAT64 address"),
        ("100::1", "a reserved address"),
        ("2001::1", "a Teredo address"),
        ("2001:2::1", "a reserved address"),
        ("2001:db8::1", "a documentation address"),
        ("2002:7f00:1::", "a 6to4 address"),
        ("3fff::1", "a documentation address"),
        ("5f00::1", "a reserved address"),
        ("fd00::1", "a private address"),
        ("fe80::1", "a link-local address"),
        ("fe80::1%eth0", "a link-local address"),
        ("fec0::1", "a private address"),
        ("ff02::1", "a multicast address"),
        ("localhost", "no IP address"),
        ("127.1", "no IP address"),
        ("", "no IP address"),
    ],
)
def test_an_address_that_is_not_public_is_refused(ip, kind):
    assert address_refusal(ip, https_name=False) == kind


@pytest.mark.parametrize(
    "ip",
    ["1.1.1.1", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "192.0.1.1", "198.17.0.1",
     "198.20.0.0", "223.255.255.255", "2001:200::1", "2606:4700::1111", "2a00:1450::1"],
)  # fmt: skip
def test_a_public_address_is_let_through(ip):
    assert address_refusal(ip, https_name=False) is None


def test_the_benchmark_network_is_open_to_https_names_alone():
    assert address_refusal("198.19.255.255", https_name=True) is None
    assert address_refusal("198.19.255.255", https_name=False) is not None
    assert address_refusal("127.0.0.1", https_name=True) is not None
    assert address_refusal("::ffff:198.18.0.1", https_name=True) is not None


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("127.0.1", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("017700000001", "127.0.0.1"),
        ("10.65535", "10.0.255.255"),
        ("0x", "0.0.0.0"),
        ("4294967295", "255.255.255.255"),
        ("4294967296", None),
        ("1.2.3.256", None),
        ("256.1", None),
        ("1.2.3.4.5", None),
        ("1..2", None),
        ("08.1", None),
        ("0x7g", None),
        ("99999999999999999999999999", None),
    ],
)
def test_every_spelling_of_an_ipv4_address_is_read(host, address):
    assert ipv4_from(host) == address


@pytest.mark.parametrize(
    ("host", "is_number"),
    [
        ("a.1", True),
        ("1.a", False),
        ("a.0x1f", True),
        ("a.0xg", False),
        ("1.", True),
        ("a1", False),
    ],
)
def test_a_host_that_ends_in_a_number_is_no_name(host, is_number):
    assert looks_like_ipv4(host) is is_number
