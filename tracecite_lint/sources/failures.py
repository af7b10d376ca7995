"""What went wrong between here and a server, as the codes of docs/rules.md: errors and statuses become SourceErrors."""

from __future__ import annotations

import errno
import os
import socket
import ssl
import time

import aiohttp

from tracecite_lint.sources.connect import AddressRefusedError
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.politeness import retry_after

# 999 is LinkedIn's; 406 and 451 come from firewalls, and from servers that show nothing to this part of the world.
_BLOCKED = frozenset({401, 403, 406, 451, 999})
_BROKEN_CONNECTION = frozenset({errno.ECONNRESET, errno.ECONNABORTED, errno.EPIPE, errno.ETIMEDOUT})
# Too Early (RFC 8470) and Too Many Requests (RFC 6585) say themselves that a later request may do.
_PASSING = frozenset({408, 425, 429, *range(500, 600)})


class PassingError(Exception):
    """A failure that may pass, with the seconds that the server asks to wait before it is asked again."""

    def __init__(self, error: SourceError, wait: float = 0.0) -> None:
        super().__init__(error)
        self.error = error
        self.wait = wait


def status_failure(host: str, answer: aiohttp.ClientResponse) -> SourceError | PassingError:
    """Return what a status that gives no page means."""
    status = answer.status
    # Cloudflare and AWS say so in a header; the status beside it is any (403, 503, 202).
    challenged = answer.headers.get("cf-mitigated") or answer.headers.get("x-amzn-waf-action")
    if status in _BLOCKED or challenged:
        return SourceError(
            "SOURCE_BLOCKED",
            f"{host} does not show this page to programs (status {status})",
            help="check the quotation by hand, or cite a copy that is open",
        )
    gone = status in {404, 410}
    help = "correct the URL, or cite an archived copy of the page" if gone else ""
    code, message = f"HTTP_STATUS_{status}", f"{host} answers with status {status}"
    if status not in _PASSING:
        return SourceError(code, message, help=help)
    wait = retry_after(answer.headers.get("Retry-After"), now=time.time()) or 0.0
    if wait:
        message += f" and asks to wait {wait:,.0f} s"
    return PassingError(SourceError(code, message), wait)


def connection_failure(host: str, error: Exception) -> SourceError | PassingError:
    """Return what *error*, raised by aiohttp or the system while *host* was asked, means."""
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    if isinstance(cause, AddressRefusedError):
        return SourceError(
            "URL_BLOCKED",
            f"{host} leads to {cause.address}, {cause.kind}; it was not connected to",
            help=f"if you trust it: --allow-host {host}",
        )
    if isinstance(error, aiohttp.ClientProxyConnectionError):
        return _failed(f"the proxy for {host} cannot be reached: {_reason(cause)}")
    if isinstance(cause, socket.gaierror):
        message = f"the name {host} cannot be resolved: {_reason(cause)}"
        unresolved = SourceError("HOST_UNRESOLVED", message)
        # The one answer of a resolver that says itself that it may be another in a moment.
        return PassingError(unresolved) if cause.errno == socket.EAI_AGAIN else unresolved
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return _failed(f"the proxy refuses to connect to {host} (status {error.status})")
    if isinstance(error, aiohttp.ClientResponseError):
        return _malformed(host, error.message)
    if isinstance(error, aiohttp.ClientPayloadError):
        message = f"the page of {host} broke off while it was sent"
        return PassingError(SourceError("HTTP_BODY_READ_FAILED", message))
    if isinstance(cause, ssl.SSLCertVerificationError):
        return _failed(
            f"the certificate of {host} is not trusted: {cause.verify_message}",
            help="the CA of a company or of a test is given with --cafile or SSL_CERT_FILE",
        )
    failed = _failed(f"{host}: {_reason(cause)}")
    # A connection that was refused or cannot be routed will be so in half a second too; one that broke may not.
    broke_off = isinstance(cause, aiohttp.ServerDisconnectedError) or (
        isinstance(cause, OSError) and cause.errno in _BROKEN_CONNECTION
    )
    return PassingError(failed) if broke_off else failed


def _failed(message: str, help: str = "") -> SourceError:
    return SourceError("HTTP_REQUEST_FAILED", message, help=help)


def _malformed(host: str, message: str) -> SourceError:
    """Return what the message of aiohttp's HTTP parser means; it has no types of its own for these."""
    if "Content-Length" in message:
        return SourceError(
            "INVALID_CONTENT_LENGTH", f"{host} sends an invalid Content-Length header"
        )
    if "Got more than" in message or "Too many headers" in message:
        return headers_too_large(host)
    if "chunk" in message:
        return SourceError("HTTP_BODY_READ_FAILED", f"{host} sends a page in malformed chunks")
    return _failed(f"{host} does not answer in HTTP, or sends more than it announced")


def headers_too_large(host: str) -> SourceError:
    """Return the failure of a server whose headers pass the limit."""
    return _failed(f"{host} sends more than 64 KiB of headers")


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return f"TLS failed ({error.reason or 'no reason given'})"
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return "the server closed the connection without an answer"
    if isinstance(error, socket.gaierror):
        return str(error.strerror).lower()
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno).lower()  # its own words may hold asyncio's
    return type(error).__name__
