"""The process: ``python -m bzlgraph`` and the console script."""

from __future__ import annotations

import gc
import os
import sys

from bzlgraph import __version__
from bzlgraph.cache import answers
from bzlgraph.defaults import files, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bzlgraph.snapshot.command_line import Asked

_VERSION = (["--version"], ["version"])
"""What asks for the version, which click would be imported for."""


def run() -> None:
    """One command line. Ends the process with the exit code."""
    # One question a process: what is made is kept to its end, and the collector would walk it again and again.
    gc.disable()
    typed = sys.argv[1:]
    defaults = files.read(words.folder_of(typed))
    if defaults.refused:
        _warn(defaults.refused)
    arguments = words.with_defaults(typed, defaults)
    try:
        code = _answered_early(arguments)
        if code is not None:
            os._exit(code)  # all is written: taking the interpreter apart would take 2 ms
        from bzlgraph.cli import main, transcript

        transcript.begin(arguments)
        main(typed, defaults)
    finally:
        gc.freeze()  # nor when the interpreter goes: the system takes back what it would free


def _laid_out(text: bytes, asked: Asked) -> bytes:
    """An answer as stdout shows it."""
    is_terminal = answers.terminal_columns(sys.stdout)
    if not is_terminal and asked.color != "yes":
        return text
    from bzlgraph.base.words import Prose, visible

    if not isinstance(text, Prose) and not asked.link_template:
        return visible(text.decode("utf-8", "backslashreplace")).encode() if is_terminal else text
    from bzlgraph.cli.terminal.layout import as_shown, look_now

    if is_terminal and asked.link_template:
        from bzlgraph.base.links import Links, use

        use(Links(asked.link_template, files.checkout_root(asked.folder) or ""))
    return as_shown(text, look_now(asked.color))


def _warn(refused: list[str]) -> None:
    """Tell what a file of defaults may not say."""
    from bzlgraph.base.words import visible

    if sys.stderr is not None:
        sys.stderr.write(visible("".join(f"warning: {each}\n" for each in refused)))


def _answered_early(arguments: list[str]) -> int | None:
    """The exit code, where an answer given before was given again, or one was made from the graph that an earlier
    question left, or nothing but the version was asked for; else None.

    What goes wrong ends as with an answer that is made the full way.
    """
    try:
        if arguments in _VERSION and sys.stdout is not None:
            sys.stdout.write(f"bzlgraph, version {__version__}\n")
            sys.stdout.flush()
            return 0
        if answers.repeat(arguments):
            return 0
        from bzlgraph.snapshot import answer

        return answer.answer(arguments, _laid_out)
    except (OSError, KeyboardInterrupt) as problem:
        from bzlgraph.cli.conclude import stopped

        sys.exit(stopped(problem))


if __name__ == "__main__":
    run()
