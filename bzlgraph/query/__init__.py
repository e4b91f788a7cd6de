"""Bazel's query language: text -> expression -> sets of targets of a graph that grows as the question needs."""
