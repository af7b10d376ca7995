"""Every error that leaves the package has one base, so that a caller can expect it."""

from __future__ import annotations

import importlib
import pkgutil

import tracecite_lint
from tracecite_lint.errors import TraceciteLintError

# Raised and caught within one module, or asked for by a library by its type.
WITHIN = {
    *(
        "_NoDocumentError",
        "PassingError",
        "AddressRefusedError",
        "_NotInPartsError",
        "TimeIsUpError",
    ),
}


def test_every_error_of_the_package_has_the_common_base():
    found = {}
    for module in pkgutil.walk_packages(tracecite_lint.__path__, "tracecite_lint."):
        if module.name.endswith(("__main__", "pdf_reader")):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if (
                isinstance(value, type)
                and issubclass(value, Exception)
                and value.__module__ == module.name
            ):
                found[name] = value
    assert {
        "SourceError",
        "SettingsError",
        "ChangesError",
        "UsageError",
        "LedgerError",
    } <= found.keys()
    assert {
        name for name, error in found.items() if not issubclass(error, TraceciteLintError)
    } == WITHIN
