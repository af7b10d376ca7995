"""Which words a document quotes, and which source it gives for them (docs/citations.md)."""
