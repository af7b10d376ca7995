"""One typed settings model, where it is found, and what wins: command line, environment, project file, user file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PureWindowsPath
from types import MappingProxyType

from tracecite_lint.errors import TraceciteLintError
from tracecite_lint.files.git_directories import is_git_name
from tracecite_lint.files.opening import RefusedError, read_named
from tracecite_lint.files.roots import root_of
from tracecite_lint.files.user_directories import user_config
from tracecite_lint.light.lazy import dataclass, field, fields, regex, replace
from tracecite_lint.model import Severity
from tracecite_lint.rules import GROUPS, names_of, rule_for, similar_codes
from tracecite_lint.sources.options import (
    DEFAULT_RETRIES,
    DEFAULT_TIMEOUT,
    DEFAULT_TTL,
    FetchOptions,
    HostOptions,
    Reach,
    allowed_host,
    parse_connect_to,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

PROJECT_FILES = (".tracecite-lint.toml", "tracecite-lint.toml", "pyproject.toml")
ENVIRONMENT_PREFIX = "TRACECITE_LINT_"
_SIZE_LIMIT = 1024 * 1024
"""Bytes of a settings file."""
_LOOKED_THROUGH = 64 * 1024 * 1024
"""Bytes of a pyproject.toml that cannot be read which are searched for a table of this tool."""
_OUR_TABLE = regex(rb"\[\s*[\"']?tool[\"']?\s*\.\s*[\"']?tracecite-lint\b")
_DOTS_LIMIT = 500
"""Dots of one line of a settings file: the time that tomllib takes grows with the square of the parts of a dotted key."""
_MOST_TRIES = 10
_SCHEME = regex(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://)?")
_LEADING_DOTS = regex(r"\A(?:\./+)+")
_USER_FILE_VARIABLE = f"{ENVIRONMENT_PREFIX}USER_CONFIG"


class SettingsError(TraceciteLintError):
    """A setting that cannot be used; the message names the place and the way out."""


def _selected(selectors: Sequence[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(codes_selected_by, selectors))


def codes_selected_by(selector: str) -> frozenset[str]:
    """Return the codes that one entry of `select` or `ignore` means: `ALL`, a group of docs/rules.md, or a code.

    A single status (`HTTP_STATUS_404`) selects itself alone; an unknown word selects nothing.
    """
    if selector == "ALL":
        from tracecite_lint.rules import RULES

        return frozenset(RULES)
    if selector in GROUPS:
        from tracecite_lint.rules import RULES

        return frozenset(code for code, rule in RULES.items() if rule.group == selector)
    return frozenset({selector}) if rule_for(selector) is not None else frozenset()


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        raise ValueError(f"a list of strings is needed, such as [{value!r}]")
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ValueError("a list of strings is needed")
    return tuple(item for item in value if item)


class Pattern(str):
    """A glob pattern as it is written. `folder` is where the paths begin that it is compared with: that of its file.

    Without a folder it is compared with a path as that is given.
    """

    __slots__ = ("folder",)

    folder: Path | None

    def __new__(cls, written: str, folder: Path | None = None) -> Pattern:
        pattern = super().__new__(cls, written)
        pattern.folder = folder
        return pattern


def _patterns(value: object) -> tuple[Pattern, ...]:
    return tuple(map(Pattern, _words(value)))


def _connect_rules(value: object) -> tuple[str, ...]:
    rules = _words(value)
    for rule in rules:
        parse_connect_to(rule)
    return rules


def _host_names(value: object) -> tuple[str, ...]:
    names = _words(value)
    for name in names:
        allowed_host(name)
    return names


def _codes(value: object) -> tuple[str, ...]:
    codes = _words(value)
    for code in codes:
        _known_code(code)
    return codes


def _known_code(code: str) -> None:
    if not codes_selected_by(code):
        close = similar_codes(code)
        hint = f" (did you mean {close[0]}?)" if close else " (see `tracecite-lint explain --all`)"
        raise ValueError(f"there is no code {code!r}{hint}")


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("a string is needed")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false is needed")
    return value


_FLAGS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off", ""), False),
}


_TIME = r"[ \t]*([0-9]+(?:\.[0-9]+)?)[ \t]*([smhdw]?)[ \t]*"
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 7 * 86400.0}


def seconds(value: object) -> float:
    """Read a time: a number of seconds, or a string such as `90s`, `15m`, `24h`, `7d`."""
    if isinstance(value, str):
        found = re.fullmatch(_TIME, value)
        value = float(found[1]) * _UNITS[found[2] or "s"] if found else None
    # true is an int in Python. The upper bound keeps NaN and infinity out too: no comparison holds for NaN.
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
        raise ValueError("a time is needed: seconds, or a string such as 90s, 15m, 24h, 7d")
    return float(value)


def _some_seconds(value: object) -> float:
    if not (time := seconds(value)):
        raise ValueError("a time above 0 is needed")
    return time


def _tries(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_TRIES:
        raise ValueError(f"a whole number from 0 to {_MOST_TRIES} is needed")
    return value


def _agent(value: object) -> str:
    return HostOptions(user_agent=_text(value)).user_agent or ""


def _shapes(value: object) -> str:
    if value not in ("default", "eager"):
        raise ValueError('"default" or "eager" is needed')
    return str(value)


CLAIM_CHECKS = ("sources", "figures", "titles")
"""What linked claims without a quotation can be checked for (docs/claims.md)."""


def _claim_checks(value: object) -> tuple[str, ...]:
    checks = _words(value)
    for check in checks:
        if check not in CLAIM_CHECKS:
            hint = did_you_mean(check, CLAIM_CHECKS)
            raise ValueError(f"{check!r} is none of {', '.join(CLAIM_CHECKS)}{hint}")
    return checks


def _figures(value: object) -> str:
    if value not in ("amounts", "years", "dates"):
        raise ValueError('"amounts", "years" or "dates" is needed')
    return str(value)


def _table(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("a table is needed")
    return value


def _severities(value: object) -> Mapping[str, Severity | None]:
    result: dict[str, Severity | None] = {}
    for code, level in _table(value).items():
        _known_code(code)
        if level not in ("off", *(s.value for s in Severity)):
            raise ValueError(f"{code}: one of error, warning, info, off is needed")
        result[code] = None if level == "off" else Severity(level)
    return result


def _file_ignores(value: object) -> Mapping[Pattern, tuple[str, ...]]:
    return {Pattern(pattern): _codes(codes) for pattern, codes in _table(value).items()}


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 32:
        raise ValueError("a whole number from 1 to 32 is needed")
    return value


def _headers(value: object) -> Mapping[str, str]:
    result = {name: _text(variable) for name, variable in _table(value).items()}
    for name in result:
        # A token of RFC 9110, section 5.6.2.
        if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
            raise ValueError(f"{name!r} is no header name")
    return result


_END: Final = r"(?![\s\S])"
"""The end of a text in a JSON Schema: in Python `$` stands before a last line feed too."""
_STRINGS: Final = {"type": "array", "items": {"type": "string"}}
_STRING: Final = {"type": "string", "minLength": 1}
_SECONDS: Final = {
    "type": ["number", "string"],
    "minimum": 0,
    "exclusiveMaximum": 1e12,
    "pattern": f"^{_TIME}{_END}",
}
# What may stand in a header's value (RFC 9110, section 5.5), so that nothing is added to a request.
_AGENT: Final = {"type": "string", "minLength": 1, "pattern": rf"^[\t -~]*{_END}"}


_HOST_KEYS: Mapping[str, tuple[Callable[[Any], Any], Mapping[str, Any]]] = {
    "concurrency": (_count, {"type": "integer", "minimum": 1, "maximum": 32}),
    "interval": (seconds, _SECONDS),
    "ttl": (seconds, _SECONDS),
    "user-agent": (_agent, _AGENT),
    "headers-from-env": (_headers, {"type": "object", "additionalProperties": _STRING}),
}


def _hosts(value: object) -> Mapping[str, HostOptions]:
    result: dict[str, HostOptions] = {}
    for host, table in _table(value).items():
        values: dict[str, Any] = {}
        for key, raw in _table(table).items():
            if key not in _HOST_KEYS:
                raise ValueError(f"{host}: unknown key {key!r}{did_you_mean(key, _HOST_KEYS)}")
            try:
                values[key.replace("-", "_")] = _HOST_KEYS[key][0](raw)
            except ValueError as error:
                raise ValueError(f"{host}.{key}: {error}") from None
        try:
            result[host.lower()] = HostOptions(**values)
        except ValueError as error:
            raise ValueError(f"{host}: {error}") from None
    return result


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of value: how it is read, its JSON Schema, and how docs/settings.md and `--help` call it."""

    read: Callable[[Any], Any]
    """Reads a value as a settings file has it. Raises ValueError."""
    schema: Mapping[str, Any]
    form: str
    metavar: str = ""
    separators: str = ", "
    """What parts the values of a list in the environment and on the command line."""

    def read_text(self, text: str) -> Any:  # noqa: ANN401 - as the kind has it
        """Read a value from the environment or the command line, which know text alone. Raises ValueError."""
        match self.schema.get("type"):
            case "array":
                # Without a pattern, which each commit under an option would compile.
                for separator in self.separators[1:]:
                    text = text.replace(separator, self.separators[0])
                return self.read(text.split(self.separators[0]))
            case "boolean":
                return self.read(_FLAGS.get(text.lower(), text))
            case "integer":
                return self.read(
                    int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
                )
        return self.read(text)


CODES: Final = Kind(_codes, _STRINGS, "codes, groups or `ALL`", "CODES")
SEVERITIES: Final = Kind(
    _severities,
    {"type": "object", "additionalProperties": {"enum": ["error", "warning", "info", "off"]}},
    "table: code → `error`, `warning`, `info`, `off`",
)
# A name may hold a space.
PATTERNS: Final = Kind(_patterns, _STRINGS, "glob patterns", "PATTERNS", ",")
URL_PATTERNS: Final = Kind(_words, _STRINGS, "glob patterns", "PATTERNS", ",")
FILE_IGNORES: Final = Kind(
    _file_ignores,
    {"type": "object", "additionalProperties": _STRINGS},
    "table: glob pattern → codes",
)
SHAPES: Final = Kind(_shapes, {"enum": ["default", "eager"]}, "`default`, `eager`", "SHAPES")
TIME: Final = Kind(seconds, _SECONDS, "time", "SECONDS")
SOME_TIME: Final = Kind(
    _some_seconds,
    {**_SECONDS, "exclusiveMinimum": 0, "pattern": f"^(?=.*[1-9]){_TIME}{_END}"},
    "time",
    "SECONDS",
)
TRIES: Final = Kind(
    _tries, {"type": "integer", "minimum": 0, "maximum": _MOST_TRIES}, "number", "NUMBER"
)
AGENT: Final = Kind(_agent, _AGENT, "text", "TEXT")
CLAIMS: Final = Kind(
    _claim_checks,
    {"type": "array", "items": {"enum": [*CLAIM_CHECKS, ""]}},
    "`sources`, `figures`, `titles`, several",
    "CHECKS",
)
FIGURES: Final = Kind(
    _figures, {"enum": ["amounts", "years", "dates"]}, "`amounts`, `years`, `dates`", "KINDS"
)
HOSTS: Final = Kind(
    _hosts,
    {
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "additionalProperties": False,
            "properties": {key: dict(schema) for key, (_, schema) in _HOST_KEYS.items()},
        },
    },
    "table: host → options",
)
FLAG: Final = Kind(_flag, {"type": "boolean"}, "true, false")
FILE: Final = Kind(_text, _STRING, "path", "FILE")
DIRECTORY: Final = Kind(_text, _STRING, "path", "DIR")
CONNECT_RULES: Final = Kind(
    _connect_rules, _STRINGS, "`HOST:PORT:ADDR:PORT`, several", "HOST:PORT:ADDR:PORT"
)
HOST_NAMES: Final = Kind(_host_names, _STRINGS, "host names", "HOST")
URL: Final = Kind(_text, _STRING, "URL", "URL")


@dataclass(frozen=True, slots=True)
class Option:
    """One setting as it is declared in Settings: everything else that knows of settings is made from this.

    That is its key in a settings file, its JSON Schema, its environment variable, its option on the command line, its
    setting in editors, and its line in docs/settings.md, in `--help` and in the manual page.
    """

    kind: Kind
    summary: str
    name: str = ""
    """The attribute of Settings."""
    default: object = None
    group: str = ""
    """The group of the options on the command line that has it; empty if it is none."""
    reach: bool = False
    """Widens reach or sends secrets: command line, environment or the user's own file only."""
    file: bool = True
    """May stand in a settings file at all; the rest are options of one run."""
    inside: bool = False
    """Names a file, which may not lie outside of the repository that says so."""
    most: float | None = None
    """The most that a repository may say: more would let others wait, or be asked, longer than anybody chose to."""
    editor: bool = False
    """A setting of editors too, under its name in camelCase."""

    @property
    def key(self) -> str:
        """The key in a settings file, and the option on the command line without its dashes."""
        return self.name.replace("_", "-")

    @property
    def editor_key(self) -> str:
        """The key among the settings of an editor."""
        first, *more = self.name.split("_")
        return first + "".join(map(str.capitalize, more))

    @property
    def variable(self) -> str:
        """The environment variable."""
        return ENVIRONMENT_PREFIX + self.name.upper()

    @property
    def plain(self) -> str:
        """The summary without its Markdown."""
        return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", self.summary).replace("`", "")


CODE_OPTIONS, DOCUMENT_OPTIONS, SOURCE_OPTIONS, KNOWN_OPTIONS = (
    "codes",
    "documents and citations",
    "sources",
    "known findings and drift",
)
"""The groups of options on the command line, by their headings in `--help`."""


def _setting(default: object, kind: Kind, summary: str, **traits: Any) -> Any:  # noqa: ANN401 - as dataclasses.field
    """Declare a field of Settings together with all that is known of it."""
    declared = {"option": Option(kind, summary, **traits)}
    if default is dict:
        return field(default_factory=dict, metadata=declared)
    return field(default=default, metadata=declared)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a run can be told; times in seconds. Each setting is declared here and nowhere else."""

    select: tuple[str, ...] = _setting(
        (), CODES, "Report these codes or groups only (ALL: every code).", group=CODE_OPTIONS
    )
    extend_select: tuple[str, ...] = _setting(
        (), CODES, "Report these codes too; some are off by default.", group=CODE_OPTIONS
    )
    ignore: tuple[str, ...] = _setting((), CODES, "Do not report these codes.", group=CODE_OPTIONS)
    severity: Mapping[str, Severity | None] = _setting(
        dict, SEVERITIES, "How a code counts: only errors fail a run."
    )
    exclude: tuple[str, ...] = _setting(
        (),
        PATTERNS,
        "Documents that a directory, `--all` and the hooks leave out; a file you name is checked.",
        group=DOCUMENT_OPTIONS,
    )
    exclude_url: tuple[str, ...] = _setting(
        (),
        URL_PATTERNS,
        "Sources whose quotations are not checked, by host and path: `example.org`, `example.org/drafts/*`.",
        group=DOCUMENT_OPTIONS,
    )
    per_file_ignores: Mapping[str, tuple[str, ...]] = _setting(
        dict, FILE_IGNORES, "Codes that are not reported in documents that match a glob pattern."
    )
    citations: str = _setting(
        "default",
        SHAPES,
        "Which shapes count as [citations](citations.md); eager finds more and errs more often.",
        group=DOCUMENT_OPTIONS,
        editor=True,
    )
    claims: tuple[str, ...] = _setting(
        (),
        CLAIMS,
        "Check [claims](claims.md) that name a source without quoting it: sources, figures, titles.",
        group=DOCUMENT_OPTIONS,
        editor=True,
    )
    figures: str = _setting(
        "amounts",
        FIGURES,
        "Which figures of claims count by themselves: years adds years, dates adds years and dates.",
        group=DOCUMENT_OPTIONS,
    )
    ttl: float = _setting(
        DEFAULT_TTL, TIME, "How long a cached page is fresh (24 h).", group=SOURCE_OPTIONS
    )
    hosts: Mapping[str, HostOptions] = _setting(
        dict,
        HOSTS,
        "Per host: `concurrency`, `interval`, `ttl`, `user-agent`; `headers-from-env` in your own file alone.",
    )
    offline: bool = _setting(
        False, FLAG, "Local files and cached pages only.", group=SOURCE_OPTIONS
    )
    allow_unreachable: bool = _setting(
        False,
        FLAG,
        "Report sources that could not be reached without failing the run.",
        group=SOURCE_OPTIONS,
    )
    timeout: float = _setting(
        DEFAULT_TIMEOUT,
        SOME_TIME,
        "Time for one request (20 s; a repository may only say less).",
        group=SOURCE_OPTIONS,
        most=DEFAULT_TIMEOUT,
    )
    retries: int = _setting(
        DEFAULT_RETRIES,
        TRIES,
        "How often a request is sent again after a failure that may pass (2; a repository may only say less).",
        group=SOURCE_OPTIONS,
        most=DEFAULT_RETRIES,
    )
    max_time: float | None = _setting(None, TIME, "Time for the whole run.", group=SOURCE_OPTIONS)
    baseline: str | None = _setting(
        None,
        FILE,
        "[Known findings](ci.md) that fail nothing (default: .tracecite-baseline.json at the root, if it is there).",
        group=KNOWN_OPTIONS,
        inside=True,
    )
    lock: str | None = _setting(
        None,
        FILE,
        "Remember what stood around each quotation, and tell when it changes.",
        group=KNOWN_OPTIONS,
        inside=True,
    )
    manifest: str | None = _setting(
        None,
        FILE,
        "The manifest that [call logs](call-audit.md) are audited against.",
        inside=True,
        editor=True,
    )
    cache_dir: str | None = _setting(
        None, DIRECTORY, "Where pages are kept.", group=SOURCE_OPTIONS, reach=True
    )
    no_cache: bool = _setting(False, FLAG, "Keep no pages.", group=SOURCE_OPTIONS, file=False)
    refresh: bool = _setting(
        False, FLAG, "Ask again for pages that are fresh.", group=SOURCE_OPTIONS, file=False
    )
    connect_to: tuple[str, ...] = _setting(
        (),
        CONNECT_RULES,
        "Connect there instead, as curl's option of that name does; empty parts match anything.",
        group=SOURCE_OPTIONS,
        reach=True,
        editor=True,
    )
    allow_host: tuple[str, ...] = _setting(
        (),
        HOST_NAMES,
        "Private hosts that may be reached.",
        group=SOURCE_OPTIONS,
        reach=True,
        editor=True,
    )
    cafile: str | None = _setting(
        None,
        FILE,
        "A PEM file of further certificate authorities.",
        group=SOURCE_OPTIONS,
        reach=True,
        editor=True,
    )
    proxy: str | None = _setting(
        None,
        URL,
        "The proxy that sources are fetched through.",
        group=SOURCE_OPTIONS,
        reach=True,
        editor=True,
    )

    user_agent: str | None = _setting(
        None,
        AGENT,
        "Who asks, for hosts without a `user-agent` of their own.",
        group=SOURCE_OPTIONS,
        reach=True,
    )

    @property
    def eager(self) -> bool:
        """Whether the eager citation shapes are read too."""
        return self.citations == "eager"

    @property
    def asked_of_claims(self) -> frozenset[str]:
        """What is checked of linked claims: `claims`, with `years` or `dates` where these count by themselves."""
        wider = {self.figures} - {"amounts"} if "figures" in self.claims else set()
        return frozenset(self.claims) | wider

    def reach(self) -> Reach:
        """Return all that a store is made of. Raises SettingsError for a value that cannot be used."""
        hosts = {}
        for name, host in self.hosts.items():
            try:
                hosts[name] = host.with_headers(os.environ)
            except ValueError as error:
                raise SettingsError(f"hosts.{name}: {error}") from None
        try:
            fetching = FetchOptions(
                connect_to=tuple(map(parse_connect_to, self.connect_to)),
                allow_hosts=frozenset(self.allow_host),
                cafile=Path(self.cafile) if self.cafile else None,
                proxy=self.proxy,
                hosts=hosts,
                ttl=self.ttl,
                offline=self.offline,
                refresh=self.refresh,
                timeout=self.timeout,
                retries=self.retries,
                user_agent=self.user_agent,
            )
        except ValueError as error:
            raise SettingsError(str(error)) from None
        return Reach(
            fetching=fetching,
            max_time=self.max_time,
            cache_dir=self.cache_dir,
            no_cache=self.no_cache,
        )

    def for_document(self, path: str | Path) -> Settings:
        """Return the settings with what `per_file_ignores` adds for the document *path*, absolute where patterns have folders."""
        more = [
            code
            for pattern, codes in self.per_file_ignores.items()
            if covers([pattern], path)
            for code in codes
        ]
        return replace(self, ignore=(*self.ignore, *more)) if more else self

    def excludes(self, location: Path) -> bool:
        """Tell whether the document at *location* (absolute) is left out where nobody names it."""
        return covers(self.exclude, location)

    def excludes_source(self, uri: str) -> bool:
        """Tell whether quotations from *uri*, as it is written, are not to be checked."""
        patterns = [_SCHEME.sub("", pattern, count=1) for pattern in self.exclude_url]
        return bool(patterns) and matches(_host_and_path(uri), patterns)

    def severity_of(self, code: str, default: Severity) -> Severity | None:
        """Return how *code* counts, or None if it is not reported at all."""
        rule = rule_for(code)
        own = {code.partition(":")[0], *([rule.code] if rule else [])}
        names = names_of(code)
        from tracecite_lint.rules import RULES  # not where nothing is found

        if names & _selected(self.ignore):
            return None
        # A single status before all of them.
        for name in sorted(own & self.severity.keys(), key=lambda name: name in RULES):
            return self.severity[name]
        if self.select or names & _selected(self.extend_select):
            chosen = _selected(self.select) | _selected(self.extend_select)
            return default if names & chosen else None
        return default if rule is None or rule.default else None


_DEFAULTS: Final = Settings()

OPTIONS: Final[tuple[Option, ...]] = tuple(
    replace(item.metadata["option"], name=item.name, default=getattr(_DEFAULTS, item.name))
    for item in fields(Settings)
)
_BY_KEY = {option.key: option for option in OPTIONS}


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ` (did you mean 'X'?)` for the one of *known* that is close to *word*, or nothing."""
    from difflib import get_close_matches  # 10 ms to import, and most runs have no typing error

    close = get_close_matches(word, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def read_table(table: Mapping[str, Any], where: str, *, own: bool) -> dict[str, Any]:
    """Return the settings of one table as Settings attributes.

    *where* names the file in errors; *own* says that it is the user's own file, which may widen reach.
    Raises SettingsError.
    """
    values: dict[str, Any] = {}
    for key, raw in table.items():
        option = _BY_KEY.get(key)
        if option is None:
            raise SettingsError(f"{where}: unknown setting {key!r}{did_you_mean(key, _BY_KEY)}")
        if not option.file:
            raise SettingsError(
                f"{where}: {key!r} is for single runs: give --{key}, or set {option.variable}"
            )
        if option.reach and not own:
            raise SettingsError(
                f"{where}: {key!r} cannot be set by a repository; give --{key} on the command line, "
                f"set {option.variable}, or put it into {_own_file(where)}"
            )
        try:
            values[option.name] = option.kind.read(raw)
            if not own:
                _refuse_of_a_repository(option, values[option.name])
        except ValueError as error:
            raise SettingsError(f"{where}: {key}: {error}") from None
    if not own:
        for host, settings in values.get("hosts", {}).items():
            if settings.headers_from_env:
                raise SettingsError(
                    f"{where}: hosts.{host}.headers-from-env cannot be set by a repository; put it into {_own_file(where)}"
                )
    return values


def _refuse_of_a_repository(option: Option, value: Any) -> None:  # noqa: ANN401 - as its kind reads it
    """Raise ValueError for a *value* that a repository may not say."""
    if option.inside:
        refuse_outside(value)
    if option.most is not None and value > option.most:
        raise ValueError(
            f"a repository may say {option.most:g} at most; more is given as --{option.key}, "
            f"as {option.variable}, or in {user_file()}"
        )


def refuse_outside(name: str) -> None:
    """Raise ValueError for a path that may lead out of a repository, or to git's own files."""
    parts = PureWindowsPath(name).parts  # which knows `/`, `\\` and drives
    if PureWindowsPath(name).anchor or ".." in parts or any(map(is_git_name, parts)):
        raise ValueError(f"{name}: a path inside the repository is needed")


def _own_file(where: str) -> str:
    """Return how errors call a file in which all may be set, other than *where*."""
    own = str(user_file())
    return f"a file outside of it that {_USER_FILE_VARIABLE} names" if own == where else own


def user_file() -> Path:
    """Return where the user's own settings stand (platformdirs; TRACECITE_LINT_USER_CONFIG names another file)."""
    named = os.environ.get(_USER_FILE_VARIABLE)
    if named:
        return Path(named)
    return user_config() / "config.toml"


def parse_toml(content: bytes) -> dict[str, Any]:
    """Return the table that *content* is, with or without a BOM. Raises ValueError, RecursionError."""
    text = content.decode("utf-8-sig").replace("\r\n", "\n")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > _DOTS_LIMIT:
            raise ValueError(f"more than {_DOTS_LIMIT} dots on line {number}")
    import tomllib  # a repository without settings does without

    return tomllib.loads(text)


def _toml(path: Path, root: Path | None = None, recorded: bytes | None = None) -> Mapping[str, Any]:
    """Return the table in *path*, which no link may lead out of *root*; None: a person named it, wherever it lies.

    What is *recorded* is its content where the disk has none.
    """
    try:
        content = recorded
        if content is None:
            content = read_named(path, root, limit=_SIZE_LIMIT)
        if content is None or (len(content) > _SIZE_LIMIT and recorded is not None):
            raise SettingsError(f"{path}: larger than {_SIZE_LIMIT // 2**20} MiB")
        return parse_toml(content)
    except UnicodeDecodeError:
        raise SettingsError(f"{path}: not UTF-8 text") from None
    except RecursionError:
        raise SettingsError(f"{path}: not valid TOML: nested too deeply") from None
    except (
        ValueError
    ) as error:  # TOMLDecodeError is one; so is what a number of 5,000 digits raises
        raise SettingsError(f"{path}: not valid TOML: {error}") from None
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}") from None


class ForeignError(SettingsError):
    """A pyproject.toml that cannot be read and that says nothing of this tool: a template, say. It is passed over."""


def project_table(
    path: Path, root: Path | None = None, recorded: bytes | None = None
) -> Mapping[str, Any] | None:
    """Return the settings table of a project file, or None for a pyproject.toml that has none.

    *root* is what a file that was found, and not named, may not be led out of by a link; what is *recorded* is the content
    of one that is not on disk. Raises SettingsError; a file of other tools that cannot be read is a ForeignError.
    """
    try:
        table = _toml(path, root, recorded)
    except RefusedError as error:
        if path.name == "pyproject.toml":
            return None  # it is there for other tools
        raise SettingsError(f"{path}: {error}; name it with --config") from None
    except SettingsError as error:
        if (
            root is not None
            and path.name == "pyproject.toml"
            and not _names_us(path, root, recorded)
        ):
            raise ForeignError(str(error)) from None
        raise
    if path.name != "pyproject.toml":
        return table
    tool = table.get("tool", {})
    found = tool.get("tracecite-lint") if isinstance(tool, dict) else None
    if found is not None and not isinstance(found, dict):
        raise SettingsError(f"{path}: [tool.tracecite-lint] must be a table")
    return found


def is_ours(content: bytes) -> bool:
    """Tell whether the bytes of a pyproject.toml, TOML or not, hold a table of this tool."""
    return _OUR_TABLE.search(content) is not None


def _names_us(path: Path, root: Path, recorded: bytes | None) -> bool:
    try:
        content = recorded or read_named(path, root, limit=_LOOKED_THROUGH)
    except (OSError, RefusedError):
        return False
    return content is None or is_ours(content)


def find_project_file(
    directory: Path,
    foreign: Callable[[ForeignError], None] = lambda error: None,
    recorded: Mapping[Path, bytes] = MappingProxyType({}),
) -> Path | None:
    """Return the closest settings file in *directory* or above it; *foreign* is told of what is passed over.

    *recorded* holds the contents of those that are not on disk. Raises SettingsError.
    """
    for folder in (directory, *directory.parents):
        for name in PROJECT_FILES:
            candidate = folder / name
            try:
                content = recorded.get(candidate)
                is_there = content is not None or candidate.is_file()
                if is_there and project_table(candidate, _around(folder), content) is not None:
                    return candidate
            except ForeignError as error:
                foreign(error)
    return None


def _around(folder: Path) -> Path:
    """Return the repository that settings found in *folder* belong to; outside of git that folder alone."""
    return root_of(folder, os.environ) or folder


def environment_values(environ: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings that the environment gives. Raises SettingsError."""
    values: dict[str, Any] = {}
    for option in OPTIONS:
        raw = environ.get(option.variable)
        if raw is None or option.kind.schema.get("type") == "object":
            continue
        if not raw and option.kind.schema.get("type") != "boolean":
            continue
        try:
            values[option.name] = option.kind.read_text(raw)
        except ValueError as error:
            raise SettingsError(f"{option.variable}: {error}") from None
    return values


@dataclass(frozen=True, slots=True)
class Layer:
    """Settings from one place: `origin` is shown by `config show`."""

    origin: str
    values: Mapping[str, Any]

    def patterns(self) -> Iterator[tuple[str, Iterable[Pattern]]]:
        """Yield the patterns of each setting that has some, with its key."""
        for option in OPTIONS:
            if option.kind in (PATTERNS, FILE_IGNORES) and option.name in self.values:
                yield option.key, self.values[option.name]


def _anchored(values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return *values*, read from a place whose patterns are relative to *folder*."""
    result = dict(values)
    for option in OPTIONS:
        value = values.get(option.name)
        if value and option.kind is PATTERNS:
            result[option.name] = tuple(Pattern(item, folder) for item in value)
        elif value and option.kind is FILE_IGNORES:
            result[option.name] = {Pattern(item, folder): codes for item, codes in value.items()}
    return result


class SettingsFinder:
    """Finds the settings that hold for a document: its closest project file under the environment and the command line."""

    def __init__(
        self,
        command_line: Mapping[str, Any],
        *,
        environ: Mapping[str, str],
        config: Path | None = None,
        isolated: bool = False,
    ) -> None:
        """*command_line* holds Settings attributes; *config* replaces discovery; *isolated* reads no file at all."""
        here = Path.cwd()
        self._above = [
            Layer("environment", _anchored(environment_values(environ), here)),
            Layer("command line", _anchored(command_line, here)),
        ]
        self._config = config
        self._isolated = isolated
        self._user = self._read_user_file()
        self._found: dict[Path, tuple[Layer, ...]] = {}
        self._settings: dict[Path, Settings] = {}
        self._foreign: dict[str, None] = {}
        self._recorded: dict[Path, bytes] = {}

    def know_recorded(self, files: Mapping[Path, bytes]) -> None:
        """Take in the contents of settings files that are not on disk, as a sparse checkout leaves them out."""
        self._recorded |= files
        self._found.clear()
        self._settings.clear()

    @property
    def notes(self) -> tuple[str, ...]:
        """Which files were passed over on the way, a line each."""
        return tuple(self._foreign)

    def forget(self) -> None:
        """Read all files anew, since one of them has changed. Raises SettingsError for a broken file of the user's."""
        self._found.clear()
        self._settings.clear()
        self._user = self._read_user_file()

    def layers(self, directory: Path) -> tuple[Layer, ...]:
        """Return the layers that hold in *directory* (absolute), the weakest first. Raises SettingsError."""
        if directory not in self._found:
            user = self._user_layer(directory)
            below = [user] if user else []
            project = self._project_layer(directory)
            self._found[directory] = (*below, *([project] if project else []), *self._above)
        return self._found[directory]

    def settings(self, directory: Path) -> Settings:
        """Return the settings that hold in *directory* (absolute). Raises SettingsError."""
        if directory not in self._settings:
            self._settings[directory] = self._merged(directory)
        return self._settings[directory]

    def _merged(self, directory: Path) -> Settings:
        result = Settings()
        known = {item.name for item in fields(Settings)}
        for layer in self.layers(directory):
            values = {name: value for name, value in layer.values.items() if name in known}
            if "hosts" in values:
                values["hosts"] = {**result.hosts, **values["hosts"]}
            result = replace(result, **values)
        return result

    def is_given_for_the_run(self, name: str) -> bool:
        """Tell whether the command line or the environment sets the attribute *name* of Settings."""
        return any(name in layer.values for layer in self._above)

    def project_file(self, directory: Path) -> Path | None:
        """Return the project file that holds in *directory*, if any."""
        if self._isolated:
            return None
        return self._config or find_project_file(directory, self._pass_over, self._recorded)

    def looked_at(self, directory: Path) -> list[tuple[Path, str]]:
        """Return the files that were looked at for *directory* (absolute), and what became of each. Raises SettingsError."""
        if self._isolated:
            return []
        own, chosen = user_file(), self.project_file(directory)
        looked = [(own, "used" if self._user is not None else "not there")]
        if self._config is not None:
            return [*looked, (self._config, "used, as --config names it")]
        for folder in (directory, *directory.parents):
            for path in (folder / name for name in PROJECT_FILES):
                if path == chosen:
                    return [*looked, (path, "used")]
                if path.is_file():
                    looked.append((path, "says nothing of tracecite-lint"))
        return [*looked, (directory, f"no {', '.join(PROJECT_FILES)} here or above")]

    def _pass_over(self, error: ForeignError) -> None:
        self._foreign[f"passed over, as it says nothing of tracecite-lint: {error}"] = None

    def _read_user_file(self) -> tuple[Path, Mapping[str, Any]] | None:
        own = user_file()
        if self._isolated or not own.is_file():
            return None
        table = _toml(own)
        read_table(table, str(own), own=True)
        return own, table

    def _user_layer(self, directory: Path) -> Layer | None:
        """Return the user's own settings; in the work tree of *directory* they say what a repository may say."""
        if self._user is None:
            return None
        own, table = self._user
        trusted = not self._is_repositorys(own, directory)
        values = read_table(table, str(own), own=trusted)
        return Layer(str(own), _anchored(values, Path.cwd()))  # it is for every project

    def _is_repositorys(self, own: Path, directory: Path) -> bool:
        """Tell whether the user's file *own* lies in the repository that *directory* is in, or is reached through it.

        A home in a repository says nothing of its owner: whoever made the repository made that file too. To name a file
        by its absolute path in TRACECITE_LINT_USER_CONFIG is an act of the user, like an option.
        """
        named = os.environ.get(_USER_FILE_VARIABLE)
        if named and Path(named).is_absolute():
            return False
        from tracecite_lint.files.chosen import follow, lies_in  # most users have no such file

        root = root_of(directory, os.environ)  # none outside of git, where one works in one's home
        return root is not None and any(lies_in(entry, root) for entry in follow(own).entries)

    def _project_layer(self, directory: Path) -> Layer | None:
        path = self.project_file(directory)
        if path is None:
            return None
        root = None if self._config else _around(path.parent)
        table = project_table(path, root, self._recorded.get(path))
        if table is None:
            raise SettingsError(f"{path}: has no [tool.tracecite-lint] table")
        values = read_table(table, str(path), own=False)
        return Layer(str(path), _anchored(values, path.parent))


def _host_and_path(uri: str) -> str:
    """Return what patterns for sources are compared with: neither scheme, query nor fragment, and the host in lower case."""
    host, slash, path = _SCHEME.sub("", re.split("[?#]", uri, maxsplit=1)[0], count=1).partition(
        "/"
    )
    return f"{host.lower()}{slash}{path}"


def covers(patterns: Iterable[str], path: str | Path) -> bool:
    """Tell whether one of *patterns* matches the document *path*, absolute where they have folders."""
    return any(matches(_name_for(pattern, path), [pattern]) for pattern in patterns)


def _name_for(pattern: str, path: str | Path) -> str:
    """Return *path* as *pattern* is compared with it: relative to the folder of the pattern, with `/`."""
    folder = pattern.folder if isinstance(pattern, Pattern) else None
    return Path(path if folder is None else os.path.relpath(path, folder)).as_posix()


def matches(path: str, patterns: Sequence[str]) -> bool:
    """Tell whether *path* (relative, with `/`) matches a glob: a pattern without `/` holds for any name in the path.

    A leading `./` says nothing, as in `./vendor`; a leading `/` ties a name to where the path begins.
    """
    from fnmatch import fnmatchcase

    parts = path.split("/")
    for pattern in patterns:
        stripped = _LEADING_DOTS.sub("", pattern).rstrip("/")
        if "/" not in stripped:
            if any(fnmatchcase(part, stripped) for part in parts):
                return True
            continue
        stripped = stripped.lstrip("/")
        heads = ("/".join(parts[: count + 1]) for count in range(len(parts)))
        if any(fnmatchcase(head, stripped.replace("**/", "*")) for head in heads):
            return True
    return False


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a project's settings file, for editors."""
    codes = _code_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "tracecite-lint settings",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            option.key: {
                **_with_codes(option, codes),
                **({} if option.most is None else {"maximum": option.most}),
                "description": option.plain,
            }
            for option in OPTIONS
            if option.file and not option.reach
        },
    }


def _with_codes(option: Option, codes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of *option*, which names the *codes* where codes stand. Kinds do without, as a run needs no schema."""
    schema = dict(option.kind.schema)
    if option.kind is CODES:
        schema["items"] = codes
    elif option.kind is FILE_IGNORES:
        schema["additionalProperties"] = {"type": "array", "items": codes}
    elif option.kind is SEVERITIES:
        schema["propertyNames"] = codes
    return schema


def _code_schema() -> dict[str, Any]:
    """Return the schema of a code, a group or `ALL`, as `codes_selected_by` knows them."""
    from tracecite_lint.rules import RULES

    names = [re.escape(name) for name in ("ALL", *GROUPS, *RULES)]
    # Empty: what a trailing comma leaves. A status, and what follows a colon, make a code more exact.
    return {
        "type": "string",
        "pattern": rf"^(?:{'|'.join(names)}|HTTP_STATUS_[0-9]{{3}})?(?::.*)?{_END}",
    }
