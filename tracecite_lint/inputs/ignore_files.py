"""`.gitignore` where there is no git to ask, as in an archive that was unpacked: which files of a folder are left out."""

from __future__ import annotations

import re
from pathlib import Path

from tracecite_lint.errors import os_reason
from tracecite_lint.files.opening import RefusedError, read_below
from tracecite_lint.light.lazy import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

NAME = ".gitignore"
_FOLDER = "ps_d"
"""The group in the library's expressions that is the `/` behind a folder."""
_SIZE_LIMIT = 256 * 1024
"""Bytes of one file; git's own are some hundred."""

# What a pattern becomes is a regular expression that goes back and forth: the time of three `*` in one name grows with
# the cube of its length, that of three `**` with the cube of the depth, and whoever packed the folder wrote both.
_COSTLY = regex(r"(?:[^/]*?\*+){4}|(?:.*?\*\*){3}")


class IgnoreFiles:
    """The ignore files at and below a folder, each read when something in its folder is asked about."""

    def __init__(self, top: Path) -> None:
        """*top* is absolute; ignore files above it do not count."""
        self._top = top
        self._specs: dict[Path, GitIgnoreSpec | None] = {}
        self.notes: list[str] = []
        """What the user should know of patterns and files that were passed over."""

    def ignore(self, path: Path, *, is_folder: bool) -> bool:
        """Tell whether *path*, below the top, is left out; of what lies in an ignored folder the folder must be asked about."""
        # The closest file that says something wins (gitignore(5)).
        for folder in path.parents:
            spec = self._spec(folder)
            if spec is not None:
                name = path.relative_to(folder).as_posix() + ("/" if is_folder else "")
                if (said := _last_word(spec, name)) is not None:
                    return said
            if folder == self._top:
                break
        return False

    def _spec(self, folder: Path) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            self._specs[folder] = self._read(folder / NAME)
        return self._specs[folder]

    def _read(self, path: Path) -> GitIgnoreSpec | None:
        try:
            content = read_below(path, self._top, limit=_SIZE_LIMIT)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (RefusedError, OSError) as error:
            reason = os_reason(error) if isinstance(error, OSError) else f"it {error}"
            self.notes.append(f"{path}: passed over: {reason}")
            return None
        if content is None:
            self.notes.append(f"{path}: passed over: larger than {_SIZE_LIMIT // 1024} KiB")
            return None
        from pathspec import GitIgnoreSpec

        lines = content.decode("utf-8-sig", "replace").splitlines()
        kept = [line for line in lines if line.startswith("#") or not _COSTLY.match(line)]
        if len(kept) < len(lines):
            self.notes.append(
                f"{path}: a pattern with more than three `*` in a name or two `**` is passed over"
            )
        return GitIgnoreSpec.from_lines(kept)


def _last_word(spec: GitIgnoreSpec, name: str) -> bool | None:
    """Return what the last pattern that matches *name* says: True leaves it out, None is none of them.

    The library's own `check_file` answers for a path with all that is above it, and has `*` win over a later `!folder/`.
    """
    for pattern in reversed(spec.patterns):
        found = None if pattern.include is None else pattern.match_file(name)
        if found is not None and not _is_above(found.match, name):
            return pattern.include
    return None


def _is_above(match: re.Match[str], name: str) -> bool:
    """Tell whether it is a folder above *name* that was matched: that was asked about before."""
    return match.groupdict().get(_FOLDER) is not None and match.end() < len(name)
