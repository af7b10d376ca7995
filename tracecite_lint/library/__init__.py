"""One call for one question: `verify` a quotation, `check_text` of a document; what the command does, for a program."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tracecite_lint.engine.check import Check, check_documents, fetch_pending
from tracecite_lint.engine.job import Job
from tracecite_lint.engine.reach import open_store
from tracecite_lint.engine.stop import Stop
from tracecite_lint.errors import require_text
from tracecite_lint.files.roots import repository_root
from tracecite_lint.inputs.reader import InputReader, located, with_inputs
from tracecite_lint.light.lazy import dataclass, regex, replace
from tracecite_lint.matching.fold import fold
from tracecite_lint.model import (
    CheckResult,
    Citation,
    DifferenceKind,
    Document,
    DocumentKind,
    Nearest,
    Shape,
    SourceRef,
    Span,
    Verdict,
)
from tracecite_lint.settings import (
    FILE_IGNORES,
    HOSTS,
    OPTIONS,
    SEVERITIES,
    Settings,
    SettingsError,
    SettingsFinder,
)
from tracecite_lint.sources.deadline import Deadline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tracecite_lint.engine.judge import Decision
    from tracecite_lint.sources.page import PageHead

_BETWEEN_PARAGRAPHS = regex(r"\n[^\S\n]*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a source says of one quotation.

    `code` and `message` tell why it is not verified, as a finding would (docs/rules.md), `help` the way out.
    """

    quote: str
    source: str
    verdict: Verdict
    code: str | None = None
    message: str = ""
    help: str = ""
    difference: DifferenceKind | None = None
    """What keeps the words of a mismatch from standing there (docs/verdicts.md)."""
    nearest: Nearest | None = None
    """The passage that comes closest to a mismatch, if one does."""
    folds: tuple[str, ...] = ()
    """The folds that the match needed, by the names of docs/matching.md."""
    omitted: str = ""
    """What an omission mark leaves out of one sentence of the source, if a negation is in it."""
    page: int | None = None
    """The 1-based page of a PDF on which the quotation was found."""
    final_url: str | None = None
    """Where the source was read, after redirects; None if it was not."""
    fetched_at: float | None = None
    """Seconds since the epoch."""
    from_cache: bool = False
    stale: bool = False
    """The page was past its TTL and could not be asked for again."""

    def to_json(self) -> dict[str, object]:
        """Return the fields under their own names; what is None, empty or false is left out."""
        values: dict[str, object] = {
            "quote": self.quote,
            "source": self.source,
            "verdict": str(self.verdict),
            "code": self.code,
            "message": self.message,
            "help": self.help,
            "difference": None if self.difference is None else str(self.difference),
            "nearest": None
            if self.nearest is None
            else {"text": self.nearest.text, "similarity": self.nearest.similarity},
            "folds": list(self.folds),
            "omitted": self.omitted,
            "page": self.page,
            "final_url": self.final_url,
            "fetched_at": self.fetched_at,
            "from_cache": self.from_cache,
            "stale": self.stale,
        }
        return {name: value for name, value in values.items() if value}


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
    return _verify(quote, source, directory, settings)


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
    stop = Stop()
    with _asked_if_cancelled(stop):
        return await asyncio.to_thread(_verify, quote, source, directory, settings, stop)


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
    return _check_text(text, name, directory, settings)


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
    stop = Stop()
    with _asked_if_cancelled(stop):
        return await asyncio.to_thread(_check_text, text, name, directory, settings, stop)


def _verify(
    quote: str,
    source: str,
    directory: str | os.PathLike[str] | None,
    settings: Settings | None,
    stop: Stop | None = None,
) -> Verification:
    started = time.monotonic()
    here = _working_directory(directory)
    found = _finder(settings).settings(here)
    root = repository_root(here, here)
    citation = Citation(
        passages=tuple(part for part in _BETWEEN_PARAGRAPHS.split(quote) if part.strip()),
        span=Span(1, 1, 1, 1),
        source=SourceRef(source),
        shape=Shape.NOTE,
    )
    # A name that no source has: nothing cites itself here.
    document = Document("", "", DocumentKind.NOTES, (citation,))
    job = Job(document=document, location=here / "-", root=root, settings=found)
    with open_store(found.reach(), work_tree=root, started=started) as store:
        check = Check([job], store, extras=()).look_up()
        fetch_pending(check, store, stop=stop)
        decision, head = check.decision(job, citation), check.head(job, citation)
    assert decision is not None  # nothing is pending any more
    return _verification(quote, source, decision, head)


def _verification(
    quote: str, source: str, decision: Decision, head: PageHead | None
) -> Verification:
    said = Verification(
        quote=quote,
        source=source,
        verdict=decision.verdict,
        code=decision.finding,
        message=decision.message,
        help=decision.help,
        difference=decision.difference,
        nearest=decision.nearest,
        folds=decision.folds,
        omitted=decision.omitted,
        page=decision.page,
    )
    if head is None:
        return said
    return replace(
        said,
        final_url=head.final_url,
        fetched_at=head.fetched_at,
        from_cache=head.from_cache,
        stale=head.stale,
    )


def _check_text(
    text: str,
    name: str,
    directory: str | os.PathLike[str] | None,
    settings: Settings | None,
    stop: Stop | None = None,
) -> CheckResult:
    started = time.monotonic()
    here = _working_directory(directory)
    finder = _finder(settings)
    of_run = finder.settings(here)
    reach = of_run.reach()
    reader = InputReader(finder, here, Deadline.after(of_run.max_time, started=started))
    # Half of a surrogate pair is no text; the reader says where it stands, as of any byte that is none.
    inputs = reader.from_bytes(located(name, here), text.encode("utf-8", "surrogatepass"))
    if not inputs.jobs:
        return with_inputs(CheckResult(), inputs, here)
    with open_store(reach, work_tree=repository_root(here, here), started=started) as store:
        result = check_documents(inputs.jobs, store, stop=stop)
        if store.problem:
            result = replace(result, notes=(*result.notes, store.problem))
    return with_inputs(result, inputs, here)


@contextmanager
def _asked_if_cancelled(stop: Stop) -> Iterator[None]:
    """Ask for *stop* when the task is cancelled: nothing else ends what its thread does."""
    try:
        yield
    except asyncio.CancelledError:
        stop.ask()
        raise


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
