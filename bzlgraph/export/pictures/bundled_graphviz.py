"""The Graphviz inside pygraphviz's wheel, as a program: dot on stdin -> picture on stdout.

``python -m bzlgraph.export.pictures.bundled_graphviz dot svg -Gsplines=true``; ``render`` runs it where there is no
``dot``.
"""

from __future__ import annotations

import sys


def main(arguments: list[str]) -> int:
    """Draw. Returns the exit code."""
    try:
        import pygraphviz
    except ImportError:
        print("neither a `dot` program nor pygraphviz is installed", file=sys.stderr)
        return 1
    engine, output, *options = arguments
    graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
    for option in options:
        name, _, value = option.removeprefix("-G").partition("=")
        graph.graph_attr[name] = value
    sys.stdout.buffer.write(graph.draw(format=output, prog=engine))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
