"""What a commit costs: wall and CPU seconds of the hook for one changed quotation, by the size of the repository.

python benchmarks/hook.py [--documents 300 2000] [--runs 10]

Each document has ten citations of a local source, so no network is needed; the page cache is not touched.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def make_repository(path: Path, documents: int) -> None:
    """Commit *documents* reports with ten citations each, and stage one changed quotation."""
    git(path, "init", "--quiet")
    for number in range(documents):
        quotes = [f"report {number} holds quotation {index} of ten" for index in range(10)]
        text = "".join(f"It says “{quote}” ([it]({number:05}.txt)).\n\n" for quote in quotes)
        (path / f"{number:05}.md").write_text(text)
        (path / f"{number:05}.txt").write_text(". ".join(quotes))
    git(path, "add", ".")
    git(path, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "all")
    changed = path / "00007.md"
    changed.write_text(changed.read_text().replace("quotation 4 of", "*quotation* 4 …"))
    git(path, "add", ".")


def git(path: Path, *args: str) -> None:
    """Run git in *path*."""
    subprocess.run(["git", *args], cwd=path, check=True)


def cost_of(command: list[str], path: Path) -> tuple[float, float]:
    """Run *command* in *path*; return its wall seconds and CPU seconds, children included."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=path, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{command} ended with {done.returncode}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used


def main() -> None:
    """Measure and print one line per size and command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[300, 2000])
    parser.add_argument("--runs", type=int, default=10)
    args = parser.parse_args()
    program = str(Path(sys.executable).with_name("tracecite-lint"))
    os.environ["GIT_CONFIG_GLOBAL"] = os.devnull
    print(
        f"{'documents':>9} {'citations':>9}  {'command':34} {'wall s':>7} {'CPU s':>7}  (medians)"
    )
    for documents in args.documents:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory, "work")
            path.mkdir()
            make_repository(path, documents)
            os.environ["TRACECITE_LINT_CACHE_DIR"] = f"{directory}/cache"
            # As installed: with compiled modules, whatever the environment says.
            os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
            os.environ["PYTHONPYCACHEPREFIX"] = f"{directory}/compiled"
            for command in (
                [sys.executable, "-c", ""],
                [program, "--version"],
                [program, "--changed", "--max-time", "30", "00007.md"],
                [program, "--all"],
            ):
                cost_of(command, path)
                costs = [cost_of(command, path) for _ in range(args.runs)]
                wall, used = (statistics.median(column) for column in zip(*costs, strict=True))
                shown = " ".join([Path(command[0]).name, *command[1:]])
                print(
                    f"{documents:>9,} {documents * 10:>9,}  {shown:34.34} {wall:7.3f} {used:7.3f}"
                )


if __name__ == "__main__":
    main()
