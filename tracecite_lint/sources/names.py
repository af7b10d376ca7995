"""Host names in the one form in which they are compared and sent: pure."""

from __future__ import annotations


def ascii_name(name: str) -> str:
    """Return a host name in ASCII and lower case, without a final dot; raises ValueError for an impossible one.

    International names go through UTS 46 and IDNA 2008, as in browsers (non-transitional).
    """
    if name.isascii():
        return name.lower().removesuffix(".")
    import idna  # 20 ms to import; most names are ASCII

    try:
        return idna.encode(name, uts46=True, transitional=False).decode("ascii").removesuffix(".")
    except UnicodeError as error:
        raise ValueError(f"{name!a} is no host name ({error})") from None
