"""A report on a checkout for CI: fails when a package is broken, tells what is missing, writes the graph for later.

python docs/recipes/report.py CHECKOUT GRAPH.sqlite
"""

import sys

import bzlgraph


def main(checkout: str, graph: str) -> int:
    """1 when a package is broken."""
    ws = bzlgraph.open(checkout)
    health = ws.doctor()
    print(health)
    print(health.missing()[["name", "targets", "edges", "places"]].head(5).to_string(index=False))
    for problem in health.problems:
        print(problem.headline)
    ws.graph("deps(//...)").save(graph)
    return 1 if health.problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
