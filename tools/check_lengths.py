"""The size of modules: every Python file under bzlgraph/ and tools/ -> the ones that grew too long, and exit code 1.

A module is meant to stay under 400 lines (CONTRIBUTING.md); from 600 on it has more than one job and fails.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
MEANT, LIMIT = 400, 600


def main() -> int:
    """Print the long modules, longest first; 1 when one is over the limit."""
    sizes = {
        path.relative_to(ROOT): len(path.read_text(encoding="utf-8").splitlines())
        for folder in ("bzlgraph", "benchmarks", "tests", "tools")
        for path in (ROOT / folder).rglob("*.py")
    }
    over = sorted((path for path, lines in sizes.items() if lines > LIMIT), key=sizes.__getitem__, reverse=True)
    for path in over:
        print(f"{path}:1:1: error: {sizes[path]} lines, over the limit of {LIMIT}: split it by question")
    long = sum(MEANT < lines <= LIMIT for lines in sizes.values())
    print(f"{len(sizes)} modules, {long} between {MEANT} and {LIMIT} lines, {len(over)} over")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
