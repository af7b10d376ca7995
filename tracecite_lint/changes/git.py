"""Git's plumbing, called so that no setting and no variable of the user can bend what it says.

Only commands that read are called, and of those only plumbing and `git grep`: they ignore `diff.*` and `color.*`, run
no external diff, text conversion or filter, take no lock and start no monitor. Paths are bytes to git; here they are
`str` as `os.fsdecode` gives them, so that a name that is not UTF-8 survives the way there and back.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Final, Self

SYMLINK, SUBMODULE = "120000", "160000"
_NOTHING = "000000"

# What `git rev-parse --local-env-vars` lists: these tie git to one repository. A hook is started with some of them
# set (`git commit FILE` and linked worktrees need them), and they would mislead git in any other directory.
_REPOSITORY_VARIABLES: Final = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)

# These change what the commands below mean or print.
_BENDING_VARIABLES: Final = frozenset(
    {
        "GIT_DIFF_OPTS",
        "GIT_EXTERNAL_DIFF",
        "GIT_GLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
        "GIT_LITERAL_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS",
    }
)

_FIXED_VARIABLES: Final = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LANGUAGE": "",
    "LC_ALL": "C",
}

_FIXED_SETTINGS: Final = ("-c", "core.fsmonitor=false")

_FETCH_HELP = "fetch the history (actions/checkout: `fetch-depth: 0`), or name another base with --diff-base REV"


class ChangesError(Exception):
    """What is new cannot be told: one line that says why, and `help` with the way out."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.help = help

    def __str__(self) -> str:
        return f"{self.message}: {self.help}" if self.help else self.message


@dataclass(frozen=True, slots=True)
class Repository:
    """A work tree. `root` is its top directory with symlinks resolved; git runs in `cwd` with `env`."""

    root: Path
    cwd: Path
    env: Mapping[str, str]
    git_dir: Path
    shallow: bool = False

    def relative(self, path: Path) -> str | None:
        """Return *path* relative to the root, with `/`; None if it lies outside. The path itself may be a symlink."""
        absolute = Path(os.path.abspath(path))  # noqa: PTH100 - takes `..` away without following links
        for candidate in (absolute, Path(os.path.realpath(absolute.parent), absolute.name)):
            if candidate.is_relative_to(self.root):
                return candidate.relative_to(self.root).as_posix()
        return "." if absolute.exists() and absolute.samefile(self.root) else None


@dataclass(frozen=True, slots=True)
class Entry:
    """A file as an index or a tree holds it: git's octal mode and the object's name."""

    mode: str
    oid: str

    @property
    def regular(self) -> bool:
        """A file with content: neither a symlink nor a submodule."""
        return self.mode.startswith("100")


@dataclass(frozen=True, slots=True)
class RawChange:
    """One record of a raw diff. A side that does not exist is None; `old_path` differs from `path` for a rename."""

    path: str
    old_path: str
    old: Entry | None
    new: Entry | None
    status: str


def find_repository(
    directory: Path | None = None, environ: Mapping[str, str] | None = None
) -> Repository | None:
    """Return the repository that *directory* (the working directory by default) lies in; None outside of any.

    Raises ChangesError where there is one that git refuses to read or that has no work tree.
    """
    variables = dict(os.environ if environ is None else environ)
    here = Path.cwd()
    kept = _environment(variables, frozenset())
    if directory is None:
        return _repository(here, kept)
    scrubbed = _environment(variables, _REPOSITORY_VARIABLES)
    found = _repository(directory, scrubbed)
    if not _REPOSITORY_VARIABLES & variables.keys():
        return found
    ours = _repository(here, kept)
    if ours is not None and (
        found.root == ours.root if found else directory.resolve().is_relative_to(ours.root)
    ):
        return ours
    return found


def _environment(variables: Mapping[str, str], dropped: frozenset[str]) -> dict[str, str]:
    numbered = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_") if dropped else ()
    kept = {
        name: value
        for name, value in variables.items()
        if name not in dropped | _BENDING_VARIABLES and not name.startswith(numbered)
    }
    return kept | _FIXED_VARIABLES


def _repository(directory: Path, env: Mapping[str, str]) -> Repository | None:
    asked = ("--show-toplevel", "--absolute-git-dir", "--is-shallow-repository")
    try:
        done = _process(directory, env, ("rev-parse", *asked))
    except ChangesError:
        return None  # no git at all: then nothing is tracked either
    if done.returncode:
        reason = _reason(done.stderr)
        if reason.startswith("not a git repository (or any"):
            return None
        raise ChangesError(
            f"git cannot read the repository at {directory}: {reason}", _way_out(reason)
        )
    # A directory may have a line feed in its name, so the lines are counted from the end.
    *top, git_dir, shallow = done.stdout.removesuffix(b"\n").split(b"\n")
    if len(top) != 1:
        raise ChangesError(f"the path of the repository at {directory} holds a line feed")
    return Repository(
        root=Path(os.fsdecode(top[0])),
        cwd=directory,
        env=env,
        git_dir=Path(os.fsdecode(git_dir)),
        shallow=shallow == b"true",
    )


def _way_out(reason: str) -> str:
    if "dubious ownership" in reason:
        return (
            "it belongs to another user; `git config --global --add safe.directory PATH` allows it"
        )
    if "must be run in a work tree" in reason:
        return "run this in a work tree, not in a bare repository or a .git directory"
    return "check files in full with `tracecite-lint PATH…`"


def output(
    repository: Repository, *args: str, absent: int | None = None, given: bytes = b""
) -> bytes:
    """Return what `git *args` prints, with *given* on its standard input.

    *absent* is an exit status that means "nothing", not failure.

    Raises ChangesError.
    """
    done = _process(repository.cwd, repository.env, args, given)
    if done.returncode not in (0, absent):
        command = next(arg for arg in args if not arg.startswith("-"))
        raise ChangesError(f"git {command} failed: {_reason(done.stderr)}")
    return done.stdout


def _process(
    cwd: Path, env: Mapping[str, str], args: Sequence[str], given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    command = ["git", *_FIXED_SETTINGS, *args]
    try:
        return subprocess.run(command, cwd=cwd, env=env, input=given, capture_output=True)
    except FileNotFoundError:
        raise ChangesError("git was not found", "install git, or check files by name") from None
    except OSError as error:
        raise ChangesError(f"git cannot run in {cwd}: {error.strerror}") from None


def _reason(stderr: bytes) -> str:
    """Return git's own one-line reason: its `fatal:` line, else the last thing it said."""
    lines = [line.strip() for line in os.fsdecode(stderr).splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal: ", "error: "))]
    chosen = (fatal or lines or ["no reason given"])[0 if fatal else -1]
    return chosen.removeprefix("fatal: ").removeprefix("error: ")


def commit_id(repository: Repository, rev: str) -> str | None:
    """Return the full name of the commit that *rev* names, None if there is none here."""
    if rev.startswith("-"):  # never the name of anything, and to git an option
        return None
    found = output(repository, "rev-parse", "--quiet", "--verify", f"{rev}^{{commit}}", absent=1)
    return found.decode().strip() or None


def required_commit(repository: Repository, rev: str) -> str:
    """Return the full name of the commit that *rev* names. Raises ChangesError where it is not here."""
    if rev and set(rev) == {"0"}:
        raise ChangesError(
            "the base is the zero id: a new branch has no earlier state to compare with",
            "name a base with --diff-base REV, or check everything with --all",
        )
    try:
        found = commit_id(repository, rev)
    except ChangesError:  # git has more to say about a malformed name; the way out is the same
        found = None
    if found is None:
        where = "this shallow clone" if repository.shallow else "this repository"
        raise ChangesError(f"there is no commit {rev!r} in {where}", _FETCH_HELP)
    return found


def head_commit(repository: Repository) -> str | None:
    """Return the commit that HEAD names; None before the first commit. Raises ChangesError if it is damaged."""
    if not output(repository, "rev-parse", "--quiet", "--verify", "HEAD", absent=1):
        return None
    head = commit_id(repository, "HEAD")
    if head is None:
        raise ChangesError("HEAD names no commit", "`git fsck` tells what is damaged")
    return head


def empty_tree(repository: Repository) -> str:
    """Return the name of the empty tree, which differs between SHA-1 and SHA-256 repositories."""
    return output(repository, "hash-object", "-t", "tree", "--stdin").decode().strip()


def merge_bases(repository: Repository, one: str, other: str) -> list[str]:
    """Return all best common ancestors of two commits. Raises ChangesError if there is none here."""
    found = output(repository, "merge-base", "--all", one, other, absent=1).decode().split()
    if not found:
        where = "in this shallow clone" if repository.shallow else "here"
        raise ChangesError(
            f"{one[:12]} and {other[:12]} have no common ancestor {where}", _FETCH_HELP
        )
    return found


def is_ancestor(repository: Repository, commit: str, of: str) -> bool:
    """Tell whether *commit* is *of* or can be reached from it."""
    return _process(
        repository.cwd, repository.env, ("merge-base", "--is-ancestor", commit, of)
    ).returncode == 0  # fmt: skip


# -l0: no limit on renames, whatever diff.renameLimit says.
_DIFF_OPTIONS = (
    "--raw", "-z", "-r", "-M", "-l0", "--no-abbrev", "--no-ext-diff", "--no-textconv",
    "--ignore-submodules=none",
)  # fmt: skip


def index_diff(repository: Repository, old: str) -> list[RawChange]:
    """Return how the index differs from the tree or commit *old*, renames found."""
    ours = ("--cached", "--ita-invisible-in-index", "--ignore-submodules=none")
    return list(_raw_changes(output(repository, "diff-index", *_DIFF_OPTIONS, *ours, old, "--")))


def tree_diff(repository: Repository, old: str, new: str) -> list[RawChange]:
    """Return how the tree or commit *new* differs from *old*, renames found."""
    ours = ("--no-relative", "--ignore-submodules=none")
    return list(
        _raw_changes(output(repository, "diff-tree", *_DIFF_OPTIONS, *ours, old, new, "--"))
    )


def _raw_changes(data: bytes) -> Iterator[RawChange]:
    """Read records of `--raw -z`: `:MODE MODE OID OID STATUS NUL PATH NUL`, two paths for a rename or copy."""
    fields = iter(data.split(b"\0"))
    for head in fields:
        if not head:
            return
        old_mode, new_mode, old_oid, new_oid, status = head.decode("ascii").lstrip(":").split(" ")
        old_path = os.fsdecode(next(fields))
        path = os.fsdecode(next(fields)) if status[0] in "RC" else old_path
        yield RawChange(
            path, old_path, _side(old_mode, old_oid), _side(new_mode, new_oid), status[0]
        )


def _side(mode: str, oid: str) -> Entry | None:
    return None if mode == _NOTHING else Entry(mode, oid)


def index_entries(repository: Repository, *pathspecs: str) -> dict[str, Entry]:
    """Return what the index holds under *pathspecs* (all of it without any); unmerged paths are left out."""
    listed = output(
        repository, "ls-files", "--stage", "-z", "--full-name", "--no-recurse-submodules",
        "--", *(pathspecs or (":/",)),
    )  # fmt: skip
    entries = {}
    for record in listed.split(b"\0"):
        head, tab, name = record.partition(b"\t")
        mode, oid, stage = head.decode("ascii").split(" ") if tab else ("", "", "")
        if stage == "0":
            entries[os.fsdecode(name)] = Entry(mode, oid)
    return entries


def tree_entries(repository: Repository, tree: str, *paths: str) -> dict[str, Entry]:
    """Return what the tree or commit *tree* holds at *paths* (relative to the root; everything without any)."""
    listed = output(
        repository, "--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", tree, "--", *paths
    )
    entries = {}
    for record in listed.split(b"\0"):
        head, tab, name = record.partition(b"\t")
        if tab:
            mode, _, oid = head.decode("ascii").split(" ")
            entries[os.fsdecode(name)] = Entry(mode, oid)
    return entries


def literal(path: str) -> str:
    """Return the pathspec that means *path*, relative to the root, and nothing else."""
    return f":(top,literal){path}"


def paths_that_match(
    repository: Repository, pattern: str, *, tree: str | None, suffixes: Iterable[str]
) -> list[str]:
    """Return the files with one of *suffixes* (any case) in which an extended regular expression (POSIX) matches.

    They are looked for in *tree* or, for None, in the index. Bytes are matched, not characters.
    """
    where = ["--cached"] if tree is None else [tree]
    # A partial clone would fetch whatever it lacks, object by object, only to look for names in it.
    here = replace(repository, env={**repository.env, "GIT_NO_LAZY_FETCH": "1"})
    found = output(
        here, "grep", "-l", "-z", "-E", "--text", "--full-name", "--no-color", "--no-textconv",
        "--no-recurse-submodules", "-f", "-", *where,
        "--", *(f":(top,icase)*{suffix}" for suffix in suffixes),
        absent=1, given=os.fsencode(pattern),
    )  # fmt: skip
    prefix = b"" if tree is None else os.fsencode(f"{tree}:")
    return [os.fsdecode(name.removeprefix(prefix)) for name in found.split(b"\0") if name]


def is_ignored(repository: Repository, path: str) -> bool:
    """Tell whether *path*, relative to the root and not tracked, is left out by an ignore file."""
    asked = ("check-ignore", "--quiet", "--", str(repository.root / path))
    return _process(repository.cwd, repository.env, asked).returncode == 0


def published_merge_parents(repository: Repository, base: str, tip: str) -> list[str]:
    """Return the parents beyond the first of the merges in *base*..*tip* that some remote has already."""
    merges = output(repository, "rev-list", "--merges", "--parents", f"{base}..{tip}", "--")
    merged = {parent for line in merges.decode().splitlines() for parent in line.split()[2:]}
    if not merged:
        return []
    unpublished = output(repository, "rev-list", tip, "--not", "--remotes", "--").decode().split()
    return sorted(merged - set(unpublished))


class Blobs:
    """The contents of objects, read one by one through a single `git cat-file --batch` that starts when needed."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def content(self, oid: str, *, limit: int) -> bytes | None:
        """Return what the blob *oid* holds; None if that is more than *limit* bytes.

        Raises ChangesError for an object that is not there.
        """
        stdin, stdout = self._pipes()
        try:
            stdin.write(f"{oid}\n".encode())
            stdin.flush()
            header = stdout.readline().split()
        except BrokenPipeError:
            header = []
        if len(header) != 3:
            raise _unreadable(oid)
        size = int(header[2])
        if size <= limit:
            content = stdout.read(size + 1)  # a line feed follows it
            if len(content) <= size:
                raise _unreadable(oid)
            return content[:-1]
        left = size + 1
        while left > 0:
            skipped = len(stdout.read(min(left, 1 << 20)))
            if not skipped:
                raise _unreadable(oid)
            left -= skipped
        return None

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None:
            self._process = subprocess.Popen(
                ["git", *_FIXED_SETTINGS, "cat-file", "--batch"],
                cwd=self._repository.cwd,
                env=self._repository.env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        assert self._process.stdin is not None and self._process.stdout is not None
        return self._process.stdin, self._process.stdout


def _unreadable(oid: str) -> ChangesError:
    return ChangesError(
        f"git cannot read the object {oid}",
        "`git fsck` tells what is damaged, `git fetch` completes a partial clone",
    )
