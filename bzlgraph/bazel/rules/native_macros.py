"""What Bazel 7 makes of some native rules: there ``java_binary`` and others are macros inside Bazel, over rules of
these names.

``calls(name, arguments, facts)`` -> the rules to instantiate, with their arguments.
- java_binary, java_test: the macro writes the launcher. The deploy jar is made by a second rule,
  NAME_deployjars_internal_rule, that no wildcard should build (its tag is "manual").
- cc_test: how it is linked depends on the platform when nothing is written.
- cc_binary, cc_test: with dynamic_deps, an attribute of their own names all that is linked: an aspect is applied there.
- cc_shared_library: the labels of exports_filter, which are strings, are made canonical in the calling package.
- java_toolchain: a list of one tool is the tool. (Its rule class is ``_java_toolchain``.)
- py_binary, py_test: ``legacy_create_init`` is a number, for which people may write a bool.

>>> from bzlgraph.facts import for_version
>>> [(name, sorted(given)) for name, given in calls("java_binary", {"name": "x"}, for_version("7.7.1"))]
[('java_binary', ['launcher', 'name']), ('deploy_jars', ['binary', 'name', 'tags'])]
>>> [name for name, _ in calls("java_binary", {"name": "x", "tags": ["nodeployjar"]}, for_version("7.7.1"))]
['java_binary']
>>> list(calls("java_test", {"name": "x", "use_launcher": False}, for_version("7.7.1")))
[('java_test', {'name': 'x', 'use_launcher': False, 'launcher': None})]
>>> list(calls("java_toolchain", {"name": "x", "ijar": [":i"], "genclass": []}, for_version("7.7.1")))
[('java_toolchain', {'name': 'x', 'ijar': ':i', 'genclass': None})]
>>> list(calls("java_binary", {"name": "x"}, for_version("4.2.3")))
[('java_binary', {'name': 'x'})]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bzlgraph.base.label import parse
from bzlgraph.bazel.context.contexts import PackageContext
from bzlgraph.bazel.context.scope import package_context, resolve
from bzlgraph.bazel.model import Rule
from bzlgraph.bazel.values.label_value import LabelValue, label_text
from bzlgraph.bazel.values.select import select_function
from bzlgraph.facts import Facts
from bzlgraph.starlark.ops.arithmetic import add
from bzlgraph.starlark.values import List

DEPLOY_JAR_RULES = ("deploy_jars", "deploy_jars_nonexec")
"""Rules that only the macro calls."""
Calls = Iterable[tuple[str, dict[str, object]]]
_ALL_DEPS = "$deps_analyzed_by_graph_structure_aspect"
_SUFFIX = "_deployjars_internal_rule"
PLATFORMS = "platforms"
_HANDED_ON = ("visibility", "testonly", "tags", "compatible_with", "restricted_to", "target_compatible_with")


def calls(name: str, given: Mapping[str, object], facts: Facts) -> Calls:
    """(rule, arguments) of each rule that a call makes: one, unless Bazel has a macro of that name."""
    macro = _MACROS.get(name)
    return macro(given, facts) if macro is not None else [(name, dict(given))]


def _java_binary(given: Mapping[str, object], facts: Facts) -> Calls:
    executable = bool(given.get("create_executable", True))
    yield "java_binary", _with_launcher(given, facts) if executable else dict(given)
    name, tags = given.get("name"), _texts(given.get("tags"))
    if facts.java_launcher and isinstance(name, str) and "nodeployjar" not in tags:
        handed = {key: given[key] for key in _HANDED_ON if key in given}
        handed["tags"] = tags if "manual" in tags else [*tags, "manual"]
        handed |= {"name": name + _SUFFIX, "binary": name}
        yield DEPLOY_JAR_RULES[not executable], handed


def _java_test(given: Mapping[str, object], facts: Facts) -> Calls:
    yield "java_test", _with_launcher(given, facts)


def _with_launcher(given: Mapping[str, object], facts: Facts) -> dict[str, object]:
    if not facts.java_launcher:
        return dict(given)
    unwanted = "use_launcher" in given and not given["use_launcher"]
    return {**given, "launcher": None if unwanted else given.get("launcher") or facts.java_launcher}


def _cc_binary(given: Mapping[str, object], facts: Facts) -> Calls:
    yield "cc_binary", _with_all_deps(given, "cc_binary", facts)


def _with_all_deps(given: Mapping[str, object], rule: str, facts: Facts) -> dict[str, object]:
    """With what an aspect looks through that finds what shared libraries link already."""
    fact = facts.rule(rule) if given.get("dynamic_deps") else None
    if fact is None or not any(each.name == _ALL_DEPS for each in fact.attributes):
        return dict(given)
    parts = [given.get("deps"), *(List([given[name]]) for name in ("link_extra_lib", "malloc") if given.get(name))]
    linked: object = List()
    for part in parts:
        linked = linked if part is None else add(linked, part)
    return {**given, _ALL_DEPS: linked}


def _cc_test(given: Mapping[str, object], facts: Facts) -> Calls:
    given = _with_all_deps(given, "cc_test", facts)
    if not facts.cc_test_static_on or "linkstatic" in given:
        yield "cc_test", dict(given)
        return
    platform = parse(facts.cc_test_static_on, "", "")
    known = platform._replace(repo=platforms_repository(package_context("cc_test()")))
    branches = {LabelValue(known): True, "//conditions:default": False}
    yield "cc_test", {**given, "linkstatic": select_function(branches)}


def platforms_repository(context: PackageContext) -> str:
    """The repository that Bazel itself calls `platforms`: a module's, of which the main repository may not know."""
    if not context.facts.bzlmod:
        return PLATFORMS
    found = context.mapping("bazel_tools", PLATFORMS)
    return found if found.startswith("@") else PLATFORMS


def _cc_shared_library(given: Mapping[str, object], facts: Facts) -> Calls:
    written = given.get("exports_filter")
    if not isinstance(written, list) or not facts.exports_filter_canonical:
        yield "cc_shared_library", dict(given)
        return
    context = package_context("cc_shared_library()")
    labels = [label_text(resolve(each, context)) if isinstance(each, str) else each for each in written]
    yield "cc_shared_library", {**given, "exports_filter": labels}


def _java_toolchain(given: Mapping[str, object], facts: Facts) -> Calls:
    """Where the rule takes one tool people may still write a list of it, as for the Bazels whose rule took lists."""
    fact = facts.rule("java_toolchain")
    tools = {each.name for each in fact.attributes if each.type == "LABEL"} if fact is not None else set()
    yield "java_toolchain", {name: _single(value) if name in tools else value for name, value in given.items()}


def _single(value: object) -> object:
    """The only element of a list, None for an empty one; a longer list is the rule's to refuse."""
    if not isinstance(value, list) or len(value) > 1:
        return value
    return value[0] if value else None


def _py_binary(given: Mapping[str, object], facts: Facts) -> Calls:
    yield "py_binary", _with_number(given, "py_binary", facts)


def _py_test(given: Mapping[str, object], facts: Facts) -> Calls:
    yield "py_test", _with_number(given, "py_test", facts)


def _with_number(given: Mapping[str, object], rule: str, facts: Facts) -> dict[str, object]:
    """What the rule is given by the macro; a bool inside a ``select()`` stays one, which the rule refuses."""
    written = given.get("legacy_create_init")
    fact = facts.rule(rule) if isinstance(written, bool) else None
    known = () if fact is None else fact.attributes
    is_number = any(each.name == "legacy_create_init" and each.type == "INTEGER" for each in known)
    return {**given, "legacy_create_init": int(bool(written))} if is_number else dict(given)


_MACROS: dict[str, Callable[[Mapping[str, object], Facts], Calls]] = {
    "cc_binary": _cc_binary,
    "cc_shared_library": _cc_shared_library,
    "cc_test": _cc_test,
    "java_binary": _java_binary,
    "java_test": _java_test,
    "java_toolchain": _java_toolchain,
    "py_binary": _py_binary,
    "py_test": _py_test,
}


def _texts(value: object) -> list[str]:
    """The tags, as far as they are a list."""
    iterate = getattr(value, "iterate", None)
    items = iterate() if iterate is not None else value if isinstance(value, list | tuple) else ()
    return [item for item in items if isinstance(item, str)]


def deploy_jars(rule: Rule) -> Mapping[str, str]:
    """The outputs of the second rule are named after the first."""
    binary = rule.label.name.removesuffix(_SUFFIX)
    return {name: name for name in (f"{binary}_deploy.jar", f"{binary}_deploy.jar.unstripped")}
