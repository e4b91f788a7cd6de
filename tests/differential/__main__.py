"""python -m tests.differential [record|install|compare] ...: see the modules of the same names."""

from __future__ import annotations

import argparse
import sys

from tests.differential import bazel, fixtures


def main() -> int:
    """Runs one command; the exit code is 1 when unexplained differences remain."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    commands = parser.add_subparsers(dest="command")
    recording = commands.add_parser("record", help="re-record tests/workspaces/*/expected from real Bazel")
    recording.add_argument("names", nargs="*", help="fixture workspaces (all when none is named)")
    installing = commands.add_parser("install", help="install real Bazels from npm into the cache folder")
    installing.add_argument("versions", nargs="*", default=["0.19.1"])
    options = parser.parse_args()
    if options.command == "record":
        fixtures.record(options.names)
    elif options.command == "install":
        for version in options.versions:
            bazel.install(version)
    return 0


if __name__ == "__main__":
    sys.exit(main())
