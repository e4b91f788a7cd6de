"""The module workspaces of this folder: cases/NAME/ -> commands, a copy to ask about, what real Bazel answered.

  workspace/      the workspace; every file is ours
  commands.txt    what is asked, one command of Bazel per line; indented `~ word`s below a command are the words that
                  matter in the message of its failure, to Bazel and to us
  expected.txt    Bazel's answers, written by `python -m tests.modules record`

A command of ``query`` is its options, then the expression as it is; a command of ``mod`` is split like a shell does.
`files REPOSITORY...`, which is none of Bazel's, asks for the files that a repository has, with their text.
In both, and in files whose name ends in `.in` (which is dropped), `@ROOT@` is the folder of the workspace and
`@REGISTRY@` that of the registry which all share. A folder `x.tar.d` becomes the archive `x.tar`.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
REGISTRY = HERE / "registry"
VERSION = "7.7.1"
_HEADER = f"# Bazel {VERSION}. Recorded by: python -m tests.modules record\n"
_INDENT = "    "
_STARTS = ("ERROR:", "WARNING:", "INFO:", "DEBUG:", "Starting ", "Loading:", "Analyzing:")
"""How a message of Bazel's begins; the lines after it belong to it."""
_RC_FILES = "rc files are no longer being read"


@dataclass(frozen=True, slots=True)
class Command:
    """What is asked, as written, and the words that matter when it fails."""

    line: str
    words: tuple[str, ...] = ()

    @property
    def verb(self) -> str:
        """``query``, ``files``, or ``mod`` and its subcommand."""
        first, second, *_ = [*self.line.split(), ""]
        return f"{first} {second}" if first == "mod" else first

    def split(self, root: Path) -> tuple[list[str], list[str]]:
        """(the options, the rest), with the registry when the command names none."""
        line = _filled(self.line, root)
        options, rest = _query(line) if self.verb == "query" else _words(line.removeprefix(self.verb))
        if not any(option.startswith("--registry=") for option in options):
            options.append(f"--registry=file://{REGISTRY}")
        return options, rest


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said: the exit code, the lines of stdout, the lines of stderr that tell of errors and warnings."""

    exit_code: int
    output: tuple[str, ...]
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One workspace."""

    folder: Path

    @property
    def name(self) -> str:
        """As the folder is called."""
        return self.folder.name

    def commands(self) -> tuple[Command, ...]:
        """What is asked, in order."""
        return tuple(_commands(self.folder.joinpath("commands.txt").read_text(encoding="utf-8").splitlines()))

    def expected(self) -> dict[str, Answer]:
        """Command line -> what Bazel said; empty when nothing was recorded."""
        path = self.folder / "expected.txt"
        if not path.is_file():
            return {}
        blocks = path.read_text(encoding="utf-8").split("\n$ ")[1:]
        return dict(_answer(block.splitlines()) for block in blocks)

    def record(self, answers: dict[str, Answer]) -> None:
        """Write down what Bazel said."""
        text = "".join(_text(line, answer) for line, answer in answers.items())
        self.folder.joinpath("expected.txt").write_text(_HEADER + text, encoding="utf-8")

    def lay_out(self, root: Path) -> None:
        """Make a copy of the workspace in the folder ``root``, ready to be asked about, in place of what is there."""
        for path in root.iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        shutil.copytree(self.folder / "workspace", root, symlinks=True, dirs_exist_ok=True)
        for path in [path for path in root.rglob("*.in") if path.is_file()]:
            path.with_suffix("").write_text(_filled(path.read_text(encoding="utf-8"), root), encoding="utf-8")
            path.unlink()
        for path in list(root.rglob("*.tar.d")):
            _pack(path, path.with_suffix(""))
            shutil.rmtree(path)


def cases() -> list[Case]:
    """All, by name."""
    return [Case(path.parent) for path in sorted(HERE.glob("cases/*/commands.txt"))]


def comparable(command: Command, output: str, root: Path) -> tuple[str, ...]:
    """Lines of stdout without the folders of this machine; the objects of a repository mapping have no order."""
    lines = without_folders(output, root).splitlines()
    if command.verb != "mod dump_repo_mapping":
        return tuple(lines)
    return tuple(json.dumps(json.loads(line), sort_keys=True) for line in lines)


def file_line(repository: str, path: str, data: bytes) -> str:
    """A line of the answer to ``files``."""
    return f"@@{repository}//{path} {json.dumps(data.decode())}"


def messages(stderr: str, root: Path) -> tuple[str, ...]:
    """Errors and warnings with the lines that belong to them, without the folders of this machine."""
    return tuple(_messages(without_folders(stderr, root).splitlines()))


def _messages(lines: Iterable[str]) -> Iterator[str]:
    inside = False
    for line in lines:
        starts = line.startswith(_STARTS)
        inside = line.startswith(("ERROR:", "WARNING:", "DEBUG:")) and _RC_FILES not in line if starts else inside
        if inside:
            yield line.rstrip()


def _query(line: str) -> tuple[list[str], list[str]]:
    """The rest is one expression. Labels are told with their kinds unless the command says what is."""
    parts = re.match(r"query((?: --\S+)*) (.*)", line)
    assert parts is not None, line
    options = ["--keep_going", *parts[1].split()]
    kinds = [] if any(option.startswith("--output=") for option in options) else ["--output=label_kind"]
    return [*options, *kinds], [parts[2]]


def _words(line: str) -> tuple[list[str], list[str]]:
    words = shlex.split(line)
    return [word for word in words if word.startswith("--")], [word for word in words if not word.startswith("--")]


def _filled(text: str, root: Path) -> str:
    return text.replace("@ROOT@", str(root)).replace("@REGISTRY@", str(REGISTRY))


def without_folders(text: str, root: Path) -> str:
    """Text without the folders of this machine."""
    text = text.replace(str(root), "ROOT").replace(str(REGISTRY), "REGISTRY")
    text = re.sub(r"/\S+/(?=external/)", "", text)
    text = re.sub(r"(?<=/temp)\d+(?=/)", "", text)
    return re.sub(r"(?m)^(#   \S+) +in ", r"\1 in ", text)  # columns are as wide as the longest folder


def _pack(folder: Path, archive: Path) -> None:
    """The same bytes each time: no times, no owners."""

    def nobody(info: tarfile.TarInfo) -> tarfile.TarInfo:
        info.mtime = info.uid = info.gid = 0
        info.uname = info.gname = ""
        info.mode = 0o755 if info.isdir() else 0o644
        return info

    with tarfile.open(archive, "w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(folder.rglob("*")):
            tar.add(path, path.relative_to(folder).as_posix(), recursive=False, filter=nobody)


def _commands(lines: Iterable[str]) -> Iterator[Command]:
    command: Command | None = None
    for line in lines:
        if not line or line.startswith("#"):
            continue
        if line.startswith(_INDENT + "~ "):
            assert command is not None, line
            command = Command(command.line, (*command.words, line.removeprefix(_INDENT + "~ ")))
            continue
        if command is not None:
            yield command
        command = Command(line)
    if command is not None:
        yield command


def _text(line: str, answer: Answer) -> str:
    parts = [f"\n$ {line}", f"exit code {answer.exit_code}", *(f"! {each}" for each in answer.messages)]
    return "\n".join([*parts, *(_INDENT + each for each in answer.output)]) + "\n"


def _answer(lines: list[str]) -> tuple[str, Answer]:
    line, code, *rest = lines
    said = tuple(each.removeprefix("! ") for each in rest if each.startswith("! "))
    output = tuple(each.removeprefix(_INDENT) for each in rest if each.startswith(_INDENT))
    return line, Answer(int(code.removeprefix("exit code ")), output, said)
