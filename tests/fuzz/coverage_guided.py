"""python -m tests.fuzz.coverage_guided TARGET [libFuzzer's options]: inputs that reach new code, by atheris.

For hours by hand: ``-max_total_time=3600``. Needs the package atheris (CPython 3.11 to 3.13 on Linux). The corpus grows
below ``build/fuzz/corpus``; what ends the process lies in the folder it was started in, as libFuzzer leaves it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path


def main(words: Sequence[str]) -> None:
    """Fuzz until something breaks, or as long as the options say."""
    import atheris

    with atheris.instrument_imports(include=["bzlgraph"]):
        from tests.fuzz.targets import TARGETS

        target = TARGETS[words[0]]
        target.outcome(b"")  # imports what it reads with
    folder = Path("build/fuzz/corpus", target.name)
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(target.mutator().corpus):
        (folder / f"seed-{number}").write_bytes(text)
    atheris.Setup(["fuzz", str(folder), *words[1:]], lambda data: target.outcome(data) and None)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
