"""Make ``bzlgraph/facts/native_rules.json``, the table of native rules that bzlgraph ships.

Input: ``native_rules.json.gz`` (``{version: {rule: {attribute: {...}}}}``, from ``bazel info build-language``) and the
answers of ``tools/record/native_rules.py``, one ``VERSION.xml`` per recorded version.
Output, JSON: ``versions``; ``attributes``: distinct ``[name, type, flags, default]``; ``rules``: rule ->
``{"attributes": {version: [indices]}, "outputs": {version: [[template, attribute that must be set or null]]},
"rule_class": {version: name}}``, the last for a rule whose class has another name, as a macro inside Bazel has its own.
A version whose entry equals that of the version before it is left out.

``build-language`` knows types and flags, the XML knows order, effective defaults and late-bound labels. What an old
version does not print is taken from the nearest version that does.

    python tools/make_facts.py native_rules.json.gz 0.19.1.xml 4.2.3.xml -o bzlgraph/facts/native_rules.json
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from bzlgraph.facts.versioned import version_key
from tools.table_text import table_text

FLAGS = {"mandatory": 1, "fixed": 2, "nodep": 4, "cfg_is_host": 8, "executable": 16, "sorted": 32, "cfg_is_exec": 64}
"""Bits of an attribute; bzlgraph/facts/native.py reads them. ``fixed``: select() is not allowed; ``sorted``: Bazel
sorts the list; ``cfg_is_exec``: of what ``cfg_is_host`` says, built for the platform of actions in old Bazels, too."""
RUN_BY_ACTIONS = {("genrule", "exec_tools"), ("proto_lang_toolchain", "plugin")}
"""Tools that Bazel 4.2.3's cquery does not show in HOST; build-language does not tell them apart."""

TAG_TYPES = {"label": "LABEL", "string": "STRING", "boolean": "BOOLEAN", "int": "INTEGER", "tristate": "TRISTATE",
             "license": "LICENSE", "list": "STRING_LIST", "dict": "STRING_DICT", "output": "OUTPUT"}  # fmt: skip
TRISTATES = {"AUTO": -1, "NO": 0, "YES": 1}
SET_BY_BAZEL = {
    "visibility",
    "timeout",
    "licenses",
    "distribs",
    "generator_name",
    "generator_function",
    "generator_location",
}
"""Their effective value in the XML is not the default of the rule class."""

TOOLS = "@bazel_tools//"
ASPECT_ATTRIBUTES = {
    "android_binary": {
        "$aspect_desugar": f"{TOOLS}tools/android:desugar_java8",
        "$dex_archive_dexbuilder": f"{TOOLS}tools/android:dexbuilder",
        ":dex_archive_android_sdk": f"{TOOLS}tools/android:sdk",
    },
    "cc_proto_library": {
        ":aspect_cc_proto_toolchain": "@com_google_protobuf//:cc_toolchain",
        ":cc_toolchain": f"{TOOLS}tools/cpp:toolchain",
        "$cc_toolchain": f"{TOOLS}tools/cpp:current_cc_toolchain",
    },
    "j2objc_library": {
        "$j2objc": f"{TOOLS}tools/j2objc:j2objc_deploy.jar",
        "$j2objc_header_map": f"{TOOLS}tools/j2objc:j2objc_header_map",
        "$j2objc_wrapper": f"{TOOLS}tools/j2objc:j2objc_wrapper",
        "$jre_emul_jar": f"{TOOLS}third_party/java/j2objc:jre_emul.jar",
        "$jre_emul_module": f"{TOOLS}third_party/java/j2objc:jre_emul_module",
        "$jre_lib": f"{TOOLS}third_party/java/j2objc:jre_core_lib",
        ":j2objc_cc_toolchain": f"{TOOLS}tools/cpp:toolchain",
        ":j2objc_proto_toolchain": f"{TOOLS}tools/j2objc:j2objc_proto_toolchain",
    },
    "java_proto_library": {
        ":aspect_java_proto_toolchain": "@com_google_protobuf//:java_toolchain",
        ":host_jdk": f"{TOOLS}tools/jdk:host_jdk",
        ":java_toolchain": f"{TOOLS}tools/jdk:toolchain",
        "$host_jdk": f"{TOOLS}tools/jdk:current_host_java_runtime",
        "$java_toolchain": f"{TOOLS}tools/jdk:current_java_toolchain",
    },
}
"""Attributes that native aspects bring along: XML tells their labels (as inputs), but their names had to be read
in ``--output=proto``."""

FOR_THE_TARGET = (f"{TOOLS}tools/cpp:current_cc_toolchain",)
"""Those that are not built for the host."""

SORTED_IN_EVERY_RULE = frozenset({"features", "tags", "tests", "transitive_configs", "visibility"})
"""Rules that newer versions write in Starlark sort nothing else."""

UNSORTED_TAGS = frozenset({
    "config_feature_flag", "config_setting", "constraint_setting", "constraint_value", "environment", "platform",
    "toolchain",
})  # fmt: skip
"""Rules of the configuration, which are no build rules, keep them as written (asked of Bazel 7.7.1)."""

CONDITIONAL_OUTPUTS = {
    "android_library": [
        ["%{name}.srcjar", "manifest"],
        ["%{name}_symbols/R.txt", "manifest"],
        ["%{name}_resources.jar", "manifest"],
    ],
    "android_binary": [["%{name}_proguard.jar", "proguard_specs"], ["%{name}_proguard.config", "proguard_specs"]],
}
"""Outputs of rules that a target with all attributes unset does not show (seen on TensorFlow 1.12)."""

WRITTEN_BY_MACROS = {"java_binary": "launcher", "java_test": "launcher"}
"""What Bazel 7 writes on a rule by a macro inside it: no default (bzlgraph/bazel/rules/native_macros.py)."""

MARK_OF_STARLARK = "expect_failure"
"""An attribute that all rules made by rule() have, and no other."""

Spec = tuple[str, str, int, Any]


def main() -> None:
    """Read the two sources, merge them per version, write the compact table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", type=Path)
    parser.add_argument("recorded", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    with gzip.open(options.rules) as stream:
        language = json.load(stream)
    recorded = {path.name.removesuffix(".xml"): read_xml(path) for path in options.recorded}
    table = Table(language, recorded)
    options.output.write_text(table_text(dict(sorted(table.compact().items()))), encoding="utf-8")


def read_xml(path: Path) -> dict[str, Recording]:
    """rule class -> what was recorded of it."""
    text = path.read_text().replace('<?xml version="1.1"', '<?xml version="1.0"')
    targets = {node.get("name", ""): node for node in ElementTree.fromstring(text) if node.tag == "rule"}
    minimal = {name.removeprefix("//p:t_"): node for name, node in targets.items() if name.startswith("//p:t_")}
    made_beside = {name for name, node in minimal.items() if _macro_name(node) not in ("", f"t_{name}")}
    minimal = {(node.get("class", "") if name in made_beside else name): node for name, node in minimal.items()}
    types_file = path.with_suffix(".types.json")
    types = json.loads(types_file.read_text()) if types_file.is_file() else {}
    return {
        rule: Recording(node, sorted_lists(targets.get(f"//q:o_{rule}")), types.get(rule, {}))
        for rule, node in minimal.items()
    }


def _macro_name(node: ElementTree.Element) -> str:
    """The ``generator_name`` of a target: a macro inside Bazel may make a second rule beside the one asked for,
    which is kept under its own class."""
    found = (child.get("value") for child in node if child.get("name") == "generator_name")
    return next(found, None) or ""


class Recording(NamedTuple):
    """The minimal target of a rule, the list attributes that Bazel sorts, the types of attributes where recorded."""

    node: ElementTree.Element
    sorted: frozenset[str]
    types: dict[str, str]

    @property
    def in_starlark(self) -> bool:
        """Written in Starlark, in newer versions: build-language tells of the native rule that it replaces."""
        return any(child.get("name") == MARK_OF_STARLARK for child in self.node)


def sorted_lists(node: ElementTree.Element | None) -> frozenset[str]:
    """The attributes whose values, written in the wrong order, came back in order."""
    found = set()
    for child in node if node is not None else ():
        values = [each.get("value", "") for each in child]
        if child.tag == "list" and len(values) == 3 and values == sorted(values):
            found.add(child.get("name", ""))
    return frozenset(found)


class Table:
    """The merge: ``specs(version, rule)`` and ``outputs(version, rule)``."""

    def __init__(self, language: dict[str, Any], recorded: dict[str, dict[str, Recording]]) -> None:
        self.versions = sorted(language, key=version_key)
        self.language = language
        self.recorded = recorded

    def nearest(self, version: str) -> Iterator[str]:
        """All versions: this one, then newer ones from near to far, then older ones."""
        at = self.versions.index(version)
        yield from self.versions[at:]
        yield from reversed(self.versions[:at])

    def recording(self, version: str, rule: str) -> Recording | None:
        """The recorded target for a version; an older version that was not recorded uses the next newer one."""
        at = self.versions.index(version)
        newer = next((v for v in self.versions[at:] if v in self.recorded), None)
        return self.recorded[newer].get(rule) if newer else None

    def known(self, version: str, rule: str, attribute: str) -> tuple[str, int] | None:
        """(type, flags) from the nearest version whose build-language tells them; old ones do not print all flags."""
        entries = [self.language[v].get(rule, {}).get(attribute) for v in self.nearest(version)]
        specs = [entry for entry in entries if entry]
        if not specs:
            return None
        own = specs[0]
        full = next(
            (s for v, s in zip(self.nearest(version), entries, strict=True) if s and version_key(v) >= (0, 24)), own
        )
        flags = FLAGS["mandatory"] * bool(own.get("mandatory"))
        flags |= FLAGS["fixed"] * (full.get("configurable") is False) | FLAGS["nodep"] * bool(full.get("nodep"))
        flags |= FLAGS["cfg_is_host"] * any(s.get("cfg_is_host") for s in specs)
        if (rule, attribute) in RUN_BY_ACTIONS:
            flags |= FLAGS["cfg_is_host"] | FLAGS["cfg_is_exec"]
        flags |= FLAGS["executable"] * any(s.get("executable") for s in specs)
        return own["type"], flags

    def specs(self, version: str, rule: str) -> list[Spec]:
        """The attributes of a rule in a version, in Bazel's order where recorded; none when it has no such rule."""
        recording = self.recording(version, rule)
        starlark = recording is not None and version in self.recorded and recording.in_starlark
        printed = {} if starlark else self.language[version].get(rule, {})
        types = recording.types if recording is not None and version in self.recorded else {}
        found: dict[str, Spec] = {}
        for child in recording.node if recording is not None else ():
            name = child.get("name", "")
            told = version in self.recorded or not printed or name in printed or name[0] in "$:" or name in SET_BY_BAZEL
            if child.tag in TAG_TYPES and told:
                kind, flags = self.known(version, rule, name) or (guess_type(child), 0)
                kind = types.get(name, kind)
                if starlark and kind.startswith("LABEL"):
                    flags &= ~FLAGS["nodep"]
                flags |= FLAGS["nodep"] * (kind == "STRING" and child.tag == "label")
                written = name in SET_BY_BAZEL or (starlark and WRITTEN_BY_MACROS.get(rule) == name)
                default = None if flags & FLAGS["mandatory"] or written else xml_value(child, kind)
                default = [] if name == "$config_dependencies" else default  # of what a macro inside Bazel wrote
                found[name] = (name, kind, flags, default if name != "name" else None)
        for name, spec in sorted(printed.items()):
            if name not in found:
                kind, flags = self.known(version, rule, name) or (spec["type"], 0)
                found[name] = (name, kind, flags, self.default(version, rule, name))
        if found:
            recording = recording or self.recorded[self.recorded_version(version)].get(rule)
            newer = version_key(version) > max(map(version_key, self.recorded))
            ordered = recording.sorted if recording is not None else frozenset()
            if newer:
                ordered = SORTED_IN_EVERY_RULE - (frozenset({"tags"}) if rule in UNSORTED_TAGS else frozenset())
            for name in ordered & found.keys():
                found[name] = (name, found[name][1], found[name][2] | FLAGS["sorted"], found[name][3])
            found |= {spec[0]: spec for spec in self.of_aspects(version, rule) if spec[0] not in found}
        return list(found.values())

    def of_aspects(self, version: str, rule: str) -> list[Spec]:
        """What a rule depends on through the aspects of its attributes, as far as the recorded inputs confirm it."""
        recording = self.recording(version, rule) or self.recorded[self.recorded_version(version)].get(rule)
        if recording is None:
            return []
        inputs = {child.get("name") for child in recording.node if child.tag == "rule-input"}
        named = ASPECT_ATTRIBUTES.get(rule, {})
        flags = {name: 0 if label in FOR_THE_TARGET else FLAGS["cfg_is_host"] for name, label in named.items()}
        return [(name, "LABEL", flags[name], label) for name, label in named.items() if label in inputs]

    def recorded_version(self, version: str) -> str:
        """The recorded version nearest to ``version``."""
        return next(v for v in self.nearest(version) if v in self.recorded)

    def default(self, version: str, rule: str, name: str) -> Any:
        """The default that build-language prints, from the nearest version that prints one; the type's zero otherwise.

        Late-bound labels (``:x``) have none there: they come from the newest recording that has the attribute.
        """
        spec = next(s for v in self.nearest(version) if (s := self.language[v].get(rule, {}).get(name)))
        if name in SET_BY_BAZEL or name in ("name", "deprecation") or spec.get("mandatory"):
            return None
        if name.startswith(":") or version_key(version) < (0, 24):
            for recorded in sorted(self.recorded, key=version_key, reverse=True):
                found = self.recorded[recorded].get(rule)
                for child in found.node if found is not None else ():
                    if child.get("name") == name and child.tag in TAG_TYPES:
                        return xml_value(child, spec["type"])
        return proto_value(spec)

    def outputs(self, version: str, rule: str) -> list[list[Any]]:
        """Implicit outputs; versions newer than all recordings have those of the newest recording."""
        newest = max(self.recorded, key=version_key)
        recording = self.recording(version, rule)
        elsewhere = [self.recorded[v].get(rule) for v in (newest, *self.recorded)]
        for candidate in [recording] if recording is not None else elsewhere:
            if candidate is not None:
                names = [c.get("name", "").partition(":")[2] for c in candidate.node if c.tag == "rule-output"]
                plain: list[list[Any]] = [[n.replace(f"t_{rule}", "%{name}"), None] for n in names if f"t_{rule}" in n]
                return plain + CONDITIONAL_OUTPUTS.get(rule, [])
        return []

    def rule_class(self, version: str, rule: str) -> str | None:
        """What Bazel calls the targets of a rule; None where that was not recorded."""
        recording = self.recorded.get(version, {}).get(rule)
        return recording.node.get("class") if recording is not None else None

    def compact(self) -> dict[str, Any]:
        """The whole table with interned attributes and repeated versions left out."""
        interned: dict[str, int] = {}
        rules: dict[str, Any] = {}
        for rule in sorted({r for table in (*self.language.values(), *self.recorded.values()) for r in table}):
            entry: dict[str, dict[str, Any]] = {"attributes": {}, "outputs": {}, "rule_class": {}}
            for kind, before in (("attributes", None), ("outputs", []), ("rule_class", rule)):
                for version in self.versions:
                    if kind == "attributes":
                        now: Any = [
                            interned.setdefault(json.dumps(s), len(interned)) for s in self.specs(version, rule)
                        ]
                    elif kind == "outputs":
                        now = self.outputs(version, rule) if entry["attributes"] else []
                    else:
                        now = self.rule_class(version, rule) or before
                    if now != before:
                        entry[kind][version] = before = now
            rules[rule] = {
                kind: of_versions for kind, of_versions in entry.items() if of_versions or kind == "attributes"
            }
        return {"versions": self.versions, "attributes": [json.loads(text) for text in interned], "rules": rules}


def guess_type(node: ElementTree.Element) -> str:
    """The type of an attribute that no build-language prints, by its looks in the XML."""
    if node.tag == "list" and any(child.tag == "label" for child in node):
        return "LABEL_LIST"
    if node.tag == "list" and node.get("name", "")[0] in "$:":
        return "LABEL_LIST"
    return TAG_TYPES[node.tag]


def xml_value(node: ElementTree.Element, kind: str) -> Any:
    """The value of one attribute element. Sample values of ours (``//p:f``) do not count."""
    value = node.get("value")
    if value is not None and value.startswith("//p:"):
        return None
    match node.tag:
        case "boolean":
            return value == "true"
        case "int":
            return int(value or "0")
        case "tristate":
            return TRISTATES[value or "AUTO"]
        case "list":
            return [v for child in node if (v := child.get("value", "")) and not v.startswith("//p:")]
        case "dict":
            return {}
        case "string" | "label" | "output":
            return value if value is not None or kind != "STRING" or node.get("name") == "deprecation" else ""
    return None


def proto_value(spec: dict[str, Any]) -> Any:
    """build-language's text form of a default (``bool: true``, ``list { string: "x" }``), or the type's zero."""
    text = spec.get("default", "")
    strings = [s.replace("@@", "@", 1) for s in re.findall(r'string: "((?:[^"\\]|\\.)*)"', text)]
    match spec["type"]:
        case "BOOLEAN":
            return text == "bool: true"
        case "INTEGER":
            return int(text.removeprefix("int: ") or "0")
        case "TRISTATE":
            return int(text.removeprefix("int: ") or "-1")
        case "STRING":
            return strings[0] if strings else ""
        case "LABEL" | "OUTPUT" | "LICENSE" | "DISTRIBUTION_SET":
            return strings[0] if strings else None
        case kind if kind.endswith("LIST"):
            return strings
    return {}


if __name__ == "__main__":
    main()
