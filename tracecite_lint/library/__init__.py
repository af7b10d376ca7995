"""One call for one question: `verify` a quotation, `check_text` of a document; what the command does, for a program."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from tracecite_lint.errors import require_text
from tracecite_lint.library.asking import Asking, Verification, in_thread, text_checked, verified
from tracecite_lint.matching.fold import fold
from tracecite_lint.settings import (
    FILE_IGNORES,
    HOSTS,
    OPTIONS,
    SEVERITIES,
    Settings,
    SettingsError,
    SettingsFinder,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tracecite_lint.engine.stop import Stop
    from tracecite_lint.model import CheckResult

__all__ = ["Verification", "check_text", "check_text_async", "verify", "verify_async"]


def verify(
    quote: str,
    source: str,
    *,
    directory: str | os.PathLike[str] | None = None,
    settings: Settings | None = None,
) -> Verification:
    """Tell whether the words *quote* stand in *source*, under docs/matching.md.

    *quote* is without its quotation marks; an empty line parts its paragraphs. *source* is written as a document would
    write it: a web address, or the path of a file, percent-encoded and relative to *directory*, with a fragment or
    without. A file lies in the repository of *directory*, or outside of one below *directory* itself.

    It is the command `tracecite-lint`, run in *directory* (None: the working directory): the same cache and limits, and
    the settings of the files found there, of the user's own file and of the environment. With *settings* these hold
    alone, and nothing is read of files or variables but those of proxies, certificates and the user's cache.

    A source that cannot be read is the verdict `unverifiable`, not an exception. Raises TypeError for what is no str,
    ValueError for a *quote* without words, an empty *source* or a *directory* that is none, SettingsError for settings
    that cannot be used, and RuntimeError in a thread that runs an event loop, which it would block: await
    `verify_async` there.
    """
    _refuse_running_loop("verify")
    _require_words("verify", quote, source)
    return verified(_asking(directory, settings), quote, source)


async def verify_async(
    quote: str,
    source: str,
    *,
    directory: str | os.PathLike[str] | None = None,
    settings: Settings | None = None,
) -> Verification:
    """Do what `verify` does, in a thread of its own, so that the event loop runs on.

    Raises what `verify` raises, but no RuntimeError. A task that is cancelled ends at once, and so do its requests.
    """
    _require_words("verify_async", quote, source)
    return await in_thread(lambda stop: verified(_asking(directory, settings, stop), quote, source))


def check_text(
    text: str,
    name: str = "text.md",
    *,
    directory: str | os.PathLike[str] | None = None,
    settings: Settings | None = None,
) -> CheckResult:
    """Check every citation of the document *text*, and return the verdicts and findings.

    *name* is a path relative to *directory*, and need not exist. It says what the text is read as (`.jsonl` and
    `.ndjson`: traces and records; else Markdown, or notes where it looks like them), from where relative sources lead, and
    which `per-file-ignores` hold.

    It is the command, run in *directory* on that document: *directory* and *settings* are those of `verify`, and comments
    in the text silence findings. A baseline and a lock, which settle what a repository holds, are not looked at.

    An error of a source is a verdict, and a text that is none (a NUL, half of a surrogate pair) a finding. Raises TypeError
    for what is no str, ValueError for an empty *name* or a *directory* that is none, SettingsError for settings that
    cannot be used, RuntimeError in a thread that runs an event loop (await `check_text_async` there), and Interrupted,
    a KeyboardInterrupt whose `result()` is what is known by then.
    """
    _refuse_running_loop("check_text")
    _require_name("check_text", text, name)
    return text_checked(_asking(directory, settings), text, name)


async def check_text_async(
    text: str,
    name: str = "text.md",
    *,
    directory: str | os.PathLike[str] | None = None,
    settings: Settings | None = None,
) -> CheckResult:
    """Do what `check_text` does, in a thread of its own, so that the event loop runs on.

    Raises what `check_text` raises, but no RuntimeError. A task that is cancelled ends at once, and so do its requests.
    """
    _require_name("check_text_async", text, name)
    return await in_thread(
        lambda stop: text_checked(_asking(directory, settings, stop), text, name)
    )


def _asking(
    directory: str | os.PathLike[str] | None, settings: Settings | None, stop: Stop | None = None
) -> Asking:
    return Asking(here=_working_directory(directory), finder=_finder(settings), stop=stop)


def _finder(settings: object) -> SettingsFinder:
    """Return what finds the settings of a call. Raises TypeError, SettingsError."""
    if settings is None:
        return SettingsFinder({}, environ=os.environ)
    if not isinstance(settings, Settings):
        kind = type(settings).__name__
        raise TypeError(f"settings are taken as a Settings, not as {kind}")
    return SettingsFinder(_read_again(settings), environ={}, isolated=True)


def _read_again(settings: Settings) -> dict[str, object]:
    """Return the attributes of *settings* as if they had been read from a file, and so found to be usable."""
    values: dict[str, object] = {}
    for option in OPTIONS:
        value = getattr(settings, option.name)
        if value == option.default:
            continue
        if option.kind is SEVERITIES and isinstance(value, dict):
            value = {code: "off" if level is None else level for code, level in value.items()}
        elif option.kind is FILE_IGNORES and isinstance(value, dict):
            value = {pattern: list(codes) for pattern, codes in value.items()}
        # Hosts are typed values of their own, which HostOptions has judged.
        try:
            values[option.name] = value if option.kind is HOSTS else option.kind.read(value)
        except ValueError as error:
            raise SettingsError(f"settings.{option.name}: {error}") from None
    return values


def _working_directory(directory: str | os.PathLike[str] | None) -> Path:
    """Return the absolute directory of a call. Raises ValueError if it is none."""
    here = Path.cwd() if directory is None else Path.cwd() / directory
    if not here.is_dir():
        raise ValueError(f"directory: {here} is no directory")
    return here


def _require_words(function: str, quote: object, source: object) -> None:
    require_text(function, quote=quote, source=source)
    if not fold(str(quote)).text.strip():
        raise ValueError(f"{function}() needs words in quote")
    if not str(source).strip():
        raise ValueError(f"{function}() needs a source: a web address or the path of a file")


def _require_name(function: str, text: object, name: object) -> None:
    require_text(function, text=text, name=name)
    if not name or "\0" in str(name):
        raise ValueError(f"{function}() needs the name of a document, such as report.md")


def _refuse_running_loop(function: str) -> None:
    """Raise RuntimeError in a thread that runs an event loop: whether there is something to fetch must not decide it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError(f"{function}() would block the running event loop: await {function}_async()")
