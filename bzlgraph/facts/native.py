"""Native rules, as data: which rules each Bazel version has, their attributes, defaults and implicit outputs.

``native_rules.json`` (made by ``tools/make_facts.py`` from what real Bazels print) -> ``RuleFact`` of one version.
``rule`` is tolerant: a rule or attribute that the version does not have is taken from the nearest version that has
it, marked ``foreign``, because people read trees written for another Bazel; ``rule_of`` is for who asked for that
Bazel. Two smaller tables say what the aspects of a rule add to it and where the .bzl files inside Bazel make and
define it.
Doc: https://bazel.build/reference/be/overview
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain
from typing import NamedTuple, TypedDict, cast

from bzlgraph.facts import versioned
from bzlgraph.facts.versioned import in_force, in_force_or, near_to_far, table

MANDATORY, FIXED, NODEP, TOOL, EXECUTABLE, SORTED, EXEC = 1, 2, 4, 8, 16, 32, 64
"""Bits of ``AttributeFact.flags``; FIXED: not configurable; TOOL: built for the host; SORTED: Bazel sorts the list;
EXEC: a TOOL that is built for the platform of the rule's actions, where Bazel has a HOST for others, too."""

WORKSPACE_RULES = frozenset(
    {
        "android_ndk_repository",
        "android_sdk_repository",
        "bind",
        "git_repository",
        "http_archive",
        "http_file",
        "http_jar",
        "local_config_platform",
        "local_repository",
        "maven_jar",
        "maven_server",
        "new_git_repository",
        "new_http_archive",
        "new_local_repository",
    }
)
"""Native rules that only WORKSPACE may call."""


class AttributeFact(NamedTuple):
    """One attribute: ``type`` is the discriminator of Bazel's ``build.proto``; labels in ``default`` are text."""

    name: str
    type: str
    flags: int
    default: object
    foreign: bool = False
    allowed: tuple[str | int, ...] = ()
    """The values that it is limited to; () where any may stand."""


class RuleFact(NamedTuple):
    """One native rule. ``outputs`` are (template, attribute that must be set or None); ``rule_class`` is what Bazel
    calls its targets, which is ``name`` unless a macro inside Bazel has that."""

    name: str
    rule_class: str
    attributes: tuple[AttributeFact, ...]
    outputs: tuple[tuple[str, str | None], ...]
    foreign: bool
    test: bool
    executable: bool


class AspectAttributes(NamedTuple):
    """What the aspects of a native rule add to it. ``labels``: (attribute, label) in the order of Bazel's rule inputs,
    twice where two aspects add the same; ``only``: the attributes that the rule does not have by itself;
    ``required_providers``: sets of which a target in ``deps`` advertises one to have the aspects applied;
    ``aspect``: what Bazel calls the aspect that it prints an attribute of."""

    labels: tuple[tuple[str, str], ...] = ()
    only: frozenset[str] = frozenset()
    required_providers: tuple[tuple[str, ...], ...] = ()
    aspect: str = ""


Frame = tuple[str, str, int, int]
"""Function, path, line, column."""


class BuiltinStacks(NamedTuple):
    """Frames in the .bzl files inside Bazel, innermost first. ``made``: of the macro that calls the rule; ``defined``:
    of ``rule()``."""

    made: tuple[Frame, ...] = ()
    defined: tuple[Frame, ...] = ()


class _Entry(TypedDict, total=False):
    """A rule of the table: by version, indices of attributes, ``[template, attribute that must be set or None]``, and
    its rule class where that has another name."""

    attributes: dict[str, list[int]]
    outputs: dict[str, list[tuple[str, str | None]]]
    rule_class: dict[str, str]


class _Table(TypedDict):
    versions: list[str]
    attributes: list[tuple[str, str, int, object]]
    rules: dict[str, _Entry]


def _table() -> _Table:
    return cast(_Table, table("native_rules"))


def known_versions() -> tuple[str, ...]:
    """The versions we have native rules of, oldest first."""
    return tuple(_table()["versions"])


def nearest_version(version: str) -> str:
    """The version whose rules stand for ``version``: one of the same line where there is one.

    >>> nearest_version("0.20.0"), nearest_version("5.0"), nearest_version("7.6.1"), nearest_version("0.1")
    ('0.19.1', '4.2.3', '7.7.1', '0.17.2')
    """
    return versioned.nearest_of_line(known_versions(), version)


def rule_names() -> tuple[str, ...]:
    """Native rules of every version, sorted."""
    return tuple(_table()["rules"])


@cache
def rule(version: str, name: str, tolerant: bool = False) -> RuleFact | None:
    """A native rule as one of the known versions sees it; None when no version has it. ``name`` is what BUILD files
    call, or the rule class.

    ``tolerant``: mandatory is only what every version demands that has the rule.

    >>> rule("7.7.1", "java_toolchain").rule_class, rule("7.7.1", "_java_toolchain").name
    ('_java_toolchain', 'java_toolchain')
    """
    name = _names_of_classes().get(name, name)
    entry = _table()["rules"].get(name)
    if entry is None:
        return None
    order = near_to_far(known_versions(), version)
    home = next(v for v in order if _specs(entry, v))
    found: dict[str, AttributeFact] = {}
    for known in (home, *order):
        for attribute, kind, flags, default in _specs(entry, known):
            if attribute not in found:
                foreign = known != home
                flags = _as_asked(flags, home, name, attribute)
                fact = AttributeFact(attribute, kind, flags & ~MANDATORY, None, True)
                found[attribute] = fact if foreign else AttributeFact(attribute, kind, flags, default)
    if tolerant:
        needless = _optional(entry, order) & found.keys()
        found |= {key: found[key]._replace(flags=found[key].flags & ~MANDATORY) for key in needless}
    accepted: dict[str, dict[str, str]] = table("accepted_attributes")  # of versions that we have no table of
    for group in ("*", name):
        for attribute, kind in accepted.get(group, {}).items():
            found.setdefault(attribute, AttributeFact(attribute, kind, 0, None, True))
    limits = _allowed(name, home, tolerant)
    found |= {
        key: found[key]._replace(allowed=limits[key]) for key in limits if key in found and not found[key].foreign
    }
    # An implicit attribute of another version is no dependency in this one.
    attributes = tuple(a for a in found.values() if not (a.foreign and a.name[0] in "$:"))
    outputs = tuple((template, needed) for template, needed in in_force_or([], entry.get("outputs", {}), home))
    runs = name.endswith("_test") or any(a.name == "$is_executable" and a.default for a in attributes)
    rule_class = in_force_or(name, entry.get("rule_class", {}), home)
    return RuleFact(name, rule_class, attributes, outputs, home != version, name.endswith("_test"), runs)


def _as_asked(flags: int, version: str, rule: str, attribute: str) -> int:
    """Whether a select() may stand there, where Bazel was asked (``configurable.json``, which
    ``tools/record/configurable.py`` makes)."""
    asked: dict[str, dict[str, dict[str, bool]]] = table("configurable")
    allowed = asked.get(version, {}).get(rule, {}).get(attribute)
    return flags if allowed is None else flags & ~FIXED if allowed else flags | FIXED


def _allowed(rule: str, version: str, tolerant: bool) -> dict[str, tuple[str | int, ...]]:
    """The values that attributes of a rule are limited to (``allowed_values.json``, which
    ``tools/record/allowed_values.py`` makes); ``tolerant``: those of any version.

    >>> _allowed("py_library", "7.7.1", False)["srcs_version"]
    ('PY2', 'PY2ONLY', 'PY2AND3', 'PY3', 'PY3ONLY')
    """
    asked: dict[str, dict[str, dict[str, list[str | int]]]] = table("allowed_values")
    entries = asked.get(rule, {})
    if not tolerant:
        return {name: tuple(in_force_or([], values, version)) for name, values in entries.items()}
    every = {name: list(values.values()) for name, values in entries.items()}
    return {name: tuple(dict.fromkeys(chain(*values))) if all(values) else () for name, values in every.items()}


@cache
def rule_of(version: str, name: str) -> RuleFact | None:
    """A native rule without the attributes of other versions, where this one was asked; as ``rule`` has it where the
    version is only near to one that was, or has no such rule.

    >>> [each.name for each in rule_of("7.7.1", "genrule").attributes if "tools" in each.name]
    ['tools']
    """
    fact = rule(nearest_version(version), name)
    if fact is None or fact.foreign or version not in known_versions():
        return fact
    return fact._replace(attributes=tuple(each for each in fact.attributes if not each.foreign))


@cache
def _names_of_classes() -> dict[str, str]:
    """Rule class -> the rule, for those of another name."""
    entries = _table()["rules"].items()
    return {name: rule for rule, entry in entries for name in entry.get("rule_class", {}).values()}


@cache
def attribute_order(version: str, name: str) -> tuple[str, ...]:
    """The attributes of a native rule as Bazel prints them, ``name`` first; those of other versions come last.

    >>> attribute_order("7.7.1", "cc_library")[:4]
    ('name', 'expect_failure', 'visibility', 'transitive_configs')
    """
    fact = rule(version, name)
    return tuple(each.name for each in fact.attributes) if fact is not None else ()


@cache
def aspect_attributes(version: str, rule: str) -> AspectAttributes:
    """What the aspects of a native rule add to it (``native_aspects.json``, ``tools/record/native_aspects.py``).

    >>> aspect_attributes("4.2.3", "cc_proto_library").labels[0]
    (':aspect_cc_proto_toolchain', '@com_google_protobuf//:cc_toolchain')
    >>> aspect_attributes("4.2.3", "cc_library").labels
    ()
    """
    rules: dict[str, dict[str, dict[str, list[list[str]]]]] = table("native_aspects")
    if rule not in rules:
        return AspectAttributes()
    entry = in_force(rules[rule], version)
    labels = tuple((name, label) for name, label in entry["brings"])
    only = frozenset(name for name, _ in labels) - frozenset(entry["also_own"])
    return AspectAttributes(labels, only, _REQUIRED_PROVIDERS[rule], _ASPECTS[rule])


_PROTO, _JAVA = ("ProtoInfo",), ("JavaInfo",)
_REQUIRED_PROVIDERS = {
    "android_binary": (_JAVA,),
    "cc_proto_library": (_PROTO,),
    "j2objc_library": (_JAVA, _PROTO),
    "java_lite_proto_library": (_PROTO,),
    "java_proto_library": (_PROTO,),
}
"""By rule, what its aspects require: Bazels from 0.19.1 to 7.7.1 give ``deps(x, 2)`` the labels of the aspects where
``deps`` of x leads to such a rule, or to an alias. Those of android_binary are its own labels as well: its requirement
is that of DexArchiveAspect in Bazel's source."""
_ASPECTS = {
    "android_binary": "BazelDexArchiveAspect",
    "cc_proto_library": "@@_builtins//:common/cc/cc_proto_library.bzl%cc_proto_aspect",
    "j2objc_library": "@@_builtins//:common/objc/j2objc_aspect.bzl%j2objc_aspect",
    "java_lite_proto_library": "@@_builtins//:common/java/proto/java_lite_proto_library.bzl%java_lite_proto_aspect",
    "java_proto_library": "@@_builtins//:common/java/proto/java_proto_library.bzl%bazel_java_proto_aspect",
}
"""By rule, the name that 7.7.1 prints (``--proto:include_attribute_source_aspects``, which 4.2.3 does not have)."""


@cache
def builtin_stacks(version: str, rule: str) -> BuiltinStacks:
    """The frames of a rule (``builtin_stacks.json``, ``tools/record/builtin_stacks.py``); none where it is in Java.

    Lines move from one release to the next: only a recorded version has an answer.

    >>> builtin_stacks("7.7.1", "cc_test").made[0][0], builtin_stacks("4.2.3", "cc_test").made
    ('cc_test', ())
    """
    versions: dict[str, dict[str, dict[str, list[Frame]]]] = table("builtin_stacks")
    entry = versions.get(version, {}).get(rule, {"made": [], "defined": []})
    return BuiltinStacks(tuple(entry["made"]), tuple(entry["defined"]))


def _specs(entry: _Entry, version: str) -> list[tuple[str, str, int, object]]:
    """The attributes of a rule in a version: what the table has of them; none when the version has no such rule."""
    attributes = _table()["attributes"]
    return [attributes[index] for index in in_force_or([], entry["attributes"], version)]


def _optional(entry: _Entry, versions: Iterable[str]) -> set[str]:
    """The attributes that are not mandatory in one of the versions, or unknown to it though it has the rule."""
    attributes, found = _table()["attributes"], set[str]()
    every = {attributes[index][0] for index in {*chain.from_iterable(entry["attributes"].values())}}
    for version in versions:
        if specs := _specs(entry, version):
            found |= every.difference([attribute for attribute, _, flags, _ in specs if flags & MANDATORY])
    return found


def native_toolchain_types(version: str, rule_name: str) -> tuple[str, ...]:
    """The labels of the toolchain types that a native rule asks for; () when it asks for none, or that is not known.

    >>> native_toolchain_types("7.7.1", "cc_library"), native_toolchain_types("4.2.3", "java_library")
    (('@bazel_tools//tools/cpp:toolchain_type',), ())
    """
    data = table("toolchain_types")
    rules: dict[str, list[str]] = in_force(data["rules"], version)
    return tuple(data["types"][each] for each in rules.get(rule_name, ()))


def native_providers(version: str, rule_name: str) -> tuple[str, ...]:
    """The providers that a native rule advertises to aspects, by the names that .bzl files have for them.

    >>> native_providers("7.7.1", "cc_library"), native_providers("4.2.3", "cc_library")
    (('CcInfo',), ())
    """
    rules: dict[str, list[str]] = in_force(table("native_providers")["rules"], version)
    return tuple(rules.get(rule_name, ()))


class NativeTransition(NamedTuple):
    """A transition that Bazel has for a native rule or its attribute: ``sets`` an option from the attribute of that
    name, or ``changes`` some to what is not known here."""

    sets: str = ""
    changes: tuple[str, ...] = ()


@cache
def native_transitions(rule_name: str) -> dict[str, NativeTransition]:
    """The transitions of a native rule by attribute, its own is "".

    >>> native_transitions("py_test"), list(native_transitions("android_binary")), native_transitions("filegroup")
    ({'': NativeTransition(sets='python_version', changes=())}, ['deps'], {})
    """
    known = table("native_transitions")
    sets = cast("dict[str, str]", known["set"])
    changes = cast("dict[str, dict[str, list[str]]]", known["changes"]).get(rule_name, {})
    own = {"": NativeTransition(sets[rule_name])} if rule_name in sets else {}
    return own | {name: NativeTransition(changes=tuple(options)) for name, options in changes.items()}


def repositories_of_bazel() -> frozenset[str]:
    """The repositories with toolchain types for which Bazel registers toolchains by itself."""
    return frozenset(table("toolchain_types")["repositories"])
