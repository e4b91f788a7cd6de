"""Queries on the kept graph: text -> tree -> nodes, or ``Unanswered``."""
