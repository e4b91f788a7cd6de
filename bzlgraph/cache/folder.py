"""Which folder caches are kept in: one of the user's own that nobody else can write to, never one of the checkout.

folder as the user named it, root of the checkout -> ``CacheFolder``, whose path is None when nothing may be kept.
https://specifications.freedesktop.org/basedir-spec says what ``XDG_CACHE_HOME`` and ``XDG_STATE_HOME`` mean.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from bzlgraph.cache.private import UnsafeFolder, cache_home, make_private, state_home
from bzlgraph.cache.seal import NoKey, user_key


@dataclass(frozen=True, slots=True)
class CacheFolder:
    """A folder that was checked; None when nothing is kept."""

    path: Path | None
    refused: str = ""
    """Why the folder that was named, or is the usual one, is not used; "" when none was."""
    unsafe: bool = False
    """Whether it is refused because others may write to it, which its user should know."""


def default_folder() -> Path | None:
    """Where caches go: ``$XDG_CACHE_HOME/bzlgraph``, else ``~/.cache/bzlgraph``; None without a home."""
    return _path(cache_home())


def state_folder() -> Path | None:
    """Where the key of caches is: in ``$XDG_STATE_HOME/bzlgraph``, else ``~/.local/state/bzlgraph``."""
    return _path(state_home())


def checked_folder(folder: Path | None, root: Path) -> CacheFolder:
    """The folder, made or found to be the user's own, and with a key to seal with."""
    if folder is None:
        return CacheFolder(None)
    home = state_folder()
    if home is None:
        return CacheFolder(None, "there is no home folder for its key")
    try:
        for each in (folder, home):
            if Path(os.path.realpath(each)).is_relative_to(os.path.realpath(root)):
                raise UnsafeFolder(f"{each} is inside the checkout")
            make_private(each)
        user_key(home)
    except UnsafeFolder as reason:
        return CacheFolder(None, str(reason), unsafe=True)
    except OSError as error:
        return CacheFolder(None, f"{error.filename or folder}: {error.strerror}")
    except NoKey as error:
        return CacheFolder(None, str(error))
    return CacheFolder(folder)


def _path(folder: str | None) -> Path | None:
    return Path(folder) if folder is not None else None
