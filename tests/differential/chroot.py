"""A program of another Debian, in a folder made by debootstrap -> the command line that runs it on folders of ours.

Bazel 7.7.1 is only in Debian unstable. `python -m tests.differential install 7.7.1` (as root) unpacks an unstable into
the cache folder, or BZLGRAPH_DEBIAN_UNSTABLE names one. The program sees our folders at the same paths: each call makes
a mount namespace of its own, so nothing stays mounted.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

_MIRROR = "http://deb.debian.org/debian"
_SCRIPT = """
root=$1; folder=$2; shift 2
while [ "$1" != -- ]; do mkdir -p "$root$1"; mount --rbind "$1" "$root$1"; shift; done; shift
mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"
exec chroot "$root" sh -c 'cd "$0" && exec "$@"' "$folder" "$@"
"""


def unstable(cache: Path) -> Path:
    """Where Debian unstable lies, or would lie."""
    chosen = os.environ.get("BZLGRAPH_DEBIAN_UNSTABLE")
    return Path(chosen) if chosen else cache / "debian-unstable"


def runs_here() -> bool:
    """Whether this user may mount and chroot."""
    return os.geteuid() == 0 and shutil.which("unshare") is not None


def inside(root: Path, folder: Path, seen: Iterable[Path], command: Iterable[str]) -> list[str]:
    """The command line that runs `command` in `folder`; `seen` are the folders it sees beside its own Debian."""
    folders = dict.fromkeys(str(path.resolve()) for path in (folder, *seen))
    return ["unshare", "--mount", "sh", "-euc", _SCRIPT, "sh", str(root), str(folder), *folders, "--", *command]


def outside(root: Path, path: Path) -> Path:
    """Where a folder that the program linked to (`/usr/share/...` of its own Debian) lies for us."""
    target = path.readlink() if path.is_symlink() else path
    return root / str(target)[1:] if target.is_relative_to("/usr") else path


def install(root: Path, package: str) -> None:
    """A minimal Debian unstable with one package. Packages that cannot be configured in a chroot do not matter."""
    line = ["debootstrap", "--variant=minbase", f"--include={package}", "unstable", str(root), _MIRROR]
    subprocess.run(line, check=False, stdout=subprocess.DEVNULL)
