"""The audit of a run's model calls: was each recorded once, is its usage known, was everything expected covered?"""

from tracecite_lint.calls.audit import audit_calls, audit_into, decode_call
from tracecite_lint.calls.call import Call, CallError, LoggedCall
from tracecite_lint.calls.ledger import Account, account, check_coverage
from tracecite_lint.calls.manifest import Manifest, decode_batch_input, decode_manifest
from tracecite_lint.calls.report import Finding, Report, Summary, Totals

__all__ = [
    "Account",
    "Call",
    "CallError",
    "Finding",
    "LoggedCall",
    "Manifest",
    "Report",
    "Summary",
    "Totals",
    "account",
    "audit_calls",
    "audit_into",
    "check_coverage",
    "decode_batch_input",
    "decode_call",
    "decode_manifest",
]
