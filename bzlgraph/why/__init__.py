"""Why is this target built: graph, target, sources -> the reasons, as data."""
