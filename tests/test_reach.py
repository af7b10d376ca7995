"""What decides how sources are reached arrives in the store, from wherever it is set, at a run's store and the editor's."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest
from tracecite_lsp.client_settings import ClientSettings, client_settings, engine_settings
from tracecite_lsp.page_sets import PageSets

from tracecite_lint.cli.options import Parser, UsageError, add_reach_options, finder_from
from tracecite_lint.engine.reach import open_store
from tracecite_lint.settings import OPTIONS, Settings, SettingsError, SettingsFinder
from tracecite_lint.sources.options import FetchOptions, HostOptions, Reach, parse_connect_to
from tracecite_lint.sources.store import Store

RULE = "a.example:443:127.0.0.1:8443"
HOST_TABLE = '[hosts."a.example"]\nttl = 7\nheaders-from-env = {X-Token = "REACH_TOKEN"}\n'
HOST = HostOptions(ttl=7.0, headers={"X-Token": "reach-token"})


@dataclass(frozen=True)
class Case:
    """One option of the reach: how each place says it (None: it cannot), and what the store must then have."""

    arrived: Callable[[FetchOptions, Path | None], object]
    arguments: tuple[str, ...] | None = None
    environ: str | None = None
    toml: str | None = None
    editor: Mapping[str, Any] | None = None


def cases(folder: Path) -> dict[str, Case]:
    cafile, cache = str(folder / "ca.pem"), str(folder.with_name("chosen-cache"))
    return {
        "connect-to": Case(
            lambda options, _: options.connect_to == (parse_connect_to(RULE),),
            (f"--connect-to={RULE}",),
            RULE,
            f'connect-to = ["{RULE}"]',
            {"connectTo": [RULE]},
        ),
        "allow-host": Case(
            lambda options, _: options.allow_hosts == {"wiki.internal"},
            ("--allow-host=wiki.internal",),
            "wiki.internal",
            'allow-host = ["wiki.internal"]',
            {"allowHost": ["wiki.internal"]},
        ),
        "cafile": Case(
            lambda options, _: options.cafile == Path(cafile),
            (f"--cafile={cafile}",),
            cafile,
            f"cafile = '{cafile}'",
            {"cafile": cafile},
        ),
        "proxy": Case(
            lambda options, _: options.proxy == "http://127.0.0.1:3128",
            ("--proxy=http://127.0.0.1:3128",),
            "http://127.0.0.1:3128",
            'proxy = "http://127.0.0.1:3128"',
            {"proxy": "http://127.0.0.1:3128"},
        ),
        "hosts": Case(lambda options, _: options.hosts == {"a.example": HOST}, toml=HOST_TABLE),
        "ttl": Case(lambda options, _: options.ttl == 90.0, ("--ttl=90s",), "90s", 'ttl = "90s"'),
        "offline": Case(
            lambda options, _: options.offline,
            ("--offline",),
            "1",
            "offline = true",
            {"network": "cache-only"},
        ),
        "timeout": Case(
            lambda options, _: options.timeout == 7.0, ("--timeout=7",), "7s", "timeout = 7"
        ),
        "retries": Case(
            lambda options, _: options.retries == 1, ("--retries=1",), "1", "retries = 1"
        ),
        "user-agent": Case(
            lambda options, _: options.host("b.example").user_agent == "Reader/2.0 (me)",
            ("--user-agent=Reader/2.0 (me)",),
            "Reader/2.0 (me)",
            'user-agent = "Reader/2.0 (me)"',
        ),
        "refresh": Case(lambda options, _: options.refresh, ("--refresh",), "1"),
        "max-time": Case(
            lambda options, _: (
                options.deadline is not None and 0 < options.deadline - time.monotonic() <= 600
            ),
            ("--max-time=600",),
            "600",
            "max-time = 600",
        ),
        "cache-dir": Case(
            lambda _, directory: directory == Path(cache),
            (f"--cache-dir={cache}",),
            cache,
            f"cache-dir = '{cache}'",
        ),
        "no-cache": Case(
            lambda _, directory: directory is None, ("--no-cache",), "1", editor={"network": "off"}
        ),
    }


KEYS = tuple(cases(Path("/work")))
ELSEWHERE = {
    *(
        "select",
        "extend-select",
        "ignore",
        "severity",
        "exclude",
        "exclude-url",
        "per-file-ignores",
    ),
    *("citations", "claims", "figures", "allow-unreachable", "baseline", "lock", "manifest"),
}
"""The settings that say nothing of how sources are reached."""

NO_CLIENT_SETTINGS = ClientSettings()


@pytest.fixture
def folder(tmp_path: Path, cafile: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REACH_TOKEN", "reach-token")
    monkeypatch.delenv("TRACECITE_LINT_CACHE_DIR")
    (tmp_path / "ca.pem").write_bytes(cafile.read_bytes())
    monkeypatch.setenv("TRACECITE_LINT_USER_CONFIG", str(tmp_path / "config.toml"))
    return tmp_path


def has(case: Case, store: Store) -> bool:
    return bool(case.arrived(store._options, store._cache.directory))


def in_a_run(settings: Settings, case: Case, folder: Path) -> bool:
    with open_store(settings.reach(), work_tree=folder) as store:
        return has(case, store)


def in_the_editor(
    settings: Settings, case: Case, folder: Path, client: ClientSettings = NO_CLIENT_SETTINGS
) -> bool:
    page_sets = PageSets(lambda _: None)
    try:
        page_set = page_sets.page_set(engine_settings(settings, client, folder), folder)
        return has(case, page_set.store)
    finally:
        asyncio.run(page_sets.close())


def found(folder: Path, *arguments: str) -> Settings:
    """Return what the command line, the environment and the user's file say together."""
    parser = Parser()
    add_reach_options(parser)
    return finder_from(parser.parse(arguments)).settings(folder)


def test_every_setting_is_known_to_this_test_or_has_nothing_to_do_with_reach():
    assert {option.key for option in OPTIONS} == {*KEYS, *ELSEWHERE}
    assert {item.name for item in fields(Settings)} == {option.name for option in OPTIONS}


def test_every_option_of_a_fetch_is_set_from_the_settings_or_the_same_for_all_runs():
    here = {item.name for item in fields(FetchOptions)} | {item.name for item in fields(Reach)}
    set_from_settings = {key.replace("-", "_") for key in KEYS} - {"allow_host"} | {"allow_hosts"}
    same = {"fetching", "deadline", "timeout", "backoff"}
    live = {"current", "source_timeout"}  # the same for all runs of the commands of TraceCite
    assert here == set_from_settings | same | live


@pytest.mark.parametrize("key", KEYS)
def test_nothing_arrives_that_was_not_set(folder: Path, key: str):
    case = cases(folder)[key]
    assert not in_a_run(found(folder), case, folder)
    assert not in_the_editor(found(folder), case, folder)


@pytest.mark.parametrize("key", KEYS)
def test_it_arrives_from_the_command_line(folder: Path, key: str):
    case = cases(folder)[key]
    if case.arguments is None:
        with pytest.raises(UsageError):
            found(folder, f"--{key}=1")
        return
    settings = found(folder, *case.arguments)
    assert in_a_run(settings, case, folder)
    # A session has no end that is known.
    assert in_the_editor(settings, case, folder) is (key != "max-time")


@pytest.mark.parametrize("key", KEYS)
def test_it_arrives_from_the_environment(folder: Path, key: str, monkeypatch: pytest.MonkeyPatch):
    case = cases(folder)[key]
    option = next(option for option in OPTIONS if option.key == key)
    monkeypatch.setenv(option.variable, case.environ or HOST_TABLE)
    arrives = case.environ is not None
    assert in_a_run(found(folder), case, folder) is arrives
    assert in_the_editor(found(folder), case, folder) is (arrives and key != "max-time")


@pytest.mark.parametrize("key", KEYS)
def test_it_arrives_from_the_users_file(folder: Path, key: str):
    case = cases(folder)[key]
    (folder / "config.toml").write_text(case.toml or f"{key} = true\n")
    if case.toml is None:
        with pytest.raises(SettingsError, match="is for single runs"):
            SettingsFinder({}, environ={})
        return
    assert in_a_run(found(folder), case, folder)
    assert in_the_editor(found(folder), case, folder) is (key != "max-time")


@pytest.mark.parametrize("key", [key for key in KEYS if cases(Path("/work"))[key].editor])
def test_it_arrives_from_the_editors_settings(folder: Path, key: str):
    case = cases(folder)[key]
    client, problems = client_settings(case.editor, ClientSettings())
    assert problems == ()
    assert in_the_editor(found(folder), case, folder, client)


def test_documents_under_another_reach_have_another_store(folder: Path):
    page_sets = PageSets(lambda _: None)
    first = page_sets.page_set(Settings(), folder)
    assert page_sets.page_set(Settings(ignore=("citations",)), folder) is first
    assert page_sets.page_set(Settings(proxy="http://127.0.0.1:3128"), folder) is not first
    asyncio.run(page_sets.close())
