"""How the program ends; apart from the options, for which `--version` does not wait."""

from __future__ import annotations

OK, UNUSABLE, FINDINGS = 0, 1, 2
"""Exit statuses (docs/commands.md): all verified; wrong arguments or unreadable input; findings."""
