"""Settings: what wins, what a repository may not say, and what errors name."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from tracecite_lint.cli import parser_for
from tracecite_lint.model import Severity
from tracecite_lint.settings import (
    OPTIONS,
    Settings,
    SettingsError,
    SettingsFinder,
    matches,
    read_table,
    schema,
    seconds,
)


def finder(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    user: str = "",
    project: str = "",
    environ: dict[str, str] | None = None,
    command_line: dict[str, object] | None = None,
) -> SettingsFinder:
    own = tmp_path / "home" / "config.toml"
    own.parent.mkdir(exist_ok=True)
    own.write_text(user)
    monkeypatch.setenv("TRACECITE_LINT_USER_CONFIG", str(own))
    (tmp_path / "repo").mkdir(exist_ok=True)
    (tmp_path / "repo" / ".tracecite-lint.toml").write_text(project)
    return SettingsFinder(command_line or {}, environ=environ or {})


PRECEDENCE = [
    # user file, project file, environment, command line -> ttl in seconds
    ("", "", {}, {}, 86400),
    ("ttl = 10", "", {}, {}, 10),
    ("ttl = 10", "ttl = 20", {}, {}, 20),
    ("ttl = 10", "ttl = 20", {"TRACECITE_LINT_TTL": "30"}, {}, 30),
    ("ttl = 10", "ttl = 20", {"TRACECITE_LINT_TTL": "30"}, {"ttl": 40.0}, 40),
    ("ttl = 10", "", {}, {"ttl": 40.0}, 40),
    ("", 'ttl = "2h"', {"TRACECITE_LINT_TTL": ""}, {}, 7200),
]


@pytest.mark.parametrize(("user", "project", "environ", "command_line", "expected"), PRECEDENCE)
def test_command_line_over_environment_over_project_over_user(
    tmp_path, monkeypatch, user, project, environ, command_line, expected
):
    found = finder(
        tmp_path,
        monkeypatch,
        user=user,
        project=project,
        environ=environ,
        command_line=command_line,
    )
    assert found.settings(tmp_path / "repo").ttl == expected


def test_the_closest_project_file_wins_for_each_document(tmp_path, monkeypatch):
    found = finder(tmp_path, monkeypatch, project='citations = "eager"\nttl = 5')
    inner = tmp_path / "repo" / "docs"
    inner.mkdir()
    (inner / "tracecite-lint.toml").write_text("ttl = 7")
    assert found.settings(tmp_path / "repo").eager
    assert found.settings(inner) == Settings(ttl=7)


def test_a_pyproject_without_the_table_is_passed_over(tmp_path, monkeypatch):
    found = finder(tmp_path, monkeypatch, project="ttl = 5")
    inner = tmp_path / "repo" / "package"
    inner.mkdir()
    (inner / "pyproject.toml").write_text('[project]\nname = "x"\n')
    assert found.settings(inner).ttl == 5
    (inner / "pyproject.toml").write_text("[tool.tracecite-lint]\nttl = 6\n")
    assert finder(tmp_path, monkeypatch, project="ttl = 5").settings(inner).ttl == 6


def test_isolated_reads_no_file(tmp_path, monkeypatch):
    finder(tmp_path, monkeypatch, user="ttl = 1", project="ttl = 2")
    found = SettingsFinder({}, environ={}, isolated=True)
    assert found.settings(tmp_path / "repo").ttl == 86400


REACH = [
    ('connect-to = ["a.org:443:127.0.0.1:8443"]', "connect-to", "TRACECITE_LINT_CONNECT_TO"),
    ('allow-host = ["wiki.intranet.org"]', "allow-host", "TRACECITE_LINT_ALLOW_HOST"),
    ('proxy = "http://proxy.org:3128"', "proxy", "TRACECITE_LINT_PROXY"),
    ('cafile = "ca.pem"', "cafile", "TRACECITE_LINT_CAFILE"),
    ('cache-dir = "/tmp/x"', "cache-dir", "TRACECITE_LINT_CACHE_DIR"),
    ('[hosts."a.org"]\nheaders-from-env = {Authorization = "TOKEN"}', "headers-from-env", None),
]


@pytest.mark.parametrize(("toml", "key", "variable"), REACH)
def test_a_repository_cannot_widen_reach(tmp_path, monkeypatch, toml, key, variable):
    found = finder(tmp_path, monkeypatch, project=toml)
    with pytest.raises(SettingsError) as caught:
        found.settings(tmp_path / "repo")
    message = str(caught.value)
    assert key in message
    assert ".tracecite-lint.toml" in message
    assert str(tmp_path / "home" / "config.toml") in message
    assert variable is None or variable in message
    assert "\n" not in message


@pytest.mark.parametrize(("toml", "key", "variable"), REACH)
def test_the_users_own_file_can(tmp_path, monkeypatch, toml, key, variable):
    found = finder(tmp_path, monkeypatch, user=toml)
    assert found.settings(tmp_path / "repo") != Settings()


ERRORS = [
    ("tll = 5", "unknown setting 'tll' (did you mean 'ttl'?)"),
    ("ttl = true", "ttl: a time is needed"),
    ('ttl = "soon"', "ttl: a time is needed"),
    ("refresh = true", "'refresh' is for single runs"),
    ('select = ["QUOTE_NOT_IN_LIVE_SORCE"]', "did you mean QUOTE_NOT_IN_LIVE_SOURCE?"),
    ('severity = {URL_BLOCKED = "fatal"}', "one of error, warning, info, off"),
    ('citations = "all"', '"default" or "eager" is needed'),
    ('[hosts."a.org"]\nconcurency = 1', "did you mean 'concurrency'?"),
    ('[hosts."a.org"]\nconcurrency = 99', "a whole number from 1 to 32"),
    ("ttl = ", "not valid TOML"),
]


@pytest.mark.parametrize(("toml", "message"), ERRORS)
def test_an_error_names_the_file_the_key_and_the_way_out(tmp_path, monkeypatch, toml, message):
    found = finder(tmp_path, monkeypatch, project=toml)
    with pytest.raises(SettingsError) as caught:
        found.settings(tmp_path / "repo")
    assert message in str(caught.value)
    assert ".tracecite-lint.toml" in str(caught.value)


def test_an_error_in_the_environment_names_the_variable():
    with pytest.raises(SettingsError, match="TRACECITE_LINT_MAX_TIME: a time is needed"):
        SettingsFinder({}, environ={"TRACECITE_LINT_MAX_TIME": "later"}, isolated=True)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (5, 5),
        (0.5, 0.5),
        ("90", 90),
        ("90s", 90),
        ("15m", 900),
        ("24h", 86400),
        ("7d", 604800),
        ("1.5h", 5400),
    ],
)
def test_seconds_reads_numbers_and_units(value, expected):
    assert seconds(value) == expected


SEVERITIES = [
    ({}, "QUOTE_NOT_IN_LIVE_SOURCE", Severity.ERROR),
    ({}, "UNASSOCIATED_QUOTE", None),
    ({"extend_select": ("UNASSOCIATED_QUOTE",)}, "UNASSOCIATED_QUOTE", Severity.ERROR),
    ({"extend_select": ("UNASSOCIATED_QUOTE",)}, "QUOTE_NOT_IN_LIVE_SOURCE", Severity.ERROR),
    ({"select": ("URL_BLOCKED",)}, "QUOTE_NOT_IN_LIVE_SOURCE", None),
    ({"select": ("ALL",)}, "UNASSOCIATED_QUOTE", Severity.ERROR),
    ({"ignore": ("HTTP_STATUS_<n>",)}, "HTTP_STATUS_404", None),
    ({"ignore": ("HTTP_STATUS_404",)}, "HTTP_STATUS_404", None),
    ({"ignore": ("HTTP_STATUS_404",)}, "HTTP_STATUS_500", Severity.ERROR),
    ({"severity": {"HTTP_STATUS_<n>": Severity.WARNING}}, "HTTP_STATUS_404", Severity.WARNING),
    ({"severity": {"URL_BLOCKED": None}}, "URL_BLOCKED", None),
    ({"ignore": ("QUOTE_NOT_IN_LIVE_SOURCE",)}, "QUOTE_NOT_IN_LIVE_SOURCE:claim-1", None),
]


@pytest.mark.parametrize(("values", "code", "expected"), SEVERITIES)
def test_select_ignore_and_severity(values, code, expected):
    assert Settings(**values).severity_of(code, Severity.ERROR) is expected


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        ("docs/a.md", "docs", True),
        ("docs/a.md", "docs/", True),
        ("a/docs/b.md", "docs", True),
        ("a/docs/b.md", "/docs/", False),
        ("docs/x/a.md", "docs/**/*.md", True),
        ("docs/a.md", "docs/**/*.md", True),
        ("docs/a.md", "*.md", True),
        ("docs/a.txt", "*.md", False),
        ("vendor/lib/a.md", "vendor/lib", True),
        ("vendored/a.md", "vendor", False),
    ],
)
def test_globs(path, pattern, expected):
    assert matches(path, [pattern]) is expected


def test_per_file_ignores_hold_where_the_pattern_does():
    settings = Settings(per_file_ignores={"drafts": ("URL_BLOCKED",)})
    assert settings.for_document("drafts/a.md").severity_of("URL_BLOCKED", Severity.ERROR) is None
    assert (
        settings.for_document("a.md").severity_of("URL_BLOCKED", Severity.ERROR) is Severity.ERROR
    )


def test_the_schema_knows_every_setting_a_repository_may_give():
    properties = schema()["properties"]
    for option in OPTIONS:
        assert (option.key in properties) is (option.file and not option.reach)
    table = {
        "ttl": 5,
        "hosts": {"a.org": {"concurrency": 1}},
        "per-file-ignores": {"a": ["URL_BLOCKED"]},
    }
    assert set(table) <= set(properties)
    assert read_table(table, "x.toml", own=False)["ttl"] == 5


@pytest.mark.parametrize("key", ["baseline", "lock", "manifest"])
@pytest.mark.parametrize(
    "path", ["/etc/x.json", "../x.json", "a/../../x.json", ".git/hooks/x", "C:\\x.json", "\\\\h\\x"]
)
def test_a_repository_names_no_file_outside_of_it(key, path):
    with pytest.raises(SettingsError, match="inside the repository"):
        read_table({key: path}, "x.toml", own=False)
    assert read_table({key: path}, "config.toml", own=True)[key] == path
    assert read_table({key: "runs/x.json"}, "x.toml", own=False)[key] == "runs/x.json"


def test_an_option_of_single_runs_is_said_to_be_one():
    with pytest.raises(SettingsError, match="'no-cache' is for single runs: give --no-cache"):
        read_table({"no-cache": True}, "x.toml", own=True)


def test_a_time_is_finite_in_a_string_too():
    with pytest.raises(ValueError, match="a time is needed"):
        seconds("9" * 400)


@pytest.mark.parametrize("table", [f"x = {'[' * 5000}", f"ttl = {'9' * 5000}"])
def test_toml_that_python_cannot_read_is_an_error_of_the_file(table, tmp_path, monkeypatch):
    with pytest.raises(SettingsError, match="not valid TOML"):
        finder(tmp_path, monkeypatch, project=table).settings(tmp_path / "repo")


def test_the_severity_of_a_single_status_comes_before_that_of_all():
    severity = {"HTTP_STATUS_<n>": Severity.WARNING, "HTTP_STATUS_404": Severity.INFO}
    settings = Settings(severity=severity)
    assert settings.severity_of("HTTP_STATUS_404", Severity.ERROR) is Severity.INFO
    assert settings.severity_of("HTTP_STATUS_410", Severity.ERROR) is Severity.WARNING


def test_every_setting_is_declared_once():
    """The fields of Settings are the declarations: none is missing, and none stands beside them."""
    assert [option.name for option in OPTIONS] == [item.name for item in fields(Settings)]
    assert all(option.summary.endswith(".") and option.kind.form for option in OPTIONS)


@pytest.mark.parametrize(
    "option", [item for item in OPTIONS if item.group], ids=lambda item: item.key
)
def test_a_setting_with_a_group_has_an_option_on_the_command_line(option):
    (action,) = (
        action
        for action in parser_for("check")._actions
        if f"--{option.key}" in action.option_strings
    )
    assert action.help == option.plain[0].lower() + option.plain[1:].removesuffix(".")
    assert (action.nargs == 0) == isinstance(option.default, bool)
