"""Links to the lines of documents: on the forge in whose CI a run takes place, else relative to where the report lies."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from urllib.parse import quote

from tracecite_lint.known.identity import repository_path
from tracecite_lint.light.lazy import dataclass


@dataclass(frozen=True, slots=True)
class LineLinks:
    """Makes links: `base` is the address of the checked commit's files (empty: none), `folder` that of the report.

    `folder` and the files are relative to the working directory, which is `directory` below the repository root.
    """

    base: str
    folder: str
    directory: str

    def to(self, file: str, line: int = 0) -> str:
        """Return the link to the 1-based *line* of *file*; 0 is the whole file. Empty for what is no file."""
        if not file:
            return ""
        # GitHub and GitLab render Markdown, which has no lines, unless they are asked for the plain file.
        anchor = f"#L{line}" if line > 0 else ""
        if self.base:
            plain = "?plain=1" if anchor else ""
            return f"{self.base}/{_escaped(repository_path(file, self.directory))}{plain}{anchor}"
        path = _escaped(posixpath.relpath(file, self.folder or "."))
        return f"{'./' if ':' in path.partition('/')[0] else ''}{path}{anchor}"


def line_links(directory: str, written_to: str | None, environ: Mapping[str, str]) -> LineLinks:
    """Return the links of a report; *written_to* is its file, relative to the working directory, None for stdout.

    The variables are those of GitHub Actions and GitLab CI (docs.github.com, Variables reference; docs.gitlab.com,
    Predefined CI/CD variables).
    """
    return LineLinks(_forge(environ), posixpath.dirname(written_to or ""), directory)


def _forge(environ: Mapping[str, str]) -> str:
    if environ.get("GITHUB_ACTIONS") == "true":
        server, name, commit = (
            environ.get(f"GITHUB_{part}", "") for part in ("SERVER_URL", "REPOSITORY", "SHA")
        )
        base = f"{server}/{name}/blob/{commit}" if name and commit else ""
    else:
        project, commit = environ.get("CI_PROJECT_URL", ""), environ.get("CI_COMMIT_SHA", "")
        base = f"{project}/-/blob/{commit}" if commit else ""
    return base if base.startswith(("https://", "http://")) else ""


def _escaped(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"), safe="/:")
