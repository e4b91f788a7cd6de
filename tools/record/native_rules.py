"""Ask a real Bazel what its native rules look like: ``bazel query --output=xml --xml:default_values``.

Input: the list of native rules (``native_rules.json.gz``, from ``bazel info build-language``), the version, the file to
write, and a command that runs Bazel's client (it is called in a throw-away workspace as ``COMMAND query ...``).
Output: Bazel's XML for two targets of each rule. ``//p:t_RULE`` is minimal: every attribute in order, with its
effective default, the implicit dependencies (also late-bound ones and those of aspects, which ``build-language`` does
not tell) and the implicit outputs. ``//q:o_RULE`` has a list in the wrong order in every list attribute: which of
them Bazel sorts. Beside it OUTPUT.types.json: the type of every attribute, ``{rule: {attribute: TYPE}}``, which the XML
does not tell. ``tools/make_facts.py`` turns these answers into the table that bzlgraph ships.

    python tools/record/native_rules.py native_rules.json.gz 4.2.3 4.2.3.xml -- bazel --output_user_root=/tmp/ob
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bzlgraph.export.query_formats import build_pb2
from tests.differential.facts import wire
from tests.differential.real.bazel import Bazel

SAMPLES = {
    "STRING": '"x"',
    "LABEL": '":f"',
    "LABEL_LIST": '[":f"]',
    "STRING_LIST": '["x"]',
    "BOOLEAN": "True",
    "INTEGER": "1",
    "TRISTATE": "1",
    "STRING_DICT": '{"a": "b"}',
    "OUTPUT_LIST": '["RULE.out"]',
    "OUTPUT": '"RULE.out"',
    "LABEL_DICT_UNARY": '{"a": ":f"}',
    "LABEL_KEYED_STRING_DICT": '{":f": "x"}',
    "STRING_LIST_DICT": '{"a": ["b"]}',
}
"""A value that satisfies a mandatory attribute of each type."""

LISTS = {"LABEL_LIST": '["//z:b", "//z:a", "//z:c"]', "STRING_LIST": '["b", "a", "c"]'}
"""Lists in an order that no sorting would give."""

ROUNDS = 100
ERROR_LINE = re.compile(r"/p/BUILD:(\d+):")
MISSING_ATTRIBUTE = re.compile(r"/p/BUILD:(\d+):.*missing value for mandatory attribute '(\w+)'")


def main() -> None:
    """Drop the rules this version refuses until the BUILD file is good, then write Bazel's answer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", type=Path)
    parser.add_argument("version")
    parser.add_argument("output", type=Path)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    with gzip.open(options.rules) as stream:
        data = json.load(stream)
    with tempfile.TemporaryDirectory() as folder:
        try:
            answer = ask(Path(folder), rule_calls(data, options.version), options.command)
            lists = list_calls(data, options.version, re.findall(r'"//p:t_(\w+)"', answer))
            write_build_file(Path(folder) / "q", [call_text("o", rule, arguments) for rule, arguments in lists.items()])
            options.output.write_text(query(Path(folder), "//p:all + //q:all", options.command).stdout)
            types = json.dumps(attribute_types(Path(folder), options.command), indent=1, sort_keys=True)
            options.output.with_suffix(".types.json").write_text(types + "\n")
        finally:
            subprocess.run([*options.command, "shutdown"], cwd=folder, capture_output=True, check=False)


def rule_calls(data: dict[str, dict[str, dict[str, Any]]], version: str) -> dict[str, dict[str, str]]:
    """rule -> {mandatory attribute: sample text}, with the attributes of this version where it prints the rule."""
    rules: dict[str, dict[str, Any]] = {}
    for table in data.values():
        for rule, attributes in table.items():
            rules.setdefault(rule, {}).update(attributes)
    rules |= data[version]
    return {
        rule: {
            name: SAMPLES[spec["type"]].replace("RULE", rule)
            for name, spec in sorted(attributes.items())
            if spec.get("mandatory") and name != "name"
        }
        for rule, attributes in sorted(rules.items())
    }


def list_calls(data: dict[str, dict[str, dict[str, Any]]], version: str, rules: list[str]) -> dict[str, dict[str, str]]:
    """rule -> {list attribute: a list in the wrong order}; rules that this version does not print as any does."""
    known = {rule for table in data.values() for rule in table}
    found: dict[str, dict[str, str]] = {rule: {} for rule in rules if rule in known}
    for table in data.values():
        for rule in found.keys() & table.keys():
            if table is not data[version] and rule in data[version]:
                continue
            for name, spec in table[rule].items():
                if spec["type"] in LISTS and name[0] not in "$:":
                    found[rule][name] = LISTS[spec["type"]]
    return found


def ask(folder: Path, calls: dict[str, dict[str, str]], command: list[str]) -> str:
    """The XML for all rules that Bazel accepts. Its messages tell which lines to mend or to drop."""
    (folder / "WORKSPACE").touch()
    rules = list(calls)
    for _ in range(ROUNDS):
        write_build_file(folder / "p", [call_text("t", rule, calls[rule]) for rule in rules])
        done = query(folder, "//p:all", command)
        for line, attribute in MISSING_ATTRIBUTE.findall(done.stderr):
            sample = SAMPLES["LABEL_LIST"] if attribute.endswith("s") and "files" not in attribute else SAMPLES["LABEL"]
            calls[rules[int(line) - 1]][attribute] = sample
        mended = {int(line) for line, _ in MISSING_ATTRIBUTE.findall(done.stderr)}
        errors = "\n".join(line for line in done.stderr.split("\n") if "ERROR" in line)
        bad = {int(line) for line in ERROR_LINE.findall(errors)} - mended
        if not bad and not mended:
            return done.stdout
        print(f"left out: {', '.join(rules[line - 1] for line in sorted(bad))}", file=sys.stderr)
        rules = [rule for number, rule in enumerate(rules, 1) if number not in bad]
    raise SystemExit("Bazel still finds errors; its last words:\n" + errors)


def query(folder: Path, expression: str, command: list[str]) -> subprocess.CompletedProcess[str]:
    """Ask for the XML of targets, errors or not."""
    options = ["--noshow_progress", "--keep_going", "--output=xml", "--xml:default_values"]
    arguments = [*command, "query", *options, expression]
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False)


def attribute_types(folder: Path, command: list[str]) -> dict[str, dict[str, str]]:
    """The types that ``--output=proto`` tells. The numbers are those of Bazel's build.proto."""
    arguments = [*command, "query", "--noshow_progress", "--keep_going", "--output=proto", "//p:all"]
    answer = subprocess.run(arguments, cwd=folder, capture_output=True, check=False).stdout
    names = build_pb2.Attribute.Discriminator
    found = {}
    for target in wire.messages(wire.decode(answer), 1):
        for rule in wire.messages(target, 2):
            attributes = {wire.text(each, 1): names.Name(wire.number(each, 2)) for each in wire.messages(rule, 4)}
            found[wire.text(rule, 1).removeprefix("//p:t_")] = attributes
    return found


def write_build_file(package: Path, lines: list[str]) -> None:
    """One rule a line."""
    package.mkdir(exist_ok=True)
    (package / "BUILD").write_text("\n".join(lines) + "\n")


def call_text(prefix: str, rule: str, arguments: dict[str, str]) -> str:
    """``cc_library(name = "t_cc_library")`` with arguments."""
    extra = "".join(f", {name} = {value}" for name, value in sorted(arguments.items()))
    return f'{rule}(name = "{prefix}_{rule}"{extra})'


def said_of(version: str, calls: Sequence[str]) -> str:
    """What a Bazel complains of where each call stands in a package of its own, p0, p1 ..., beside a filegroup f."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "WORKSPACE").touch()
        for number, call in enumerate(calls):
            place = Path(folder) / f"p{number}"
            place.mkdir()
            (place / "BUILD").write_text(f'filegroup(name = "f")\n{call}\n', encoding="utf-8")
        with Bazel(version, Path(folder).resolve()) as bazel:
            asked = bazel.run("query", "--noshow_progress", "-k", *bazel.repository_options(), "//...")
    return asked.stderr.decode()


if __name__ == "__main__":
    main()
