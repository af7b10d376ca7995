"""Who has taken on a piece of work, so that others wait for it and do not wait for the dead."""

from __future__ import annotations

import os


def new_owner() -> bytes:
    """Return a name for one user of the cache in this process: machine, process, and something unique."""
    return f"{_machine()}\n{os.getpid()}\n{os.urandom(8).hex()}".encode(errors="surrogateescape")


def is_dead(owner: bytes) -> bool:
    """Tell whether *owner* was a process of this machine that has ended. A stranger's process is never called dead."""
    if os.name != "posix":  # elsewhere os.kill ends processes
        return False
    machine, _, rest = owner.decode(errors="surrogateescape").partition("\n")
    process = rest.partition("\n")[0]
    # The row is input: 0 and negative numbers mean groups of processes to kill(2).
    if machine != _machine() or not (process.isdecimal() and 0 < len(process) < 10):
        return False
    try:
        # Signal 0 asks whether it is there (kill(2)) and does nothing.
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _machine() -> str:
    return os.uname().nodename if hasattr(os, "uname") else ""
