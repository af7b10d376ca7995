"""The editor's progress bar while pages are fetched or the workspace is checked, with its button to cancel."""

from __future__ import annotations

import uuid

from lsprotocol import types
from pygls.lsp.server import LanguageServer


class Progress:
    """One progress bar at a time, from the first of some things to the last."""

    def __init__(self, server: LanguageServer, title: str) -> None:
        self._server = server
        self._title = title
        self._token: str | None = None
        self._is_begun = False
        self._count = (0, 0)

    def show(self, done: int, total: int) -> None:
        """Show that *done* of *total* are there; the bar goes when all are."""
        self._count = (done, total)
        if self._token is None and done < total:
            self._token = str(uuid.uuid4())
            token = self._token
            # Nothing may be reported before the editor has agreed to the token.
            self._server.work_done_progress.create(token, lambda _: self._begin(token))
        elif self._is_begun:
            self._report()

    def is_cancelled_by(self, token: types.ProgressToken) -> bool:
        """Tell whether the user's cancelling of *token* means what this bar shows."""
        return token == self._token

    def _begin(self, token: str) -> None:
        if token != self._token:
            return
        self._is_begun = True
        self._server.work_done_progress.begin(
            token,
            types.WorkDoneProgressBegin(
                title=self._title, cancellable=True, message=self._message(), percentage=0
            ),
        )
        self._report()

    def _report(self) -> None:
        assert self._token is not None
        done, total = self._count
        if done < total:
            report = types.WorkDoneProgressReport(
                message=self._message(), percentage=100 * done // total
            )
            self._server.work_done_progress.report(self._token, report)
            return
        self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())
        self._server.work_done_progress.tokens.pop(self._token, None)
        self._token = None
        self._is_begun = False

    def _message(self) -> str:
        done, total = self._count
        return f"{done} of {total}"
