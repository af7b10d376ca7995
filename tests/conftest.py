"""What all tests share: a real web server on loopback with a CA of its own, and an environment that reaches nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
import trustme
from loopback import Loopback

# A busy machine is no fault of what is tested: no deadline for an example, and slow input is no failure of health.
hypothesis.settings.register_profile(
    "patient", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("patient")


SLOW_FOLDERS = {
    *(
        "agents",
        "attacks",
        "benchmarks",
        "browser",
        "cli",
        "e2e",
        "editors",
        "git",
        "lsp",
        "vscode",
    ),
}
"""Where tests start the command, git, hook managers or editors."""

SLOW_FILES = {
    *("test_action", "test_completion", "test_docs", "test_locks"),
    *("test_audit_command", "test_memory", "test_trace_memory", "test_baseline", "test_lock"),
    *("test_cache", "test_fetching", "test_hostile_cache", "test_killed", "test_pdf", "test_store"),
    *("test_properties", "test_reading_anything", "test_reading_cost"),
}
"""Others that start processes or servers, or try very many inputs."""


@pytest.hookimpl(tryfirst=True)  # before pytest looks at `-m`
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    tests = Path(__file__).parent
    for item in items:
        folder = item.path.relative_to(tests).parts[0]
        slow = folder in SLOW_FOLDERS or item.path.stem in SLOW_FILES
        if slow or item.get_closest_marker("exhaustive"):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def _closed_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the user's cache, proxies and CA files out of the tests, child processes included."""
    # Beside tmp_path, which may be a test's work tree: a cache is never inside one.
    cache = tmp_path.with_name(f"{tmp_path.name}-cache")
    monkeypatch.setenv("TRACECITE_LINT_CACHE_DIR", str(cache))
    # Child processes start from compiled modules, as an installed tool does.
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    trust = ("SSL_CERT_FILE", "SSL_CERT_DIR")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", *trust):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture(scope="session")
def certificate_authority() -> trustme.CA:
    """A CA that only the tests trust."""
    return trustme.CA()


@pytest.fixture(scope="session")
def cafile(certificate_authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificate of that CA as a PEM file."""
    path = tmp_path_factory.mktemp("ca") / "ca.pem"
    certificate_authority.cert_pem.write_to_path(path)
    return path


@pytest.fixture
def loopback(certificate_authority: trustme.CA) -> Iterator[Loopback]:
    """A web server that answers for any host, as the test scripts it."""
    with Loopback(certificate_authority) as server:
        yield server
