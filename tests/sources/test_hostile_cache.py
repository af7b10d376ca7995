"""A cache directory that somebody has prepared: no statement in it runs, no number or size of it counts, nothing hangs."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tracecite_lint.rules import RULES
from tracecite_lint.sources import cache as cache_module
from tracecite_lint.sources import database, optional_database
from tracecite_lint.sources.cache import LEASE_SECONDS, SCHEMA_VERSION, Cache
from tracecite_lint.sources.database import Database
from tracecite_lint.sources.errors import SourceError, is_fetch_code
from tracecite_lint.sources.freshness import FAILURE_TTL, UNREACHABLE_TTL
from tracecite_lint.sources.leases import new_owner
from tracecite_lint.sources.page import Page

KEY = "https://iana.org/a"
NOW = 1_800_000_000.0
PAGE = Page(
    url=KEY,
    final_url=KEY,
    status=200,
    content_type="text/html",
    text="The words.",
    prepared=b"The words.",
    fetched_at=NOW,
    fresh_until=NOW + 60,
)


def row(kind: str) -> str:
    return f"{kind}/{SCHEMA_VERSION}/{KEY}"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A cache with one page in it."""
    directory = tmp_path / "cache"
    cache = Cache(directory)
    cache.keep_page(KEY, PAGE, 1)
    assert cache.problem is None
    cache.close()
    return directory


def plant(directory: Path, *statements: str, values: tuple[object, ...] = ()) -> None:
    """Run SQL on the database behind the program's back; *values* are for the last statement."""
    connection = sqlite3.connect(directory / "cache.db", isolation_level=None)
    *first, last = statements
    for statement in first:
        connection.execute(statement)
    connection.execute(last, values)
    connection.close()


def plant_row(directory: Path, kind: str, value: object, **columns: object) -> None:
    columns = {"key": row(kind), "raw": 1, "mode": 1, "store_time": NOW, "value": value} | columns
    names = ", ".join(columns)
    marks = ", ".join("?" * len(columns))
    statement = f"INSERT OR REPLACE INTO Cache ({names}) VALUES ({marks})"
    plant(directory, statement, values=tuple(columns.values()))


def schema(directory: Path) -> set[tuple[object, ...]]:
    connection = sqlite3.connect(directory / "cache.db")
    found = set(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))
    connection.close()
    return found


@pytest.fixture
def cache(directory: Path) -> Iterator[Cache]:
    cache = Cache(directory)
    yield cache
    cache.close()


def works(directory: Path) -> None:
    """Check that a page can be kept and read back, by this cache and by the next, and that nothing foreign is left."""
    for _ in range(2):
        cache = Cache(directory)
        cache.keep_page(KEY, PAGE, 1)
        assert cache.page(KEY) == (PAGE, 1)
        assert cache.stats().pages == 1
        cache.prune()
        assert cache.problem is None
        cache.close()
    assert schema(directory) == database._SCHEMA


def test_the_schema_that_is_expected_is_that_of_the_diskcache_that_is_installed(directory):
    assert schema(directory) == database._SCHEMA


HANG = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
LIE = "UPDATE Cache SET value = x'00' WHERE rowid = NEW.rowid"


def instead_of(name: str, action: str, event: str = "INSERT") -> tuple[str, str]:
    """A trigger with the name of one of diskcache's, and another action."""
    trigger = f"CREATE TRIGGER {name} AFTER {event} ON Cache BEGIN {action}; END"
    return f"DROP TRIGGER {name}", trigger


def another_table(definition: str) -> tuple[str, ...]:
    """Another table in the place of diskcache's, with all that belongs to it."""
    made = [
        str(sql) for kind, _, _, sql in database._SCHEMA if kind in {"index", "trigger"} and sql
    ]
    ours = [sql for sql in made if " ON Cache" in sql]
    return "DROP TABLE Cache", definition, *ours


TABLE = next(str(sql) for _, name, _, sql in database._SCHEMA if name == "Cache")
FOREIGN = {
    "a trigger that hangs": instead_of("Settings_count_insert", HANG),
    "one that hangs on an update": instead_of("Settings_size_update", HANG, "UPDATE"),
    "one that rewrites what was stored": instead_of("Settings_size_insert", LIE),
    "one that clears the table": instead_of("Settings_count_delete", "DELETE FROM Cache", "DELETE"),
    "one on the other table": (
        "DROP TRIGGER Settings_count_insert",
        "CREATE TRIGGER Settings_count_insert AFTER UPDATE ON Settings BEGIN DELETE FROM Cache; END",
    ),
    "a view in place of a table": ("DROP TABLE Settings", "CREATE VIEW Settings AS SELECT 1 AS key, 2 AS value"),
    "a temporary name": ("CREATE TABLE sqlite_x_stat (a)".replace("sqlite_x_stat", "Settings2"),),
    "a generated column": ("ALTER TABLE Cache ADD COLUMN x AS (zeroblob(1000000000)) VIRTUAL",),
    "another column": ("ALTER TABLE Cache ADD COLUMN x DEFAULT 5",),
    "a constraint": another_table(TABLE.replace("value BLOB", f"value BLOB CHECK (0 = ({HANG}))")
                                  .replace(f"({HANG})", "length(randomblob(100000000))")),
    "no rowid": another_table(TABLE.replace("rowid INTEGER PRIMARY KEY", "rowid INTEGER, key2 PRIMARY KEY") + " WITHOUT ROWID"),
    "strict types": another_table(TABLE.replace(" REAL", " ANY").replace("BLOB", "ANY") + " STRICT"),
    "an index over an expression": ("DROP INDEX Cache_key_raw", "CREATE UNIQUE INDEX Cache_key_raw ON Cache(key, raw, abs(mode))"),
    "an index over a part": ("DROP INDEX Cache_key_raw", "CREATE UNIQUE INDEX Cache_key_raw ON Cache(key, raw) WHERE mode = 1"),
    "an index of another name's columns": ("DROP INDEX Cache_store_time", "CREATE INDEX Cache_store_time ON Cache (expire_time)"),
    "another collation": ("DROP INDEX Cache_key_raw", "CREATE UNIQUE INDEX Cache_key_raw ON Cache(key COLLATE NOCASE, raw)"),
    "statistics for the planner": ("ANALYZE",),
    "a virtual table": ("DROP TABLE Settings", "CREATE VIRTUAL TABLE Settings USING fts4(key, value)"),
    "what no parser would let in": (
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'value + 1', 'value + 2') WHERE name = 'Settings_count_insert'",
    ),
    "names with control characters": ("CREATE TABLE \"\x1b[31m\n\" (a)",),
    "a schema that does not parse": (
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = 'CREATE TABLE \x1b[31m\n(' WHERE name = 'Cache'",
    ),
    "tables over tables": tuple(f"CREATE TABLE t{n} (a)" for n in range(500)),
}  # fmt: skip


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN)
def test_schema_objects_are_known_by_their_sql(statements, directory):
    plant(directory, *statements)
    works(directory)


def test_the_list_of_unchecked_citations_is_guarded_alike(directory):
    kept = Database(directory, "unchecked")
    kept.set("a/b", b"x", ttl=None)
    kept.close()
    plant(directory / "unchecked", *FOREIGN["a trigger that hangs"])
    again = Database(directory, "unchecked")
    assert again.get("a/b") is None
    again.set("a/b", b"y", ttl=None)
    assert again.get("a/b") == b"y"
    again.close()
    assert schema(directory / "unchecked") == database._SCHEMA


@pytest.mark.parametrize(
    ("counter", "value"),
    [("size", 2**60), ("size", 1), ("hits", 5), ("count", 2**60), ("count", 0.5), ("count", "1")],
)
def test_counters_say_what_they_can(counter, value, directory):
    plant(directory, "UPDATE Settings SET value = ? WHERE key = ?", values=(value, counter))
    works(directory)


class TestSizes:
    @pytest.mark.parametrize("name", ["cache.db", "cache.db-wal", "cache.db-shm"])
    def test_ten_gigabytes_of_nothing_are_not_looked_through(self, name, directory):
        with (directory / name).open("ab") as file:
            file.truncate(10 * 2**30)
        works(directory)
        assert sum(path.stat().st_size for path in directory.iterdir() if path.is_file()) < 2**20

    def test_what_the_database_says_of_its_size_is_not_believed(self, directory):
        with (directory / "cache.db").open("r+b") as file:
            file.seek(28)
            file.write((2**31).to_bytes(4))
        works(directory)

    @pytest.mark.parametrize("pragma", ["page_size = 65536", "auto_vacuum = 0"])
    def test_a_layout_of_another_kind_is_made_anew(self, pragma, directory):
        plant(directory, "PRAGMA journal_mode = delete", f"PRAGMA {pragma}", "VACUUM")
        works(directory)
        connection = sqlite3.connect(directory / "cache.db")
        name, _, value = pragma.partition(" = ")
        assert connection.execute(f"PRAGMA {name}").fetchone() != (int(value),)
        connection.close()

    @pytest.mark.parametrize("kind", ["page", "failure", "lease"])
    def test_a_large_row_counts_as_missing_and_is_not_read(self, kind, directory, cache):
        cache.keep_page("https://iana.org/b", PAGE, 1)
        plant_row(directory, kind, None)
        plant(
            directory,
            "UPDATE Cache SET value = zeroblob(?) WHERE key = ?",
            values=(70_000_000 if kind == "page" else 1_000_000, row(kind)),
        )
        tracemalloc.start()
        try:
            if kind == "page":
                assert cache.page(KEY) is None
            assert cache.failure(KEY, reach="", now=NOW) is None
            assert cache.lease(KEY, b"me")
            assert cache.page("https://iana.org/b") == (PAGE, 1)
            assert tracemalloc.get_traced_memory()[1] < 2**20
        finally:
            tracemalloc.stop()
        assert cache.problem is None

    @pytest.mark.parametrize("column", ["filename", "key"])
    def test_nor_is_a_large_column_beside_it(self, column, directory, cache):
        plant(
            directory,
            f"UPDATE Cache SET {column} = CAST(zeroblob(70000000) AS TEXT) WHERE key = ?",
            values=(row("page"),),
        )
        tracemalloc.start()
        try:
            assert cache.page(KEY) is None
            assert cache.stats().pages == (0 if column == "key" else 1)
            cache.keep_page(KEY, PAGE, 1)
            assert cache.page(KEY) == (PAGE, 1)
            cache.prune()
            cache.clear()
            assert tracemalloc.get_traced_memory()[1] < 2**20
        finally:
            tracemalloc.stop()
        assert cache.problem is None

    def test_a_row_of_the_right_kind_is_read_up_to_the_limit_of_its_kind(self, directory, cache):
        failure = ["HTTP_STATUS_404", "gone", "x" * 10_000, NOW, ""]
        plant_row(directory, "failure", json.dumps(failure).encode())
        assert cache.failure(KEY, reach="", now=NOW) is None
        plant_row(directory, "lease", new_owner() + b"\n" + bytes(2000))
        assert cache.lease(KEY, b"me")

    def test_a_page_over_the_limit_is_not_kept(self, directory, monkeypatch):
        monkeypatch.setattr(cache_module, "VALUE_LIMIT", 1000)
        cache = Cache(directory)
        cache.keep_page(KEY, replace(PAGE, text="x" * 1000), 1)
        assert cache.page(KEY) is None
        assert cache.problem is None
        cache.close()

    def test_a_page_at_the_limit_is_kept(self, directory, cache):
        header = len(PAGE.rows(extract_version=1, prepare_version=1)[1]) - len(PAGE.prepared)
        large = replace(PAGE, prepared=bytes(optional_database.VALUE_LIMIT - header))
        cache.keep_page(KEY, large, 1)
        assert cache.page(KEY) == (large, 1)
        assert cache.problem is None

    def test_no_request_is_computed_over_for_ever(self, directory, cache, monkeypatch):
        connection = sqlite3.connect(directory / "cache.db")
        rows = ((f"page/{SCHEMA_VERSION}/{n}",) for n in range(20_000))
        connection.executemany(
            "INSERT INTO Cache (key, raw, mode, value) VALUES (?, 1, 1, x'00')", rows
        )
        connection.commit()
        connection.close()
        assert cache.stats().pages == 20_001
        monkeypatch.setattr(database, "PATIENCE", -1.0)
        assert cache.stats().pages == 0  # thrown away, and with it what took so long
        monkeypatch.undo()
        works(directory)

    def test_a_million_rows_are_counted_pruned_and_cleared(self, directory, cache):
        connection = sqlite3.connect(directory / "cache.db", isolation_level=None)
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
            f" INSERT INTO Cache (key, raw, mode, expire_time) SELECT 'page/{SCHEMA_VERSION}/' || i, 1, 1, i FROM n"
        )
        connection.execute("COMMIT")
        connection.close()
        assert cache.stats().pages == 100_001
        assert cache.prune() == 100_000
        assert cache.clear() == 1
        assert cache.problem is None

    def test_keys_of_any_type_are_passed_over(self, directory, cache):
        for key in (None, 5, 0.5, b"\xff", row("page").encode(), "", "\ud7ff"):
            plant_row(directory, "page", b"x", key=key)
        plant(
            directory,
            f"INSERT INTO Cache (key, raw) VALUES (CAST(x'{b'page/'.hex()}ff' AS TEXT), 1)",
        )
        assert cache.page(KEY) == (PAGE, 1)
        assert cache.stats().pages == 1
        assert cache.prune() >= 0
        assert cache.clear() == 1
        assert cache.problem is None


class TestLeases:
    """A lease is waited for 15 seconds at most, whatever its row says."""

    @pytest.mark.parametrize(
        "store_time",
        [-1e300, 1e300, 9e999, "soon", "9" * 400, None, b"\xff", -9e999],
        ids=repr,
    )  # fmt: skip
    def test_one_of_no_time_is_none(self, store_time, directory, cache):
        plant_row(directory, "lease", b"elsewhere\n1\nx", store_time=store_time, expire_time=9e999)
        assert cache.lease(KEY, b"me")
        assert cache.problem is None

    @pytest.mark.parametrize("seconds", [-LEASE_SECONDS, -1e6, 60.0, 1e6])
    def test_one_of_another_time_is_none(self, seconds, directory, cache):
        store_time = time.time() + seconds
        plant_row(directory, "lease", b"elsewhere\n1\nx", store_time=store_time, expire_time=9e999)
        assert cache.lease(KEY, b"me")

    @pytest.mark.parametrize("expiry", [None, 9e999, 1e300, "never", b"never"], ids=repr)
    @pytest.mark.parametrize("machine", ["elsewhere", "here"])
    def test_one_of_now_ends_in_time(self, expiry, machine, directory, cache, monkeypatch):
        now = time.time()
        name = socket.gethostname() if machine == "here" else machine
        owner = f"{name}\n1\nx".encode()  # there is always a process 1
        plant_row(directory, "lease", owner, store_time=now, expire_time=expiry)
        assert not cache.lease(KEY, b"me")
        monkeypatch.setattr(database.time, "time", lambda: now + LEASE_SECONDS)
        assert cache.lease(KEY, b"me")

    def test_one_that_is_renewed_stands(self, directory, cache, monkeypatch):
        start = time.time()
        other = Cache(directory)
        assert other.lease(KEY, new_owner())
        for seconds in (10, 20, 30):
            monkeypatch.setattr(database.time, "time", lambda: start + seconds)  # noqa: B023
            holder = sqlite3.connect(directory / "cache.db")
            ((owner,),) = holder.execute("SELECT value FROM Cache WHERE key = ?", (row("lease"),))
            holder.close()
            other.renew(KEY, owner)
            assert not cache.lease(KEY, b"me")
        other.close()


class TestFailures:
    """A failure is believed for 60 seconds at most, and only with a code that a fetch can end in."""

    GOOD = ("HTTP_STATUS_404", "gone", "", NOW, "r")

    def believed(self, directory: Path, cache: Cache, values: object, now: float = NOW) -> bool:
        data = values if isinstance(values, bytes) else json.dumps(values).encode()
        plant_row(directory, "failure", data, expire_time=9e999)
        found = cache.failure(KEY, reach="r", now=now)
        assert cache.problem is None
        return found is not None

    def test_one_as_this_program_leaves_it_is(self, directory, cache):
        assert self.believed(directory, cache, self.GOOD)

    @pytest.mark.parametrize(
        ("code", "seconds"), [("HTTP_STATUS_404", FAILURE_TTL), ("HTTP_STATUS_503", UNREACHABLE_TTL)]
    )  # fmt: skip
    def test_it_ends(self, code, seconds, directory, cache):
        values = [code, *self.GOOD[1:]]
        assert self.believed(directory, cache, values, NOW + seconds - 1)
        assert not self.believed(directory, cache, values, NOW + seconds)
        assert not self.believed(directory, cache, values, NOW - 1)
        assert seconds <= 60

    @pytest.mark.parametrize(
        "code",
        [
            *(
                "UNASSOCIATED_QUOTE",
                "QUOTE_NOT_IN_LIVE_SOURCE",
                "UNUSED_SUPPRESSION",
                "NOT_UTF8_TEXT",
            ),
            *(
                "NOT_IN_CACHE",
                "NOT_CHECKED_TIME_BUDGET",
                "SOURCE_UNAVAILABLE",
                "UNSUPPORTED_SOURCE_URI",
            ),
            *(
                "",
                "files",
                "sources",
                "NO_SUCH_CODE",
                "http_status_404",
                "HTTP_STATUS_<n>",
                "HTTP_STATUS_",
            ),
            *(
                "HTTP_STATUS_40",
                "HTTP_STATUS_4040",
                "HTTP_STATUS_404\n",
                "HTTP_STATUS_٤٠٤",
                "HTTP_STATUS_404:x",
            ),
        ],
    )
    def test_of_any_other_code_it_is_none(self, code, directory, cache):
        assert not self.believed(directory, cache, [code, *self.GOOD[1:]])

    @pytest.mark.parametrize(
        "at",
        ["Infinity", "-Infinity", "NaN", "1e300", "1e400", "9" * 400, "9" * 5000, "-1", "true", "null", '"1"', "[1]"],
        ids=lambda at: at[:12],
    )  # fmt: skip
    @pytest.mark.parametrize("now", [NOW, 0.0, 1.0])
    def test_of_no_time_it_is_none(self, at, now, directory, cache):
        assert not self.believed(
            directory, cache, f'["HTTP_STATUS_404", "gone", "", {at}, "r"]'.encode(), now
        )

    @pytest.mark.parametrize("place", [1, 2])
    @pytest.mark.parametrize(
        "text", ["a\r\nb", "\x1b[31m", "\ud800", "\x9b", "\u202e", 5, None, ["a"]], ids=repr
    )
    def test_with_texts_of_several_lines_it_is_none(self, text, place, directory, cache):
        values = list(self.GOOD)
        values[place] = text
        assert not self.believed(directory, cache, values)

    @pytest.mark.parametrize("values", [[], {}, 5, None, [*GOOD, 1], [*GOOD[:4]]], ids=repr)
    def test_of_another_form_it_is_none(self, values, directory, cache):
        assert not self.believed(directory, cache, values)

    def test_the_list_of_codes_is_that_of_the_rules_about_sources(self):
        """A new rule about sources has to be on the list, or here."""
        never_fetched = {
            *("INVALID_OR_BLOCKED_URL", "UNSUPPORTED_SOURCE_URI", "SOURCE_FILE_MISMATCH"),
            *("SOURCE_UNAVAILABLE", "NOT_IN_CACHE", "NOT_CHECKED_TIME_BUDGET"),
            *("SOURCE_TRUNCATED", "SELF_CITATION"),
        }
        about_sources = {rule.code for rule in RULES.values() if rule.group == "sources"}
        asked = {code.replace("<n>", "404") for code in about_sources - never_fetched}
        assert {code for code in asked if not is_fetch_code(code)} == set()
        assert not any(map(is_fetch_code, set(RULES) - about_sources | never_fetched))


class TestDirectory:
    """Whatever stands in the place of a file or folder of the cache."""

    def test_a_link_in_place_of_the_list_is_not_followed(self, directory, tmp_path):
        """Another program may keep a database of the same name."""
        precious = tmp_path / "precious"
        precious.mkdir(mode=0o700)
        (precious / "cache.db").write_text("another program's")
        (directory / "unchecked").symlink_to(precious)
        kept = Database(directory, "unchecked")
        kept.set("a/b", b"x", ttl=None)
        assert kept.get("a/b") == b"x"
        kept.close()
        assert (precious / "cache.db").read_text() == "another program's"
        assert [path.name for path in precious.iterdir()] == ["cache.db"]

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
    @pytest.mark.parametrize(
        "name", ["cache.db", "cache.db-wal", "cache.db-shm", "cache.db-journal"]
    )
    def test_a_pipe_is_not_waited_at(self, name, directory):
        (directory / name).unlink(missing_ok=True)
        os.mkfifo(directory / name)
        works(directory)

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
    @pytest.mark.parametrize("make", [os.mkfifo, Path.touch], ids=["a pipe", "a file"])
    def test_nor_one_in_place_of_the_list(self, make, directory):
        make(directory / "unchecked")
        with pytest.raises(database.UnusableError):
            Database(directory, "unchecked")
        works(directory)

    def test_a_folder_that_cannot_be_replaced_is_said_and_costs_no_run(self, directory):
        (directory / "cache.db").unlink()
        (directory / "cache.db" / "x").mkdir(parents=True)
        cache = Cache(directory)
        cache.keep_page(KEY, PAGE, 1)
        assert cache.page(KEY) == (PAGE, 1)
        assert cache.problem is not None
        assert cache.problem.count("\n") == 0
        cache.close()


def test_an_unusable_database_is_said_in_one_printable_line(directory, monkeypatch):
    """SQLite's messages hold names from the file."""
    error = sqlite3.OperationalError("malformed (\x1b[31m\n" + "x" * 5000)
    error.sqlite_errorcode = sqlite3.SQLITE_READONLY

    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(database, "_connect", fails)
    cache = Cache(directory)
    assert cache.page(KEY) is None
    assert cache.problem is not None
    assert cache.problem.isprintable()
    assert len(cache.problem) < 500


def test_rows_of_an_older_form_count_as_missing(directory, cache):
    plant(directory, "UPDATE Cache SET key = replace(key, 'page/', 'page/0')")
    assert cache.page(KEY) is None
    assert cache.stats().pages == 0
    cache.keep_failure(KEY, SourceError("HTTP_STATUS_404", "gone"), reach="r", now=NOW)
    assert cache.failure(KEY, reach="r", now=NOW) is not None
    assert cache.problem is None
