"""Adds Bazels that do not run here to ``bzlgraph/facts/options.json``: from their command-line reference.

    python -m tools.options.read_options 8.0.1=PAGE 9.0.0=PAGE ... --after 7.7.1=PAGE

Pages are ``versions/VERSION/reference/command-line-reference.mdx`` of bazel-contrib/bazel-docs, oldest first. A page
has the texts of ``help COMMAND --long``, but it names neither the options that no help text names nor what is part of
the configuration: of an option that the version before has (``--after``: the newest Bazel that was asked, and its page)
these are as they were, of new ones ``CONFIGURES`` says it. An option is gone when the page before names it and this one
does not; it may still be there, hidden.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path

from tools.options.make_options import OUTPUT, STARTUP, Option, option_of_kind, read_table, write_table

SECTION = re.compile(r"^## (?:(?=Options )|(?=.* Options$))(.+?)(?: Options)?$", re.MULTILINE)
INHERITS = re.compile(r"^Inherits all options from \[([\w-]+)\]", re.MULTILINE)
OPTION = re.compile(r"^`--(?P<no>\[no\])?(?P<name>[\w:]+)(?:=(?P<kind>.*?))?`(?: \[`-(?P<short>.)`\])?(?P<rest>.*)$")
ESCAPE = re.compile(r"\\([_*<>\[\]])")
DEFAULT = re.compile(r'default: (?:"`?(?P<value>.*?)`?"|`(?P<code>.*)`)$')
EVERY_COMMAND = "options common to all commands"
TRISTATE = ("auto", "yes", "no")
LONG = 40
"""Choices of an option of which the changes are left out: the list of what a profile tells, which no question reads."""
CONFIGURES = {
    "CoreOptions": (
        "allowed_cpu_values",
        "exec_aspects",
        "experimental_override_platform_cpu_name",
        "incompatible_bazel_test_exec_run_under",
        "incompatible_compact_repo_mapping_manifest",
        "incompatible_disable_select_on",
        "incompatible_filegroup_runfiles_for_data",
        "incompatible_target_cpu_from_platform",
        "verbose_visibility_errors",
    ),
    "CppOptions": (
        "cc_dotd_files",
        "cc_include_scanning",
        "enable_propeller_optimize_absolute_paths",
        "enable_remaining_fdo_absolute_paths",
        "proto_profile",
        "proto_profile_path",
    ),
    "ObjcCommandLineOptions": ("incompatible_builtin_objc_strip_action", "incompatible_strip_executable_safely"),
    "AppleCommandLineOptions": ("use_platforms_in_apple_crosstool_transition",),
    "JavaOptions": ("experimental_java_header_compilation_direct_deps",),
    "PythonOptions": ("experimental_py_binaries_include_label",),
}
"""Options newer than 7.7.1 that are part of the configuration, by the class of Bazel's sources that has them."""


def main() -> None:
    """Read every reference of the command line and write the table."""
    pairs = [argument.partition("=") for argument in sys.argv[1:] if argument != "--after"]
    (before, _, path), *newer = pairs[-1], *pairs[:-1]
    tables = read_table(OUTPUT)
    reference = read_reference(Path(path).read_text("utf-8"))
    for version, _, path in newer:
        next_reference = read_reference(Path(path).read_text("utf-8"))
        tables[version] = following(tables[before], reference, next_reference)
        before, reference = version, next_reference
        print(f"{version}: {len(tables[version])} options", file=sys.stderr)
    write_table(tables)


def following(
    table: dict[str, Option], reference: dict[str, Option], next_reference: dict[str, Option]
) -> dict[str, Option]:
    """The options of the next version: those of ``table``, changed as the two references differ."""
    kept = {name: option for name, option in table.items() if name not in reference or name in next_reference}
    configures = {name for names in CONFIGURES.values() for name in names}
    changed = {
        name: _changed(kept[name], reference[name], option)
        if name in kept and name in reference
        else replace(option, configures=name in configures)
        for name, option in next_reference.items()
    }
    return kept | changed


def _changed(option: Option, described: Option, next_described: Option) -> Option:
    """An option where its description changes: the rest of it is better known than by descriptions."""
    changes = {
        each.name: new
        for each in fields(Option)
        if (new := getattr(next_described, each.name)) != getattr(described, each.name)
        and (new or each.name not in ("expansion", "adds"))
        and (each.name != "choices" or len(next_described.choices) < LONG)
        and (each.name != "choices" or described.kind != "switch")  # these are only in the prose
    }
    if sorted(changes.get("expansion", ())) == sorted(option.expansion):
        changes.pop("expansion", None)  # it is told since 9.1, in an order of its own
    return replace(option, **changes)


def read_reference(text: str) -> dict[str, Option]:
    """The options that one page describes."""
    parts = SECTION.split(ESCAPE.sub(r"\1", text.partition("### Option Effect Tags")[0]))
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    own = {name.lower(): list(_options(body)) for name, body in sections.items()}
    parents = {name.lower(): INHERITS.findall(body) for name, body in sections.items()}
    commands = set(own) - {EVERY_COMMAND, STARTUP, "config"}
    found: dict[str, Option] = {}
    for command, options in own.items():
        using = commands if command == EVERY_COMMAND else {command, *_heirs(command, parents)}
        for name, option in options:
            found.setdefault(name, option).commands.update(using & (commands | {STARTUP}))
    return found


def _heirs(command: str, parents: dict[str, list[str]]) -> Iterator[str]:
    """The commands that have all options of this one."""
    for heir, inherited in parents.items():
        if command in inherited:
            yield heir
            yield from _heirs(heir, parents)


def _options(body: str) -> Iterator[tuple[str, Option]]:
    lines = body.split("\n")
    starts = [i for i, line in enumerate(lines) if OPTION.match(line)] + [len(lines)]
    for start, end in pairwise(starts):
        match = OPTION.match(lines[start])
        assert match
        yield match["name"], _option(match, "\n".join(lines[start + 1 : end]))


def _option(match: re.Match[str], body: str) -> Option:
    default = DEFAULT.search(match["rest"])
    option = Option(documented=True, short=match["short"] or "")
    option.default = html.unescape(default["code"] or default["value"]).strip('"') if default else None
    option.multiple = "multiple uses" in match["rest"]
    option.expansion = _listed(body, "Expands to:")
    option.adds = _listed(body, "Using this option will also add:")
    if match["kind"] is None and match["no"]:
        option.kind = "boolean"
        if option.default and option.default.lower() in TRISTATE:
            option.kind, option.default = "tristate", option.default.lower()
        elif option.default not in ("true", "false", None):
            option.kind = "switch"
            option.choices = sorted({option.default, *re.findall(r"['`](\w+)", body.partition("\n\n")[0])})
    else:
        option_of_kind(option, html.unescape(match["kind"] or "").strip("<>"), bool(match["no"]))
    return option


def _listed(body: str, title: str) -> list[str]:
    """The options of a list below a title: each in a paragraph of its own."""
    block = re.split(r"^    Tags:", body.partition(title)[2], maxsplit=1, flags=re.MULTILINE)[0]
    return [html.unescape(each) for each in re.findall(r"`(--[^`]+)`", block)]


if __name__ == "__main__":
    main()
