"""A graph in a configuration: its nodes, the edges that hold, and the view that questions are asked of."""
