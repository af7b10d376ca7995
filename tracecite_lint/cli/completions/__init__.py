"""The scripts that complete commands, options, their values and codes, as docs/completion_scripts.py writes them."""
