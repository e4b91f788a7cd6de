"""Typos of real names: what a slip of the hand makes of targets, flags, ops, configs and options, and what is answered.

``python -m tests.typos TREE`` judges 200 of them over a tree; ``test_typos.py`` does it over the example.
"""
