"""What ``repository_ctx`` and ``module_ctx`` have in common: files, paths, the environment, programs, downloads.

Reading and running never leave the checkout: what only a process, a server or another part of the host could tell is an
unknown value whose text names it (``execute(["nvcc", "--version"]).stdout``).
Rules: https://bazel.build/rules/lib/builtins/repository_ctx
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.repository.context import RunContext
from bzlgraph.bazel.repository.files import Download, Kind
from bzlgraph.bazel.repository.path_value import STEPS_OF_A_FILE, PathValue, path_of
from bzlgraph.bazel.repository.placeholder import MARK, readable
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.starlark.builtin import BoundMethod, Builtin, method_table
from bzlgraph.starlark.checks import want_iterable, want_string
from bzlgraph.starlark.evaluation.budget import charge, charge_string
from bzlgraph.starlark.lib.struct import Namespace, Struct
from bzlgraph.starlark.printing import to_repr, to_str
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import OpenDict, type_name


class ExecResult(Namespace):
    """What ``execute()`` gives: return_code, stdout, stderr."""

    __slots__ = ()
    type_name: ClassVar[str] = "exec_result"


class RepositoryOs(Namespace):
    """The nominal host: name, arch, environ."""

    __slots__ = ()
    type_name: ClassVar[str] = "repository_os"


@dataclass(slots=True, eq=False)
class BaseContext(Value):
    """The common part of both; ``run`` is the evaluation it belongs to."""

    run: RunContext

    def get_attr(self, name: str) -> object:
        if name in self.run.facts.repository_context_lacks:
            raise AttributeError(name)
        if name == "os":
            return self._os()
        function = self.functions.get(name)
        if function is None:
            raise AttributeError(name)
        return BoundMethod(function, self)

    def attr_names(self) -> Iterable[str]:
        return [name for name in ("os", *self.functions) if name not in self.run.facts.repository_context_lacks]

    def _os(self) -> RepositoryOs:
        host, given = self.run.host, dict[object, object]()
        given.update(self.run.environ)
        environ = OpenDict(given, self._not_given)
        fields: dict[str, object] = {"name": host.os_name, "arch": host.os_arch, "environ": environ}
        if "os.arch" in self.run.facts.repository_context_lacks:
            del fields["arch"]
        return RepositoryOs(fields)

    def _not_given(self, name: object) -> object:
        """A variable that a rule relies on: whoever builds the tree has it."""
        return self.run.unknown(f"the environment variable {name} (--repo_env={name}=VALUE)")

    # Paths and files

    def path(self, path: object, /) -> object:
        """``path(x)``: of a string (relative to the repository), a Label or a path."""
        found = path_of(path, self.run, "path")
        return self.run.unknown(f"path({found.text})") if isinstance(found, Uncertain) else found

    def read(self, path: object, watch: object = "auto", /, **_others: object) -> object:
        """``read(path)``: the text of a file."""
        return self.read_text(path, "read")

    def read_text(self, path: object, function: str) -> object:
        """The text of a file, unknown where the file is not known. EvalError for one that is missing."""
        found = path_of(path, self.run, function)
        if isinstance(found, Uncertain):
            return self.run.unknown(f"read({found.text})")
        kind = found.kind()
        try:
            data = None if kind is Kind.UNKNOWN else self.run.files.read(found.text)
        except OSError as error:
            raise EvalError(f"cannot read {readable(found.text)}: {error.strerror}") from None
        if data is None:
            return self.run.unknown(f'read("{found.text}")')
        charge_string(len(data))
        return data.decode("utf-8", "surrogateescape")

    def file(self, path: object, content: object = "", executable: object = True, legacy_utf8: object = True) -> None:
        """``file(path, content)``: writes a file of the repository."""
        if isinstance(content, Uncertain):
            self.put_opaque(path, content.text, "file")
        else:
            self.write_text(path, want_string(content, "file", "content"), "file")

    def write_text(self, path: object, text: str, function: str) -> None:
        """Write a text file of the repository."""
        place = self.writable(path, function)
        if place is not None:
            changed(self.run.files.write, place, text.encode("utf-8", "surrogateescape"))

    def put_opaque(self, path: object, why: str, function: str) -> None:
        """Make a file of the repository whose content is not known."""
        place = self.writable(path, function)
        if place is not None:
            changed(self.run.files.put_opaque, place, readable(why))

    def writable(self, path: object, function: str) -> str | None:
        """The path of a file to write, None (and a gap) when it is unknown. EvalError for one outside."""
        found = path_of(path, self.run, function)
        if isinstance(found, Uncertain) or MARK in found.text:
            self.run.miss(f"{function}({found.text}) of {self.run.source}", "a file whose name is unknown")
            return None
        charge(STEPS_OF_A_FILE)
        root = self.run.files.root
        if not f"{found.text}/".startswith(f"{root}/"):
            raise EvalError(f"Cannot write outside of the repository directory for path {found.text}")
        return found.text

    # The host

    def getenv(self, name: object, default: object = None) -> object:
        """``getenv(name, default)``: an environment variable that the user gave."""
        variable = want_string(name, "getenv", "name")
        self.run.variables.add(variable)
        return self.run.environ.get(variable, default)

    def which(self, program: object, /) -> object:
        """``which(program)``: where the nominal host has it, unknown for nearly all."""
        name = want_string(program, "which", "program")
        if not name or "/" in name or "\\" in name:
            raise EvalError(f"Program argument of which() may not contain a / or a \\ ('{name}' given)")
        found = self.run.host.program(name)
        if found is None:
            return self.run.unknown(f'which("{name}")')
        self.run.assume(f"{name} is {found}")
        return PathValue(found, self.run)

    def execute(
        self,
        arguments: object,
        timeout: object = 600,
        environment: object = None,
        quiet: object = True,
        working_directory: object = "",
    ) -> object:
        """``execute(arguments)``: nothing is run; unknown but for what the nominal host tells."""
        words = [self._word(each) for each in self._words(arguments)]
        if words[:1] == ["test"] and len(words) == 3 and (answer := self._test(words[1], words[2])) is not None:
            return answer
        if self._overlaid(words):
            return ExecResult({"return_code": 0, "stdout": "", "stderr": ""})
        if (patched := self._patched(words)) is not None:
            return patched
        known = self.run.host.output(words)
        if known is None:
            command = f"execute([{', '.join(to_repr(word) for word in words)}])"
            if not self.run.host.only_reads(words):
                self.run.miss(f"{command} of {self.run.source} is not run", "the files it writes")
            return self.run.unknown(command)
        self.run.assume(f"{' '.join(words)} prints {known.rstrip()}")
        return ExecResult({"return_code": 0, "stdout": known, "stderr": ""})

    def _overlaid(self, words: list[str]) -> bool:
        """Do what a script that lays one folder over another would do; whether the command is one of that kind."""
        flags = self.run.host.overlay_script(words)
        if flags is None:
            return False
        source, overlay, target = (path_of(each, self.run, "execute") for each in flags)
        place = self.writable(target, "execute")
        known = all(isinstance(each, PathValue) and each.kind() is Kind.FOLDER for each in (source, overlay))
        if place is None or not known:
            return False
        changed(self.run.files.overlay, source.text, overlay.text, place)
        self.run.assume(f"{words[1].rpartition('/')[2]} links what is in two folders into one")
        return True

    def _patched(self, words: list[str]) -> ExecResult | None:
        """Apply a diff to the repository as the command does; None for another command, and where files are unknown."""
        wanted = self.run.host.patch_command(words)
        if wanted is None or not self.run.complete:
            return None
        strip, folder, diff = wanted
        target, source = (path_of(each, self.run, "execute") for each in (folder, diff))
        if not isinstance(source, PathValue) or source.kind() is not Kind.FILE:
            return None
        if not isinstance(target, PathValue) or target.text != self.run.files.root:
            return None
        data = self.run.files.read(source.text)
        if data is None:
            return None
        try:
            self.run.files.patch(data, strip, True)
        except OSError as error:
            return ExecResult({"return_code": 1, "stdout": "", "stderr": str(error.strerror)})
        self.run.assume(f"patch applies {source.text.rpartition('/')[2]}")
        return ExecResult({"return_code": 0, "stdout": "", "stderr": ""})

    def _words(self, arguments: object) -> Iterable[object]:
        if isinstance(arguments, Value):
            return [self.run.unknown("...")]
        listed = want_iterable(arguments, "execute", "arguments")
        assert isinstance(listed, Iterable)
        return listed

    def _word(self, word: object) -> str:
        if isinstance(word, LabelValue):
            word = path_of(word, self.run, "execute")
        if not isinstance(word, str | PathValue | Uncertain):
            raise EvalError(f"execute() arguments must be strings, paths or Labels, got {type_name(word)}")
        return to_str(word)

    def _test(self, flag: str, path: str) -> ExecResult | None:
        """``test -e PATH``, where what is there is known."""
        wanted = {"-e": (Kind.FILE, Kind.FOLDER), "-f": (Kind.FILE,), "-d": (Kind.FOLDER,)}.get(flag)
        found = path_of(path, self.run, "execute")
        kind = found.kind() if isinstance(found, PathValue) else Kind.UNKNOWN
        if wanted is None or kind is Kind.UNKNOWN:
            return None
        return ExecResult({"return_code": 0 if kind in wanted else 1, "stdout": "", "stderr": ""})

    # Downloads

    def download(
        self,
        url: object,
        output: object = "",
        sha256: object = "",
        executable: object = False,
        allow_fail: object = False,
        canonical_id: object = "",
        auth: object = None,
        headers: object = None,
        *,
        integrity: object = "",
        block: object = True,
    ) -> object:
        """``download(url, output)``: a file is there, its content is known only where it lies on the disk."""
        wanted = _download(url, sha256, integrity)
        place = self.writable(output, "download")
        if place is not None and not changed(self.run.files.put_download, wanted, place):
            self.put_opaque(output, f"download of {_first(url)}", "download")
        return self._fetched(url, sha256, integrity, block)

    def download_and_extract(
        self,
        url: object,
        output: object = "",
        sha256: object = "",
        type: object = "",
        stripPrefix: object = "",
        allow_fail: object = False,
        canonical_id: object = "",
        auth: object = None,
        headers: object = None,
        *,
        strip_prefix: object = "",
        integrity: object = "",
        rename_files: object = None,
        add_prefix: object = "",
    ) -> object:
        """``download_and_extract(url, output)``: what is in the archive is unknown unless it lies on the disk."""
        wanted, prefix = (
            _download(url, sha256, integrity),
            want_string(strip_prefix or stripPrefix, "extract", "prefix"),
        )
        place = self.writable(output, "extract")
        if place is not None and not changed(self.run.files.unpack_download, wanted, place, prefix):
            self.run.miss(f"{self.run.source} downloads {_first(url)}", "the files in that archive")
        return self._fetched(url, sha256, integrity, True)

    def extract(
        self,
        archive: object,
        output: object = "",
        stripPrefix: object = "",
        rename_files: object = None,
        watch_archive: object = "auto",
        *,
        strip_prefix: object = "",
        type: object = "",
    ) -> None:
        """``extract(archive, output)``: as ``download_and_extract``, of a file."""
        found = path_of(archive, self.run, "extract")
        prefix = want_string(strip_prefix or stripPrefix, "extract", "strip_prefix")
        place = self.writable(output, "extract")
        known = isinstance(found, PathValue) and found.kind() is not Kind.UNKNOWN
        if place is not None and not (known and changed(self.run.files.unpack, found.text, place, prefix)):
            self.run.miss(f"{self.run.source} extracts {found.text}", "the files in that archive")

    def _fetched(self, url: object, sha256: object, integrity: object, block: object) -> object:
        fields: dict[str, object] = {"success": True}
        for name, given in (("sha256", sha256), ("integrity", integrity)):
            fields[name] = given if given else self.run.unknown(f"download({_first(url)}).{name}")
        return Struct(fields) if block else _Token(Struct(fields))

    # What has no meaning here

    def report_progress(self, status: object = "", /) -> None:
        """Nobody watches."""

    def watch(self, path: object, /) -> None:
        """Nothing is fetched again."""

    functions: ClassVar[Mapping[str, Callable[..., object]]] = {}
    """Methods by name; which of them there are depends on the Bazel version."""


BASE_METHODS = method_table(
    BaseContext.path,
    BaseContext.read,
    BaseContext.file,
    BaseContext.getenv,
    BaseContext.which,
    BaseContext.execute,
    BaseContext.download,
    BaseContext.download_and_extract,
    BaseContext.extract,
    BaseContext.report_progress,
    BaseContext.watch,
)
"""The methods of both, by name."""


class _Token(Namespace):
    """What ``download(block = False)`` gives."""

    __slots__ = ()
    type_name: ClassVar[str] = "pending_download"

    def __init__(self, result: Struct) -> None:
        super().__init__({"wait": Builtin(lambda: result, "wait")})


def changed(change: Callable[..., object], *arguments: object) -> object:
    """The result of a change to the files; EvalError when it cannot be made."""
    try:
        return change(*arguments)
    except OSError as error:
        named = next((readable(each) for each in arguments if isinstance(each, str)), "file")
        raise EvalError(f"{named}: {error.strerror}") from None


def _download(urls: object, sha256: object, integrity: object) -> Download:
    listed = urls if isinstance(urls, Sequence) and not isinstance(urls, str) else [urls]
    known = tuple(each for each in listed if isinstance(each, str))
    return Download(known, *(each if isinstance(each, str) else "" for each in (sha256, integrity)))


def _first(urls: object) -> str:
    """A URL for people, the first of several."""
    if isinstance(urls, Sequence) and not isinstance(urls, str):
        urls = urls[0] if urls else "nothing"
    return urls.text if isinstance(urls, Uncertain) else readable(str(urls))
