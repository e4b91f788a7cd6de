"""Real Bazel, offline: an expression -> bytes of its answer, errors, exit code.

Where a Bazel of a version is found, in this order: the environment variable BZLGRAPH_BAZEL_<version with underscores>;
the npm package `@bazel/bazel-linux_x64` installed under the cache folder (`python -m tests.differential install`);
for 4.2.3 the program of Debian's package bazel-bootstrap, which needs its own two start-up options; for 7.7.1 that of
Debian unstable (chroot.py).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.differential.real import chroot

DEBIAN_VERSION = "4.2.3"
UNSTABLE_VERSION = "7.7.1"
_DEBIAN_PROGRAM = Path("/usr/bin/bazel-4")
_DEBIAN_PACKAGE = "bazel-bootstrap"
_DEBIAN_RULES = "bazel-skylib"
_SKYLIB = Path("/usr/share/bazel/tools/skylib")
"""The folder of that package, which tables of stubs name."""
WORKSPACE_OPTIONS: dict[str, tuple[str, ...]] = {
    DEBIAN_VERSION: ("--experimental_repo_remote_exec",),
    UNSTABLE_VERSION: (
        "--noenable_bzlmod",
        "--enable_workspace",
        "--experimental_repo_remote_exec",
        "--repository_disable_download",
        "--override_repository=bazel_skylib=/usr/share/bazel/tools/skylib",
        "--override_repository=rules_license=/usr/share/bazel/rules/license",
        "--override_repository=rules_python=/usr/share/bazel/rules/python",
    ),
}
"""What makes a Bazel read WORKSPACE files, which is what is compared, and take the rule sets that its own @bazel_tools
loads from its Debian package instead of a server; and know `repository_rule(remotable = ...)`."""
_MODULE_OPTIONS = (
    "--enable_bzlmod",
    "--noenable_workspace",
    "--repository_disable_download",
    "--check_direct_dependencies=off",
    "--check_bazel_compatibility=off",
)
"""What makes a Bazel read MODULE.bazel files only, and stops it when it wants a server."""
LINKED = (Path("/"),)
"""Where links may lead: what Bazel has written has links to what it found on the machine, a JDK, a compiler."""
OUR_OPTIONS: dict[str, tuple[str, ...]] = {UNSTABLE_VERSION: ("--noenable_bzlmod",)}
"""What bzlgraph is told when it is asked to behave as a Bazel with those options."""
_DEBIAN_STARTUP = ("--install_base=/usr/share/bazel", "--trust_install_base")
_QUIET = {"DEBIAN_FRONTEND": "noninteractive"}
_OWN_MODULES = ("bazel_tools", "local_config_platform")
"""Whose repositories bzlgraph is given; those of other modules it makes itself."""
VERSIONS = ("0.19.1", "0.24.1", "1.2.0", "2.1.0", DEBIAN_VERSION, UNSTABLE_VERSION)
"""All that are compared with, oldest first."""
CRASHED = 37
"""The exit code of a Bazel that ended by a defect of its own, as 7.7.1 does for `deps` of what a failing module
extension would make, and 4.2.3 for a split behind a tool."""
_NPM_PACKAGE = "@bazel/bazel-linux_x64"


def cache_folder() -> Path:
    """Where programs, stubs and recorded answers are kept: never inside the repository."""
    chosen = os.environ.get("BZLGRAPH_CONFORMANCE_CACHE")
    return Path(chosen) if chosen else Path.home() / ".cache" / "bzlgraph-conformance"


def program(version: str) -> tuple[Path, tuple[str, ...]] | None:
    """The program of this version and its extra start-up options; None when this machine has none."""
    named = os.environ.get("BZLGRAPH_BAZEL_" + version.replace(".", "_"))
    if named:
        return Path(named), ()
    installed = cache_folder() / "npm" / version / "node_modules" / _NPM_PACKAGE / f"bazel-{version}-linux-x86_64"
    if installed.is_file():
        return installed, ()
    if version == DEBIAN_VERSION and _DEBIAN_PROGRAM.is_file():
        return _DEBIAN_PROGRAM, _DEBIAN_STARTUP
    unstable = chroot.unstable(cache_folder()) / "usr/bin/bazel"
    if version == UNSTABLE_VERSION and unstable.is_file() and chroot.runs_here():
        base = chroot.labelled(chroot.unstable(cache_folder()), version, cache_folder() / f"install-base-{version}")
        return unstable, (f"--install_base={base}", "--trust_install_base")
    return None


def install(version: str) -> None:
    """Installs one version: from npm into the cache folder, 4.2.3 as Debian's package, 7.7.1 in a Debian unstable."""
    if program(version) is not None and (version != DEBIAN_VERSION or _SKYLIB.is_dir()):
        return
    if version == DEBIAN_VERSION:
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
        command += [_DEBIAN_PACKAGE, _DEBIAN_RULES]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **_QUIET})
        return
    if version == UNSTABLE_VERSION:
        chroot.install(chroot.unstable(cache_folder()), _DEBIAN_PACKAGE)
        return
    folder = cache_folder() / "npm" / version
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    command = ["npm", "install", "--no-audit", "--no-fund", f"{_NPM_PACKAGE}@{version}"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def _messages(lines: list[str]) -> Iterator[str]:
    """Stderr as messages: the lines of a stack (Bazel 4) are joined to the message they belong to."""
    message = ""
    for line in lines:
        if message and line.startswith(("\t", " ", "Error")):
            message += " | " + line.strip()
            continue
        if message:
            yield message
        message = line
    if message:
        yield message


@dataclass(frozen=True, slots=True)
class Reply:
    """What Bazel said: stdout as bytes, the ERROR lines of stderr, the exit code."""

    output: bytes
    errors: tuple[str, ...]
    exit_code: int


def repository_options(version: str, overrides: Mapping[str, Path], modules: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What says where repositories and modules lie; without ``modules`` only WORKSPACE counts."""
    given = (f"--override_repository={name}={path}" for name, path in overrides.items())
    own = (*_MODULE_OPTIONS, *modules) if modules else WORKSPACE_OPTIONS.get(version, ())
    return *own, *given


@dataclass(frozen=True, slots=True)
class Bazel:
    """One Bazel on one tree. Use as a context manager: the server is shut down at the end."""

    version: str
    tree: Path
    overrides: Mapping[str, Path] = field(default_factory=dict)
    others: tuple[Path, ...] = ()
    """Folders outside the tree that options name."""
    module_options: tuple[str, ...] = ()
    """Where its modules are (``Modules.options``): then MODULE.bazel counts."""
    heap: str = "2500m"

    def __enter__(self) -> Bazel:
        return self

    def __exit__(self, *_: object) -> None:
        self.run("shutdown")

    def query(self, expression: str, *options: str) -> Reply:
        """`bazel query --keep_going EXPRESSION` with the stub repositories."""
        options = (*self.repository_options(), *options)
        done = self.run("query", "--noshow_progress", "--keep_going", *options, "--", expression)
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        errors = tuple(self.place(line) for line in _messages(lines) if line.startswith("ERROR"))
        if done.returncode not in (0, 2, 3, 7, CRASHED):
            text = "\n".join(lines[:5])
            raise RuntimeError(f"bazel {self.version} query {expression!r}: exit code {done.returncode}\n{text}")
        return Reply(done.stdout, errors, done.returncode)

    def repository_options(self) -> tuple[str, ...]:
        """What says where repositories and modules lie."""
        return repository_options(self.version, self.overrides, self.module_options)

    def fetched(self) -> dict[str, Path]:
        """The repositories that Bazel itself brought: @bazel_tools, @local_config_cc, @local_jdk ..., by name."""
        done = self.run("info", "output_base")
        base = done.stdout.decode().strip()
        if not base:
            raise RuntimeError(f"bazel {self.version} info output_base: exit code {done.returncode}")
        folders = [path for path in (Path(base) / "external").iterdir() if path.name[0] not in "@."]
        if self.module_options:
            folders = [path for path in folders if path.name.partition("~")[0] in _OWN_MODULES]
        found = {path.name: self._outside(path) for path in folders if path.name not in self.overrides}
        return {name: path for name, path in found.items() if path.is_dir() and path.resolve() != self.tree}

    def _outside(self, path: Path) -> Path:
        """A folder of Bazel's where it lies for us."""
        if self.version != UNSTABLE_VERSION:
            return path
        return chroot.outside(chroot.unstable(cache_folder()), path, path.parents[1] / "outside")

    def place(self, location: str) -> str:
        """An absolute location of this tree, or of its external repositories, made relative."""
        short = location.replace(f"{self.tree}/", "")
        marker = short.find(f"{self._output_root()}/")
        if marker < 0:
            return short
        external = short.find("/external/", marker)
        return short if external < 0 else short[:marker] + self.place(short[external + 1 :])

    def _output_root(self) -> Path:
        return cache_folder() / "output" / self.version

    def run(self, command: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """One command, as it is written. Raises FileNotFoundError when this Bazel is not here."""
        options = [f"--output_user_root={self._output_root()}", "--nohome_rc", "--nosystem_rc", "--noworkspace_rc"]
        options += ["--max_idle_secs=60", f"--host_jvm_args=-Xmx{self.heap}"]
        seen = (cache_folder(), *self.overrides.values(), *self.others)
        line = command_line(self.version, self.tree, seen, [*options, command, *arguments])
        return subprocess.run(line, cwd=self.tree, capture_output=True, check=False)


def command_line(version: str, tree: Path, seen: Iterable[Path], words: Iterable[str]) -> list[str]:
    """What runs a Bazel in a tree; `seen` are the other folders that it reads or writes.

    Raises FileNotFoundError when this Bazel is not here.
    """
    found = program(version)
    if found is None:
        raise FileNotFoundError(f"no Bazel {version} on this machine (python -m tests.differential install)")
    executable, startup = found
    line = [str(executable), *startup, *words]
    unstable = chroot.unstable(cache_folder())
    if not executable.is_relative_to(unstable):
        return line
    line[0] = f"/{executable.relative_to(unstable)}"
    return chroot.inside(unstable, tree, seen, line)
