"""Owners of leases, alive and dead."""

import subprocess
import sys

import pytest

from tracecite_lint.sources.leases import is_dead, new_owner

HERE = new_owner().split(b"\n")[0]


def test_this_process_is_alive_and_each_owner_another():
    assert not is_dead(new_owner())
    assert new_owner() != new_owner()


def test_a_process_that_has_ended_is_dead():
    program = "from tracecite_lint.sources.leases import new_owner; print(repr(new_owner()))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert is_dead(eval(done.stdout))


@pytest.mark.parametrize(
    "owner",
    [
        b"",
        b"x",
        b"elsewhere\n999999999\nx",
        b"\xff\n\n",
        HERE + b"\n-1\nx",
        HERE + b"\n0\nx",
        HERE + b"\n" + b"9" * 50,
    ],
    ids=["nothing", "no lines", "another machine", "no text", "negative", "zero", "too large"],
)
def test_whoever_is_not_known_to_be_dead_is_waited_for(owner):
    assert not is_dead(owner)
