"""Records that model APIs and agents write, one module per format: where their quotations stand and what they cite."""
