"""A session that has answered, and an older graph -> the graph that is kept."""
