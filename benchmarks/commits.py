"""Measures commits: the hook with all pages in the cache, the hook where no document is concerned, the first run, hook managers."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.candidates import Candidate
from benchmarks.measuring import Command, Row, compare
from benchmarks.workspace import Survey, Workspace, git, reaching, run, serving

HOOK = ("--changed", "--max-time", "30")
"""As .pre-commit-hooks.yaml has it, but for --allow-unreachable: a cache that is not used must not go unnoticed."""
NOTHING = "`python -c pass`"
TEN = Survey(pages=10, size=20_000)


def rows(space: Workspace) -> Iterator[Row]:
    """Measure what a commit of one document with ten citations costs, and what one without any."""
    with serving(TEN) as port:
        caches = space.caches(TEN, port)
    document = space.documents("ten", TEN, citations=10) / "00000.md"
    concerned, other = _repositories(space.top, document)
    nothing = Command([str(space.candidates[0].python), "-c", "pass"], space.top)

    def hook(candidate: Candidate, **more: object) -> Command:
        arguments = [candidate.tool, *HOOK, *reaching(port), "r.md"]
        return Command(arguments, concerned, _cache(caches[candidate.name]), **more)  # type: ignore[arg-type]

    def plain(*arguments: str, folder: Path = space.top) -> dict[str, Command]:
        return space.for_each(lambda candidate: Command([candidate.tool, *arguments], folder))

    yield compare(
        "warm hook, 10 citations",
        NOTHING,
        "≤ 8×, ≤ 30 MB",
        nothing,
        space.for_each(hook),
        space.rounds,
    )
    yield compare(
        "commit that touches no document",
        NOTHING,
        "≤ 5×",
        nothing,
        plain(*HOOK, folder=other),
        space.rounds,
    )
    for words, target in (("--version", 4), ("--help", 7), ("completion bash", 8)):
        commands = plain(*words.split())
        yield compare(f"`{words}`", NOTHING, f"≤ {target}×", nothing, commands, space.rounds)
    yield from _first_run(space, space.for_each(hook))
    yield from _managed(space, concerned, caches, port)


def _repositories(top: Path, document: Path) -> tuple[Path, Path]:
    """Return a repository in which *document* is about to be committed as r.md, and one with another file."""
    concerned, other = top / "concerned", top / "other"
    concerned.mkdir()
    git(concerned, "init", "-q")
    (concerned / "code.py").write_text("print(1)\n")
    git(concerned, "add", ".")
    git(concerned, "commit", "-qm", "code")
    shutil.copytree(concerned, other)
    shutil.copy(document, concerned / "r.md")
    (other / "code.py").write_text("print(2)\n")
    for folder in (concerned, other):
        git(folder, "add", ".")
    return concerned, other


def _cache(directory: Path) -> dict[str, str]:
    return {"TRACECITE_LINT_CACHE_DIR": str(directory)}


def _first_run(space: Workspace, hooks: dict[str, Command]) -> Iterator[Row]:
    """Measure the hook where no module is compiled yet: those of the package and its dependencies, then all."""
    for whose, prefix in (("", True), (", those of Python neither", False)):
        first = {}
        for name, hook in hooks.items():
            compiled = space.top / f"compiled-{name}"

            def clear(compiled: Path = compiled, seeded: bool = prefix) -> None:
                shutil.rmtree(compiled, ignore_errors=True)
                if seeded:
                    shutil.copytree(space.top / "compiled-stdlib", compiled)

            environment = {**hook.environment, "PYTHONPYCACHEPREFIX": str(compiled)}
            first[name] = Command(hook.arguments, hook.folder, environment, clear)
        if prefix:
            _compile_stdlib(space, next(iter(first.values())))
        yield compare(
            f"first run without compiled modules{whose}",
            "the compiled one",
            "≤ 2.2×",
            hooks,
            first,
            max(3, space.rounds // 3),
        )


def _compile_stdlib(space: Workspace, hook: Command) -> None:
    """Keep what a run compiles of Python's own modules, as it is found beside them after an installation."""
    kept = space.top / "compiled-stdlib"
    environment = {**os.environ, **hook.environment, "PYTHONPYCACHEPREFIX": str(kept)}
    for command in [hook.arguments] * 2:
        run(command, hook.folder, environment)
    for path in kept.rglob("*.pyc"):
        if "site-packages" in path.parts:
            path.unlink()


def _managed(
    space: Workspace, repository: Path, caches: dict[str, Path], port: int
) -> Iterator[Row]:
    """Measure the hook as prek runs it, beside a hook of the interpreter alone."""
    prek = shutil.which("prek", path=str(Path(sys.executable).parent)) or shutil.which("prek")
    if prek is None:
        print("prek is not installed: its row is missing", file=sys.stderr)
        return

    def through(name: str, entry: str, cache: Path) -> Command:
        config = space.top / f"prek-{name}.yaml"
        config.write_text(
            "repos:\n- repo: local\n  hooks:\n  - id: hook\n    name: hook\n    language: system\n"
            f"    entry: {entry}\n    types_or: [markdown]\n"
        )
        return Command([prek, "run", "-c", str(config)], repository, _cache(cache))

    python = space.candidates[0].python
    alone = through("nothing", f"{python} -c pass", space.top)
    options = " ".join((*HOOK, *reaching(port)))
    hooks = space.for_each(lambda one: through(one.name, f"{one.tool} {options}", caches[one.name]))
    yield compare("through prek", "a no-op Python hook", "≤ 5×", alone, hooks, space.rounds)
