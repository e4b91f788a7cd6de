"""What bzlgraph answers to a command of a module workspace, and how that differs from Bazel.

open.txt holds the answers that are not right yet: a heading `## reason`, then lines `case: command`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.sources.source import Source
from bzlgraph.workspace.workspace import open_workspace
from tests.modules.cases import HERE, VERSION, Answer, Case, Command, comparable, file_line, without_folders
from tests.modules.cases import cases as all_cases
from tests.modules.explained import explained

OPEN = HERE / "open.txt"
_PRINTS_ALL = (0, 3)
"""Exit codes with which Bazel prints an answer."""
_SAME_CODE = (0, 3, 7)
"""Exit codes that mean the same to bzlgraph; with any other it only has to fail."""


def answer(command: Command, root: Path) -> Answer:
    """Asks bzlgraph in this process."""
    from bzlgraph.cli.main import main

    options, rest = command.split(root)
    if command.verb == "files":
        return _files(options, rest, root)
    line = ["--no_cache", "--jobs=1", "--bazel_version", VERSION]
    with CliRunner().isolation() as (out, err, _mixed), chdir(root):
        try:
            main([*line, *command.verb.split(), *options, "--", *rest])
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 0
        printed, said = out.getvalue().decode("utf-8"), err.getvalue().decode("utf-8")
    return Answer(code, comparable(command, printed, root) if code in _PRINTS_ALL else (), tuple(said.splitlines()))


def _files(options: list[str], repositories: list[str], root: Path) -> Answer:
    registries = tuple(option.removeprefix("--registry=") for option in options)
    repository_options = RepositoryOptions(registries=registries)
    workspace = open_workspace(root, Options(bazel_version=VERSION, repositories=repository_options))
    lines = []
    for name in repositories:
        tree = workspace.repository(workspace.names.of_canonical(name)).tree
        lines += [file_line(name, path, tree.source.read(path)) for path in _paths(tree.source)]
    return Answer(0, tuple(without_folders(line, root) for line in lines))


def _paths(source: Source, folder: str = "") -> list[str]:
    files, folders = source.entries(folder)
    below = [path for name in folders for path in _paths(source, f"{folder}{name}/".removesuffix("/"))]
    return sorted([f"{folder}/{name}".removeprefix("/") for name in files] + below)


def differences(command: Command, theirs: Answer, ours: Answer) -> list[str]:
    """How the answers differ, in words."""
    return list(_differences(command, theirs, ours))


def _differences(command: Command, theirs: Answer, ours: Answer) -> Iterator[str]:
    reason = explained(theirs, ours)
    same = ours.exit_code == theirs.exit_code if theirs.exit_code in _SAME_CODE else ours.exit_code != 0
    if not same and not (reason.fetched and ours.exit_code in _PRINTS_ALL):
        yield f"exit code {ours.exit_code}, Bazel's is {theirs.exit_code}: {' | '.join(ours.messages[:3])}"
    said = "\n".join(ours.messages)
    yield from (f"the message lacks {word!r}: {said}" for word in command.words if word not in said)
    expected, found = theirs.output, tuple(line for line in ours.output if line not in reason.lines)
    if theirs.exit_code in _PRINTS_ALL and expected != found:
        yield from (f"lacks: {line}" for line in expected if line not in found)
        yield from (f"has too many: {line}" for line in found if line not in expected)
        if sorted(expected) == sorted(found):
            yield "the order is another"


def open_answers() -> dict[tuple[str, str], str]:
    """(case, command) -> why our answer is not right yet."""
    found, reason = {}, ""
    for line in OPEN.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            reason = line.removeprefix("## ")
        elif match := re.fullmatch(r"(\w+): (.+)", line):
            found[match[1], match[2]] = reason
    return found


def close_answers(cases: Iterable[Case], root: Path, new: str = "") -> None:
    """Take what is right by now, or not asked any more, out of open.txt. With ``new``, what is not right goes there for
    that reason."""
    reasons = {key: reason for key, reason in open_answers().items() if key in asked()}
    for case in cases:
        case.lay_out(root)
        expected = case.expected()
        for command in case.commands():
            key = case.name, command.line
            if not differences(command, expected[command.line], answer(command, root)):
                reasons.pop(key, None)
            elif new:
                reasons.setdefault(key, new)
    _write(reasons)


def asked() -> set[tuple[str, str]]:
    """(case, command) of all that is asked."""
    return {(case.name, command.line) for case in all_cases() for command in case.commands()}


def _write(reasons: dict[tuple[str, str], str]) -> None:
    text = "# Answers that are not right yet. `python -m tests.modules close` takes out what is right by now.\n"
    for reason in dict.fromkeys(reasons.values()):
        lines = sorted(key for key, each in reasons.items() if each == reason)
        text += f"\n## {reason}\n" + "".join(f"{name}: {line}\n" for name, line in lines)
    OPEN.write_text(text, encoding="utf-8")
