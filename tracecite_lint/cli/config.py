"""`config`: the settings that hold in this directory, where each comes from, and their JSON Schema."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tracecite_lint.cli.options import (
    OK,
    add_json_option,
    add_reach_options,
    add_rule_options,
    finder_from,
)
from tracecite_lint.light.lazy import fields
from tracecite_lint.naming.uris import public_uri
from tracecite_lint.output.json_objects import escaped
from tracecite_lint.output.terminal import printable
from tracecite_lint.settings import OPTIONS, schema
from tracecite_lint.sources.options import HostOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `config`."""
    parser.add_argument("action", choices=("show", "schema"), nargs="?", default="show")
    add_json_option(parser)
    add_rule_options(parser)
    add_reach_options(parser)


def run(args: argparse.Namespace) -> int:
    """Print the settings with their origins, or the JSON Schema of a settings file."""
    if args.action == "schema":
        print(json.dumps(schema(), indent=2))
        return OK
    finder = finder_from(args)
    layers = finder.layers(Path.cwd())
    settings = finder.settings(Path.cwd())
    shown: dict[str, tuple[object, str]] = {}
    for option in OPTIONS:
        origin = next(
            (layer.origin for layer in reversed(layers) if option.name in layer.values), "default"
        )
        value = getattr(settings, option.name)
        if option.key == "proxy" and value is not None:
            value = public_uri(value if "://" in value else f"http://{value}")
        shown[option.key] = value, origin
    if args.json:
        named = {key: {"value": value, "origin": origin} for key, (value, origin) in shown.items()}
        print(_as_json(named, indent=2))
    else:
        for key, (value, origin) in shown.items():
            print(f"{key} = {_as_json(value)}  # {printable(origin)}")
    return OK


def _as_json(value: object, *, indent: int | None = None) -> str:
    return escaped(json.dumps(value, default=_plain, ensure_ascii=False, indent=indent))


def _plain(value: object) -> object:
    if isinstance(value, HostOptions):
        shown = (item.name for item in fields(value) if item.name != "headers")
        return {name: getattr(value, name) for name in shown}
    return str(value)
