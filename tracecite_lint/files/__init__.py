"""Files as every part of the program meets them: which repository they belong to, and what is git's own."""
