"""Git's plumbing, called so that no setting and no variable of the user can bend what it says.

Only commands that read are called, and of those only plumbing and `git grep`: they ignore `diff.*` and `color.*`, run
no external diff, text conversion or filter, take no lock and start no monitor. Paths are bytes to git; here they are
`str` as `os.fsdecode` gives them, so that a name that is not UTF-8 survives the way there and back.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from tracecite_lint.files.git_directories import is_git_directory
from tracecite_lint.files.git_process import (
    ChangesError,
    TooSlowError,
    bounded,
    git_environment,
    git_program,
    git_reason,
    run_git,
    start_git,
)
from tracecite_lint.files.opening import RefusedError, read_regular
from tracecite_lint.files.roots import found_root, git_directory, named_root, root_of
from tracecite_lint.light.lazy import dataclass
from tracecite_lint.naming.file_names import SUFFIXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Self

    from tracecite_lint.light.processes import Conversation, Finished

SUBMODULE = "160000"
"""The mode of an entry that names a commit of another repository (git-update-index(1): gitlink)."""
_NOTHING = "000000"

_FETCH_HELP = "fetch the history (actions/checkout: `fetch-depth: 0`), or name another base with --diff-base REV"


_WORK_TREE_HELP = "run this in a work tree, not in a bare repository or a .git directory"

_PATHS_AT_ONCE = 200
"""Paths of one command line: on Windows it holds 32,767 characters."""

_PARTIAL_HELP = (
    "nothing is fetched for a check: `git fetch --refetch --no-filter` brings it to a partial clone; "
    "`git fsck` tells what is damaged"
)

_RENAMES = 400
"""So many documents that are gone are compared with so many that are new, each with each, to find renames."""

_EXACT_RENAMES = "renamed documents count as new unless they stayed the same: "
_EXACT_RENAMES_NOTE = f"{_EXACT_RENAMES}not all of their old texts are at hand"
_MANY_RENAMES_NOTE = f"{_EXACT_RENAMES}too many are gone and too many are new (more than {_RENAMES} times {_RENAMES} pairs)"

_HEAD = "HEAD^{commit}"

_CONFIG_LIMIT = 65_536  # bytes of a configuration that is looked at here

_IGNORED_SECONDS = 5.0
"""How long git may take to match one path: patterns with many stars take time without end."""


class UnreadableObjectError(ChangesError):
    """An object that is not at hand, as in a partial clone, or that is damaged."""

    def __init__(self, oid: str) -> None:
        super().__init__(f"git cannot read the object {oid} here", _PARTIAL_HELP)


@dataclass(frozen=True, slots=True)
class Repository:
    """A work tree. `root` is its top directory with symlinks resolved; git runs in `cwd` with `env`.

    `head` is the commit that HEAD names, None where that takes a further question. `deadline` is the time of `time.monotonic()` at which git is ended.
    """

    root: Path
    cwd: Path
    env: Mapping[str, str]
    git_dir: Path
    shallow: bool = False
    head: str | None = None
    deadline: float | None = None

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


@dataclass(frozen=True, slots=True)
class RawDiff:
    """The records of a raw diff, and a line about what could not be compared, or nothing."""

    changes: tuple[RawChange, ...]
    note: str = ""


def find_repository(
    directory: Path | None = None,
    environ: Mapping[str, str] | None = None,
    *,
    deadline: float | None = None,
    head: bool = False,
) -> Repository | None:
    """Return the repository that *directory* (the working directory by default) lies in; None outside of any.

    Git is ended at *deadline*, a time of `time.monotonic()`, now and whenever it is asked about the repository. With *head*
    it is asked for the commit of HEAD at once, which takes less time than a further question. Raises ChangesError where there is one that git refuses to read or that has no work tree.
    """
    variables = dict(os.environ if environ is None else environ)
    if git_program(variables) is None:
        return None  # no git at all: then nothing is tracked either
    here = Path.cwd()
    folder = here if directory is None else directory
    # What the environment names counts where it was meant: for the working directory, or below the root that it names.
    named = named_root(variables)
    if named is not None and (directory is None or root_of(folder, variables) == named):
        return _named_repository(named, here, variables, deadline, head)
    root = found_root(folder, variables)
    if root is None:
        _refuse_git_directory(folder)
        return None
    ours = named is None and root == found_root(here, variables)
    # In the repository of the hook its GIT_INDEX_FILE counts (`git commit FILE` has one); in another it would mislead.
    env = git_environment(variables, foreign=not ours)
    return _found_repository(root, folder, env, deadline, head)


def _named_repository(
    root: Path, here: Path, variables: Mapping[str, str], deadline: float | None, head: bool
) -> Repository:
    """Return the repository at *root* that the environment names: git runs as whoever set it meant it to."""
    env = git_environment(variables, foreign=False)
    if "GIT_DIR" in env:
        return _repository(root, here, env, deadline, head)
    found = found_root(here, variables)
    assert found is not None
    held = env | _held_at(found) | {"GIT_WORK_TREE": str(root)}
    return _repository(root, found, held, deadline, head)


def _found_repository(
    root: Path, folder: Path, env: Mapping[str, str], deadline: float | None, head: bool
) -> Repository:
    """Return the repository at *root*, which has a `.git` of its own, as git sees it from there and from nowhere else."""
    held = {**env, **_held_at(root), "GIT_WORK_TREE": str(root)}
    repository = _repository(root, root, held, deadline, head)
    expected = git_directory(root)
    # Both have to mean one repository, or what was judged here would be read from another.
    if expected is None or not repository.git_dir.samefile(expected):
        raise ChangesError(f"git takes {repository.git_dir} for the repository at {root}")
    if Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(repository.git_dir)):
        raise ChangesError(f"{folder} is git's own directory", _WORK_TREE_HELP)
    if _is_bare(repository):
        raise ChangesError(f"the repository at {root} has no work tree", _WORK_TREE_HELP)
    return repository


def _held_at(root: Path) -> dict[str, str]:
    """Return the variable that keeps git from looking above *root*.

    GIT_DIR would do so too, but then git does not ask whom the repository belongs to (`safe.directory`).
    """
    return {"GIT_CEILING_DIRECTORIES": str(root.parent)}


def _repository(
    root: Path, cwd: Path, env: Mapping[str, str], deadline: float | None, head: bool
) -> Repository:
    wanted = ("--quiet", "--verify", _HEAD) if head else ()
    asked = ("rev-parse", "--absolute-git-dir", "--is-shallow-repository", *wanted)
    done = run_git(asked, cwd=cwd, env=env, deadline=deadline)
    # The first two answers come whatever is found out about HEAD.
    has_head = head and not done.returncode
    known = done.stdout.removesuffix(b"\n").rsplit(b"\n", 2 if has_head else 1)
    if len(known) < 2 or (done.returncode and not head):
        reason = git_reason(done.stderr)
        raise ChangesError(f"git cannot read the repository at {root}: {reason}", _way_out(reason))
    return Repository(
        root=root,
        cwd=cwd,
        env=env,
        git_dir=Path(os.fsdecode(known[0])),
        shallow=known[1] == b"true",
        head=known[2].decode() if has_head else None,
        deadline=deadline,
    )


def _is_bare(repository: Repository) -> bool:
    """Tell whether `core.bare` says that there is no work tree. A linked work tree is one whatever it says."""
    if (repository.git_dir / "commondir").exists():
        return False
    # Not rev-parse --is-bare-repository, which says no once GIT_WORK_TREE is set.
    config = repository.git_dir / "config"
    if _says_plainly_that_it_is_not_bare(config):
        return False
    asked = ("config", "--file", str(config), "--type=bool", "--get", "core.bare")
    return _run(repository, asked).stdout == b"true\n"


def _says_plainly_that_it_is_not_bare(config: Path) -> bool:
    """Tell whether nothing but `bare = false`, as `git init` writes it, is said of it: then git need not be asked."""
    try:
        content = read_regular(config, limit=_CONFIG_LIMIT) or b"bare"
    except (OSError, RefusedError):
        return False
    said = [line.strip() for line in content.lower().split(b"\n") if b"bare" in line]
    return all(line == b"bare = false" for line in said)


def _refuse_git_directory(folder: Path) -> None:
    """Raise ChangesError if *folder* lies in a git directory without a work tree."""
    real = Path(os.path.realpath(folder))
    for candidate in (real, *real.parents):
        if is_git_directory(candidate):
            raise ChangesError(f"{candidate} has no work tree", _WORK_TREE_HELP)


def _way_out(reason: str) -> str:
    # CVE-2022-24765: git reads no configuration in a folder of another user.
    if "dubious ownership" in reason:
        return (
            "it belongs to another user; `git config --global --add safe.directory PATH` allows it"
        )
    return "check files in full with `tracecite-lint PATH…`"


def _run(
    repository: Repository, args: Sequence[str], *, given: bytes = b"", ceiling: float | None = None
) -> Finished:
    return run_git(
        args,
        cwd=repository.cwd,
        env=repository.env,
        given=given,
        deadline=repository.deadline,
        ceiling=ceiling,
    )


def output(
    repository: Repository, *args: str, absent: int | None = None, given: bytes = b""
) -> bytes:
    """Return what `git *args` prints, with *given* on its standard input.

    *absent* is an exit status that means "nothing", not failure.

    Raises ChangesError.
    """
    done = _run(repository, args, given=given)
    if done.returncode not in (0, absent):
        raise _failed(args, done.stderr)
    return done.stdout


def _succeeds(repository: Repository, *args: str) -> bool:
    return _run(repository, args).returncode == 0


def _failed(args: Sequence[str], stderr: bytes) -> ChangesError:
    command = next(arg for arg in args if not arg.startswith("-"))
    reason = git_reason(stderr)
    help = _PARTIAL_HELP if "promisor" in reason or "unable to read" in reason else ""
    return ChangesError(f"git {command} failed: {reason}", help)


def commit_id(repository: Repository, rev: str) -> str | None:
    """Return the full name of the commit that *rev* names, None if there is none here."""
    if rev.startswith(("-", "^")):  # to git an option, or all but a history
        return None
    found = output(repository, "rev-parse", "--quiet", "--verify", f"{rev}^{{commit}}", absent=1)
    return found.decode().strip() or None


def required_commit(repository: Repository, rev: str) -> str:
    """Return the full name of the commit that *rev* names. Raises ChangesError where it is not here."""
    # What git gives hooks, and CI systems their jobs, for the old side of a branch that is new.
    if rev and set(rev) == {"0"}:
        raise ChangesError(
            "the base is the zero id: a new branch has no earlier state to compare with",
            "name a base with --diff-base REV, or check everything with --all",
        )
    try:
        found = commit_id(repository, rev)
    except TooSlowError:
        raise
    except ChangesError:  # git has more to say about a malformed name; the way out is the same
        found = None
    if found is None:
        where = "this shallow clone" if repository.shallow else "this repository"
        raise ChangesError(f"there is no commit {rev!r} in {where}", _FETCH_HELP)
    return found


def head_commit(repository: Repository) -> str | None:
    """Return the commit that HEAD names; None before the first commit. Raises ChangesError if it is damaged."""
    head = repository.head or commit_id(repository, "HEAD")
    if head is None and output(repository, "rev-parse", "--quiet", "--verify", "HEAD", absent=1):
        raise ChangesError("HEAD names no commit", "`git fsck` tells what is damaged")
    return head


def empty_tree(repository: Repository) -> str:
    """Return the name of the empty tree, which differs between SHA-1 and SHA-256 repositories."""
    # Not the well-known 4b825dc, which is that of SHA-1 alone.
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
    return _succeeds(repository, "merge-base", "--is-ancestor", commit, of)


_DIFF_OPTIONS = (
    # `--no-ext-diff` and `--no-textconv`: both would run a command that a configuration names (gitattributes(5)).
    "--raw", "-z", "-r", f"-l{_RENAMES}", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none",
)  # fmt: skip


def index_diff(repository: Repository, old: str) -> RawDiff:
    """Return how the index differs from the tree or commit *old*, renames of documents found. Raises ChangesError."""
    ours = ("diff-index", "--cached", "--ita-invisible-in-index")
    return _diff(repository, ours, old, ())


def tree_diff(repository: Repository, old: str, new: str) -> RawDiff:
    """Return how the tree or commit *new* differs from *old*, renames of documents found. Raises ChangesError."""
    return _diff(repository, ("diff-tree", "--no-relative"), old, (new,))


def _diff(repository: Repository, command: Sequence[str], old: str, new: Sequence[str]) -> RawDiff:
    """Return a diff as far as the objects at hand tell it: a partial clone lacks old texts, and may lack old trees.

    Renames are looked for among documents alone: each file that is gone is compared with each that is new.
    """

    def compared(renames: str, old: str, *pathspecs: str) -> tuple[RawChange, ...]:
        data = output(repository, *command, renames, *_DIFF_OPTIONS, old, *new, "--", *pathspecs)
        return tuple(raw_changes(data))

    def diff(renames: str, old: str) -> tuple[RawChange, ...]:
        changes = compared("--no-renames", old)
        if {"A", "D"} - {change.status for change in changes if _is_document(change)}:
            return changes  # none that is gone, or none that is new
        documents = compared(renames, old, *_with_suffix(SUFFIXES))
        known = {path for change in documents for path in (change.path, change.old_path)}
        others = (item for item in changes if item.path not in known)
        return tuple(sorted((*documents, *others), key=lambda change: os.fsencode(change.path)))

    try:
        changes = diff("-M", old)
        return RawDiff(changes, _MANY_RENAMES_NOTE if _above_the_limit(changes) else "")
    except TooSlowError:
        raise
    except ChangesError:
        if _succeeds(repository, "ls-tree", "-r", "-d", "--full-tree", old):
            return RawDiff(diff("-M100%", old), _EXACT_RENAMES_NOTE)  # which reads no text
    return RawDiff(
        diff("-M100%", empty_tree(repository)),
        f"all citations count as new: not all of the tree of {old[:12]} is at hand",
    )


def _with_suffix(suffixes: Iterable[str]) -> list[str]:
    """Return the pathspecs of all files with one of *suffixes*, in any case."""
    return [f":(top,icase)*{suffix}" for suffix in suffixes]


def _above_the_limit(changes: Iterable[RawChange]) -> bool:
    """Tell whether git compared no texts to find renames: then more pairs are left than it would have compared."""
    left = Counter(change.status for change in changes if _is_document(change))
    return left["A"] * left["D"] > _RENAMES**2


def _is_document(change: RawChange) -> bool:
    return change.path.lower().endswith(tuple(SUFFIXES))


def raw_changes(data: bytes) -> Iterator[RawChange]:
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
        # Stages 1 to 3 are the sides of a conflict that is not resolved.
        if stage == "0" and _is_below(name):
            entries[os.fsdecode(name)] = Entry(mode, oid)
    return entries


def skipped_paths(repository: Repository, *pathspecs: str) -> frozenset[str]:
    """Return the paths of the index that a checkout leaves out on purpose (skip-worktree), as a sparse one does."""
    listed = output(
        repository, "ls-files", "-t", "-z", "--full-name", "--no-recurse-submodules",
        "--", *(pathspecs or (":/",)),
    )  # fmt: skip
    return frozenset(
        os.fsdecode(record.removeprefix(b"S "))
        for record in listed.split(b"\0")
        if record.startswith(b"S ")
    )


def new_paths(repository: Repository, *pathspecs: str) -> list[str]:
    """Return the files on disk that are neither tracked nor ignored, in their order; none of other repositories."""
    listed = output(
        repository, "ls-files", "--others", "--exclude-standard", "-z", "--full-name",
        "--", *(pathspecs or (":/",)),
    )  # fmt: skip
    names = (record for record in listed.split(b"\0") if record and not record.endswith(b"/"))
    return sorted(os.fsdecode(name) for name in names)


def tree_entries(repository: Repository, tree: str, *paths: str) -> dict[str, Entry]:
    """Return what the tree or commit *tree* holds at *paths* (relative to the root; everything without any)."""
    listed = output(
        repository, "--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", tree, "--", *paths
    )
    entries = {}
    for record in listed.split(b"\0"):
        head, tab, name = record.partition(b"\t")
        if tab and _is_below(name):
            mode, _, oid = head.decode("ascii").split(" ")
            entries[os.fsdecode(name)] = Entry(mode, oid)
    return entries


def _is_below(name: bytes) -> bool:
    """Tell whether a name lies below the root: git writes no other, but an index or a tree may be made by hand."""
    return not name.startswith(b"/") and b".." not in name.split(b"/")


def literal(path: str) -> str:
    """Return the pathspec that means *path*, relative to the root, and nothing else."""
    return f":(top,literal){path}"


@dataclass(frozen=True, slots=True)
class Found:
    """The files in which a pattern was found, and those that could not be searched."""

    paths: list[str]
    unsearched: frozenset[str] = frozenset()


def paths_that_match(
    repository: Repository, pattern: str, *, tree: str | None, suffixes: Iterable[str]
) -> Found:
    """Return the files with one of *suffixes* (any case) in which an extended regular expression (POSIX) matches.

    They are looked for in *tree* or, for None, in the index. Bytes are matched, not characters. Files whose contents
    are not at hand are passed over. Raises ChangesError.
    """
    try:
        return Found(_grep(repository, pattern, tree, _with_suffix(suffixes)))
    except TooSlowError:
        raise
    except ChangesError:
        listed = index_entries(repository) if tree is None else tree_entries(repository, tree)
    ends = tuple(suffix.lower() for suffix in suffixes)
    regular = {
        path: entry.oid
        for path, entry in listed.items()
        if entry.regular and path.lower().endswith(ends)
    }
    held = objects_at_hand(repository, set(regular.values()))
    present = [path for path, oid in regular.items() if oid in held]
    matching: list[str] = []
    for start in range(0, len(present), _PATHS_AT_ONCE):
        part = present[start : start + _PATHS_AT_ONCE]
        matching += _grep(repository, pattern, tree, map(literal, part))
    return Found(matching, frozenset(regular) - frozenset(present))


def _grep(
    repository: Repository, pattern: str, tree: str | None, pathspecs: Iterable[str]
) -> list[str]:
    where = ["--cached"] if tree is None else [tree]
    args = (
        "grep", "-l", "-z", "-E", "--text", "--full-name", "--no-color", "--no-textconv",
        "--no-recurse-submodules", "-f", "-", *where, "--", *pathspecs,
    )  # fmt: skip
    done = _run(repository, args, given=os.fsencode(pattern))
    # What it cannot read it may name and pass over, and then end as if all had been searched.
    if done.returncode not in (0, 1) or b"unable to read" in done.stderr:
        raise _failed(args, done.stderr)
    prefix = b"" if tree is None else os.fsencode(f"{tree}:")
    return [os.fsdecode(name.removeprefix(prefix)) for name in done.stdout.split(b"\0") if name]


def objects_at_hand(repository: Repository, oids: Collection[str]) -> frozenset[str]:
    """Return those of *oids*, all of them blobs, that this repository holds. Raises ChangesError."""
    listed = output(
        # rev-list asks no remote under --missing=allow-any; cat-file --batch-check would try to, for each of them.
        repository, "rev-list", "--objects", "--no-object-names", "--no-walk", "--ignore-missing",
        "--missing=allow-any", "--stdin",
        given="".join(f"{oid}\n" for oid in sorted(oids)).encode(),
    )  # fmt: skip
    return frozenset(listed.decode().split())


def is_ignored(repository: Repository, path: str) -> bool | None:
    """Tell whether *path*, relative to the root and not tracked, is left out by an ignore file; None: not in time."""
    asked = ("check-ignore", "--quiet", "--", str(repository.root / path))
    try:
        return _run(repository, asked, ceiling=_IGNORED_SECONDS).returncode == 0
    except TooSlowError:
        return None


def published_merge_parents(repository: Repository, base: str, tip: str) -> list[str]:
    """Return the parents beyond the first of the merges in *base*..*tip* that some remote has already."""
    # The first parent is the branch itself; what the others brought in was checked when it was pushed.
    merges = output(repository, "rev-list", "--merges", "--parents", f"{base}..{tip}", "--")
    merged = {parent for line in merges.decode().splitlines() for parent in line.split()[2:]}
    if not merged:
        return []
    unpublished = output(repository, "rev-list", tip, "--not", "--remotes", "--").decode().split()
    return sorted(merged - set(unpublished))


_BATCH = ("cat-file", "--batch")


class Blobs:
    """The contents of objects, read one by one through a single `git cat-file --batch` that starts when needed."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._process: Conversation | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def content(self, oid: str, *, limit: int) -> bytes | None:
        """Return what the blob *oid* holds; None if that is more than *limit* bytes.

        Raises UnreadableObjectError for an object that is not there, and the next one can still be read; TooSlowError
        where git does not answer in time.
        """
        process = self._started()
        with bounded(process, _BATCH, deadline=self._repository.deadline):
            return self._content(process, oid, limit)

    def _content(self, process: Conversation, oid: str, limit: int) -> bytes | None:
        try:
            process.write(f"{oid}\n".encode())
            header = process.readline().split()
        except BrokenPipeError:
            header = []
        if len(header) != 3:
            raise self._unreadable(oid)
        size = int(header[2])
        if size <= limit:
            content = process.read(size + 1)  # a line feed follows it
            if len(content) <= size:
                raise self._unreadable(oid)
            return content[:-1]
        # Read all the same: the answer to the next question comes behind it.
        left = size + 1
        while left > 0:
            skipped = len(process.read(min(left, 1 << 20)))
            if not skipped:
                raise self._unreadable(oid)
            left -= skipped
        return None

    def _unreadable(self, oid: str) -> UnreadableObjectError:
        self._end()  # git gives up over an object that it cannot fetch; the next one starts it anew
        return UnreadableObjectError(oid)

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None

    def _started(self) -> Conversation:
        if self._process is None:
            repository = self._repository
            self._process = start_git(_BATCH, cwd=repository.cwd, env=repository.env)
        return self._process
