"""What a text is made of, whoever reads it: its lines, and the directives that point into it."""
