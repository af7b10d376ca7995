"""The system's certificate authorities, which these tests do without."""

from pathlib import Path

import pytest
import trustme


@pytest.fixture(scope="session")
def system_authorities(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What stands in for the system's CAs: one that signs nothing, and is read faster than a hundred and fifty."""
    path = tmp_path_factory.mktemp("system") / "ca.pem"
    trustme.CA().cert_pem.write_to_path(path)
    return path


@pytest.fixture(autouse=True)
def _few_authorities(
    _closed_environment: None, system_authorities: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(system_authorities))
