"""The settings that the editor sends (`tracecite.*`), and what they make of the settings of the project."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tracecite_lint.settings import Settings, refuse_outside
from tracecite_lint.sources.options import parse_connect_to

SECTION = "tracecite"

ON_TYPE, ON_SAVE, MANUAL = "onType", "onSave", "manual"
ON, CACHE_ONLY, OFF = "on", "cache-only", "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientSettings:
    """What the user set in the editor; None and empty values leave it to the project.

    The values that widen reach are the user's own act here: VS Code takes them from no workspace.
    """

    run: str = ON_TYPE
    network: str = ON
    citations: str | None = None
    inlay_hints: bool = False
    manifest: str | None = None
    connect_to: tuple[str, ...] = ()
    allow_host: tuple[str, ...] = ()
    cafile: str | None = None
    proxy: str | None = None
    trusted: bool = True
    """False in VS Code's restricted mode: nothing is fetched then, whatever else is set."""

    @property
    def may_fetch(self) -> bool:
        """Whether anything may be fetched at all."""
        return self.trusted and self.network == ON


_DEFAULTS = ClientSettings()


def client_settings(
    section: object, base: ClientSettings
) -> tuple[ClientSettings, tuple[str, ...]]:
    """Return the settings of *section* on top of *base*, and one line for each value that cannot be used.

    *section* is the object `tracecite` of the editor's settings, or an object that has it as a member. A key that is
    missing says nothing, null takes a value back. Unknown keys are left alone: the editor's side has settings of its own.
    """
    if not isinstance(section, Mapping):
        return base, ()
    inner = section.get(SECTION)
    if isinstance(inner, Mapping):
        section = inner
    values: dict[str, Any] = {}
    problems = []
    for key, (name, read) in _KEYS.items():
        if key not in section:
            continue
        try:
            value = section[key]
            values[name] = getattr(_DEFAULTS, name) if value is None else read(value)
        except ValueError as error:
            problems.append(f"{SECTION}.{key}: {error}")
    return replace(base, **values), tuple(problems)


def engine_settings(project: Settings, client: ClientSettings, root: Path) -> Settings:
    """Return the settings that hold for a document below *root*: the project's, and on top what the editor sets."""
    off = client.network == OFF
    manifest = client.manifest or project.manifest
    return replace(
        project,
        max_time=None,  # a session has no end that is known
        # `off` leaves cached pages alone too. Offline each would be NOT_IN_CACHE: as it is, they are never looked up.
        offline=not off and (project.offline or not client.may_fetch),
        no_cache=off or project.no_cache,
        citations=client.citations or project.citations,
        connect_to=client.connect_to or project.connect_to,
        allow_host=client.allow_host or project.allow_host,
        cafile=client.cafile or project.cafile,
        proxy=client.proxy or project.proxy,
        manifest=str(root / manifest) if manifest else None,
    )


def _choice(*known: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if value not in known:
            raise ValueError(f"one of {', '.join(known)} is needed")
        return str(value)

    return read


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false is needed")
    return value


def _text(value: object) -> str | None:
    if not isinstance(value, str):
        raise ValueError("a string is needed")
    return value or None


def _path_inside(value: object) -> str | None:
    # A workspace may set it: it is no act of the user's.
    path = _text(value)
    if path is not None:
        refuse_outside(path)
    return path


def _words(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ValueError("a list of strings is needed")
    return tuple(item for item in value if item)


def _rules(value: object) -> tuple[str, ...]:
    rules = _words(value)
    for rule in rules:
        parse_connect_to(rule)
    return rules


_KEYS: Mapping[str, tuple[str, Callable[[object], Any]]] = {
    "run": ("run", _choice(ON_TYPE, ON_SAVE, MANUAL)),
    "network": ("network", _choice(ON, CACHE_ONLY, OFF)),
    "citations": ("citations", _choice("default", "eager")),
    "inlayHints": ("inlay_hints", _flag),
    "manifest": ("manifest", _path_inside),
    "connectTo": ("connect_to", _rules),
    "allowHost": ("allow_host", _words),
    "cafile": ("cafile", _text),
    "proxy": ("proxy", _text),
    "trusted": ("trusted", _flag),
}
