"""The configured view of a build: options and .bazelrc -> ``Configuration``; graph + Configuration -> what holds.

Nothing here is imported eagerly: name the module (``bzlgraph.config.configuration``).
"""
