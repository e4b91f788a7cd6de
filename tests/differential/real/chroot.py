"""A program of another Debian, in a folder made by debootstrap -> the command line that runs it on folders of ours.

Bazel 7.7.1 is only in Debian unstable. `python -m tests.differential install 7.7.1` (as root) unpacks an unstable into
the cache folder, or BZLGRAPH_DEBIAN_UNSTABLE names one. The program sees our folders at the same paths, in a mount
namespace that ends with this process, so nothing stays mounted. All calls share it: a Bazel server that was started in
another namespace would look to the next client as if its folder had been moved, and be started anew for each question.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_SCRIPT = """
root=$1; shift
for folder; do mkdir -p "$root$folder"; mount --rbind "$folder" "$root$folder"; done
mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"
echo ready; exec cat
"""
"""Mounts, says so, and waits for the end of its input."""


def unstable(cache: Path) -> Path:
    """Where Debian unstable lies, or would lie."""
    chosen = os.environ.get("BZLGRAPH_DEBIAN_UNSTABLE")
    return Path(chosen) if chosen else cache / "debian-unstable"


def runs_here() -> bool:
    """Whether this user may mount and chroot."""
    return os.geteuid() == 0 and shutil.which("unshare") is not None and shutil.which("nsenter") is not None


def inside(root: Path, folder: Path, seen: Iterable[Path], command: Iterable[str]) -> list[str]:
    """The command line that runs `command` in `folder`; `seen` are the folders it sees beside its own Debian."""
    holder = _namespace(root, tuple(dict.fromkeys(path.resolve() for path in (folder, *seen))))
    enter = ["nsenter", f"--mount=/proc/{holder.pid}/ns/mnt", "chroot", str(root)]
    return [*enter, "sh", "-c", 'cd "$0" && exec "$@"', str(folder), *command]


@cache
def _namespace(root: Path, folders: tuple[Path, ...]) -> subprocess.Popen[bytes]:
    """The process that holds a mount namespace in which these folders lie in `root` too; it ends with this one."""
    line = ["unshare", "--mount", "sh", "-euc", _SCRIPT, "sh", str(root), *map(str, folders)]
    holder = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    if holder.stdout.readline() != b"ready\n":
        raise OSError(f"cannot mount {', '.join(map(str, folders))} in {root}")
    return holder


def outside(root: Path, path: Path, copies: Path) -> Path:
    """A folder that the program made, where we can read it: links into its own Debian (`/usr/...`) lead to `root`.
    A folder with links in it is copied to `copies`."""
    if path.is_symlink():
        return _followed(root, path)
    if not path.is_dir():
        return path
    copy = copies / path.name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(path, copy, symlinks=True)
    for each in [each for each in copy.rglob("*") if each.is_symlink()]:
        target = _followed(root, each)
        each.unlink()
        each.symlink_to(target)
    return copy


def _followed(root: Path, link: Path) -> Path:
    """Where a link leads; a folder on the way may be a link into the other Debian."""
    target = link.readlink()
    for folder in (target, *target.parents):
        meant = folder.readlink() if folder.is_symlink() else folder
        if meant.is_relative_to("/usr"):
            return root / meant.relative_to("/") / target.relative_to(folder)
    return target


def install(root: Path, package: str) -> None:
    """A minimal Debian unstable with one package, from the server that this machine's apt uses. Packages that cannot
    be configured in a chroot do not matter."""
    if not runs_here():
        raise OSError("only root can make a Debian unstable to run it in")
    if shutil.which("debootstrap") is None:
        subprocess.run(("apt-get", "install", "-y", "-qq", "debootstrap"), check=True, stdout=subprocess.DEVNULL)
    line = ["debootstrap", "--variant=minbase", f"--include={package}", "unstable", str(root), _server()]
    subprocess.run(line, check=False, stdout=subprocess.DEVNULL)


def labelled(root: Path, version: str, folder: Path) -> Path:
    """A copy of Bazel's install base in `root` that knows its version, in `folder`.

    Debian's Bazel was built without a label: it would take itself for a development version, for which every
    bazel_compatibility is met and `native.bazel_version` is empty.
    """
    base = root / "usr/share/bazel"
    if folder.is_dir():
        return folder
    unfinished = folder.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.copytree(base, unfinished, symlinks=True)
    for link in [path for path in unfinished.rglob("*") if path.is_symlink()]:
        origin = base / link.relative_to(unfinished)
        target = Path(os.path.normpath(origin.parent / origin.readlink()))
        if not target.is_relative_to(base):
            link.unlink()
            link.symlink_to(Path("/") / target.relative_to(root))
    with zipfile.ZipFile(unfinished / "A-server.jar", "a") as jar:
        jar.writestr("build-data.properties", f"build.label={version}\n")
    unfinished.rename(folder)
    return folder


def _server() -> str:
    """The address of the first Debian archive among the machine's sources. Raises OSError when there is none."""
    command = ("apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Origin: Debian")
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
    if not found:
        raise OSError("apt knows no Debian archive to take an unstable from")
    return found[0]
