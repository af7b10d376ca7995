"""The settings that the editor sends (`tracecite.*`), and what they make of the settings of the project."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tracecite_lint.light.lazy import dataclass, field, replace
from tracecite_lint.settings import OPTIONS, Option, Settings, refuse_outside

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
    inlay_hints: bool = False
    code_lens: bool = False
    trusted: bool = True
    """False in VS Code's restricted mode: nothing is fetched then, whatever else is set."""
    engine: Mapping[str, Any] = field(default_factory=dict)
    """The engine's own settings by their attributes: those that are declared for editors, as far as they are set."""

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
    # VS Code sends the object itself; Neovim and others what stands in their settings, with the name above it.
    inner = section.get(SECTION)
    if isinstance(inner, Mapping):
        section = inner
    values: dict[str, Any] = {}
    engine = dict(base.engine)
    problems = []
    for key, raw in section.items():
        try:
            if key in _OWN:
                name, read = _OWN[key]
                values[name] = getattr(_DEFAULTS, name) if raw is None else read(raw)
            elif key in _ENGINE:
                engine.pop(_ENGINE[key].name, None)
                if value := _engine_value(_ENGINE[key], raw):
                    engine[_ENGINE[key].name] = value
        except ValueError as error:
            problems.append(f"{SECTION}.{key}: {error}")
            # A slip of the pen takes nothing back: what held before still does.
            if key in _ENGINE and _ENGINE[key].name in base.engine:
                engine[_ENGINE[key].name] = base.engine[_ENGINE[key].name]
    return replace(base, engine=engine, **values), tuple(problems)


def _engine_value(option: Option, raw: object) -> Any:  # noqa: ANN401 - as its kind reads it
    """Return what *raw* says of one of the engine's settings; nothing where it leaves it to the project. Raises ValueError."""
    if not raw:
        return None
    value = option.kind.read(raw)
    if option.inside:
        refuse_outside(value)
    return value


def engine_settings(project: Settings, client: ClientSettings, root: Path) -> Settings:
    """Return the settings that hold for a document below *root*: the project's, and on top what the editor sets."""
    off = client.network == OFF
    ours = replace(project, **client.engine)
    return replace(
        ours,
        manifest=str(root / ours.manifest) if ours.manifest else None,
        max_time=None,  # a session has no end that is known
        # `off` leaves cached pages alone too. Offline each would be NOT_IN_CACHE: as it is, they are never looked up.
        offline=not off and (ours.offline or not client.may_fetch),
        no_cache=off or ours.no_cache,
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


_OWN: Mapping[str, tuple[str, Callable[[object], Any]]] = {
    "run": ("run", _choice(ON_TYPE, ON_SAVE, MANUAL)),
    "network": ("network", _choice(ON, CACHE_ONLY, OFF)),
    "inlayHints": ("inlay_hints", _flag),
    "codeLens": ("code_lens", _flag),
    "trusted": ("trusted", _flag),
}
"""The settings that only an editor has."""

_ENGINE: Mapping[str, Option] = {option.editor_key: option for option in OPTIONS if option.editor}
"""The engine's settings that an editor may set too, as they are declared."""
