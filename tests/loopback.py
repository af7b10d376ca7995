"""A real web server on loopback, HTTP and HTTPS, that answers for any host as a test scripts it and logs what it is asked."""

from __future__ import annotations

import socket
import ssl
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import trustme


@dataclass(frozen=True)
class Request:
    """One request as it came: header names in lower case, `target` as sent; `at` is a time of time.monotonic()."""

    method: str
    scheme: str
    host: str
    target: str
    headers: Mapping[str, str]
    at: float
    through_proxy: bool = False

    @property
    def url(self) -> str:
        """The URL that was asked for."""
        if self.method == "CONNECT":
            return f"connect://{self.target}"
        return f"{self.scheme}://{self.host}{self.target}"


@dataclass(frozen=True)
class Answer:
    """A well-formed answer; Content-Length and Content-Type are added if `headers` has none."""

    body: bytes | str = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str | None = "text/html; charset=utf-8"

    def to_bytes(self) -> bytes:
        """Return the answer as it goes over the wire."""
        body = self.body.encode() if isinstance(self.body, str) else self.body
        names = {name.lower() for name in self.headers}
        lines = [
            f"HTTP/1.1 {self.status} Scripted",
            *(f"{k}: {v}" for k, v in self.headers.items()),
        ]
        if self.content_type is not None and "content-type" not in names:
            lines.append(f"Content-Type: {self.content_type}")
        if not names & {"content-length", "transfer-encoding"}:
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join([*lines, "", ""]).encode() + body


def redirect(location: str, status: int = 302) -> Answer:
    """Return a redirect to *location*."""
    return Answer(status=status, headers={"Location": location})


class Exchange:
    """What a scripted function gets: the request, and the bare connection."""

    def __init__(self, request: Request, connection: socket.socket, stopping: threading.Event):
        self.request = request
        self._connection = connection
        self._stopping = stopping

    def send(self, data: bytes) -> None:
        """Send *data* as it is."""
        self._connection.sendall(data)

    def wait(self, seconds: float) -> bool:
        """Wait; True if the server is being stopped, which ends the wait."""
        return self._stopping.wait(seconds)

    def is_left(self, seconds: float) -> bool:
        """Wait until the client ends the connection, at most *seconds*; tell whether it did."""
        self._connection.settimeout(seconds)
        try:
            return self._connection.recv(1) == b""
        except ConnectionError:
            return True
        except TimeoutError:
            return False
        finally:
            self._connection.settimeout(None)

    def reset(self) -> None:
        """Break the connection off with a TCP reset."""
        linger = struct.pack("ii", 1, 0)
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self._connection.close()


Script = Answer | bytes | Callable[[Exchange], "Answer | bytes | None"]
"""An answer; bytes that are sent as they are before the connection is closed; or a function that gives either, or that
has sent what it wanted to send itself and returns None."""


class Loopback:
    """The server. Use it as a context manager; it answers 404 to whatever is not scripted.

    It is an HTTP proxy as well, for CONNECT and for absolute request targets, and then plays the origin server itself.
    """

    def __init__(self, authority: trustme.CA) -> None:
        self.requests: list[Request] = []
        """All requests so far, in the order in which they came."""
        self.most_at_a_time: Counter[str] = Counter()
        """The greatest number of requests that were under way at once, by host."""
        self.certificate_for: str | None = None
        """The name for which certificates are, whatever name the client asks for."""
        self._under_way: Counter[str] = Counter()
        self._authority = authority
        self._scripts: dict[str, list[Script]] = {}
        self._contexts: dict[str, ssl.SSLContext] = {}
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self._connections: set[socket.socket] = set()
        self._listeners = {scheme: _listener() for scheme in ("http", "https")}

    @property
    def http_port(self) -> int:
        """The port for HTTP, on 127.0.0.1; also the proxy's."""
        return int(self._listeners["http"].getsockname()[1])

    @property
    def https_port(self) -> int:
        """The port for HTTPS, on 127.0.0.1; the certificate is for the name that the client asks for."""
        return int(self._listeners["https"].getsockname()[1])

    @property
    def connect_to(self) -> tuple[str, str]:
        """Values of --connect-to that bring every URL here."""
        return f":443:127.0.0.1:{self.https_port}", f":80:127.0.0.1:{self.http_port}"

    def arguments(self, cafile: Path) -> list[str]:
        """Return the command-line arguments that bring every URL here."""
        return [f"--cafile={cafile}", *(f"--connect-to={rule}" for rule in self.connect_to)]

    def script(self, url: str, *scripts: Script) -> None:
        """Answer requests for *url* with *scripts* in turn, and then with the last of them for ever.

        `connect://www.iana.org:443` is what a client asks of a proxy before it speaks TLS with the host.
        """
        self._scripts[url] = list(scripts)

    def page(self, url: str, *paragraphs: str, **headers: str) -> None:
        """Serve a HTML page with *paragraphs*; an underscore in the name of a header stands for a hyphen."""
        body = "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.script(url, Answer(f"<!doctype html><title>Page</title>\n{body}", headers=named))

    def urls(self) -> list[str]:
        """Return the URLs asked for so far."""
        return [request.url for request in self.requests]

    def __enter__(self) -> Loopback:
        for scheme, listener in self._listeners.items():
            self._start(self._accept, listener, scheme)
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        with self._lock:
            waiting = [*self._connections]
        for connection in (*self._listeners.values(), *waiting):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(timeout=10)
        for listener in self._listeners.values():
            listener.close()

    def _start(self, work: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self, listener: socket.socket, scheme: str) -> None:
        while not self._stopping.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            self._start(self._serve, connection, scheme)

    def _serve(self, connection: socket.socket, scheme: str) -> None:
        """Serve one connection to its end; whatever the client does to it only ends it."""
        with suppress(OSError, _ClosedError):
            if scheme == "https":
                connection = self._with_tls(connection)
            self._converse(connection, scheme, through_proxy=False)
        self._forget(connection)

    def _converse(self, connection: socket.socket, scheme: str, *, through_proxy: bool) -> None:
        with self._lock:
            self._connections.add(connection)
        while not self._stopping.is_set():
            request = _read_request(connection, scheme, through_proxy=through_proxy)
            if request.method == "CONNECT" and f"connect://{request.target}" not in self._scripts:
                self.requests.append(request)
                connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
                secure = self._with_tls(connection)
                try:
                    self._converse(secure, "https", through_proxy=True)
                finally:
                    self._forget(secure)
                return
            if not self._reply(request, connection):
                return

    def _reply(self, request: Request, connection: socket.socket) -> bool:
        """Answer one request; tell whether the connection can serve another."""
        with self._lock:
            self.requests.append(request)
            self._under_way[request.host] += 1
            at_a_time = self._under_way[request.host]
            self.most_at_a_time[request.host] = max(self.most_at_a_time[request.host], at_a_time)
        try:
            reply = self._next_script(request.url)
            if not isinstance(reply, Answer | bytes):
                reply = reply(Exchange(request, connection, self._stopping))
            if reply is not None:
                connection.sendall(reply.to_bytes() if isinstance(reply, Answer) else reply)
        finally:
            with self._lock:
                self._under_way[request.host] -= 1
        return isinstance(reply, Answer)

    def _next_script(self, url: str) -> Script:
        with self._lock:
            scripts: Sequence[Script] = self._scripts.get(url, [])
            if not scripts:
                return Answer("nothing is scripted here", status=404)
            return self._scripts[url].pop(0) if len(scripts) > 1 else scripts[0]

    def _with_tls(self, connection: socket.socket) -> ssl.SSLSocket:
        context = self._context("127.0.0.1")
        context.sni_callback = self._choose_certificate
        return context.wrap_socket(connection, server_side=True)

    def _choose_certificate(
        self, connection: ssl.SSLSocket | ssl.SSLObject, name: str | None, _: object
    ) -> None:
        if name is not None:
            connection.context = self._context(self.certificate_for or name)

    def _context(self, name: str) -> ssl.SSLContext:
        with self._lock:
            if name not in self._contexts:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                self._authority.issue_cert(name).configure_cert(context)
                self._contexts[name] = context
            return self._contexts[name]

    def _forget(self, connection: socket.socket) -> None:
        with self._lock:
            self._connections.discard(connection)
        connection.close()


class _ClosedError(Exception):
    """The client has closed the connection."""


def _listener() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0), backlog=64)


def _read_request(connection: socket.socket, scheme: str, *, through_proxy: bool) -> Request:
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65_536)
        if not more:
            raise _ClosedError
        data += more
    first, *lines = data.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    host = headers.get("host", "")
    if target.startswith("http://"):
        parts = urlsplit(target)
        target, host = target.removeprefix(f"http://{parts.netloc}"), parts.netloc
        through_proxy = True
    return Request(method, scheme, host, target, headers, time.monotonic(), through_proxy)
