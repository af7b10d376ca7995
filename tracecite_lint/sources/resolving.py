"""Where a source that a document names is: the one way from a URI to a page or a file, for check, hook and editor."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from tracecite_lint.naming.uris import is_web
from tracecite_lint.sources import policy
from tracecite_lint.sources.files import LocalSource, resolve_local
from tracecite_lint.sources.policy import WebSource


def resolve(
    uri: str, *, document: Path, root: Path, allow_hosts: Collection[str] = ()
) -> WebSource | LocalSource:
    """Return the page or the file that *uri* names, as written in *document* of the repository *root* (both absolute).

    *allow_hosts* are the private hosts that may be reached. The `key` of the result names the source: what was read
    under one key holds for every source with the same. Raises SourceError; nothing is read or looked up.
    """
    if is_web(uri):
        return policy.resolve(uri, allow_hosts=allow_hosts)
    return resolve_local(uri, document=document, root=root)
