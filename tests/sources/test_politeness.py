"""Requests to one host wait for their turn, and for as long as the server asks."""

import asyncio
from itertools import pairwise

import pytest

from tracecite_lint.sources.options import HostOptions
from tracecite_lint.sources.politeness import TOTAL_LIMIT, Hosts, retry_after

TICK = 0.001  # what a clock may be off


async def starts(hosts: Hosts, name: str, times: list[float], *, lasts: float = 0.0) -> None:
    async with hosts[name].turn():
        times.append(asyncio.get_running_loop().time())
        await asyncio.sleep(lasts)


async def test_requests_to_one_host_start_apart():
    hosts = Hosts(lambda _: HostOptions(interval=0.03, concurrency=5))
    times: list[float] = []
    await asyncio.gather(*(starts(hosts, "iana.org", times) for _ in range(6)))
    assert all(later - earlier >= 0.03 - TICK for earlier, later in pairwise(times))


async def test_other_hosts_do_not_wait():
    hosts = Hosts(lambda _: HostOptions(interval=3600.0))
    times: list[float] = []
    await asyncio.gather(*(starts(hosts, f"host{n}.org", times) for n in range(10)))
    assert len(times) == 10


async def test_a_paused_host_waits():
    hosts = Hosts(lambda _: HostOptions(interval=0.0))
    times: list[float] = []
    await starts(hosts, "iana.org", times)
    hosts["iana.org"].pause(0.05)
    await starts(hosts, "iana.org", times)
    assert times[1] - times[0] >= 0.05 - TICK


async def test_a_place_is_free_again_after_a_failure_and_when_nobody_waits_any_more():
    hosts = Hosts(lambda _: HostOptions(interval=0.0, concurrency=1))
    for _ in range(TOTAL_LIMIT + 1):
        try:
            async with hosts["iana.org"].turn():
                raise OSError
        except OSError:
            pass
    async with hosts["iana.org"].turn():
        waiting = asyncio.create_task(starts(hosts, "iana.org", []))
        await asyncio.sleep(0)
        waiting.cancel()
    times: list[float] = []
    await starts(hosts, "iana.org", times)
    assert times


async def test_so_many_requests_in_all_and_no_more():
    hosts = Hosts(lambda _: HostOptions())
    times: list[float] = []
    under_way = [
        asyncio.create_task(starts(hosts, f"host{n}.org", times, lasts=60)) for n in range(50)
    ]
    await asyncio.sleep(0.05)
    assert len(times) == TOTAL_LIMIT
    for task in under_way:
        task.cancel()
    await asyncio.wait(under_way)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("", None),
        ("0", 0.0),
        (" 7 ", 7.0),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("٣", None),
        ("9" * 400, 999_999_999_999.0),
        ("Thu, 01 Jan 1970 00:20:00 GMT", 200.0),
        ("Thursday, 01-Jan-70 00:20:00 GMT", 200.0),
        ("Thu Jan  1 00:20:00 1970", 200.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("Thu, 99 Jan 1970 00:00:00 GMT", None),
        ("Thu, 01 Jan 99999 00:00:00 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value, seconds):
    assert retry_after(value, now=1000.0) == seconds
