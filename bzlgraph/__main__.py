"""The process: ``python -m bzlgraph`` and the console script."""

import gc

from bzlgraph.cli import main


def run() -> None:
    """One command line. Ends the process with the exit code."""
    try:
        main()
    finally:
        # The interpreter collects once more on its way out: a tenth of a cold answer's time, to free what the system
        # takes back anyway.
        gc.freeze()


if __name__ == "__main__":
    run()
