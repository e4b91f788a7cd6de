"""Nodes of a graph -> overview -> picture, matrix, levels: folded to a budget, thinned to the lines that matter."""
