"""The engine: documents and their sources become verdicts and diagnostics."""
