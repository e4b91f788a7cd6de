"""Answers that were given before: printed again when nothing has changed that they were made from.

An answer is kept under its question: the command line, the folder it was asked in, the environment, whether a terminal
shows it, and the code that answers. Beside it stands all that was looked at on disk (``looks.py``); it is given again
only if every look still holds. One file each, sealed with the user's own key, so that nothing that somebody else wrote
or damaged is ever printed.

Kept are whole answers: exit code 0, no problem, no limit that cut it short. One that went into a file is written there
again, whatever became of the file.
This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

import marshal
import os
import sys
from _blake2 import blake2b

from bzlgraph.cache import counters
from bzlgraph.cache.code import code_version
from bzlgraph.cache.looks import Looks
from bzlgraph.cache.private import cache_home, is_private_file, is_private_folder, make_folder, state_home
from bzlgraph.cache.seal import NoKey, Seal, user_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

FOLDER = "answers"
MAX_BYTES = 32 << 20
"""No larger answer is kept."""
MAX_KEPT = 256 << 20
"""All answers together; the oldest go first."""
_PASSING = frozenset(
    "_ SHLVL OLDPWD PWD COLUMNS LINES ALACRITTY_LOG ALACRITTY_SOCKET ALACRITTY_WINDOW_ID DBUS_SESSION_BUS_ADDRESS "
    "GNOME_TERMINAL_SCREEN GPG_TTY INVOCATION_ID ITERM_SESSION_ID JOURNAL_STREAM KITTY_PID KITTY_WINDOW_ID "
    "KONSOLE_DBUS_SESSION KONSOLE_DBUS_WINDOW SESSION_MANAGER SHELL_SESSION_ID SSH_AGENT_PID SSH_AUTH_SOCK SSH_CLIENT "
    "SSH_CONNECTION SSH_TTY STARSHIP_SESSION_KEY STY TERM_SESSION_ID TMUX TMUX_PANE VSCODE_GIT_IPC_HANDLE "
    "VSCODE_IPC_HOOK_CLI WEZTERM_PANE WEZTERM_UNIX_SOCKET WINDOW WINDOWID WT_SESSION XDG_SESSION_ID".split()
)
"""Variables that say nothing about a question but change all the time: those of a shell, and what tells a terminal, a
login or an agent from another one. The first question in a second terminal is a question asked again."""
_SEAL_BYTES = 20


def question(arguments: Sequence[str]) -> bytes:
    """The key of a question. Raises OSError where there is no current folder any more."""
    terminals = [str(terminal_columns(sys.stdout)), str(sys.stderr is not None and sys.stderr.isatty())]
    parts = [code_version(), sys.executable, os.getcwd(), *terminals, str(len(arguments)), *arguments, *environment()]
    digest = blake2b(digest_size=20)
    for part in parts:
        data = part.encode("utf-8", "surrogateescape")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()


def terminal_columns(stream: TextIO | None) -> int:
    """How wide the terminal behind a stream is (``COLUMNS`` counts more than what it says); 0 where there is none."""
    if stream is None or not stream.isatty():
        return 0
    told = os.environ.get("COLUMNS", "")
    if told.isascii() and told.isdigit() and int(told):
        return int(told)
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def environment() -> list[str]:
    """The variables of the environment that a question may depend on."""
    return sorted(f"{name}={value}" for name, value in os.environ.items() if name not in _PASSING)


def find(arguments: Sequence[str]) -> tuple[bytes, bytes, str] | None:
    """The answer to this question and what stderr was told, if that is still so; the file it goes to, "" for stdout."""
    folder, home = folder_named(arguments), state_home()
    if folder is None or home is None or not (is_private_folder(folder) and is_private_folder(home)):
        return None
    try:
        key = question(arguments)
        data = _read(_path(folder, key))
        if data is None or not _seal().holds(data[:_SEAL_BYTES], key, data[_SEAL_BYTES:]):
            return None
        seen, out, told, file = marshal.loads(data[_SEAL_BYTES:])
        looks = Looks(seen)
        counters.count(counters.LOOKED_AT, len(looks.states))
        return (out, told, file) if looks.hold() else None
    except (OSError, NoKey, ValueError, TypeError, EOFError):
        return None


def repeat(arguments: Sequence[str]) -> bool:
    """Give the answer that was given before, if it still is the answer. Raises OSError when stdout cannot take it; of a
    file that cannot, the full way tells."""
    given = find(arguments) if sys.stdout is not None else None
    if given is None:
        return False
    out, told, file = given
    if file and not _written(file, out):
        return False
    if "--profile" in arguments:
        told += "".join(f"{line}\n" for line in counters.lines("the same question was answered before")).encode()
    sys.stdout.buffer.write(b"" if file else out)
    sys.stdout.flush()
    if sys.stderr is not None:
        sys.stderr.buffer.write(told)
        sys.stderr.flush()
    return True


def keep(folder: str, key: bytes, looks: Looks, out: bytes, told: bytes, file: str = "") -> None:
    """Keep the answer to a question, unless it is too large or something has changed meanwhile."""
    if len(out) > MAX_BYTES or not looks.hold():
        return
    try:
        value = marshal.dumps((looks.seen, out, told, file))
        path = _path(folder, key)
        make_folder(os.path.dirname(path))
        _make_room(os.path.dirname(path), len(value))
        fresh = f"{path}-{os.getpid()}"
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(_seal().of(key, value) + value)
        os.replace(fresh, path)
    except (OSError, NoKey, ValueError):
        return  # a cache never fails


def folder_named(arguments: Sequence[str]) -> str | None:
    """The cache folder of a command line; None for one that keeps nothing, or names it in a way not known here."""
    named = [at for at, each in enumerate(arguments) if each.startswith("-") and "cache" in each.partition("=")[0]]
    if not named:
        return cache_home()
    option, joined, folder = arguments[named[-1]].partition("=")
    if not joined:
        folder = "".join(arguments[named[-1] + 1 :][:1])
    if len(named) > 1 or option.replace("-", "_") != "__cache_dir" or not folder:
        return None
    return os.path.abspath(os.path.expanduser(folder))


def _written(file: str, out: bytes) -> bool:
    """Whether a file takes an answer."""
    try:
        with open(file, "wb") as opened:
            opened.write(out)
    except (OSError, ValueError):
        return False
    return True


def _path(folder: str, key: bytes) -> str:
    return os.path.join(folder, FOLDER, key.hex())


def _seal() -> Seal:
    home = state_home()
    if home is None:
        raise NoKey("there is no home folder")
    return Seal(user_key(home), FOLDER, code_version())


def _read(path: str) -> bytes | None:
    """The bytes of a file of the user's own. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as file:
        return file.read() if is_private_file(os.fstat(descriptor)) else None


def _make_room(folder: str, wanted: int) -> None:
    """Remove the oldest answers until another one fits."""
    with os.scandir(folder) as entries:
        kept = sorted((entry.stat().st_mtime_ns, entry.stat().st_size, entry.path) for entry in entries)
    size = sum(each for _, each, _ in kept) + wanted
    for _, each, path in kept:
        if size <= MAX_KEPT:
            break
        os.unlink(path)
        size -= each
