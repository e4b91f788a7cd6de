"""Ask real Bazels which parameters the functions of .bzl files have, and of which types: ``facts/parameters.json``.

Each parameter is asked for in a package of its own, with a value that no parameter takes (a struct): what Bazel says is
that there is no such parameter, or what it wants. Names to ask for are those of the documentation of all versions;
those that no version has that can be asked (``others``) are written by hand.

    python tools/record/parameters.py 0.19.1 4.2.3 7.7.1
    BZLGRAPH_BAZEL_0_25_1=/opt/bazel-0.25.1 python tools/record/parameters.py 0.25.1
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from bzlgraph.facts.versioned import in_force_or, version_key
from tests.differential.real.bazel import Bazel
from tools.table_text import table_text

TABLE = Path(__file__).parents[2] / "bzlgraph/facts/parameters.json"
Said = dict[tuple[str, str], str]
_IMPLEMENTED = {"implementation": "f"}
_FUNCTIONS: dict[str, tuple[dict[str, str], str]] = {
    "rule": (
        _IMPLEMENTED,
        """test attrs outputs executable output_to_genfiles fragments host_fragments _skylark_testable toolchains
        incompatible_use_toolchain_transition doc provides dependency_resolution_rule exec_compatible_with analysis_test
        build_setting cfg exec_groups initializer parent extendable subrules execution_platform_constraints_allowed
        compile_one_filetype name host_only""",
    ),
    "aspect": (
        _IMPLEMENTED,
        """attr_aspects toolchains_aspects attrs required_providers required_aspect_providers provides requires
        propagation_predicate fragments host_fragments toolchains incompatible_use_toolchain_transition doc
        apply_to_generating_rules exec_compatible_with exec_groups subrules""",
    ),
    "repository_rule": (_IMPLEMENTED, "attrs local environ configure remotable doc _skylark_testable"),
    "module_extension": (_IMPLEMENTED, "tag_classes doc environ os_dependent arch_dependent"),
    "tag_class": ({}, "attrs doc"),
    "provider": ({}, "doc fields init"),
    "exec_group": ({}, "toolchains exec_compatible_with copy_from_rule"),
    "transition": ({**_IMPLEMENTED, "inputs": "[]", "outputs": "[]"}, "doc"),
    "subrule": (_IMPLEMENTED, "attrs toolchains fragments subrules"),
    "macro": (_IMPLEMENTED, "attrs inherit_attrs finalizer doc"),
    **{f"config.{kind}": ({}, "flag allow_multiple repeatable scope") for kind in ("bool", "int", "string")},
    "config.string_list": ({}, "flag repeatable scope"),
    "config.string_set": ({}, "flag repeatable scope"),
    "config_common.toolchain_type": ({"name": '"//:t"'}, "mandatory"),
}
_EVERY = "configurable default doc mandatory values allow_empty non_empty"
_LABELS = """allow_files allow_single_file single_file executable providers allow_rules cfg aspects flags
    skip_validations for_dependency_resolution materializer"""
_KINDS = """bool int int_list label label_keyed_string_dict label_list label_list_dict license output output_list string
    string_dict string_keyed_label_dict string_list string_list_dict"""
FUNCTIONS = {**_FUNCTIONS, **{f"attr.{kind}": ({}, f"{_EVERY} {_LABELS}") for kind in _KINDS.split()}}
"""Function -> what a call needs, and the other parameters that some version may have."""
_UNKNOWN = re.compile(
    r"unexpected keyword|has no (?:field|function|method)|no field or method|name '\w+' is not defined"
)
"""What is experimental, or kept by a flag only, counts as there: the flag may be set."""
_WANTED = (re.compile(r"got value of type 'struct', want '([^']+)'"), re.compile(r"expected value of type '([^']+)'"))


def main() -> None:
    """Ask the versions that the command line names; what is recorded of others stays."""
    known = json.loads(TABLE.read_bytes()) if TABLE.exists() else {"asked": [], "functions": {}, "others": {}}
    said = {version: _told(known, version) for version in known["asked"]}
    said |= {version: parameters_of(version) for version in sys.argv[1:]}
    known["asked"] = sorted(said, key=version_key)
    known["functions"] = {name: _history(name, {each: said[each] for each in known["asked"]}) for name in FUNCTIONS}
    TABLE.write_text(table_text(known), encoding="utf-8")


def parameters_of(version: str) -> Said:
    """(function, parameter) -> what it wants, "" where Bazel does not say."""
    asked = [(name, each) for name in FUNCTIONS for each in _parameters(name)]
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, parameter) in enumerate(asked):
            place = Path(folder) / f"p{number:03}"
            place.mkdir()
            given = {**FUNCTIONS[name][0], parameter: "struct()"}
            call = f"{name}({', '.join(f'{each} = {given[each]}' for each in given)})"
            (place / "a.bzl").write_text(f"def f(*args):\n    pass\nX = {call}\n", encoding="utf-8")
            (place / "BUILD").write_text('load(":a.bzl", "X")\n', encoding="utf-8")
        (Path(folder) / "WORKSPACE").touch()
        with Bazel(version, Path(folder).resolve()) as bazel:
            told = bazel.run("query", "--noshow_progress", "-k", *bazel.repository_options(), "//...").stderr.decode()
    messages = re.split(r"\n(?=ERROR|DEBUG|WARNING)", told)
    found = {}
    for number, each in enumerate(asked):
        message = " ".join(part for part in messages if f"p{number:03}/a.bzl" in part)
        if not _UNKNOWN.search(message):
            found[each] = _types(message)
    return found


def _parameters(function: str) -> tuple[str, ...]:
    needed, others = FUNCTIONS[function]
    return (*needed, *others.split())


def _types(message: str) -> str:
    """The types that a message names: ``dict, NoneType, or function``, ``sequence of strings or NoneType``."""
    wanted = next((match[1] for each in _WANTED if (match := each.search(message))), "")
    words = [re.split(r" of |\(", each)[0] for each in re.split(r",? or |, ", wanted)]
    return " ".join("sequence" if each == "list" else each for each in words if each != "UnboundMarker")


def _told(known: dict[str, Any], version: str) -> Said:
    """What a version said when it was asked."""
    rows = ((name, each, entries) for name, found in known["functions"].items() for each, entries in found.items())
    found = {(name, each): in_force_or(None, entries, version) for name, each, entries in rows}
    return {each: words for each, words in found.items() if words is not None}


def _history(function: str, said: dict[str, Said]) -> dict[str, dict[str, str | None]]:
    """Parameter -> the versions from which on it wants something else, None where it is not there."""
    rows: dict[str, dict[str, str | None]] = {}
    for parameter in _parameters(function):
        before = None
        for version, told in said.items():
            now = told.get((function, parameter))
            if now != before:
                rows.setdefault(parameter, {})[version] = before = now
    return rows


if __name__ == "__main__":
    main()
