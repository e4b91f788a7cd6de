"""python -m tests.modules record|close|open [NAME...]: the recorded answers and the list of ours that are not right.

record  ask real Bazel about the named workspaces (all when none is named) and write expected.txt
close   ask bzlgraph and take what is right by now out of open.txt
open    the same, and what is wrong and new goes there, with --reason
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.differential.real.bazel import Bazel
from tests.modules.cases import REGISTRY, VERSION, Case, cases
from tests.modules.ours import close_answers
from tests.modules.theirs import ask, external_folder


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
    external = external_folder(bazel)
    answers = {command.line: ask(bazel, command, external) for command in case.commands()}
    case.record(answers)
    for command in case.commands():
        said = "\n".join(answers[command.line].messages)
        missing = [word for word in command.words if word not in said]
        if missing:
            print(f"{case.name}: {command.line}: Bazel does not say {missing}")


if __name__ == "__main__":
    main()
