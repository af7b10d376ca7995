"""Words that an agent wrote itself: what it passed to its tools, and what a shell command of its says rather than reads."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from tracecite_lint.documents.markup.pairs import CJK
from tracecite_lint.jsonl import JsonValue
from tracecite_lint.light.lazy import dataclass, field, regex

_WORD = regex(r"[^\W_]+")
_APOSTROPHES = regex(r"(?<=\w)['’](?=\w)")
_ESCAPED = regex(r"\\[abefnrtv0]")
_PUNCTUATION = "();<>|&\n"
_SEPARATOR = regex(r"[;|&()\n]+")
_ASSIGNMENT = regex(r"[A-Za-z_]\w*=")

# Commands that run the command behind them, shells that run a script, and searches, which print no pattern of theirs.
_PREFIXES = frozenset(
    {"sudo", "env", "time", "nice", "nohup", "command", "exec", "xargs", "timeout"}
)
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "fish"})
_SEARCHES = frozenset(
    {
        "grep",
        "egrep",
        "fgrep",
        "zgrep",
        "rg",
        "ag",
        "ack",
        "ugrep",
        "pt",
        "findstr",
        "Select-String",
    }
)
# Verbs in the names of tools, by which a tool that looks something up is told from one that writes something down.
_READING = regex(
    r"browse|describe|fetch|find|get|grep|list|lookup|open|query|read|resolve|retrieve|search|show|view"
)
_WRITING = regex(
    r"add|append|comment|commit|copy|create|delete|edit|eval|exec|execute|insert|move|patch|post|push|put|replace|run|save"
    r"|send|set|submit|update|upload|write"
)
_NAME_PART = regex(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

_PRINTERS = frozenset({"echo", "printf", "print"})
_SHELL_DEPTH = 4


@dataclass(slots=True)
class CommandWords:
    """The words of a shell command: `said` may come out again, `asked` are the patterns of searches."""

    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    is_search: bool = False


def plain_words(text: str) -> str:
    """Return the words of *text* alone, in one case, with a space around each: to look for words, not for spelling.

    A run of Han or Kana characters counts character by character.
    """
    text = _APOSTROPHES.sub("", _ESCAPED.sub(" ", text)).casefold()
    words = _WORD.findall(CJK.sub(r" \g<0> ", text))
    return f" {' '.join(words)} "


def is_reading(tool: str) -> bool:
    """Tell by the verbs in a tool's name that it looks something up, and keeps nothing of its arguments."""
    parts = [part.lower() for part in _NAME_PART.findall(tool)]
    return any(map(_READING.fullmatch, parts)) and not any(map(_WRITING.fullmatch, parts))


def strings_of(value: JsonValue) -> Iterator[str]:
    """Yield every string in *value*, names of members aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings_of(item)


def command_words(command: str, depth: int = _SHELL_DEPTH) -> CommandWords:
    """Return what of a shell *command* it may say itself (`echo`, a here-document), and what it only looks for (`grep`).

    A command that cannot be taken apart says all of it.
    """
    words = CommandWords()
    try:
        simple_commands = list(_simple_commands(command))
    except ValueError:
        return CommandWords(said=[command])
    for name, arguments in simple_commands:
        if name in _SHELLS and depth > 0:
            scripts = [argument for argument in arguments if not argument.startswith("-")]
            for script in scripts[:1]:
                inner = command_words(script, depth - 1)
                words.said += inner.said
                words.asked += inner.asked
                words.is_search |= inner.is_search
        elif name in _SEARCHES or (name == "git" and arguments[:1] == ["grep"]):
            words.asked += arguments
            words.is_search = True
        else:
            # What is printed by two commands stands together; the lines of a here-document begin like a command.
            words.said += arguments if name in _PRINTERS else [name, *arguments]
    return words


def _simple_commands(command: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the arguments of each simple command; raises ValueError for an open quotation."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=_PUNCTUATION)
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    for token in [*lexer, ";"]:
        if _SEPARATOR.fullmatch(token):
            while words and (words[0] in _PREFIXES or _ASSIGNMENT.match(words[0])):
                del words[0]
            if words:
                yield words[0].rpartition("/")[2], words[1:]
            words = []
        else:
            words.append(token)
