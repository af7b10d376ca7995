"""The audit of a whole log: reads it line by line, decodes, accounts, and compares with the manifest."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from tracecite_lint.calls.call import Call, CallError
from tracecite_lint.calls.ledger import (
    Conflicts,
    Group,
    Identities,
    Ledger,
    UnreadIdentities,
    missing_stages,
    note_conflict,
)
from tracecite_lint.calls.manifest import Manifest
from tracecite_lint.calls.providers import LineDecoder, Provider, provider_named
from tracecite_lint.calls.report import Finding, Findings, Report, Summary
from tracecite_lint.errors import require_text
from tracecite_lint.jsonl import JsonError, JsonLine, json_lines, parse_json, read_json_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


def decode_call(text: str, *, provider: str = "normalized") -> Call:
    """Return the call of the one record that *text* holds.

    *provider* is one whose records stand for themselves: `normalized`, an envelope (`ollama`, `openai`, `anthropic`,
    `vllm`, `gemini`, `mixed`) or a batch. Raises CallError with the code of the finding, and ValueError for another provider.
    """
    require_text("decode_call", text=text)
    chosen = provider_named(provider)
    if provider in ("otlp", "claude-code"):
        raise ValueError(f"a line of {provider!r} says nothing by itself: use audit_calls")
    try:
        line = JsonLine(1, text, parse_json(text), None)
    except JsonError as error:
        raise CallError("invalid_json", f"not JSON: {error.message}", error.column) from None
    [logged] = chosen.decoder(lambda: iter((line,)), None, {})(line)
    return logged.call


def audit_calls(
    log: str | bytes | BinaryIO,
    manifest: str | bytes | None = None,
    *,
    provider: str = "normalized",
) -> Report:
    """Audit a log of model calls (docs/call-audit.md), against *manifest* if there is one.

    *log* is the text of the log, its bytes, or a binary file that can be read from its start again. *provider* says
    what its lines hold (providers.PROVIDERS); raises ValueError for an unknown one, OSError if reading fails.
    """
    findings: list[Finding] = []
    summary = audit_into(findings, _reader(log), manifest, provider=provider)
    return Report(summary, tuple(findings))


def audit_into(
    findings: Findings,
    lines: Callable[[], Iterator[JsonLine]],
    manifest: str | bytes | None = None,
    *,
    provider: str = "normalized",
) -> Summary:
    """Audit as `audit_calls` does, and put the findings into *findings* in the order of the protocol.

    *lines* reads the log from its start, and is called again where one reading is not enough: a log with conflicts, one with
    many call_ids of which some come twice, OTLP and Claude Code. Memory grows with the number of different call_ids, by
    8 bytes each, by some 200 bytes for each that comes twice, and with the manifest; with the findings only as far as
    *findings* itself does.
    """
    chosen = provider_named(provider)
    expected, defect = _manifest(chosen, manifest)
    conflicts: Conflicts = {}
    repeated: frozenset[int] | None = None
    while True:
        findings.clear()
        identities = UnreadIdentities() if repeated is None else Identities(repeated)
        reading = _Reading(chosen, lines, expected, findings, conflicts, identities)
        reading.run(defect)
        # Nothing that was said of a call that comes twice counts before all of these are known.
        if again := identities.repeated():
            repeated = again
            del reading, identities
            continue
        if not reading.conflicts:
            break
        # Which call_ids are in conflict is known only at the end, and every line of theirs is to be left out, and named.
        conflicts = {key: Group() for key in (*conflicts, *reading.conflicts)}
        del reading, identities  # before those of the next reading are collected
        _take_down(conflicts, lines, chosen.decoder(lines, expected, {}))
    return Summary(
        codes=reading.codes,
        usage_complete=reading.usage_complete,
        totals=reading.ledger.totals,
        attempts=reading.ledger.attempts,
        expected=None if expected is None else (expected.task_ids, expected.required_stages),
        manifest=manifest is not None,
        provider=provider,
        meanings=reading.ledger.meanings,
        left_out=reading.left_out,
    )


def _take_down(
    conflicts: Conflicts, lines: Callable[[], Iterator[JsonLine]], decode: LineDecoder
) -> None:
    """Read the log for the lines of the call_ids that are in conflict."""
    for line in lines():
        with suppress(CallError):  # the next reading reports it
            for logged in () if line.error else decode(line):
                note_conflict(conflicts, logged)


class _Reading:
    """One reading of a log. *conflicts* are those that an earlier one found."""

    def __init__(
        self,
        provider: Provider,
        lines: Callable[[], Iterator[JsonLine]],
        manifest: Manifest | None,
        findings: Findings,
        conflicts: Conflicts,
        identities: Identities,
    ) -> None:
        self.provider = provider
        self.lines = lines
        self.manifest = manifest
        self.findings = findings
        self.ledger = Ledger(manifest, conflicts, identities)
        self.left_out: dict[str, int] = {}
        self.codes: dict[str, int] = {}
        self.decoded = 0
        self.blank = True
        self.undecoded = False

    @property
    def conflicts(self) -> set[bytes]:
        """The call_ids that turned out to be in conflict: with any, nothing else that was found counts."""
        return self.ledger.identities.conflicting

    @property
    def empty(self) -> bool:
        """Whether the log holds nothing: blank lines only, or (vendors' logs) no record of a call."""
        return not self.decoded and not self.undecoded

    @property
    def usage_complete(self) -> bool:
        """Whether the totals are all that was used."""
        return self.ledger.complete and not self.undecoded and not self.empty

    def run(self, defect: Finding | None) -> None:
        """Read the log from its start to its end; *defect* is what is wrong with the manifest."""
        if defect is not None:
            self._report(defect)
        decode = self.provider.decoder(self.lines, self.manifest, self.left_out)
        conflicts = self.conflicts
        for line in self.lines():
            self.blank = False
            for finding in self._findings_of(line, decode):
                if not conflicts:
                    self._report(finding)
        if not conflicts:
            for finding in self._findings_of_the_whole():
                self._report(finding)

    def _findings_of(self, line: JsonLine, decode: LineDecoder) -> Sequence[Finding]:
        if line.error is not None:
            self.undecoded = True
            message = f"not JSON: {line.error.message}"
            return [Finding(line.number, "invalid_json", message, column=line.error.column)]
        try:
            calls = decode(line)
        except CallError as error:
            self.undecoded = True
            return [Finding(line.number, error.code, error.message, column=error.column)]
        self.decoded += len(calls)
        findings: list[Finding] = []
        for logged in calls:
            findings += self.ledger.add(logged)
        return findings

    def _findings_of_the_whole(self) -> Iterator[Finding]:
        if self.empty:
            message = "the log is empty" if self.blank else "the log holds no record of a call"
            yield Finding(0, "empty_log", message)
        if self.manifest is not None:
            attempts = self.ledger.attempts or {}
            covered = (pair for pair, counts in attempts.items() if counts.ok)
            yield from missing_stages(self.manifest, covered)

    def _report(self, finding: Finding) -> None:
        self.codes[finding.code] = self.codes.get(finding.code, 0) + 1
        self.findings.append(finding)


def _manifest(
    provider: Provider, manifest: str | bytes | None
) -> tuple[Manifest | None, Finding | None]:
    if manifest is None:
        return None, None
    try:
        return provider.manifest(manifest), None
    except CallError as error:
        return None, Finding(0, error.code, error.message)


def _reader(log: str | bytes | BinaryIO) -> Callable[[], Iterator[JsonLine]]:
    if isinstance(log, str):
        return lambda: json_lines(log)
    stream = io.BytesIO(log) if isinstance(log, bytes) else log
    start = stream.tell()

    def lines() -> Iterator[JsonLine]:
        stream.seek(start)
        return read_json_lines(stream)

    return lines
