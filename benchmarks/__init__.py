"""Measurements against folders of real material, one command each; none of it is part of the package."""
