"""What real Bazel answers to a command of a module workspace."""

from __future__ import annotations

import re
from pathlib import Path

from tests.differential.real.bazel import Bazel
from tests.modules.cases import REGISTRY, Answer, Command, comparable, file_line, messages, without_folders


def external_folder(bazel: Bazel) -> Path:
    """Where this Bazel has the repositories of its workspace."""
    return Path(bazel.run("info", "output_base").stdout.decode().strip()) / "external"


def ask(bazel: Bazel, command: Command, external: Path) -> Answer:
    """One question, without the folders of this machine."""
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
