"""The records that coding agents keep of their conversations in a user's home: where they lie, and their text as JSON Lines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from tracecite_lint.errors import TraceciteLintError, os_reason
from tracecite_lint.files.opening import open_regular
from tracecite_lint.inputs.reader import SIZE_LIMIT
from tracecite_lint.light.lazy import dataclass

COMPRESSED = ".zst"


class TranscriptError(TraceciteLintError):
    """A record that is not there, or cannot be read; exit status 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Home:
    """Where an agent keeps its records: in *folder* of the home, or where *variable* says.

    That names the folder itself, or (*is_home*) what stands in for the home.
    """

    variable: str
    folder: str
    patterns: tuple[str, ...]
    is_home: bool = False

    def place(self, environ: Mapping[str, str]) -> Path:
        named = environ.get(self.variable)
        if named and not self.is_home:
            return Path(named)
        return Path(named or Path.home()) / self.folder


HOMES: Mapping[str, _Home] = {
    "claude-code": _Home(
        variable="CLAUDE_CONFIG_DIR", folder=".claude", patterns=("projects/*/*.jsonl",)
    ),
    "codex": _Home(
        variable="CODEX_HOME",
        folder=".codex",
        patterns=tuple(
            f"{place}/rollout-*.jsonl{suffix}"
            for place in ("sessions/*/*/*", "archived_sessions")
            for suffix in ("", COMPRESSED)
        ),
    ),
    "gemini-cli": _Home(
        variable="GEMINI_CLI_HOME",
        is_home=True,
        folder=".gemini",
        patterns=("tmp/*/chats/session-*.json", "tmp/*/chats/session-*.jsonl"),
    ),
}
"""The agents whose records are found, as `--for` names them."""

_SUBAGENT = "agent-"
"""How the names of Claude Code's files begin that are the records of subagents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """The record of one conversation. `changed` is when it was written to last, in seconds since the epoch."""

    agent: str
    path: Path
    changed: float
    size: int

    @property
    def name(self) -> str:
        """What it is called by: the name of its file without the suffixes."""
        return self.path.name.removesuffix(COMPRESSED).rpartition(".")[0]

    @property
    def when(self) -> str:
        """When it was written to last, for people."""
        return f"{datetime.fromtimestamp(self.changed, UTC):%Y-%m-%d %H:%M} UTC"


def transcripts(environ: Mapping[str, str], agents: Iterable[str]) -> list[Transcript]:
    """Return the records of *agents* that are there, the latest first."""
    found = [item for agent in agents for item in _kept(agent, environ)]
    return sorted(found, key=lambda item: (-item.changed, str(item.path)))


def chosen(found: list[Transcript], name: str | None) -> Transcript:
    """Return the one of *found* whose name holds *name*, the latest without one. Raises TranscriptError."""
    if not found and name is None:
        raise TranscriptError(
            "there is no record of a conversation where Claude Code, Codex and Gemini CLI keep them;"
            " name a file"
        )
    if name is None:
        return found[0]
    named = [item for item in found if name in item.name]
    exact = [item for item in named if item.name == name]
    if len(exact or named) != 1:
        what = f"{len(named)} records are" if named else "no file and no record is"
        raise TranscriptError(
            f"{what} called {name!r}; `tracecite-lint transcript --list` has them"
        )
    return (exact or named)[0]


def read_transcript(path: Path) -> tuple[str, bytes]:
    """Return the record at *path* as JSON Lines, with the name under which it is one. Raises TranscriptError."""
    try:
        content = _content(path)
    except OSError as error:
        raise TranscriptError(f"{path}: {os_reason(error)}") from None
    name = path.name.removesuffix(COMPRESSED)
    return (f"{name}l", _lines(content, path)) if name.endswith(".json") else (name, content)


def _kept(agent: str, environ: Mapping[str, str]) -> Iterator[Transcript]:
    home = HOMES[agent]
    folder = home.place(environ)
    for path in (path for pattern in home.patterns for path in folder.glob(pattern)):
        try:
            status = path.stat(follow_symlinks=False)
        except OSError:
            continue  # it went away meanwhile
        # A link is no record of this agent's, and leads anywhere.
        if path.is_symlink() or not path.is_file() or path.name.startswith(_SUBAGENT):
            continue
        yield Transcript(agent=agent, path=path, changed=status.st_mtime, size=status.st_size)


def _content(path: Path) -> bytes:
    with os.fdopen(open_regular(path), "rb") as file:
        if path.name.endswith(COMPRESSED):
            content = _decompressed(file.read(SIZE_LIMIT + 1), path)
        else:
            content = file.read(SIZE_LIMIT + 1)
    if len(content) > SIZE_LIMIT:
        raise TranscriptError(f"{path}: larger than {SIZE_LIMIT // 2**20} MiB")
    return content


def _decompressed(data: bytes, path: Path) -> bytes:
    """Return what *data* holds, no more than a byte beyond the limit: a small file may hold very much."""
    from io import BytesIO

    try:
        try:
            from compression import zstd  # type: ignore[import-not-found,unused-ignore]
        except ModuleNotFoundError:  # before Python 3.14
            from backports import zstd  # type: ignore[import-not-found,unused-ignore]
    except ModuleNotFoundError:
        raise TranscriptError(
            f"{path} is compressed: pip install 'tracecite-lint[zstd]' to read it"
        ) from None
    try:
        with zstd.ZstdFile(BytesIO(data)) as file:
            content: bytes = file.read(SIZE_LIMIT + 1)
            return content
    except (zstd.ZstdError, EOFError):
        raise TranscriptError(f"{path}: its compression is damaged, or it is not whole") from None


def _lines(content: bytes, path: Path) -> bytes:
    """Return a session that is one JSON object as lines: what stands beside its messages, then each of them."""
    try:
        session = json.loads(content)
    except (ValueError, RecursionError):
        raise TranscriptError(f"{path}: it is not JSON") from None
    if not isinstance(session, dict) or not isinstance(session.get("messages"), list):
        raise TranscriptError(f"{path}: it is no record of a conversation")
    head = {key: value for key, value in session.items() if key != "messages"}
    lines = (json.dumps(item) for item in (head, *session["messages"]))
    return "".join(f"{line}\n" for line in lines).encode()
