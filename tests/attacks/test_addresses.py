"""Each edge of the address space, in every form, is judged as the registries say."""

from __future__ import annotations

from address_space import (
    IPV4,
    IPV6,
    NOT_ADDRESSES,
    edges,
    embedded,
    is_benchmark,
    is_public,
    spellings,
)

from tracecite_lint.sources.addresses import address_refusal

V4 = edges(IPV4)
V6 = edges(IPV6)

JUDGEMENTS = [
    *((ip, https, is_public(ip) or (https and is_benchmark(ip))) for ip in V4 for https in (0, 1)),
    *((form, https, is_public(ip)) for ip in V6 for form in spellings(ip) for https in (0, 1)),
    *((form, https, False) for ip in V4 for form in embedded(ip) for https in (0, 1)),
    *((text, https, False) for text in NOT_ADDRESSES for https in (0, 1)),
]
"""An address, whether a name of an https URL led to it, and whether it may be reached."""


def test_there_are_as_many_as_are_promised():
    assert len(JUDGEMENTS) >= 2_024
    assert len({may for _, _, may in JUDGEMENTS}) == 2


def test_an_address_is_judged_as_the_registries_say():
    wrong = [
        (ip, https)
        for ip, https, may in JUDGEMENTS
        if (address_refusal(ip, https_name=bool(https)) is None) != may
    ]
    assert wrong == []
