"""The skill: one SKILL.md on how to quote so that it can be checked, put where an agent looks for it."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from tracecite_lint.errors import TraceciteLintError, os_reason
from tracecite_lint.files.chosen import ChosenFile

NAME = "tracecite-lint"
"""What the skill is called; its folder has to be called so too (agentskills.io, “Specification”)."""

FOLDERS: Mapping[str, str] = {
    "claude-code": ".claude/skills",
    "codex": ".agents/skills",
    "cursor": ".cursor/skills",
    "gemini-cli": ".gemini/skills",
}
"""Where each agent looks for skills, below a repository and below the user's home."""


class SkillError(TraceciteLintError):
    """The skill cannot be put where it belongs; exit status 1."""


def skill_text() -> str:
    """Return the text of the skill."""
    return files("tracecite_lint.agents").joinpath("SKILL.md").read_text("utf-8")


def skill_place(agent: str, base: Path) -> Path:
    """Return where the skill of *agent* lies below *base*, the root of a repository or a home."""
    return base / FOLDERS[agent] / NAME / "SKILL.md"


def install(path: Path, root: Path) -> bool:
    """Write the skill to *path*, below *root*; tell whether it was written, or is there already, word for word.

    Nothing is overwritten and no link is written through. Raises SkillError.
    """
    try:
        ChosenFile(path, (root.resolve(),)).real_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        if _holds_the_skill(path):
            return False
        raise SkillError(
            f"{path} is there already and says something else; nothing was written:"
            " take it away, or compare it with `tracecite-lint skill show`"
        ) from None
    except OSError as error:
        raise SkillError(f"{path}: {os_reason(error)}") from None
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(skill_text())
    except OSError as error:
        path.unlink()  # half of it would be taken for somebody else's the next time
        raise SkillError(f"{path}: {os_reason(error)}") from None
    return True


def _holds_the_skill(path: Path) -> bool:
    try:
        return path.read_bytes() == skill_text().encode()
    except OSError as error:
        if error.errno in (errno.EISDIR, errno.ENOTDIR, errno.EACCES, errno.ELOOP):
            return False
        raise SkillError(f"{path}: {os_reason(error)}") from None
