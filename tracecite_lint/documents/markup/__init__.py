"""Markdown and HTML as text with places: blocks, running text, pairs of marks, sentences."""
