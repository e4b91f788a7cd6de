"""Sizes and lines of boxes -> where they stand: levels from top to bottom, few crossings, curves between rows."""
