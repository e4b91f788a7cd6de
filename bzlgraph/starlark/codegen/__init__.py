"""Starlark's syntax tree -> Python's: names resolved, operators as helper calls, positions kept."""
