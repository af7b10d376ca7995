"""What a team has settled is no news for an agent: findings that the baseline knows are left out."""

from __future__ import annotations

import os

from tracecite_lint.files.chosen import set_up
from tracecite_lint.known.ledger_files import BASELINE_NAME
from tracecite_lint.library.asking import Asking
from tracecite_lint.model import CheckResult


def without_known(result: CheckResult, asking: Asking) -> CheckResult:
    """Return *result* without what the baseline of the repository knows. Raises LedgerError, SettingsError."""
    named = asking.settings.baseline
    place = set_up(named or BASELINE_NAME, asking.root)
    if not named and not os.path.lexists(place.path):
        return result
    from tracecite_lint.known.baseline import apply_baseline, read_baseline

    return apply_baseline(result, read_baseline(place)).result
