"""Packages -> graph: targets as nodes, and edges that keep their reason (attribute, condition, call)."""
