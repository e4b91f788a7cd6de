"""Makes ``bzlgraph/facts/options.json`` from what real Bazels print about their own options.

    python tools/options/make_options.py 0.19.1='bazel-0.19.1 --output_user_root=/tmp/b' 4.2.3='bazel-4 ...' ...

Each COMMAND is run in a scratch workspace: ``help`` (the commands), ``help COMMAND --long`` (kinds, defaults,
expansions), ``help flags-as-proto`` (options that no help text names), a build of one ``config_setting`` for each
option (what is part of the configuration) and, where the Bazel has it, ``config`` (defaults that no help text tells).
Versions of the file that are not asked for stay as they are.
Format of the file: see ``bzlgraph/facts/options.py``.
"""

from __future__ import annotations

import base64
import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from tools.table_text import table_text

OUTPUT = Path(__file__).parents[2] / "bzlgraph/facts/options.json"
OPTION = re.compile(r"^  --(?P<no>\[no\])?(?P<name>[^\s(\[]+)(?: \[-(?P<short>.)\])?(?: \((?P<kind>.*)\))?$")
DEFAULT = re.compile(r'; default: (?:"(?P<value>.*)"|see description)$', re.DOTALL)
MULTIPLE = "; may be used multiple times"
STARTUP = "startup"
SOURCES = {
    "up to 7.7.1": "asked: tools/options/make_options.py",
    "from 8.0.1 on": "bazel-contrib/bazel-docs@52575ea6bccdd6d11f75d59921a5b0f682e45f37"
    " versions/VERSION/reference/command-line-reference.mdx (tools/options/read_options.py, which names the classes of"
    " Bazel's sources that say which new options are part of the configuration)",
}
FROM_MACHINE = ("cpu", "host_cpu")
"""Options whose default is a property of the machine: the help text says "", ``bazel config`` says which."""
KINDS = {
    "a boolean": "boolean",
    "a tri-state (auto, yes, no)": "tristate",
    "an integer": "integer",
    "a long integer": "integer",
    "a double": "number",
    "a string": "string",
    "a path": "path",
    "a build target label": "label",
    "a label": "label",
    "comma-separated list of options": "list",
    "a 'name=value' assignment": "assignment",
    "a 'name=value' assignment with an optional value part": "assignment",
    "a 'name[=value]' assignment with an optional value part or the special syntax '=name' to unset a variable": (
        "assignment"
    ),
    "a set of compilation modes": "string",
}
CHOICES = re.compile(r"^[\w.-]+(?:, [\w.-]+)* or [\w.-]+$")


@dataclass
class Option:
    """One option of one Bazel, as found."""

    kind: str = "string"
    default: str | None = None
    multiple: bool = False
    short: str = ""
    choices: list[str] = field(default_factory=list)
    expansion: list[str] = field(default_factory=list)
    adds: list[str] = field(default_factory=list)
    commands: set[str] = field(default_factory=set)
    configures: bool = False
    documented: bool = False


def main() -> None:
    """Ask every Bazel of the command line and write the table."""
    tables = read_table(OUTPUT)
    for argument in sys.argv[1:]:
        version, _, command = argument.partition("=")
        tables[version] = ask(shlex.split(command), version)
        print(f"{version}: {len(tables[version])} options", file=sys.stderr)
    in_order = dict(sorted(tables.items(), key=lambda item: [int(part) for part in item[0].split(".")]))
    write_table(in_order)


def write_table(tables: dict[str, dict[str, Option]]) -> None:
    """Write the file: options by version, oldest first."""
    OUTPUT.write_text(table_text(_merged(tables)), encoding="utf-8")


def read_table(path: Path) -> dict[str, dict[str, Option]]:
    """What the file has so far: a Bazel that is not on this machine keeps its options."""
    data = json.loads(path.read_bytes()) if path.exists() else {"versions": [], "commands": [], "options": {}}
    tables: dict[str, dict[str, Option]] = {version: {} for version in data["versions"]}
    for name, entry in data["options"].items():
        spec = None
        for version, table in tables.items():
            spec = entry.get(version, spec)
            if spec:
                kind, default, bits, group, *more = spec
                ends: list[Any] = ["", [], [], []]
                short, choices, expansion, adds = more + ends[len(more) :]
                table[name] = Option(
                    kind, default, bool(bits & 1), short, choices, expansion, adds, set(data["commands"][group]),
                    bool(bits & 2), bool(bits & 4),
                )  # fmt: skip
    return tables


def ask(bazel: list[str], version: str) -> dict[str, Option]:
    """The options of one Bazel."""
    with tempfile.TemporaryDirectory(prefix="bzlgraph-options-") as folder:
        (Path(folder) / "WORKSPACE").touch()
        (Path(folder) / "MODULE.bazel").touch()
        try:
            return _ask(bazel, folder)
        finally:
            _run(bazel, folder, "shutdown")


def _ask(bazel: list[str], folder: str) -> dict[str, Option]:
    found: dict[str, Option] = {}
    listing = _run(bazel, folder, "help")
    names = re.findall(r"^  ([a-z_-]+)  ", listing.partition("Available commands:")[2].partition("\n\n")[0], re.M)
    for command in [*names, STARTUP]:
        topic = "startup_options" if command == STARTUP else command
        for name, option in read_help(_run(bazel, folder, "help", topic, "--long")):
            found.setdefault(name, option).commands.add(command)
    for name, option in read_proto(_run(bazel, folder, "help", "flags-as-proto", errors=False)):
        option.commands -= {"config"}  # a command of ours to ask with, hidden in some versions
        if name in found:
            found[name].commands |= option.commands
        else:
            found[name] = option
    build = [name for name, option in found.items() if "build" in option.commands]
    module = ["--noenable_bzlmod"] if "enable_bzlmod" in found else []
    for name in _part_of_configuration(bazel, folder, build, module):
        found[name].configures = True
    for name, value in _configuration(bazel, folder, module).items():
        if name in found:
            _set_default(found[name], value, name in FROM_MACHINE)
    for name in FROM_MACHINE:
        if name in found and not found[name].default:
            found[name].default = "k8"
    return found


def _set_default(option: Option, value: str | None, from_machine: bool) -> None:
    """Take over what ``bazel config`` tells, where no help text does."""
    if option.multiple or (option.documented and not from_machine):
        return
    option.default = value
    if value in ("AUTO", "YES", "NO") and option.kind == "boolean":
        option.kind, option.default = "tristate", value.lower()


def read_help(text: str) -> Iterator[tuple[str, Option]]:
    """The options that ``help COMMAND --long`` describes."""
    lines = text.split("\n")
    starts = [i for i, line in enumerate(lines) if OPTION.match(line)] + [len(lines)]
    for start, end in pairwise(starts):
        match = OPTION.match(lines[start])
        assert match
        # Lines are broken behind a space, which stays, or behind a hyphen: nothing is to be put between them.
        body = "".join(line[6:] for line in lines[start + 1 : end] if line.startswith("      "))
        yield match["name"], _option(match, body)


def _option(match: re.Match[str], body: str) -> Option:
    kind = match["kind"] or ""
    option = Option(documented=True, short=match["short"] or "")
    default = DEFAULT.search(kind)
    if default:
        option.default, kind = default["value"], kind[: default.start()]
    if kind.endswith(MULTIPLE):
        option.multiple, kind = True, kind.removesuffix(MULTIPLE)
    body = body.partition("Tags: ")[0]
    option.expansion = body.partition("Expands to: ")[2].split()
    option.adds = body.partition("Using this option will also add: ")[2].split()
    option_of_kind(option, kind if match["kind"] else "", bool(match["no"]))
    return option


def option_of_kind(option: Option, kind: str, has_no: bool) -> None:
    """Fill in the kind of an option, and its choices, from the words of the help text; "" where it takes no value."""
    if not kind:
        option.kind = "expansion"
    elif kind in KINDS:
        option.kind = KINDS[kind]
    elif CHOICES.match(kind):
        option.kind, option.choices = "enum", re.split(", | or ", kind)
        if has_no:
            option.kind = "switch"  # an enumeration with a --no form


def read_proto(text: str) -> Iterator[tuple[str, Option]]:
    """The options of ``help flags-as-proto``: a base64 ``FlagCollection`` (src/main/protobuf/bazel_flags.proto)."""
    for _, data in _fields(base64.b64decode(text.strip() or b"")):
        entry: dict[int, list[Any]] = {}
        for number, value in _fields(data):
            entry.setdefault(number, []).append(value)
        no_value = entry.get(10) == [0] and not entry.get(2, [0])[0]
        kind = "boolean" if entry.get(2, [0])[0] else "expansion" if no_value else "string"
        option = Option(kind, None, bool(entry.get(6, [0])[0]), commands={each.decode() for each in entry.get(4, [])})
        option.short = entry[5][0].decode() if 5 in entry else ""
        yield entry[1][0].decode(), option


def _fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a protobuf message: (number, int or bytes)."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        value, at = _varint(data, at)
        if key & 7 == 2:
            value, at = data[at : at + value], at + value  # type: ignore[assignment]
        yield key >> 3, value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return value, at


def _part_of_configuration(bazel: list[str], folder: str, names: list[str], flags: list[str]) -> list[str]:
    """The options that a config_setting can read: Bazel calls the others unknown."""
    rules = [f'config_setting(name = "s_{name}", values = {{"{name}": "xyzzy"}})\n' for name in [*names, "no_such"]]
    (Path(folder) / "BUILD").write_text("".join(rules))
    labels = [f"//:s_{name}" for name in [*names, "no_such"]]
    said = _run(bazel, folder, "build", "--nobuild", "-k", "--noshow_progress", *flags, *labels)
    unknown = set(re.findall(r"unknown option: '(\w+)'", said))
    if "no_such" not in unknown:
        raise SystemExit(f"{bazel}: what is part of the configuration? It said:\n{said[-2000:]}")
    return [name for name in names if name not in unknown]


def _configuration(bazel: list[str], folder: str, flags: list[str]) -> dict[str, str | None]:
    """What ``bazel config`` says that each option is in the target configuration; nothing where there is no such."""
    _run(bazel, folder, "build", "--nobuild", *flags, "//:s_cpu")
    ids = re.findall(r"^([0-9a-f]{12,})\b", _run(bazel, folder, "config", *flags), re.M)
    for each in ids:
        lines = [line.strip().partition(": ") for line in _run(bazel, folder, "config", *flags, each).split("\n")]
        values = {name: None if value == "null" else value for name, colon, value in lines if colon}
        tool = "true" in (values.get("is host configuration"), values.get("is exec configuration"))
        if not tool and values.get("cpu") and values.get("compilation_mode") == "fastbuild":
            return values
    return {}


def _run(bazel: list[str], folder: str, *arguments: str, errors: bool = True) -> str:
    """What Bazel says, on both streams or on stdout only."""
    stderr = subprocess.STDOUT if errors else subprocess.DEVNULL
    done = subprocess.run([*bazel, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=stderr, check=False)
    return done.stdout.decode("utf-8", "replace")


def _merged(tables: dict[str, dict[str, Option]]) -> dict[str, Any]:
    """The table; of an option a version is written where the option changes, null where it is gone."""
    commands: list[list[str]] = []
    options: dict[str, dict[str, Any]] = {}
    for name in sorted({name for table in tables.values() for name in table}):
        last: Any = None
        for version, table in tables.items():
            spec = _spec(table[name], commands) if name in table else None
            if spec != last:
                options.setdefault(name, {})[version] = last = spec
    return {"_sources": SOURCES, "versions": list(tables), "commands": commands, "options": options}


def _spec(option: Option, commands: list[list[str]]) -> list[Any]:
    group = sorted(option.commands)
    if group not in commands:
        commands.append(group)
    flags = option.multiple | option.configures << 1 | option.documented << 2
    more = [option.short, option.choices, option.expansion, option.adds]
    while more and not more[-1]:
        more.pop()
    return [option.kind, option.default, flags, commands.index(group), *more]


if __name__ == "__main__":
    main()
