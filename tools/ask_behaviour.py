"""Ask real Bazels what they do where versions differ: where the changes of ``bzlgraph/facts/behaviour.json`` are seen.

One workspace holds a package for each question; each version answers each question. What is printed is, for every
question, the answer and the versions that gave it.

    python tools/ask_behaviour.py 0.24.1 0.25.1 4.2.3
    BZLGRAPH_BAZEL_0_25_1=/opt/bazel-0.25.1 python tools/ask_behaviour.py --only reexports 0.24.1 0.25.1
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tests.differential.real.bazel import Bazel


class Question(NamedTuple):
    """Files of the package (``defs.bzl`` is loaded for ``X`` by a BUILD file that is not given), and what is asked."""

    files: dict[str, str]
    asked: str = "//{package}:all"
    options: tuple[str, ...] = ()


def value(expression: str) -> Question:
    """What an expression of a .bzl file is."""
    return Question({"defs.bzl": f"X = {expression}\n"})


QUESTIONS = {
    "join_takes_anything": value('"_".join(["a", True, None, 1])'),
    "named_parameters": value('len("a,b".split(sep = ","))'),
    "strings_iterate": value('len([x for x in "abc"])'),
    "range_makes_lists": value("len(range(2) + [1])"),
    "dict_plus": value("len({1: 2} + {3: 4})"),
    "deprecated_attr_params": value("len([attr.label(single_file = True)])"),
    "reexports": Question({"defs.bzl": 'load(":b.bzl", "X")\n', "b.bzl": "X = 1\n"}),
    "old_octals": value("010"),
    "escapes_restricted": value('"\\q"'),
    "named_after_star": Question({"defs.bzl": "def f(*args, **kwargs):\n    pass\nf(*[1], a = 2)\nX = 1\n"}),
    "load_across_a_boundary": Question(
        {"defs.bzl": 'load(":sub/b.bzl", "X")\n', "sub/BUILD": "", "sub/b.bzl": "X = 1\n"}
    ),
    "load_after_statement": Question({"defs.bzl": 'X = 1\nload(":b.bzl", "Y")\n', "b.bzl": "Y = 1\n"}),
    "attribute_names_restricted": Question(
        {"defs.bzl": 'def f(ctx):\n    pass\nr = rule(f, attrs = {"a-b": attr.string()})\nX = 1\n'}
    ),
    "predeclared_until_bound": Question({"BUILD": 'filegroup(name = "x")\nfilegroup = None\n'}),
    "inner_functions": Question({"defs.bzl": "def f():\n    def g():\n        pass\n    return lambda: g\nX = 1\n"}),
    "floats": value("int(1.5 / 0.5)"),
    "floor_slash": value("7 / 2"),
    "star_arguments_in_build": Question({"BUILD": 'filegroup(**{"name": "x"})\n'}),
    "comma_after_star": Question({"defs.bzl": "def f(*args,):\n    pass\nf(*[1],)\nX = 1\n"}),
    "required_keywords": Question({"defs.bzl": "def f(*, a):\n    return a\nX = f(a = 1)\n"}),
    "large_integers": value("2147483648"),
    "dict_union": value("len({1: 2} | {3: 4})"),
    "bit_operators": value("+((1 & 3 ^ ~4) << 2 >> 1)"),
    "depset_items": value("len(depset(items = [1]).to_list())"),
    "depset_union": value("len((depset([1]) + [2]).to_list())"),
    "depset_iteration": value("len([x for x in depset([1])])"),
    "line_ends": value('len("""a\r\nb""")'),
    "labels_unambiguous": value('str(Label("//:a"))[:-5].replace("@", "at")'),
    "subpackages": value('hasattr(native, "subpackages")'),
    "third_party_licenses": Question({"BUILD": 'filegroup(name = "x")\n'}, "//third_party/{package}:all"),
    "own_workspace_name_is_main": Question(
        {"BUILD": 'filegroup(name = "x", srcs = ["@asked//a:b"])\n'}, "labels(srcs, //{package}:x)"
    ),
    "column_of_parenthesis": Question({"BUILD": 'filegroup(name = "x")\n'}, "//{package}:all", ("--output=location",)),
    "build_file_has_line": Question({"BUILD": 'filegroup(name = "x")\n'}, "//{package}:BUILD", ("--output=location",)),
    "build_has_stacks": Question({"BUILD": 'filegroup(name = "x")\n'}, "//{package}:all", ("--output=build",)),
    "graph_indent": Question({"BUILD": 'filegroup(name = "x")\n'}, "//{package}:all", ("--output=graph",)),
    "group_order": Question(
        {"BUILD": 'package_group(name = "x", packages = ["//z", "-//y/q", "//y/...", "//a"])\n'},
        "//{package}:x",
        ("--output=xml",),
    ),
    "attr_visibility_effective": Question(
        {"BUILD": 'package(default_visibility = ["//visibility:public"])\n\nfilegroup(name = "x")\n'},
        "attr(visibility, public, //{package}:x)",
    ),
    "visibility_exclusive": Question(
        {"BUILD": 'filegroup(name = "x", visibility = ["//visibility:public", "//a:b"])\n'}
    ),
    "package_group_public_private": Question({"BUILD": 'package_group(name = "x", packages = ["public"])\n'}),
    "dicts_are_lists": Question({"BUILD": 'filegroup(name = "x", srcs = {"a": 1})\n'}, "labels(srcs, //{package}:x)"),
    "def_parser_by_name": Question(
        {"BUILD": 'cc_binary(name = "x_def_parser")\n'},
        "deps(//{package}:all, 1) ^ @bazel_tools//tools/def_parser:def_parser",
        ("--implicit_deps",),
    ),
    "label_flag_leads_to_default": Question(
        {"BUILD": 'label_flag(name = "x", build_setting_default = ":d")\n\nfilegroup(name = "d")\n'},
        "deps(//{package}:x)",
    ),
}
_PLAIN_BUILD = 'load(":defs.bzl", "X")\n\nfilegroup(name = "is_%s" % X)\n'


def main() -> None:
    """Ask, and print the answers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=QUESTIONS, help="a question (all when none is named)")
    parser.add_argument("versions", nargs="+")
    options = parser.parse_args()
    names = options.only or list(QUESTIONS)
    with tempfile.TemporaryDirectory(prefix="ask-behaviour-") as folder:
        _write(Path(folder))
        answers = {version: dict(_ask(version, Path(folder), names)) for version in options.versions}
    for name in names:
        print(name)
        pairs = ((answers[version][name], version) for version in options.versions)
        for answer, group in groupby(pairs, lambda pair: pair[0]):
            versions = [version for _, version in group]
            print(f"  {versions[0]} to {versions[-1]}: {answer}")


def _package(name: str) -> str:
    return f"third_party/{name}" if "third_party" in QUESTIONS[name].asked else name


def _write(folder: Path) -> None:
    (folder / "WORKSPACE").write_text('workspace(name = "asked")\n')
    for name, question in QUESTIONS.items():
        package = folder / _package(name)
        package.mkdir(parents=True)
        for path, text in {"BUILD": _PLAIN_BUILD, **question.files}.items():
            (package / path).parent.mkdir(exist_ok=True)
            (package / path).write_text(text, newline="")


def _ask(version: str, folder: Path, names: list[str]) -> Iterator[tuple[str, str]]:
    """(question, what this Bazel prints, or its first error), places without the folder."""
    with Bazel(version, folder) as bazel:
        for name in names:
            question = QUESTIONS[name]
            reply = bazel.query(question.asked.format(package=name), *question.options)
            text = reply.output.decode("utf-8", "replace") or next(iter(reply.errors), "nothing")
            yield name, re.sub(r"\s+", " ", text.replace(f"{folder}/", "")).strip()


if __name__ == "__main__":
    main()
