"""Which names each Bazel predeclares, and where the rules are defined that left Bazel.

``absent("4.2.3", "native")`` -> the fields of ``native`` that it has not; ``definition("java_library")`` -> its file.

``names.json`` lists names that came or went, and those that every Bazel has, for three places: the fields of
``native`` in .bzl files, the names of .bzl files and those of BUILD files; of ``attr`` and ``config`` the fields that
some Bazel has not.
``rule_sets.json`` is the table of Bazel's ``--incompatible_autoload_externally``; which rules a Bazel loads from there
by itself are facts of its version (``Facts.autoloaded_rules``).

>>> [("macro" in absent(version, "bzl")) for version in ("7.7.1", "8.0.1")]
[True, False]
>>> "JavaInfo" in absent("8.7.0", "bzl"), "JavaInfo" in absent("9.0.0", "bzl")
(False, True)
>>> definition("proto_library")
Definition(module='protobuf', repository='com_google_protobuf', bzl='//bazel:proto_library.bzl')
>>> definition("genrule") is None
True
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple, cast

from bzlgraph.facts.versioned import table, version_key

Place = Literal["native", "bzl", "build", "attr", "config"]


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


def definition(rule: str) -> Definition | None:
    """The file that defines a rule that left Bazel; None for all others."""
    labels = cast("dict[str, str]", table("rule_sets")["bzl"])
    if rule not in labels:
        return None
    repository, slashes, path = labels[rule].removeprefix("@").partition("//")
    modules = cast("dict[str, str]", table("rule_sets")["modules"])
    return Definition(modules.get(repository, repository), repository, slashes + path)
