"""The old name of new_sets."""

load("//lib:new_sets.bzl", _sets = "sets")

sets = _sets
