"""The real command over a cache that somebody has prepared, and over one that was filled in another way."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

import pytest
from loopback import Answer, Loopback

URL = "https://www.iana.org/help/example-domains"
WORDS = "these domains may be used as illustrative examples"
REPORT = f"It says “{WORDS}” ([domains]({URL})).\n"
HANG = (
    "CREATE TRIGGER Settings_{0} AFTER {1} ON Cache BEGIN WITH RECURSIVE"
    " n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n; END"
)
HANGING = tuple(
    statement
    for name, event in (("count_insert", "INSERT"), ("size_update", "UPDATE"), ("count_delete", "DELETE"))
    for statement in (f"DROP TRIGGER Settings_{name}", HANG.format(name, event))
)  # fmt: skip


@pytest.fixture
def cache() -> Path:
    return Path(os.environ["TRACECITE_LINT_CACHE_DIR"])


@pytest.fixture
def site(loopback: Loopback) -> Loopback:
    loopback.page(URL, f"And {WORDS} in documents.", ETag='"a"')
    return loopback


@pytest.fixture
def check(lint, write, site: Loopback, cafile: Path):
    """Run the command over the report, with every URL led to the server."""
    write("report.md", REPORT)
    return lambda *more, **options: lint("report.md", *site.arguments(cafile), *more, **options)


def plant(cache: Path, *statements: str) -> None:
    connection = sqlite3.connect(cache / "cache.db", isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def rewrite(cache: Path, kind: str, change: Callable[[bytes], bytes]) -> None:
    """Change the value of the one row of a kind."""
    connection = sqlite3.connect(cache / "cache.db", isolation_level=None)
    ((key, value),) = connection.execute(
        "SELECT key, value FROM Cache WHERE key LIKE ?", (f"{kind}/%",)
    )
    connection.execute("UPDATE Cache SET value = ? WHERE key = ?", (change(value), key))
    connection.close()


def with_header(**changes: object) -> Callable[[bytes], bytes]:
    """Return what forges the header of a stored page, with a digest that fits."""

    def forge(value: bytes) -> bytes:
        header = json.dumps(json.loads(value[21:]) | changes).encode()
        return value[:5] + blake2b(header, digest_size=16).digest() + header

    return forge


class TestPrepared:
    def test_a_trigger_that_hangs_never_runs(self, check, cache, site):
        assert check().status == 0
        plant(cache, *HANGING)
        assert check("--refresh").status == 0
        assert check("--offline").status == 0

    @pytest.mark.parametrize("code", ["UNASSOCIATED_QUOTE", "UNREADABLE_FILE", "NOT_IN_CACHE"])
    @pytest.mark.parametrize("far", [False, True])
    def test_a_planted_failure_lets_nothing_pass(self, code, far, check, cache, site, write):
        site.script(URL, Answer(status=404), Answer(f"<p>{'Other words. ' * 30}"))
        assert check("--format=json").codes == ["HTTP_STATUS_404"]
        at = time.time() + 1e9 if far else time.time()
        rewrite(cache, "failure", lambda value: json.dumps([code, "m", "", at, *json.loads(value)[4:]]).encode())  # fmt: skip
        ran = check("--format=json", "--allow-unreachable", f"--ignore={code}")
        assert (ran.status, ran.codes) == (2, ["QUOTE_NOT_IN_LIVE_SOURCE"])

    @pytest.mark.parametrize(
        "changes",
        [
            *({"fetched_at": value} for value in (float("inf"), 1e300, 10**400)),
            {"fetched_at": 9_000_000_000},
            {"etag": "a\r\nX-Injected: b"},
            {"last_modified": "a\nb"},
            {"final_url": "https://www.iana.org/\r\n\x1b[31m"},
            {"status": 10**400},
        ],
        ids=lambda changes: repr(changes)[:40],
    )
    def test_an_unsound_page_counts_as_missing(self, changes, check, cache, site):
        assert check().status == 0
        rewrite(cache, "page", with_header(**changes))
        assert check("--offline", "--format=json").codes == ["NOT_IN_CACHE"]
        again = check("--format=json", env={"TRACECITE_LINT_TTL": "0"})
        assert again.status == 0
        assert again.json["summary"]["verified"] == 1
        assert "if-none-match" not in site.requests[-1].headers

    def test_what_is_forged_with_care_is_read(self, check, cache, site):
        """The forgery of these tests fits: what is refused above is refused for what it says."""
        assert check().status == 0
        rewrite(cache, "page", with_header(etag='"b"'))
        assert check("--offline").status == 0

    def test_a_lease_without_end_is_waited_for_a_moment(self, check, cache, site):
        assert check().status == 0
        plant(
            cache,
            "UPDATE Cache SET key = replace(key, 'page/', 'lease/'), value = CAST('elsewhere\n1\nx' AS BLOB),"
            " expire_time = 9e999, store_time = store_time - 14",
        )  # fmt: skip
        assert check("--max-time=20").status == 0
        assert len(site.requests) == 2

    @pytest.mark.skipif(sys.platform == "win32", reason="no rusage here")
    def test_a_large_row_is_not_read(self, check, cache, site, cafile, tmp_path):
        assert check().status == 0
        plant(cache, "UPDATE Cache SET value = zeroblob(150000000) WHERE key LIKE 'page/%'")
        command = [sys.executable, "-m", "tracecite_lint", "report.md", *site.arguments(cafile)]
        # A process of its own between: a child begins with what its parent holds, and this one may hold much.
        measuring = (
            "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=2);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        done = subprocess.run(
            [sys.executable, "-c", measuring, *command], cwd=tmp_path, capture_output=True
        )
        assert done.returncode == 0, done.stderr
        unit = 1 if sys.platform == "darwin" else 1024
        assert int(done.stdout) * unit < 200_000_000

    @pytest.mark.parametrize("prepared", ["triggers", "garbage", "ten gigabytes", "rows"])
    def test_the_cache_can_be_asked_after_itself(self, prepared, lint, check, cache):
        assert check().status == 0
        if prepared == "triggers":
            plant(cache, *HANGING)
        elif prepared == "garbage":
            (cache / "cache.db").write_bytes(b"garbage " * 10_000)
        elif prepared == "ten gigabytes":
            os.truncate(cache / "cache.db", 10 * 2**30)
        else:
            plant(
                cache,
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
                " INSERT INTO Cache (key, raw, mode, expire_time) SELECT CAST('page/2/' || i AS BLOB), i, i, i FROM n",
            )  # fmt: skip
        for action in ("stats", "prune", "clear"):
            ran = lint("cache", action)
            assert (ran.status, ran.err) == (0, "")
        assert check().status == 0


class TestUnchecked:
    """The list of what was let pass has a database of its own."""

    @pytest.fixture
    def noted(self, check, site, cache, lint) -> Path:
        site.script(URL, Answer(status=503))
        assert check("--allow-unreachable").status == 0
        site.page(URL, f"And {WORDS} in documents.")
        return cache / "unchecked"

    def test_a_trigger_that_hangs_never_runs(self, noted, check):
        plant(noted, *HANGING)
        assert check("--refresh").status == 0

    @pytest.mark.parametrize(
        "file",
        ["../outside.md", "a\0b", "x" * 5000, "loop", ".git/HEAD", "\ud800", "sub/.bare/HEAD"],
        ids=repr,
    )  # fmt: skip
    def test_a_file_that_it_names_is_a_document_of_the_repository_or_none(
        self, file, noted, check, lint, tmp_path, write, site, cafile
    ):
        (tmp_path / "sub").mkdir()
        for command in (("init", "-q"), ("init", "-q", "--separate-git-dir=sub/.bare", "other")):
            subprocess.run(["git", *command], cwd=tmp_path, check=True)
        (tmp_path / "loop").symlink_to("loop")
        (tmp_path.parent / "outside.md").write_text(REPORT)
        rewrite(noted, "%", lambda value: json.dumps(json.loads(value) | {"file": file}).encode())
        subprocess.run(["git", "add", "report.md"], cwd=tmp_path, check=True)
        ran = lint("--changed", "--format=json", "--refresh", *site.arguments(cafile))
        assert ran.err == ""
        assert ran.codes == []
        assert ran.status == 0
        (tmp_path.parent / "outside.md").unlink()


class TestReach:
    """A page that was read in another way is not the live page."""

    def test_what_was_read_elsewhere_is_not_verified_without_that(self, check, lint, site):
        assert check().status == 0
        assert check("--offline").status == 0
        plain = lint("report.md", "--offline", "--format=json")
        assert (plain.status, plain.codes) == (2, ["NOT_IN_CACHE"])
        assert plain.json["summary"]["verified"] == 0

    def test_nor_does_it_stand_in_where_the_server_cannot_be_reached(self, check, lint, cafile):
        assert check().status == 0
        ran = lint("report.md", "--connect-to=::127.0.0.1:1", f"--cafile={cafile}", "--format=json")
        assert (ran.status, ran.codes) == (2, ["HTTP_REQUEST_FAILED"])

    def test_a_variable_counts_like_an_option(self, lint, write, site, cafile):
        write("report.md", REPORT)
        env = {"TRACECITE_LINT_CONNECT_TO": " ".join(site.connect_to)}
        env |= {"TRACECITE_LINT_CAFILE": str(cafile)}
        assert lint("report.md", env=env).status == 0
        assert lint("report.md", "--offline", *site.arguments(cafile)).status == 0
        assert lint("report.md", "--offline", "--format=json").codes == ["NOT_IN_CACHE"]

    def test_a_proxy_of_the_environment_counts_too(self, lint, write, site, cafile):
        write("report.md", REPORT)
        proxy = {"HTTPS_PROXY": f"http://127.0.0.1:{site.http_port}"}
        assert lint("report.md", f"--cafile={cafile}", env=proxy).status == 0
        assert lint("report.md", f"--cafile={cafile}", "--offline", env=proxy).status == 0
        ran = lint("report.md", f"--cafile={cafile}", "--offline", "--format=json")
        assert ran.codes == ["NOT_IN_CACHE"]
