"""The cache keeps pages, survives what is done to it, and believes nothing that lies in its directory."""

from __future__ import annotations

import os
import pickle
import shutil
import sqlite3
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tracecite_lint.files.user_directories import cache_directory
from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.folded import FOLD_VERSION
from tracecite_lint.sources import cache as cache_module
from tracecite_lint.sources import database
from tracecite_lint.sources.cache import Cache
from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.page import Page

KEY = "https://iana.org/a"


def page(text: str = "The words.") -> Page:
    return Page(
        url=KEY,
        final_url=KEY,
        status=200,
        content_type="text/html",
        text=text,
        prepared=text.encode(),
        fetched_at=1000.0,
        fresh_until=2000.0,
        etag='"a"',
    )


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def filled(directory: Path) -> None:
    """Put one page into the cache at *directory*."""
    cache = Cache(directory)
    cache.keep_page(KEY, page(), 1)
    assert cache.problem is None
    cache.close()


def test_a_page_is_kept_from_run_to_run(directory):
    filled(directory)
    cache = Cache(directory)
    assert cache.page(KEY) == (page(), 1)
    assert cache.page("https://iana.org/b") is None
    cache.close()


def test_a_page_replaces_the_one_before(directory):
    cache = Cache(directory)
    cache.keep_page(KEY, page("Old."), 1)
    cache.keep_page(KEY, page("New."), 2)
    assert cache.page(KEY) == (page("New."), 2)
    assert cache.stats().pages == 1
    cache.close()


def test_a_large_page_is_kept(directory):
    cache = Cache(directory)
    large = page("ſ" * 2 * 1024 * 1024)
    cache.keep_page(KEY, large, 1)
    assert cache.page(KEY) == (large, 1)
    assert cache.problem is None
    cache.close()


def test_text_of_another_extractor_is_no_longer_used(directory, monkeypatch):
    filled(directory)
    monkeypatch.setattr(cache_module, "EXTRACT_VERSION", 999)
    cache = Cache(directory)
    assert cache.page(KEY) is None
    cache.close()


def test_a_failure_is_remembered_for_its_time_and_apart(directory):
    cache = Cache(directory)
    error = SourceError("HTTP_STATUS_404", "gone", help="look elsewhere")
    cache.keep_failure(KEY, error, reach="r", now=100.0)
    assert cache.page(KEY) is None
    found = cache.failure(KEY, reach="r", now=130.0)
    assert found is not None
    assert (found[0].code, found[0].message, found[0].help) == (
        error.code,
        error.message,
        error.help,
    )
    assert found[1] == 30.0
    assert cache.failure(KEY, reach="r", now=160.0) is None
    assert cache.failure(KEY, reach="r", now=90.0) is None  # the clock was set back
    assert cache.failure(KEY, reach="another", now=130.0) is None
    cache.close()


def test_a_page_ends_the_memory_of_a_failure(directory):
    cache = Cache(directory)
    cache.keep_failure(KEY, SourceError("HTTP_STATUS_500", "broken"), reach="r", now=100.0)
    cache.keep_page(KEY, page(), 1)
    assert cache.failure(KEY, reach="r", now=101.0) is None
    cache.close()


def test_one_process_at_a_time_has_the_lease(directory):
    one, other = Cache(directory), Cache(directory)
    assert one.lease(KEY, b"one")
    assert not other.lease(KEY, b"other")
    other.release(KEY, b"other")  # it is not the other's to give
    assert not other.lease(KEY, b"other")
    one.renew(KEY, b"one")
    one.release(KEY, b"one")
    assert other.lease(KEY, b"other")
    one.close()
    other.close()


def test_the_lease_of_a_dead_process_runs_out(directory, monkeypatch):
    monkeypatch.setattr(cache_module, "LEASE_SECONDS", 0.0)
    one, other = Cache(directory), Cache(directory)
    assert one.lease(KEY, b"one")
    assert other.lease(KEY, b"other")
    one.close()
    other.close()


def test_the_cache_is_counted_and_cleared(directory):
    cache = Cache(directory)
    cache.keep_page(KEY, page(), 1)
    cache.keep_page("https://iana.org/b", page(), 1)
    cache.keep_failure(
        "https://iana.org/c", SourceError("HTTP_STATUS_404", "x"), reach="r", now=0.0
    )
    stats = cache.stats()
    assert (stats.directory, stats.pages) == (directory, 2)
    assert stats.size > 0
    assert cache.clear() == 2
    assert cache.stats().pages == 0
    assert cache.page(KEY) is None
    cache.close()


def test_what_is_too_old_is_pruned(directory):
    cache = Cache(directory)
    cache.keep_page(KEY, page(), 1)
    cache.keep_page("https://iana.org/b", page(), 1)
    assert cache.prune() == 0
    planted(directory, "UPDATE Cache SET expire_time = 1 WHERE key = ?", row())
    assert cache.prune() == 1
    assert cache.page(KEY) is None
    assert cache.page("https://iana.org/b") is not None
    cache.close()


def test_without_a_directory_a_run_remembers_its_own_pages():
    cache = Cache(None)
    cache.keep_page(KEY, page(), 1)
    assert cache.page(KEY) == (page(), 1)
    assert cache.problem is None
    assert cache.stats().pages == 0


class TestDirectory:
    def test_the_choice_wins_over_the_environment_over_the_default(self, tmp_path, monkeypatch):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        environment = {"TRACECITE_LINT_CACHE_DIR": "/from/environment"}
        assert cache_directory("/chosen", environment) == Path("/chosen")
        assert cache_directory(None, environment) == Path("/from/environment")
        assert cache_directory(None, {}).name == "tracecite-lint"

    def test_it_is_private(self, directory):
        filled(directory)
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700

    def test_one_of_ours_is_made_private(self, directory):
        filled(directory)
        directory.chmod(0o755)
        filled(directory)
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700

    def test_one_that_holds_other_files_is_left_alone(self, directory):
        directory.mkdir(mode=0o755)
        (directory / "thesis.tex").write_text("")
        cache = Cache(directory)
        cache.keep_page(KEY, page(), 1)
        assert "holds other files" in str(cache.problem)
        assert stat.S_IMODE(directory.stat().st_mode) == 0o755
        assert [entry.name for entry in directory.iterdir()] == ["thesis.tex"]

    def test_it_is_never_inside_the_work_tree(self, tmp_path):
        work_tree = tmp_path / "repository"
        work_tree.mkdir()
        (tmp_path / "link").symlink_to(work_tree)
        for directory in (work_tree, work_tree / "a" / "b", tmp_path / "link" / "cache"):
            cache = Cache(directory, work_tree=work_tree)
            cache.keep_page(KEY, page(), 1)
            assert "work tree" in str(cache.problem)
        assert list(work_tree.iterdir()) == []

    @pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
    @pytest.mark.parametrize("kind", ["directory", "link"])
    def test_one_of_another_user_is_not_used(self, kind, directory, tmp_path):
        if kind == "directory":
            directory.mkdir(mode=0o700)
        else:
            (tmp_path / "precious").mkdir(mode=0o700)
            directory.symlink_to(tmp_path / "precious")
        os.chown(directory, 12345, 12345, follow_symlinks=False)
        cache = Cache(directory)
        cache.keep_page(KEY, page(), 1)
        assert "another user" in str(cache.problem)
        assert list(directory.iterdir()) == []

    def test_a_link_of_ones_own_is_followed(self, directory, tmp_path):
        (tmp_path / "big-disk").mkdir(mode=0o700)
        directory.symlink_to(tmp_path / "big-disk")
        filled(directory)
        assert (tmp_path / "big-disk" / "cache.db").exists()

    def test_a_name_that_diskcache_would_change_is_not_used(self, tmp_path, monkeypatch):
        monkeypatch.setenv("ELSEWHERE", str(tmp_path / "elsewhere"))
        cache = Cache(tmp_path / "$ELSEWHERE")
        cache.keep_page(KEY, page(), 1)
        assert cache.problem is not None
        assert not (tmp_path / "elsewhere").exists()

    def test_a_file_in_its_place_costs_no_run(self, directory):
        directory.write_text("not a directory")
        survives(directory, spoiled=True)

    @pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
    def test_a_read_only_home_costs_no_run(self, tmp_path):
        (tmp_path / "home").mkdir(mode=0o500)
        survives(tmp_path / "home" / "cache", spoiled=True)

    def test_a_home_that_cannot_be_made_costs_no_run(self):
        survives(Path("/proc/no-such-home/cache"), spoiled=True)


def survives(directory: Path, *, spoiled: bool) -> None:
    """Check that the cache at *directory* can be asked anything, and says in one line why it is not used, if so."""
    cache = Cache(directory)
    cache.page(KEY)
    cache.keep_page(KEY, page(), 1)
    assert cache.page(KEY) == (page(), 1)
    assert cache.failure(KEY, reach="r", now=0.0) is None
    assert cache.lease(KEY, b"one")
    cache.renew(KEY, b"one")
    cache.release(KEY, b"one")
    cache.prune()
    cache.stats()
    cache.close()
    if spoiled:
        assert cache.problem is not None
        assert "\n" not in cache.problem
    else:
        assert cache.problem is None


def overwritten(directory: Path) -> None:
    (directory / "cache.db").write_bytes(b"garbage " * 10_000)


def emptied(directory: Path) -> None:
    (directory / "cache.db").write_bytes(b"")


def cut(directory: Path) -> None:
    os.truncate(directory / "cache.db", 5000)


def riddled(directory: Path) -> None:
    path = directory / "cache.db"
    data = bytearray(path.read_bytes())
    for offset in range(4096, len(data), 7):
        data[offset] ^= 0xFF
    path.write_bytes(data)


def made_a_directory(directory: Path) -> None:
    (directory / "cache.db").unlink()
    (directory / "cache.db").mkdir()


def made_a_pipe(directory: Path) -> None:
    (directory / "cache.db").unlink()
    os.mkfifo(directory / "cache.db")


def left_with_a_foreign_log(directory: Path) -> None:
    (directory / "cache.db").unlink()
    (directory / "cache.db-wal").write_bytes(b"garbage " * 1000)


@pytest.mark.parametrize(
    "damage",
    [overwritten, emptied, cut, riddled, made_a_directory, made_a_pipe, left_with_a_foreign_log],
)
def test_damage_costs_no_run_and_is_mended(damage: Callable[[Path], None], directory):
    filled(directory)
    with sqlite3.connect(directory / "cache.db") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    damage(directory)
    for _ in range(2):  # the first may find out; after that
        cache = Cache(directory)
        cache.keep_page(KEY, page(), 1)
        assert cache.page(KEY) == (page(), 1)
        cache.close()
    if damage is not made_a_directory:
        survives(directory, spoiled=False)
        cache = Cache(directory)
        assert cache.page(KEY) == (page(), 1)
        cache.close()


def test_a_locked_database_costs_no_run(directory, monkeypatch):
    monkeypatch.setattr(database, "LOCK_TIMEOUT", 0.05)
    filled(directory)
    other = sqlite3.connect(directory / "cache.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    survives(directory, spoiled=True)
    other.execute("ROLLBACK")
    other.close()
    survives(directory, spoiled=False)


def test_a_lock_in_the_middle_of_a_run_costs_no_run(directory, monkeypatch):
    monkeypatch.setattr(database, "LOCK_TIMEOUT", 0.05)
    cache = Cache(directory)
    cache.keep_page(KEY, page(), 1)
    other = sqlite3.connect(directory / "cache.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    cache.keep_page("https://iana.org/b", page("More."), 1)
    assert cache.page("https://iana.org/b") == (page("More."), 1)
    assert "locked" in str(cache.problem)
    other.execute("ROLLBACK")
    other.close()
    cache.close()


def test_a_cache_that_is_taken_away_in_the_middle_of_a_run_costs_no_run(directory):
    cache = Cache(directory)
    cache.keep_page(KEY, page(), 1)
    shutil.rmtree(directory)
    cache.keep_page("https://iana.org/b", page("More."), 1)
    assert cache.page("https://iana.org/b") == (page("More."), 1)
    cache.close()


def test_a_full_disk_costs_no_run(directory):
    cache = Cache(directory)
    cache.keep_page(KEY, page(), 1)
    database_of(cache)._rows._con.execute("PRAGMA max_page_count = 1")
    cache.keep_page("https://iana.org/b", page("More. " * 100_000), 1)
    assert cache.page("https://iana.org/b") == (page("More. " * 100_000), 1)
    assert "full" in str(cache.problem)
    cache.close()


def database_of(cache: Cache) -> database.Database:
    assert cache._database._database is not None
    return cache._database._database


class Trap:
    """Unpickled, it leaves a mark."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return (Path.touch, (self.mark,))


def planted(directory: Path, statement: str, *values: object) -> None:
    """Run SQL on the database behind the program's back."""
    with sqlite3.connect(directory / "cache.db") as connection:
        connection.execute(statement, values)
    connection.close()


def row(kind: str = "page") -> str:
    return f"{kind}/{cache_module.SCHEMA_VERSION}/{KEY}"


class TestPlanted:
    """Whatever somebody puts into the directory: nothing is unpickled, no path leads out of it, no run ends."""

    @pytest.fixture
    def mark(self, tmp_path: Path) -> Path:
        return tmp_path / "the trap was sprung"

    @pytest.fixture(autouse=True)
    def _filled(self, directory: Path) -> None:
        filled(directory)

    def asked_everything(self, directory: Path) -> Cache:
        cache = Cache(directory)
        cache.page(KEY)
        cache.failure(KEY, reach="r", now=0.0)
        cache.lease(KEY, b"one")
        cache.renew(KEY, b"one")
        cache.release(KEY, b"one")
        cache.stats()
        cache.prune()
        cache.keep_page(KEY, page(), 1)
        assert cache.page(KEY) == (page(), 1)
        cache.clear()
        cache.keep_page(KEY, page(), 1)
        assert cache.page(KEY) == (page(), 1)
        cache.close()
        return cache

    @pytest.mark.parametrize("kind", ["page", "failure", "lease"])
    def test_a_pickled_value_stays_pickled(self, kind, directory, mark):
        planted(directory, "DELETE FROM Cache")
        planted(
            directory,
            "INSERT INTO Cache (key, raw, mode, value) VALUES (?, 1, 4, ?)",
            row(kind),
            pickle.dumps(Trap(mark)),
        )
        cache = Cache(directory)
        assert cache.page(KEY) is None
        cache.close()
        assert self.asked_everything(directory).problem is None
        assert not mark.exists()

    def test_a_pickled_key_stays_pickled(self, directory, mark):
        planted(
            directory,
            "INSERT INTO Cache (key, raw, mode, value) VALUES (?, 0, 1, x'00')",
            pickle.dumps(Trap(mark)),
        )
        self.asked_everything(directory)
        assert not mark.exists()

    @pytest.mark.parametrize("mode", [1, 2, 3, 4])
    @pytest.mark.parametrize("absolute", [False, True])
    def test_a_path_is_neither_read_nor_removed(self, mode, absolute, directory, tmp_path, mark):
        outside = tmp_path / "precious"
        outside.write_bytes(
            pickle.dumps(Trap(mark))
            if mode == 4
            else page("Stolen.").rows(extract_version=1, prepare_version=1)[0]
        )
        inside = directory / "ab" / "cd"
        inside.mkdir(parents=True)
        (inside / "x.val").write_bytes(outside.read_bytes())
        for name in (str(outside) if absolute else "../precious", "ab/cd/x.val"):
            planted(
                directory,
                "UPDATE Cache SET mode = ?, filename = ?, value = NULL, expire_time = NULL WHERE key = ?",
                mode, name, row(),
            )  # fmt: skip
            cache = Cache(directory)
            assert cache.page(KEY) is None
            cache.close()
            self.asked_everything(directory)
            planted(
                directory,
                "UPDATE Cache SET mode = ?, filename = ?, expire_time = 1 WHERE key = ?",
                mode, name, row(),
            )  # fmt: skip
            self.asked_everything(directory)
        assert outside.exists()
        assert (inside / "x.val").exists()
        assert not mark.exists()

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("disk__directory", "/tmp"),
            ("disk_min_file_size", 1),
            ("disk_remove", 1),
            ("disk_fetch", "x"),
            ("_directory", "/tmp"),
            ("directory", "/tmp"),
            ("get", 1),
            ("set", 1),
            ("_disk", 1),
            ("cull_limit", "x"),
            ("size_limit", 0),
            ("size", "x"),
            ("count", -5),
            ("hits", b"x"),
            ("eviction_policy", "least-recently-used"),
            ("eviction_policy", "no such policy"),
            ("sqlite_mmap_size", 2**40),
            ("sqlite_journal_mode", "off"),
            ("sqlite_writable_schema", 1),
            ("sqlite_temp_store_directory", "'/tmp'"),
            ("sqlite_user_version = 1; --", 1),
            ("sqlite_", 1),
            ("", ""),
            (5, 5),
            (None, None),
        ],
    )
    def test_settings_are_not_taken_from_the_file(self, key, value, directory):
        drop = "CREATE TABLE S (key, value)" if key is None else None
        if drop:  # Settings.key is NOT NULL: a table of the same name without that
            planted(directory, "DROP TABLE Settings")
            planted(directory, "CREATE TABLE Settings (key, value)")
        planted(directory, "INSERT OR REPLACE INTO Settings VALUES (?, ?)", key, value)
        assert self.asked_everything(directory).problem is None

    @pytest.mark.parametrize(
        "statement",
        [
            "CREATE TRIGGER t AFTER INSERT ON Cache BEGIN DELETE FROM Cache; END",
            "CREATE VIEW v AS SELECT 1",
            "CREATE TABLE t (a)",
            "CREATE INDEX i ON Cache (tag)",
            "DROP TABLE Cache",
            "DROP TABLE Settings",
            "ALTER TABLE Cache RENAME COLUMN value TO v",
            "CREATE VIRTUAL TABLE t USING fts4(a)",
        ],
    )
    def test_a_schema_of_somebody_elses_is_thrown_away(self, statement, directory):
        planted(directory, statement)
        for _ in range(2):
            cache = Cache(directory)
            cache.keep_page(KEY, page(), 1)
            assert cache.page(KEY) == (page(), 1)
            cache.close()
        assert cache.problem is None

    @pytest.mark.parametrize(
        "name", ["cache.db", "cache.db-wal", "cache.db-shm", "cache.db-journal"]
    )
    def test_a_link_in_place_of_a_file_is_not_followed(self, name, directory, tmp_path):
        precious = tmp_path / "precious"
        precious.write_text("precious")
        (directory / name).unlink(missing_ok=True)
        (directory / name).symlink_to(precious)
        self.asked_everything(directory)
        assert precious.read_text() == "precious"

    @pytest.mark.parametrize(
        "value",
        [b"", b"x", b"TCLH", b"TCLT", 5, 5.5, None, "text", bytes(10_000), "changed"],
        ids=repr,
    )
    @pytest.mark.parametrize("kind", ["page", "text"])
    def test_a_damaged_page_counts_as_missing(self, kind, value, directory):
        if value == "changed":
            good = sqlite3.connect(directory / "cache.db")
            ((data,),) = good.execute("SELECT value FROM Cache WHERE key = ?", (row(kind),))
            good.close()
            value = data.replace(b"The words.", b"The lies!!").replace(b"text/html", b"text/pdf.")
            assert value != data
        planted(directory, "UPDATE Cache SET value = ? WHERE key = ?", value, row(kind))
        cache = Cache(directory)
        assert cache.page(KEY) is None
        cache.close()
        assert self.asked_everything(directory).problem is None

    @pytest.mark.parametrize(
        "value",
        [b"", b"{}", b"[]", b"[1,2,3,4,5,6]", b'["a","b","c","d","e","r"]', b'[null,null,null,1,1e400,"r"]',
         b'["C","m","h",NaN,NaN,"r"]', b"\xff", b"[" * 100_000],
        ids=lambda value: repr(value[:20]),
    )  # fmt: skip
    def test_a_damaged_failure_counts_as_none(self, value, directory):
        planted(
            directory,
            "INSERT INTO Cache (key, raw, mode, value) VALUES (?, 1, 1, ?)",
            row("failure"),
            value,
        )
        cache = Cache(directory)
        cache.failure(KEY, reach="r", now=0.0)
        cache.close()
        assert self.asked_everything(directory).problem is None


class TestRoom:
    """What does not fit makes room; what fits stays."""

    def test_ten_thousand_pages_of_20_kb_fit(self, tmp_path):
        cache = Cache(tmp_path / "cache")
        words = "goes on for quite a while in plain words that take no fold, as most sentences do"
        text = f"Each paragraph has “marks” and a dash – and then {words}, until it ends.\n\n" * 140
        prepared = fold(text).to_bytes()
        for number in range(40):
            kept = replace(page(text), prepared=prepared)
            cache.keep_page(f"https://iana.org/{number}", kept, FOLD_VERSION)
        assert len(text.encode()) >= 20_000
        cache.close()
        size = (tmp_path / "cache" / "cache.db").stat().st_size
        assert size / 40 < database.SIZE_LIMIT / 10_000

    def test_a_sweep_in_a_circle_does_not_push_out_what_it_needs_next(self, tmp_path, monkeypatch):
        monkeypatch.setitem(database.SETTINGS, "size_limit", 2**20)
        cache = Cache(tmp_path / "cache")
        found = []
        for turn in range(5):
            for number in range(200):
                key = f"https://iana.org/{number}"
                if cache.page(key) is not None:
                    found.append(turn)
                else:
                    cache.keep_page(key, page("x" * 3000), 1)
        cache.close()
        # Were the oldest dropped, each page would be gone right before its turn.
        # And were those dropped that have a number of rows free before them, fewer would be found in each circle.
        assert min(found.count(turn) for turn in (1, 2, 3, 4)) > 20
