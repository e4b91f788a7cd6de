"""The process: ``python -m bzlgraph`` and the console script."""

import gc

from bzlgraph.cli import main


def run() -> None:
    """One command line. Ends the process with the exit code."""
    # One question a process: what is made is kept to its end, and the collector would walk it again and again.
    gc.disable()
    try:
        main()
    finally:
        gc.freeze()  # nor when the interpreter goes: the system takes back what it would free


if __name__ == "__main__":
    run()
