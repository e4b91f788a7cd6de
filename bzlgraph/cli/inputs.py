"""What a command reads: an expression, or a file by path, by label, or ``-`` for stdin.

Paths start in the folder of ``-C``, as labels do. What stdin says is not in the command line: such an answer is never
given again.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.label import LabelError, parse
from bzlgraph.cache import looks
from bzlgraph.cli import transcript

STDIN = "-"
SHOWN_STDIN = "<stdin>"


def expression_of(words: Sequence[str], query_file: Path | None, default: str = "") -> str:
    """The expression. Raises UsageProblem when there is none, or two."""
    if query_file is None and not words and not default:
        import click  # where something is missing only

        from bzlgraph.cli.complaints import example_of

        hint = example_of(click.get_current_context(silent=True))
        raise UsageProblem(Diagnostic("missing EXPR (or --query_file)", hint=hint))
    if query_file is not None and words:
        raise UsageProblem("EXPR and --query_file cannot be combined")
    if list(words) == [STDIN] or (query_file is not None and str(query_file) == STDIN):
        return _decoded(read_stdin(), "stdin")
    if query_file is None:
        return " ".join(words) or default
    try:
        looks.look(str(query_file.absolute()))
        return _decoded(query_file.read_bytes(), f"--query_file={query_file}")
    except OSError as error:
        raise UsageProblem(f"--query_file={query_file}: {error.strerror}") from None


def read_stdin() -> bytes:
    """All of stdin. Raises UsageProblem where it is closed."""
    if sys.stdin is None:
        raise UsageProblem("'-' means stdin, which is closed")
    transcript.forget()
    return sys.stdin.buffer.read()


def shown_path(word: str) -> str:
    """A file as messages name it."""
    return SHOWN_STDIN if word == STDIN else word


def read_file(directory: str, word: str) -> bytes:
    """The content of a file of the checkout, or of any other by its path. Raises UsageProblem, OSError."""
    if word in (STDIN, SHOWN_STDIN):
        return read_stdin()
    return (_labelled(directory, word) if word.startswith(("//", "@", ":")) else Path(directory, word)).read_bytes()


def _labelled(directory: str, word: str) -> Path:
    """The file that a label of the checkout names; of a package its BUILD file. Raises UsageProblem."""
    from bzlgraph.workspace.workspace import find_root

    root = find_root(Path(directory))
    here = Path(directory).resolve().relative_to(root).as_posix()
    try:
        label = parse(word, "", "" if here == "." else here)
    except LabelError as error:
        raise UsageProblem(f"'{word}': {error}") from None
    if label.repo:
        message = f"'{word}' is outside the checkout: only files inside it have labels"
        raise UsageProblem(Diagnostic(message, hint="give the path of the file"))
    folder = root / label.package
    names = (label.name,) if ":" in word else ("BUILD.bazel", "BUILD")
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    if found is None:
        package = f"//{label.package}"
        if ":" not in word:
            raise UsageProblem(f"there is no BUILD file in {package}")
        hint = f"{package} is the BUILD file of its package; 'bzlgraph expand {word}' shows a target"
        raise UsageProblem(Diagnostic(f"'{word}' names no file", hint=hint))
    return found


def _decoded(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageProblem(f"{where}: {error}") from None
