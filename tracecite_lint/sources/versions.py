"""What the text of a kept page depends on; apart from `extract`, which a run that finds its pages does not import."""

EXTRACT_VERSION = 3
"""Raised whenever `extract` may give another text for the same bytes: pages in caches are then fetched anew."""
