"""What the tests of the language server share: a folder to work in, and settings that lead to the loopback server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from lsp_editor import neovim_0_7, neovim_0_11, vs_code
from lsprotocol import types

EDITORS = {"vs-code": vs_code, "neovim-0.7": neovim_0_7, "neovim-0.11": neovim_0_11}


@pytest.fixture(params=EDITORS.values(), ids=EDITORS.keys())
def capabilities(request: pytest.FixtureRequest) -> types.ClientCapabilities:
    """What each of the editors says it can do."""
    make: Callable[[], types.ClientCapabilities] = request.param
    return make()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to work in, outside of any repository."""
    return tmp_path.resolve()


@pytest.fixture
def reach(loopback: Loopback, cafile: Path) -> dict[str, Any]:
    """Settings that bring every URL to the loopback server."""
    return {"connectTo": list(loopback.connect_to), "cafile": str(cafile)}
