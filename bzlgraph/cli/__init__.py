"""The command line: thin. Each command parses its options, asks a layer below, and prints the answer."""

from bzlgraph.cli.main import main

__all__ = ["main"]
