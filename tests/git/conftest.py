"""Git as on a fresh machine: nothing of the person who runs the tests reaches it."""

from git_work import isolated_git, work  # noqa: F401 - fixtures
