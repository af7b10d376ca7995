"""The directories of a user are those that platformdirs names, whatever the environment says."""

import platformdirs
import pytest

from tracecite_lint.files.user_directories import user_cache, user_config


@pytest.mark.parametrize(
    "value", [None, "", " ", "relative", "/elsewhere", "/with/../dots/", "~/x"]
)
@pytest.mark.parametrize("home", ["/home/somebody", "/", "", None])
def test_they_are_those_of_platformdirs(
    monkeypatch: pytest.MonkeyPatch, value: str | None, home: str | None
) -> None:
    for name, chosen in (("XDG_CACHE_HOME", value), ("XDG_CONFIG_HOME", value), ("HOME", home)):
        if chosen is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, chosen)
    assert user_cache() == platformdirs.user_cache_path("tracecite-lint", appauthor=False)
    assert user_config() == platformdirs.user_config_path("tracecite-lint")
