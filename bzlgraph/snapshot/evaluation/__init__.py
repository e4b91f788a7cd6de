"""Queries on the kept graph: text -> tree -> nodes, or ``Unanswered``; and the graph as a ``GraphView``."""
