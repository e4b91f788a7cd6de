"""Parameters that the Bazel at hand does not have, and values of types that it does not take, as it refuses them."""

from __future__ import annotations

import pytest

from bzlgraph.loading.codec import Encoder
from tests.bazel.expressions import evaluate
from tests.bazel.memory_workspace import package, problems

IMPLEMENTATION = "implementation = _implementation"
REFUSED = [
    ("7.7.1", f"aspect({IMPLEMENTATION}, toolchains_aspects = [])", "aspect() got unexpected keyword argument"),
    ("7.7.1", f"rule({IMPLEMENTATION}, dependency_resolution_rule = True)", "rule() got unexpected keyword argument"),
    ("7.7.1", "attr.label(materializer = len)", "label() got unexpected keyword argument 'materializer'"),
    ("7.7.1", "attr.string_list(non_empty = True)", "string_list() got unexpected keyword argument 'non_empty'"),
    ("7.7.1", "exec_group(copy_from_rule = True)", "exec_group() got unexpected keyword argument 'copy_from_rule'"),
    ("4.2.3", f"aspect({IMPLEMENTATION}, requires = [])", "aspect() got unexpected keyword argument 'requires'"),
    ("1.2.0", f"aspect({IMPLEMENTATION}, required_providers = [])", "aspect() got unexpected keyword argument"),
    ("7.7.1", f"rule({IMPLEMENTATION}, attrs = None)", "in call to rule(), parameter 'attrs' got value"),
    ("4.2.3", "attr.string(doc = None)", "in call to string(), parameter 'doc' got value of type 'NoneType'"),
    ("7.7.1", "attr.bool(default = 1)", "in call to bool(), parameter 'default' got value of type 'int', want 'bool'"),
    ("7.7.1", "attr.label(allow_files = 1)", "in call to label(), parameter 'allow_files' got value of type"),
    ("7.7.1", 'attr.label(cfg = "data")', "cfg must be 'exec', 'host', 'target' or a transition"),
    ("0.26.1", 'attr.label(cfg = "exec")', "cfg must be 'host', 'target' or a transition"),
    ("7.7.1", "attr.label(executable = True)", "cfg parameter is mandatory when executable=True is provided"),
    ("", "attr.label(allow_files = True, allow_single_file = True)", "Cannot specify both"),
    ("", "attr.label(allow_single_file = 1)", "allow_single_file should be a boolean or a string list"),
    ("", "attr.label(providers = [DefaultInfo, [DefaultInfo]])", "Illegal argument: element in 'providers'"),
    ("", "attr.string(foo = 1)", "string() got unexpected keyword argument 'foo'"),
]  # fmt: skip
ACCEPTED = [
    ("8.0.1", f"aspect({IMPLEMENTATION}, toolchains_aspects = [])"),
    ("", f"aspect({IMPLEMENTATION}, toolchains_aspects = [], requires = [], doc = None)"),
    ("4.2.3", f"rule({IMPLEMENTATION}, attrs = None)"),
    ("0.19.1", 'attr.label(cfg = "data", single_file = True)'),
    ("7.7.1", 'attr.label(cfg = "host", executable = True)'),
    ("6.5.0", f"aspect({IMPLEMENTATION}, requires = [])"),
    ("6.5.0", "attr.string(doc = None)"),
]


@pytest.mark.parametrize(("version", "text", "message"), REFUSED)
def test_refused(version: str, text: str, message: str) -> None:
    assert evaluate(text, version).startswith(f"error: {message}")


@pytest.mark.parametrize(("version", "text"), ACCEPTED)
def test_accepted(version: str, text: str) -> None:
    assert evaluate(text, version).startswith("= ")


RANGES = """--- a.bzl
def _impl(ctx):
    pass

def _change(settings, attr):
    return {}

P = provider(fields = range(0))
A = aspect(_impl, attr_aspects = range(0), provides = range(0))
T = transition(implementation = _change, inputs = range(0), outputs = range(0))
attrs = {
    "numbers": attr.int_list(default = range(3)),
    "one": attr.int(default = 1, values = range(3)),
    "dep": attr.label(providers = range(0), aspects = range(0), allow_files = range(0)),
}
r = rule(_impl, attrs = attrs, toolchains = range(0), fragments = range(0))
--- BUILD
load(":a.bzl", "r")
package(default_visibility = range(0))
exports_files(range(0), visibility = range(0))
package_group(name = "p", packages = range(0), includes = range(0))
filegroup(name = "f", srcs = glob(range(0), exclude = range(0), allow_empty = True), tags = range(0))
test_suite(name = "s", tests = range(0))
r(name = "x")
"""


@pytest.mark.parametrize("version", ["4.2.3", "7.7.1"])
def test_a_range_is_a_sequence_wherever_one_is_wanted(version: str) -> None:
    """Both were asked."""
    found = package(RANGES, version=version)
    assert problems(found) == []
    assert found.targets["x"].get("numbers") == [0, 1, 2]
    assert Encoder().encode(found)


@pytest.mark.parametrize("call", ["r(name = 'x', numbers = range(1 << 30))", "exports_files(range(1 << 30))"])
def test_a_range_that_becomes_a_list_is_paid_for(call: str) -> None:
    (problem,) = problems(package(RANGES.replace("r(name = 'x')".replace("'", '"'), call)))
    assert "too many steps" in problem or "budget" in problem
