"""Hubs: repositories with a target for each package that a lock file or a requirements file of the tree pins.

``kinds.HUB_KINDS`` is the table: which extensions and rules make hubs, and which of their attributes name the file.
"""
