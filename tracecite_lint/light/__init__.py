"""Parts of the standard library, lighter to import: a commit pays for what it uses."""
