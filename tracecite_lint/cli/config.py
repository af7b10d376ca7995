"""`config`: the settings that hold in this directory, where each comes from, and their JSON Schema."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

from tracecite_lint.cli.options import (
    OK,
    add_document_options,
    add_json_option,
    add_reach_options,
    add_rule_options,
    finder_from,
)
from tracecite_lint.light.lazy import fields
from tracecite_lint.naming.uris import public_uri
from tracecite_lint.output.json_objects import escaped
from tracecite_lint.output.terminal import printable, steers
from tracecite_lint.settings import OPTIONS, Option, SettingsFinder, schema
from tracecite_lint.sources.options import HostOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `config`."""
    parser.add_argument("action", choices=("show", "schema"), nargs="?", default="show")
    add_json_option(parser)
    add_document_options(parser)
    add_rule_options(parser)
    add_reach_options(parser)


def run(args: argparse.Namespace) -> int:
    """Print the settings with their origins, or the JSON Schema of a settings file."""
    if args.action == "schema":
        print(json.dumps(schema(), indent=2))
        return OK
    finder = finder_from(args)
    shown = _shown(finder)
    if args.json:
        named = {option.key: {"value": value, "origin": origin} for option, value, origin in shown}
        print(escaped(json.dumps(named, default=_plain, ensure_ascii=False, indent=2)))
        return OK
    for path, said in finder.looked_at(Path.cwd()):
        print(f"# {printable(str(path))}: {said}")
    for option, value, origin in shown:
        # What is not set, and what no file may say, is shown all the same, where TOML does not read it.
        text = f"{option.key} = {_toml(value)}" if value is not None else f"{option.key} is not set"
        is_read = option.file and value is not None
        print(f"{'' if is_read else '# '}{text}  # {printable(origin)}")
    return OK


def _shown(finder: SettingsFinder) -> list[tuple[Option, object, str]]:
    """Return each setting with its value in the working directory, and where that comes from."""
    layers = finder.layers(Path.cwd())
    settings = finder.settings(Path.cwd())
    shown = []
    for option in OPTIONS:
        origin = next(
            (layer.origin for layer in reversed(layers) if option.name in layer.values), "default"
        )
        value = getattr(settings, option.name)
        if option.key == "proxy" and value is not None:
            value = public_uri(value if "://" in value else f"http://{value}")
        shown.append((option, value, origin))
    return shown


def _toml(value: object) -> str:
    """Return *value* as TOML has it, on one line: a dozen lines, for which no library is worth its import."""
    if isinstance(value, HostOptions):
        given = {name: item for name, item in _fields(value) if item not in (None, {})}
        value = {name.replace("_", "-"): item for name, item in given.items()}
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_toml(key)} = {_toml(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if value is None:  # the severity of a code that is not reported
        return '"off"'
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    # A string of JSON is one of TOML, which has more that may not stand in it as it is, and other escapes for that.
    return "".join(map(_toml_char, json.dumps(str(value), ensure_ascii=False)))


def _toml_char(char: str) -> str:
    if "\ud800" <= char <= "\udfff":  # a byte of the environment that is no UTF-8
        return "\N{REPLACEMENT CHARACTER}"
    return f"\\U{ord(char):08x}" if steers(char) else char


def _fields(host: HostOptions) -> list[tuple[str, object]]:
    return [
        (item.name, getattr(host, item.name)) for item in fields(host) if item.name != "headers"
    ]


def _plain(value: object) -> object:
    return dict(_fields(value)) if isinstance(value, HostOptions) else str(value)
