"""Bazel's query language: text -> expression -> sets of targets of a graph that grows as the question needs."""

from bzlgraph.query.answer import QueryAnswer
from bzlgraph.query.environment import Environment, QuerySettings
from bzlgraph.query.evaluate import query
from bzlgraph.query.language.parser import is_pattern, parse, quoted
from bzlgraph.query.patterns import TargetPattern, parse_pattern

__all__ = [
    "Environment",
    "QueryAnswer",
    "QuerySettings",
    "TargetPattern",
    "is_pattern",
    "parse",
    "parse_pattern",
    "query",
    "quoted",
]
