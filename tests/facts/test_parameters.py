"""The parameters of functions of .bzl files: the table is in order, and what it names our functions take."""

from __future__ import annotations

import inspect
from itertools import pairwise

import pytest

from bzlgraph.bazel.files.environment import bzl_environment
from bzlgraph.facts import for_version
from bzlgraph.facts.names import parameters
from bzlgraph.facts.versioned import table, version_key
from bzlgraph.starlark.builtin import Builtin
from bzlgraph.starlark.ops.access import attribute
from tools.record.parameters import FUNCTIONS

ROWS = [(name, each, by) for name, rows in table("parameters")["functions"].items() for each, by in rows.items()]


def test_the_table_has_what_was_asked() -> None:
    recorded = table("parameters")
    assert list(recorded["functions"]) == list(FUNCTIONS)
    assert recorded["others"].keys() <= FUNCTIONS.keys()
    assert sorted(recorded["asked"], key=version_key) == recorded["asked"]


@pytest.mark.parametrize(("function", "parameter", "entries"), ROWS)
def test_versions_are_asked_ones_and_each_changes_something(
    function: str, parameter: str, entries: dict[str, str | None]
) -> None:
    asked = table("parameters")["asked"]
    assert set(entries) <= set(asked)
    assert list(entries) == sorted(entries, key=version_key)
    assert all(before != after for before, after in pairwise([None, *entries.values()]))


def _python(function: str) -> inspect.Signature:
    """The signature of our function of that name."""
    owner, _, name = function.rpartition(".")
    found: object = bzl_environment(for_version())[owner or name]
    found = attribute(found, name) if owner else found
    assert isinstance(found, Builtin)
    return inspect.signature(found.func)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_our_functions_take_what_some_bazel_has(function: str) -> None:
    signature = _python(function)
    takes_all = any(each.kind is each.VAR_KEYWORD for each in signature.parameters.values())
    known = parameters(function, "", tolerant=True)
    assert takes_all or known.keys() <= signature.parameters.keys()
    assert not any(known.values()), "no types are checked then"


def test_between_two_versions_either_counts() -> None:
    assert "requires" not in parameters("aspect", "4.2.3")
    assert parameters("aspect", "6.5.0")["requires"] == ()
    assert parameters("rule", "6.5.0")["test"] == ("bool",)
    assert "dependency_resolution_rule" in parameters("rule", "8.0.0")
