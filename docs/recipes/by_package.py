"""What two configurations differ in, package by package.

python docs/recipes/by_package.py CHECKOUT EXPRESSION OPTIONS... --vs OPTIONS...
"""

import sys

import bzlgraph


def main(checkout: str, expression: str, *options: str) -> int:
    """Print a line per package, the one with most differences first."""
    left, right = list(options), []
    if "--vs" in options:
        at = options.index("--vs")
        left, right = list(options[:at]), list(options[at + 1 :])
    found = bzlgraph.open(checkout).diff_config(expression, left, right).to_frame()
    packages = found["target"].map(lambda label: label.partition(":")[0])
    print(f"{len(found)} differences in {packages.nunique()} packages")
    if len(found):
        print(found.groupby([packages, "what", "change"]).size().sort_values(ascending=False).to_string())
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
