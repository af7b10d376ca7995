"""What a team has settled is no news for an agent: findings that the baseline knows are left out."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tracecite_lint.files.chosen import set_up
from tracecite_lint.known.identity import citation_identity, repository_path
from tracecite_lint.model import CheckResult, Citation
from tracecite_lint.naming.file_names import BASELINE_NAME
from tracecite_lint.settings import Settings


def without_known(
    result: CheckResult,
    settings: Settings,
    root: Path,
    unchecked: Iterable[tuple[str, Citation]] = (),
) -> CheckResult:
    """Return *result* without what the baseline of the repository at *root* knows. Raises LedgerError.

    *unchecked* are citations that were not looked at, each with its document as it is shown: they have the first claim.
    """
    place = set_up(settings.baseline or BASELINE_NAME, root)
    if not settings.baseline and not os.path.lexists(place.path):
        return result
    from tracecite_lint.known.baseline import apply_baseline, read_baseline

    claims = [
        citation_identity(repository_path(file, result.directory), citation)
        for file, citation in unchecked
    ]
    return apply_baseline(result, read_baseline(place), claims).result
