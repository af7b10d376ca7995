"""Settings: what wins, what a repository may not say, and what errors name."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import jsonschema
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
    ('user-agent = "Somebody/1.0"', "user-agent", "TRACECITE_LINT_USER_AGENT"),
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
    ('exclude = "x y"', "exclude: a list of strings is needed, such as ['x y']"),
    ('offline = "yes"', "offline: true or false is needed"),
    ("timeout = 0", "timeout: a time above 0 is needed"),
    ("retries = -1", "retries: a whole number from 0 to 10 is needed"),
    (
        "timeout = 21",
        "timeout: a repository may say 20 at most; more is given as --timeout, as TRACECITE",
    ),
    ("retries = 3", "retries: a repository may say 2 at most; more is given as --retries"),
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


def test_a_repository_may_wait_and_try_less_but_not_more(tmp_path, monkeypatch):
    table = {"timeout": "5s", "retries": 0}
    assert read_table(table, "x.toml", own=False) == {"timeout": 5.0, "retries": 0}
    own = finder(tmp_path, monkeypatch, user="timeout = 90\nretries = 10\n")
    settings = own.settings(tmp_path / "repo")
    assert (settings.timeout, settings.retries) == (90.0, 10)


VALUES = [
    *("x", "", "90s", "1.5h", " 2 d ", "0s", "soon", "90 s x", "eager", "default", "ALL", "citations", "TLS/1.0\n"),
    *("URL_BLOCKED", "HTTP_STATUS_404", "HTTP_STATUS_4x4", "HTTP_STATUS_<n>", "QUOTE_NOT_IN_SOURCE:c1", "URL_BLOCKT"),
    *(0, 1, 2, 3, 10, 11, -1, 1.5, 20.5, 1e12, True, False),
]  # fmt: skip
TABLES = [
    *VALUES,
    *([value] for value in VALUES),
    *({"URL_BLOCKED": value} for value in ("error", "off", "fatal", 1, ["URL_BLOCKED"], ["x"], "URL_BLOCKED")),
    *({"a.org": {key: value}} for key in ("concurrency", "interval", "ttl", "user-agent", "x") for value in VALUES),
]  # fmt: skip


@pytest.mark.parametrize(
    "option",
    [item for item in OPTIONS if item.file and not item.reach and not item.inside],
    ids=lambda item: item.key,
)
def test_the_schema_and_the_reader_agree(option):
    validator = jsonschema.Draft202012Validator(schema()["properties"][option.key])
    for value in TABLES:
        try:
            read_table({option.key: value}, "x.toml", own=False)
        except SettingsError as error:
            if "a repository may say" in str(error) and isinstance(value, str):
                continue  # how long `1.5h` is goes beyond a schema
            assert not validator.is_valid(value), (value, error)
        else:
            assert validator.is_valid(value), value


def test_what_the_environment_says_is_text(monkeypatch):
    environ = {
        "TRACECITE_LINT_EXCLUDE": "my drafts,vendor",
        "TRACECITE_LINT_IGNORE": "URL_BLOCKED REQUEST_TIMEOUT",
        "TRACECITE_LINT_OFFLINE": "yes",
        "TRACECITE_LINT_RETRIES": "0",
        "TRACECITE_LINT_TIMEOUT": "1m",
    }
    settings = SettingsFinder({}, environ=environ, isolated=True).settings(Path.cwd())
    assert settings.exclude == ("my drafts", "vendor")
    assert settings.ignore == ("URL_BLOCKED", "REQUEST_TIMEOUT")
    assert (settings.offline, settings.retries, settings.timeout) == (True, 0, 60.0)
    with pytest.raises(SettingsError, match="RETRIES: a whole number"):
        SettingsFinder({}, environ={"TRACECITE_LINT_RETRIES": "two"})


@pytest.mark.parametrize(
    ("pattern", "uri", "expected"),
    [
        ("example.org", "https://example.org/a", True),
        ("example.org", "HTTP://EXAMPLE.org", True),
        ("example.org", "//example.org/a", True),
        ("example.org", "https://www.example.org/a", False),
        ("*.example.org", "https://www.example.org/a", True),
        ("https://example.org/", "http://example.org/a", True),
        ("example.org/drafts", "https://example.org/drafts/a?b#c", True),
        ("example.org/drafts/*", "https://example.org/final/a", False),
        ("https://example.org/a/*.pdf", "https://example.org/a/b/c.pdf?download=1", True),
        ("*.pdf", "https://example.org/a.pdf", True),
        ("../pages/*", "../pages/a.html#x", True),
        ("example.org", "https://other.org/?u=https://example.org", False),
    ],
)
def test_sources_are_left_out_by_host_and_path(pattern, uri, expected):
    assert Settings(exclude_url=(pattern,)).excludes_source(uri) is expected


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
