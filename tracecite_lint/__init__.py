"""tracecite-lint: checks that the words a document quotes really stand in the sources it cites."""

__version__ = "0.1.0"
