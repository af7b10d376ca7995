"""`workspace/executeCommand`: the commands behind code actions and the editor's own menus."""

from __future__ import annotations

from tracecite_lint.engine.reach import resolve_source
from tracecite_lint.naming.uris import is_web, scheme_of, web_address
from tracecite_lint.sources.policy import WebSource
from tracecite_lsp.session import Session

CHECK = "tracecite.check"
REFETCH = "tracecite.refetch"
OPEN = "tracecite.open"
FIX_ALL = "tracecite.fixAll"


async def check(session: Session, uri: str) -> None:
    """Check the document *uri* now, pages included, whatever `tracecite.run` says."""
    session.check(uri)


async def refetch(session: Session, uri: str, source: str) -> None:
    """Ask the server of *source*, as the document *uri* writes it, again."""
    document = session.find(uri)
    looked = await session.looked(document) if document is not None else None
    if document is None or looked is None:
        return
    target = resolve_source(source, looked.job)
    if isinstance(target, WebSource):
        session.refetch(document, target)


async def open_source(session: Session, target: str) -> None:
    """Show *target*, a web page or a file, to the user."""
    if is_web(target):
        await session.client.open(web_address(target), external=True)
    elif scheme_of(target) == "file":
        await session.client.open(target, external=False)
