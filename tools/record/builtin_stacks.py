"""Make ``bzlgraph/facts/builtin_stacks.json``: where the .bzl files inside Bazel make and define rules of its own.

Bazel 7 writes many of its rules in Starlark, some behind a macro; ``--output=build`` tells the calls, as it does for
anybody's rules. The repository rules of its @bazel_tools stand there too, as ``LABEL%NAME``.
Output, JSON: version -> rule -> ``{"made": [frame, ...], "defined": [frame, ...]}``, a frame being
[function, path, line, column], innermost first.

    python tools/record/builtin_stacks.py 7.7.1 > bzlgraph/facts/builtin_stacks.json
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from bzlgraph.export.bazel_view.place import NOT_EXECUTABLE
from bzlgraph.facts.native import WORKSPACE_RULES, rule_names
from tests.differential.real.bazel import Bazel
from tools.table_text import table_text

_NOT_RULES = WORKSPACE_RULES | {"environment_group", "package_group", "workspace"}
_APART = "create_executable = False"
_INSIDE = "/virtual_builtins_bzl/"
_RULES = "tools/build_defs/repo"
_CLASS = re.compile(r"^(\w+)\($", re.MULTILINE)
_FRAME = re.compile(r"#   (\S+):(\d+):(\d+) +in (.+)")
Frame = tuple[str, str, int, int]


def main() -> None:
    """One question to each version."""
    table = {version: dict(sorted(_record(version).items())) for version in sys.argv[1:]}
    sys.stdout.write(table_text(table))


def _record(version: str) -> dict[str, dict[str, list[Frame]]]:
    """Each rule that this Bazel writes in Starlark -> its frames."""
    calls = [f'{name}(name = "made_{name}")\n' for name in rule_names() if name not in _NOT_RULES]
    calls.append(f'java_binary(name = "apart", {_APART})\n')
    with tempfile.TemporaryDirectory(prefix="builtin-stacks-") as folder:
        (Path(folder) / "WORKSPACE").touch()
        for number, call in enumerate(calls):  # one package each: a name that this Bazel lacks spoils its own only
            (Path(folder) / f"p{number}").mkdir()
            (Path(folder) / f"p{number}" / "BUILD").write_text(call)
        with Bazel(version, Path(folder)) as bazel:
            text = bazel.query("//...", "--output=build").output.decode()
            tools = bazel.fetched()["bazel_tools"]
    found = _repository_rules(tools)
    for rule in text.split("\n\n"):
        name = _CLASS.search(rule)
        made, _, defined = rule.partition(" defined at (most recent call last):")
        entry = {"made": _frames(made), "defined": _frames(defined)}
        if name is not None and any(entry.values()):
            found[name.group(1) + NOT_EXECUTABLE * (_APART in made)] = entry
    return found


def _repository_rules(tools: Path) -> dict[str, dict[str, list[Frame]]]:
    """The repository rules in a folder of @bazel_tools, each with the place of the parenthesis that opens its call."""
    found = {}
    for path in sorted((tools / _RULES).glob("*.bzl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = re.match(r"(\w+) = repository_rule(?=\()", line)
            if match is not None:
                frame = ("<toplevel>", f"external/bazel_tools/{_RULES}/{path.name}", number, match.end() + 1)
                found[f"@bazel_tools//{_RULES}:{path.name}%{match[1]}"] = {"made": [], "defined": [frame]}
    return found


def _frames(text: str) -> list[Frame]:
    """The frames inside Bazel, innermost first."""
    frames = ((function, path, int(line), int(column)) for path, line, column, function in _FRAME.findall(text))
    return [frame for frame in frames if frame[1].startswith(_INSIDE)][::-1]


if __name__ == "__main__":
    main()
