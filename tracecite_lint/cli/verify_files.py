"""`verify-files FILE`: the local files that a trace names, against the content that it captured from them."""

from __future__ import annotations

import argparse
import hashlib
import os
from pathlib import Path
from urllib.parse import unquote

from tracecite_lint.cli.options import FINDINGS, OK
from tracecite_lint.cli.time_limit import limited
from tracecite_lint.cli.trace_files import (
    add_trace_options,
    open_trace,
    print_failed_evidence,
    print_json,
)
from tracecite_lint.files.opening import open_regular
from tracecite_lint.naming.uris import public_uri
from tracecite_lint.output.terminal import printable
from tracecite_lint.trace.captured import captured_digests
from tracecite_lint.trace.events import FileTrace
from tracecite_lint.trace.validate import validate

_SCHEME = "file:"
_LOCAL_HOST = "localhost/"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the trace."""
    parser.add_argument("file", metavar="FILE")
    add_trace_options(parser)


def run(args: argparse.Namespace) -> int:
    """Compare the files with what was captured and return the exit status."""
    with limited(args), open_trace(args.file) as stream:
        trace = FileTrace(stream)
        report = validate(trace, evidence=True).report()
        digests = captured_digests(trace) if report.ok() else {}
        found = [(uri, _code(uri, digest)) for uri, digest in digests.items()]
    if not report.ok():
        print_failed_evidence(report.diagnostics, as_json=args.json)
        return FINDINGS
    matched = sum(code is None for _, code in found)
    if args.json:
        print_json(_report(found, matched))
    elif matched == len(found):
        print(f"PASS: {matched} source files match captured content")
    else:
        print(f"FAIL: {matched}/{len(found)} source files match captured content")
        for uri, code in found:
            if code is not None:
                print(f"[{code}] {printable(public_uri(uri))}")
    return OK if matched == len(found) else FINDINGS


def _report(found: list[tuple[str, str | None]], matched: int) -> dict[str, object]:
    items = [
        {"index": index, "url": uri, "ok": code is None, "diagnostics": [code] if code else []}
        for index, (uri, code) in enumerate(found, start=1)
    ]
    return {"source_count": len(found), "matched_count": matched, "items": items}


def _code(uri: str, digest: bytes) -> str | None:
    """Return the code that says why the file at *uri* is not what was captured, None if it is."""
    if not uri.lower().startswith(_SCHEME):
        return "UNSUPPORTED_SOURCE_URI"
    try:
        held = _file_digest(_path(uri))
    except (OSError, ValueError):  # ValueError: a path with a NUL character
        return "SOURCE_UNAVAILABLE"
    return None if held == digest else "SOURCE_FILE_MISMATCH"


def _path(uri: str) -> Path:
    """Return the path of a `file:` URI (RFC 8089), relative to the working directory unless it is absolute.

    `file:name` and `file://name` are relative, as the traces of other tools write them. Escapes are decoded, unless
    a file has the name as it is written.
    """
    # By hand, since urlsplit() would take the first part of `file://name` for a host.
    name = uri[len(_SCHEME) :]
    if name.startswith("//"):
        name = name[2:]
        if name.lower().startswith(_LOCAL_HOST):
            name = name[len(_LOCAL_HOST) - 1 :]
    path = Path(name)
    return path if os.path.lexists(path) else Path(unquote(name))


def _file_digest(path: Path) -> bytes:
    with os.fdopen(open_regular(path), "rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
