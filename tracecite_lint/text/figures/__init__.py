"""Figures: whether the numbers, percentages, sums of money and dates of a claim stand in a text."""
