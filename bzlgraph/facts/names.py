"""Which names each Bazel predeclares, with which parameters, and where the rules are defined that left Bazel.

``absent("4.2.3", "native")`` -> the fields of ``native`` that it has not; ``definition("java_library")`` -> its file.

``names.json`` lists names that came or went, and those that every Bazel has, for four places: the fields of
``native`` in .bzl files, the names of .bzl files, those of BUILD files and those of WORKSPACE; of ``attr``, ``config``
and the ``NAMESPACES`` the fields that some Bazel has not.
``rule_sets.json`` is the table of Bazel's ``--incompatible_autoload_externally``; which rules a Bazel loads from there
by itself are facts of its version (``Facts.autoloaded_rules``).

``parameters("aspect", "7.7.1")`` -> the parameters of a function of .bzl files, each with the types that it takes, in
the words of Bazel's messages; no types where any is taken, or where Bazel's own check has other words.
``parameters.json`` is what the Bazels under ``asked`` said when asked for each parameter (tools/record/parameters.py).
Of a version between two of them a parameter may come from either; one that is newer than all has every parameter that
is known, also those of ``others``, which none of the asked ones has (https://bazel.build/rules/lib/globals/bzl,
https://bazel.build/rules/lib/toplevel/attr).

>>> [("macro" in absent(version, "bzl")) for version in ("7.7.1", "8.0.1")]
[True, False]
>>> "JavaInfo" in absent("8.7.0", "bzl"), "JavaInfo" in absent("9.0.0", "bzl")
(False, True)
>>> definition("proto_library")
Definition(module='protobuf', repository='com_google_protobuf', bzl='//bazel:proto_library.bzl')
>>> definition("genrule") is None
True
>>> parameters("exec_group", "4.2.3")["copy_from_rule"], "copy_from_rule" in parameters("exec_group", "7.7.1")
(('bool',), False)
>>> "toolchains_aspects" in parameters("aspect", "7.7.1"), "toolchains_aspects" in parameters("aspect", "8.0.1")
(False, True)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple, cast, get_args

from bzlgraph.facts.versioned import in_force_or, table, version_key

Types = tuple[str, ...]
Namespace = Literal["apple_common", "cc_common", "config_common", "java_common", "platform_common", "testing"]
Place = Literal["native", "bzl", "build", "workspace", "attr", "config"] | Namespace
NAMESPACES: tuple[Namespace, ...] = get_args(Namespace)
"""Names of .bzl files whose fields are not the same in all Bazels."""


class Definition(NamedTuple):
    """A .bzl file: the module it belongs to, what Bazel calls that module's repository, the rest of its label."""

    module: str
    repository: str
    bzl: str

    @property
    def label(self) -> str:
        """The label as Bazel writes it.

        >>> definition("cc_test").label
        '@rules_cc//cc:cc_test.bzl'
        """
        return f"@{self.repository}{self.bzl}"


def history(place: Place) -> dict[str, list[str]]:
    """Every known name of a place: the versions that it came with and went with, in turn."""
    return cast("dict[str, dict[str, list[str]]]", table("names"))[place]


@cache
def absent(version: str, place: Place) -> frozenset[str]:
    """The known names of a place that a version has not."""
    key = version_key(version)
    changes = {name: sum(version_key(each) <= key for each in versions) for name, versions in history(place).items()}
    return frozenset(name for name, count in changes.items() if count % 2 == 0)


@cache
def legacy_names() -> frozenset[str]:
    """The names of .bzl files that are there, later too, with ``--experimental_google_legacy_api``."""
    return frozenset(cast("dict[str, str]", table("names"))["legacy_api"].split())


def definition(rule: str) -> Definition | None:
    """The file that defines a rule that left Bazel; None for all others."""
    labels = cast("dict[str, str]", table("rule_sets")["bzl"])
    if rule not in labels:
        return None
    repository, slashes, path = labels[rule].removeprefix("@").partition("//")
    modules = cast("dict[str, str]", table("rule_sets")["modules"])
    return Definition(modules.get(repository, repository), repository, slashes + path)


@cache
def parameters(function: str, version: str, tolerant: bool = False) -> Mapping[str, Types]:
    """The parameters of a function of one version; of any version when the reading is ``tolerant``, with no types."""
    asked = table("parameters")["asked"]
    older = [each for each in asked if version_key(each) <= version_key(version)]
    newer = [each for each in asked if version_key(each) >= version_key(version)]
    if tolerant or not newer:
        known = _in(function, asked[-1]) if not tolerant else {}
        every = [*table("parameters")["functions"][function], *table("parameters")["others"].get(function, "").split()]
        return {**dict.fromkeys(every, ()), **known}
    before, after = _in(function, (older or newer)[-1 if older else 0]), _in(function, newer[0])
    return {
        name: before[name] if before.get(name) == after.get(name) else () for name in dict.fromkeys([*before, *after])
    }


def _in(function: str, version: str) -> dict[str, Types]:
    """What a version that was asked said."""
    rows: dict[str, dict[str, str | None]] = table("parameters")["functions"][function]
    found = {name: in_force_or(None, entries, version) for name, entries in rows.items()}
    return {name: tuple(words.split()) for name, words in found.items() if words is not None}
