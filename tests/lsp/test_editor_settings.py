"""Settings from the editor and from the project, and files that change while a document is open."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from lsp_editor import editor, neovim_0_7, neovim_0_11, until, vs_code
from lsprotocol import types
from tracecite_lsp.client_settings import ClientSettings, client_settings, engine_settings

from tracecite_lint.settings import OPTIONS, Option, Settings

PACKAGE = json.loads((Path(__file__).parents[2] / "lsp/vscode/package.json").read_text("utf-8"))
PAGE = "https://www.example.com/mills"
INTRANET = "https://wiki.internal/mills"
SENTENCE = "The old mill stands at the mouth of the river."
FALSE = f"It says “{SENTENCE.replace('stands', 'stood')}” ([mills]({PAGE}))."
NOT_THERE = ["QUOTE_NOT_IN_LIVE_SOURCE"]
CLI = [sys.executable, "-m", "tracecite_lint"]


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        (None, ClientSettings()),
        ([], ClientSettings()),
        ({}, ClientSettings()),
        ({"run": "onSave"}, ClientSettings(run="onSave")),
        ({"tracecite": {"run": "manual"}}, ClientSettings(run="manual")),
        (
            {"allowHost": ["wiki.internal", ""]},
            ClientSettings(engine={"allow_host": ("wiki.internal",)}),
        ),
        ({"trace": {"server": "verbose"}, "server": None}, ClientSettings()),
        ({"cafile": "", "trusted": False}, ClientSettings(trusted=False)),
        ({"manifest": "runs/m.json"}, ClientSettings(engine={"manifest": "runs/m.json"})),
    ],
)
def test_what_the_editor_sends(section: object, expected: ClientSettings):
    assert client_settings(section, ClientSettings()) == (expected, ())


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ({"run": "always"}, "tracecite.run: one of onType, onSave, manual is needed"),
        ({"network": 1}, "tracecite.network: one of on, cache-only, off is needed"),
        ({"inlayHints": "yes"}, "tracecite.inlayHints: true or false is needed"),
        ({"allowHost": 1}, "tracecite.allowHost: a list of strings is needed"),
        (
            {"connectTo": ["x"]},
            "tracecite.connectTo: x: HOST:PORT:ADDR:PORT is needed (parts may be empty)",
        ),
        ({"proxy": 8080}, "tracecite.proxy: a string is needed"),
        *(
            (
                {"manifest": name},
                f"tracecite.manifest: {name}: a path inside the repository is needed",
            )
            for name in ("/etc/m.json", "../m.json", ".git/m.json")
        ),
    ],
)
def test_a_value_that_cannot_be_used_is_named_and_left_out(section: object, problem: str):
    base = ClientSettings(run="manual", network="off")
    assert client_settings(section, base) == (base, (problem,))


def test_a_missing_key_says_nothing_and_null_takes_a_value_back():
    base = ClientSettings(run="onSave", trusted=False, engine={"cafile": "ca.pem"})
    settings, _ = client_settings({"cafile": None}, base)
    assert settings == ClientSettings(run="onSave", trusted=False)


@pytest.mark.parametrize(
    ("project", "client", "expected"),
    [
        ({}, {}, {"offline": False}),
        ({"max_time": 5.0}, {}, {"max_time": None}),
        ({}, {"network": "cache-only"}, {"offline": True}),
        ({}, {"network": "off"}, {"offline": False, "no_cache": True}),
        ({}, {"trusted": False}, {"offline": True}),
        ({"offline": True}, {}, {"offline": True}),
        ({"citations": "eager"}, {}, {"citations": "eager"}),
        ({"citations": "eager"}, {"engine": {"citations": "default"}}, {"citations": "default"}),
        ({"manifest": "m.json"}, {}, {"manifest": "/project/m.json"}),
        ({"manifest": "m.json"}, {"engine": {"manifest": "/n.json"}}, {"manifest": "/n.json"}),
        ({"cafile": "a.pem"}, {"engine": {"cafile": "b.pem"}}, {"cafile": "b.pem"}),
    ],
)
def test_what_the_editor_sets_stands_above_the_project(
    project: dict[str, Any], client: dict[str, Any], expected: dict[str, Any]
):
    settings = engine_settings(Settings(**project), ClientSettings(**client), Path("/project"))
    assert {name: getattr(settings, name) for name in expected} == expected


@pytest.mark.parametrize(
    "limits",
    [{"network": "cache-only"}, {"trusted": False}, {"trusted": False, "network": "on"}],
)
async def test_without_leave_nothing_is_fetched_and_the_cache_is_used(
    limits: dict[str, Any], folder: Path, loopback: Loopback, reach: dict[str, Any], cafile: Path
):
    loopback.page(PAGE, SENTENCE)
    report = folder / "report.md"
    report.write_text(f"{FALSE}\n")
    async with editor(neovim_0_11(), folder=folder, settings={**reach, **limits}) as ed:
        ed.open(report.as_uri(), f"{FALSE}\n")
        (mark,) = await ed.marks(report.as_uri(), ["NOT_IN_CACHE"])
        assert mark.severity == types.DiagnosticSeverity.Information
        ed.save(report.as_uri())
        await ed.command("tracecite.check", report.as_uri())
        await ed.command("tracecite.refetch", report.as_uri(), PAGE)
        await asyncio.sleep(1.2)
        assert loopback.urls() == []
        subprocess.run(
            [*CLI, *loopback.arguments(cafile), "report.md"],
            cwd=folder,
            capture_output=True,
            check=False,
        )
        assert loopback.urls() == [PAGE]
        ed.save(report.as_uri())
        await ed.marks(report.as_uri(), NOT_THERE)
    assert loopback.urls() == [PAGE]


async def test_off_leaves_web_sources_alone_and_checks_files(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    (folder / "source.md").write_text(SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings={**reach, "network": "off"}) as ed:
        ed.open(uri, f"{FALSE}\n\n{FALSE.replace(PAGE, 'source.md')}\n")
        (mark,) = await ed.marks(uri, ["QUOTE_NOT_IN_SOURCE"])
        assert mark.range.start.line == 2
    assert loopback.urls() == []


async def test_trust_that_is_given_later_lets_pages_be_fetched(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(vs_code(), folder=folder, settings={**reach, "trusted": False}) as ed:
        ed.open(uri, f"{FALSE}\n")
        await ed.marks(uri, ["NOT_IN_CACHE"])
        changed = {**reach, "trusted": True}
        ed.client.set_configuration({"tracecite": changed})
        ed.configure(changed)
        await ed.marks(uri, NOT_THERE)


async def test_settings_of_the_editor_are_asked_for_where_it_keeps_them(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_11(), folder=folder, settings=reach, options={}) as ed:
        ed.open(uri, f"{FALSE}\n")
        await ed.marks(uri, NOT_THERE)


async def test_settings_that_cannot_be_used_are_told_once(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    wrong = {**reach, "run": "sometimes"}
    async with editor(neovim_0_11(), folder=folder, settings=wrong) as ed:
        ed.open(uri, f"{FALSE}\n")
        await ed.marks(uri, NOT_THERE)
        assert [item.message for item in ed.client.messages] == [
            "tracecite-lint: tracecite.run: one of onType, onSave, manual is needed"
        ]


async def test_the_projects_settings_hold_and_are_followed_when_they_change(
    capabilities: types.ClientCapabilities,
    folder: Path,
    loopback: Loopback,
    reach: dict[str, Any],
):
    loopback.page(PAGE, SENTENCE)
    config = folder / ".tracecite-lint.toml"
    uri = (folder / "report.md").as_uri()
    async with editor(capabilities, folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n")
        await ed.marks(uri, NOT_THERE)
        config.write_text('ignore = ["QUOTE_NOT_IN_LIVE_SOURCE"]\n')
        await ed.marks(uri, [])
        config.write_text('exclude = ["*.txt"]\n')
        ed.files_changed(config)
        await ed.marks(uri, NOT_THERE)
        config.write_text('exclude = ["report.md"]\n')
        await ed.marks(uri, [])
    assert loopback.urls() == [PAGE]


BROKEN = [
    ("ignore = [", "not valid TOML"),
    ('ignor = ["citations"]', "did you mean 'ignore'?"),
    ('allow-host = ["wiki.internal"]', "cannot be set by a repository"),
    ('connect-to = ["::127.0.0.1:80"]', "cannot be set by a repository"),
]


async def test_a_broken_settings_file_is_told_once_and_the_server_recovers(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    config = folder / ".tracecite-lint.toml"
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n")
        await ed.marks(uri, NOT_THERE)
        for count, (text, message) in enumerate(BROKEN, 1):
            config.write_text(text)
            ed.files_changed(config)
            await ed.marks(uri, [])
            version = ed.type(uri, 0, 0, "x")
            await ed.marks(uri, [], version=version)
            assert len(ed.client.messages) == count
            assert message in ed.client.messages[-1].message
            assert "\n" not in ed.client.messages[-1].message
            config.write_text("")
            ed.files_changed(config)
            await ed.marks(uri, NOT_THERE)


async def test_a_home_in_the_repository_widens_nothing_in_the_editor(
    folder: Path, loopback: Loopback, reach: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    loopback.page(INTRANET, SENTENCE)
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    own = folder / "home" / ".config" / "tracecite-lint" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text('allow-host = ["wiki.internal"]\n')
    monkeypatch.setenv("HOME", str(folder / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE.replace(PAGE, INTRANET)}\n")
        await ed.marks(uri, [])
        assert "cannot be set by a repository" in ed.client.messages[-1].message
        assert loopback.urls() == []


async def test_a_private_host_is_reached_when_the_user_allows_it(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(INTRANET, SENTENCE)
    uri = (folder / "report.md").as_uri()
    text = f"{FALSE.replace(PAGE, INTRANET)}\n"
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, text)
        await ed.marks(uri, ["INVALID_OR_BLOCKED_URL"])
        assert loopback.urls() == []
        ed.configure({"allowHost": ["wiki.internal"]})
        await ed.marks(uri, NOT_THERE)


async def test_pages_are_fetched_through_the_editors_proxy(folder: Path, loopback: Loopback):
    url = PAGE.replace("https", "http")
    loopback.page(url, SENTENCE)
    uri = (folder / "report.md").as_uri()
    settings = {"proxy": f"http://127.0.0.1:{loopback.http_port}"}
    async with editor(neovim_0_7(), folder=folder, settings=settings) as ed:
        ed.open(uri, f"{FALSE.replace(PAGE, url)}\n")
        await ed.marks(uri, NOT_THERE)
    assert [(request.url, request.through_proxy) for request in loopback.requests] == [(url, True)]


async def test_a_host_is_treated_as_the_users_file_says(
    folder: Path,
    loopback: Loopback,
    reach: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
):
    loopback.page(PAGE, SENTENCE)
    own = tmp_path_factory.mktemp("home") / "config.toml"
    own.write_text('[hosts."www.example.com"]\nheaders-from-env = {X-Token = "MILL_TOKEN"}\n')
    monkeypatch.setenv("TRACECITE_LINT_USER_CONFIG", str(own))
    monkeypatch.setenv("MILL_TOKEN", "grist")
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE}\n")
        await ed.marks(uri, NOT_THERE)
    assert [request.headers.get("x-token") for request in loopback.requests] == ["grist"]


async def test_eager_citations_are_the_editors_or_the_projects_choice(
    folder: Path, loopback: Loopback, reach: dict[str, Any]
):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    text = f"The [page]({PAGE}) on mills has it: “The old mill stood at the mouth of it.”\n"
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, text)
        await ed.marks(uri, [], version=1)
        ed.configure({"citations": "eager"})
        await ed.marks(uri, NOT_THERE)
        ed.configure({"citations": "default"})
        await ed.marks(uri, [])


async def test_a_local_source_that_changes_is_read_again(
    capabilities: types.ClientCapabilities, folder: Path, reach: dict[str, Any]
):
    source = folder / "source.md"
    uri = (folder / "report.md").as_uri()
    async with editor(capabilities, folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE.replace(PAGE, 'source.md')}\n")
        await ed.marks(uri, ["SOURCE_UNAVAILABLE"])
        source.write_text(SENTENCE)
        ed.files_changed(source)
        await ed.marks(uri, ["QUOTE_NOT_IN_SOURCE"])
        source.write_text(SENTENCE.replace("stands", "stood"))
        await ed.marks(uri, [])


async def test_an_editor_that_tells_of_changed_files_is_asked_to(
    folder: Path, reach: dict[str, Any]
):
    async with editor(vs_code(), folder=folder, settings=reach) as ed:
        await until(lambda: ed.registered == ["workspace/didChangeWatchedFiles"])


async def test_a_source_that_is_open_in_the_editor_counts_as_it_stands_there(
    folder: Path, reach: dict[str, Any]
):
    source = folder / "source.md"
    source.write_text(SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(uri, f"{FALSE.replace(PAGE, 'source.md')}\n")
        await ed.marks(uri, ["QUOTE_NOT_IN_SOURCE"])
        ed.open(source.as_uri(), SENTENCE)
        ed.change(source.as_uri(), SENTENCE.replace("stands", "stood"))
        await ed.marks(uri, [])
        ed.close(source.as_uri())
        await ed.marks(uri, ["QUOTE_NOT_IN_SOURCE"])


async def test_options_of_the_command_line_hold_too(folder: Path, loopback: Loopback, cafile: Path):
    loopback.page(PAGE, SENTENCE)
    uri = (folder / "report.md").as_uri()
    async with editor(
        neovim_0_7(), folder=folder, arguments=[*loopback.arguments(cafile), "--max-time=1"]
    ) as ed:
        ed.open(uri, f"{FALSE}\n")
        await ed.marks(uri, NOT_THERE)
        await asyncio.sleep(1)
        other = PAGE + "/again"
        loopback.page(other, SENTENCE)
        ed.change(uri, f"{FALSE.replace(PAGE, other)}\n")
        ed.save(uri)
        await ed.marks(uri, NOT_THERE, version=2)


class TestCommit:
    async def test_a_commit_does_not_fetch_again_what_the_editor_has_read(
        self, folder: Path, loopback: Loopback, reach: dict[str, Any], cafile: Path
    ):
        loopback.page(PAGE, SENTENCE)
        report = folder / "report.md"
        report.write_text(f"{FALSE}\n")
        async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
            ed.open(report.as_uri(), f"{FALSE}\n")
            await ed.marks(report.as_uri(), NOT_THERE)
            git = ["git", "-c", "init.defaultBranch=main"]
            subprocess.run([*git, "init", "-q"], cwd=folder, check=True)
            subprocess.run([*git, "add", "report.md"], cwd=folder, check=True)
            hook = subprocess.run(
                [*CLI, *loopback.arguments(cafile), "--changed", "report.md"],
                cwd=folder,
                capture_output=True,
                text=True,
                check=False,
            )
        assert hook.returncode == 2, hook.stderr
        assert "QUOTE_NOT_IN_LIVE_SOURCE" in hook.stdout
        assert loopback.urls() == [PAGE]

    async def test_the_editor_uses_what_a_commit_has_read(
        self, folder: Path, loopback: Loopback, reach: dict[str, Any], cafile: Path
    ):
        loopback.page(PAGE, SENTENCE)
        report = folder / "report.md"
        report.write_text(f"{FALSE}\n")
        subprocess.run(
            [*CLI, *loopback.arguments(cafile), "report.md"],
            cwd=folder,
            capture_output=True,
            check=False,
        )
        async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
            ed.open(report.as_uri(), f"{FALSE}\n")
            await ed.marks(report.as_uri(), NOT_THERE)
        assert loopback.urls() == [PAGE]


async def test_findings_of_the_baseline_are_left_out_as_the_hook_leaves_them_out(
    folder: Path, loopback: Loopback, reach: dict[str, Any], cafile: Path
):
    loopback.page(PAGE, SENTENCE)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    report = folder / "report.md"
    report.write_text(f"{FALSE}\n")
    arguments = ["baseline", "create", *loopback.arguments(cafile), "report.md"]
    async with editor(neovim_0_7(), folder=folder, settings=reach) as ed:
        ed.open(report.as_uri(), f"{FALSE}\n")
        await ed.marks(report.as_uri(), NOT_THERE)
        made = subprocess.run([*CLI, *arguments], cwd=folder, capture_output=True, check=False)
        assert (folder / ".tracecite-baseline.json").exists(), made.stderr
        await ed.marks(report.as_uri(), [])
        version = ed.change(report.as_uri(), f"{FALSE}\n\n{FALSE}\n")
        await ed.marks(report.as_uri(), NOT_THERE, version=version)


@pytest.mark.parametrize(
    "option", [item for item in OPTIONS if item.editor], ids=lambda item: item.editor_key
)
def test_the_extension_offers_what_is_declared(option: Option):
    """A setting of the engine that is declared for editors has its place in the extension, where empty is not set."""
    offered = PACKAGE["contributes"]["configuration"]["properties"][
        f"tracecite.{option.editor_key}"
    ]
    is_list = option.kind.schema.get("type") == "array"
    assert offered["default"] == ([] if is_list else "")
    assert offered["type"] == ("array" if is_list else "string")
    assert offered.get("description") or offered.get("markdownDescription")
    assert offered["scope"] == ("machine" if option.reach else "resource")
    restricted = PACKAGE["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert (f"tracecite.{option.editor_key}" in restricted) == option.reach
