"""What is new: git's two sides of a change, compared citation by citation."""
