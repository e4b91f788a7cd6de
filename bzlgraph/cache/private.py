"""What is the user's own: folders and files that nobody else can have written to.

Where the system has no users and modes (Windows), its own rules for the user's folders have to do.
https://specifications.freedesktop.org/basedir-spec says where a user's caches, state and settings are.
This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

CHECKOUT_FILES = ("MODULE.bazel", "REPO.bazel", "WORKSPACE.bazel", "WORKSPACE")
"""Each makes a folder the root of a repository: https://bazel.build/external/overview#repository"""
_HAS_USERS = hasattr(os, "geteuid")


class UnsafeFolder(ValueError):
    """A folder that others may have written to."""


def cache_home() -> str | None:
    """``$XDG_CACHE_HOME/bzlgraph``, else ``~/.cache/bzlgraph``; None without a home."""
    return _base_folder("XDG_CACHE_HOME", ".cache")


def state_home() -> str | None:
    """``$XDG_STATE_HOME/bzlgraph``, else ``~/.local/state/bzlgraph``; None without a home."""
    return _base_folder("XDG_STATE_HOME", ".local/state")


def config_home() -> str | None:
    """``$XDG_CONFIG_HOME/bzlgraph``, else ``~/.config/bzlgraph``; None without a home."""
    return _base_folder("XDG_CONFIG_HOME", ".config")


def _base_folder(variable: str, below_home: str) -> str | None:
    """A relative path in such a variable counts for nothing, as its specification says; nor does a relative home."""
    base = os.environ.get(variable, "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), below_home)
    return os.path.join(base, "bzlgraph") if os.path.isabs(base) else None


def make_private(folder: Path) -> None:
    """Make a folder that only its user may enter, or check that it is one.

    One that others may enter but not write to is closed to them when it holds nothing but caches: older versions made
    such ones. Raises UnsafeFolder, OSError.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        raise UnsafeFolder(f"{folder} is a link")
    if not _HAS_USERS:
        return
    if found.st_uid != os.geteuid():
        raise UnsafeFolder(f"{folder} belongs to another user")
    if found.st_mode & 0o022:
        raise UnsafeFolder(f"other users may write to {folder} (chmod 700 prevents that)")
    if found.st_mode & 0o077:
        with os.scandir(folder) as entries:
            if not all(".sqlite" in entry.name for entry in entries):
                raise UnsafeFolder(
                    f"other users may read {folder}, which also holds other files (name an empty folder)"
                )
        os.chmod(folder, 0o700)


def make_folder(folder: str) -> None:
    """Make a folder for its user alone, with those above it that are missing: a cache that was deleted while somebody
    used it must not come back open to others, who may then have written to it. Raises OSError."""
    if folder and not os.path.isdir(folder):
        make_folder(os.path.dirname(folder))
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            return  # another process made it


def is_private_folder(folder: str) -> bool:
    """Whether a folder is as ``make_private`` leaves it, and lies in no checkout, whose author may have written it."""
    try:
        found = os.lstat(folder)
    except (OSError, ValueError):
        return False
    if not stat.S_ISDIR(found.st_mode):
        return False
    if _HAS_USERS and (found.st_uid != os.geteuid() or found.st_mode & 0o077):
        return False
    above = os.path.realpath(folder)
    while above != os.path.dirname(above):
        above = os.path.dirname(above)
        if any(os.path.lexists(os.path.join(above, each)) for each in CHECKOUT_FILES):
            return False
    return True


def is_private_file(status: os.stat_result) -> bool:
    """Whether a file is a regular one that only its user may read and write."""
    if not stat.S_ISREG(status.st_mode):
        return False
    return not _HAS_USERS or (status.st_uid == os.geteuid() and not status.st_mode & 0o077)
