"""python -m tests.modules record|close|open [NAME...]: the recorded answers and the list of ours that are not right.

record  ask real Bazel about the named workspaces (all when none is named) and write expected.txt
close   ask bzlgraph and take what is right by now out of open.txt
open    the same, and what is wrong and new goes there, with --reason
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

from tests.differential.real.bazel import Bazel
from tests.modules.cases import (
    REGISTRY,
    VERSION,
    Answer,
    Case,
    Command,
    cases,
    comparable,
    file_line,
    messages,
    without_folders,
)
from tests.modules.ours import close_answers


def main() -> None:
    """Runs one command."""
    parser = argparse.ArgumentParser(prog="python -m tests.modules", description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=("record", "close", "open"))
    parser.add_argument("names", nargs="*")
    parser.add_argument("--reason", default="", help="why the answers are not right yet")
    options = parser.parse_args()
    chosen = [case for case in cases() if not options.names or case.name in options.names]
    with tempfile.TemporaryDirectory(prefix="bzlgraph-modules-") as folder:
        if options.command != "record":
            close_answers(chosen, Path(folder), options.reason)
            return
        with Bazel(VERSION, Path(folder), others=(REGISTRY,)) as bazel:
            for case in chosen:
                _record(case, bazel)
                print(f"recorded: {case.name}", flush=True)


def _record(case: Case, bazel: Bazel) -> None:
    """Ask Bazel; tell of messages that lack a word which commands.txt names. One server does for all workspaces, which
    take turns in its folder: to start one takes longer than all that it is asked."""
    case.lay_out(bazel.tree)
    external = Path(bazel.run("info", "output_base").stdout.decode().strip()) / "external"
    answers = {command.line: _ask(bazel, command, external) for command in case.commands()}
    case.record(answers)
    for command in case.commands():
        said = "\n".join(answers[command.line].messages)
        missing = [word for word in command.words if word not in said]
        if missing:
            print(f"{case.name}: {command.line}: Bazel does not say {missing}")


def _ask(bazel: Bazel, command: Command, external: Path) -> Answer:
    options, rest = command.split(bazel.tree)
    if command.verb == "files":
        return _files(bazel, options, rest, external)
    first, *subcommand = command.verb.split()
    done = bazel.run(first, *subcommand, "--noshow_progress", *options, "--", *rest)
    stdout, stderr = done.stdout.decode(), done.stderr.decode()
    if command.verb == "query":  # bzlgraph mod tells places from the workspace
        stdout = _followed(stdout, external, bazel.tree)
    return Answer(done.returncode, comparable(command, stdout, bazel.tree), messages(stderr, bazel.tree))


def _followed(text: str, external: Path, root: Path) -> str:
    """Text with the places that files of the workspace and of the registry have, where Bazel names its own links."""

    def place(match: re.Match[str]) -> str:
        found = Path(match[0]).resolve()
        return str(found) if found.is_relative_to(root) or found.is_relative_to(REGISTRY) else match[0]

    return re.sub(rf"{re.escape(str(external))}/[^\s:\"]+", place, text)


def _files(bazel: Bazel, options: list[str], repositories: list[str], external: Path) -> Answer:
    """Bazel fetches what a query asks for."""
    lines = []
    for name in repositories:
        bazel.run("query", *options, f"@@{name}//...")
        folder = external / name
        paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        lines += [file_line(name, path, (folder / path).read_bytes()) for path in paths]
    return Answer(0, tuple(without_folders(line, bazel.tree) for line in lines))


if __name__ == "__main__":
    main()
