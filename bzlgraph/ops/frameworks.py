"""The frameworks whose ops can be traced: which one a checkout holds, and how its tracer is opened.

Each entry imports its package only when it is asked. A new framework is one more entry of ``FRAMEWORKS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.label import parse
from bzlgraph.base.words import either
from bzlgraph.cpp.text import cpp_files, is_test_file
from bzlgraph.graph.view import GraphView
from bzlgraph.loading.loader import Loader
from bzlgraph.ops.tracer import Tracer
from bzlgraph.python_source.import_names import Entries, files_ending
from bzlgraph.workspace.sources.source import Source
from bzlgraph.workspace.tree import RepositoryTree

MAX_NAMED = 3
"""As many ignored workspaces are named in a hint."""


@dataclass(frozen=True, slots=True)
class Framework:
    """``marks`` are files of which only this framework's sources have one.

    ``registers``: what C++ has that registers ops with it, wherever it stands: a repository of custom ops;
    ``registers_in_python``: what Python has.
    ``module`` has ``open_tracer(loader, folder)``, with ``reads_beside`` also ``open_tracer(loader, folder, beside)``.
    ``products`` are targets that people get the framework as, in one version or another.
    """

    name: str
    title: str
    marks: tuple[str, ...]
    module: str
    products: tuple[str, ...] = ()
    registers: tuple[bytes, ...] = ()
    registers_in_python: tuple[bytes, ...] = ()
    reads_beside: bool = False
    """Whether Python packages beside the tree can be followed."""

    def registered(self, tree: RepositoryTree) -> bool:
        """Whether a tree registers ops with the framework."""
        cpp, python = self.registers, self.registers_in_python
        return _has(tree, cpp, cpp_files) or _has(tree, python, files_ending)

    def present(self, tree: RepositoryTree) -> bool:
        """Whether a tree holds the framework's sources."""
        return any(tree.source.is_file(mark) for mark in self.marks)


FRAMEWORKS = (
    Framework(
        "tensorflow",
        "TensorFlow",
        ("tensorflow/core/framework/op.h", "tensorflow/core/public/version.h"),
        "bzlgraph.ops.tensorflow.tracer",
        ("//tensorflow/tools/pip_package:build_pip_package", "//tensorflow/tools/pip_package:wheel"),
        (b"REGISTER_OP(", b"REGISTER_KERNEL_BUILDER("),
        reads_beside=True,
    ),
    Framework(
        "pytorch",
        "PyTorch",
        ("aten/src/ATen/native/native_functions.yaml",),
        "bzlgraph.ops.pytorch.tracer",
        ("//:torch",),
    ),
    Framework(
        "jax",
        "JAX",
        ("jax/_src/lax/lax.py", "jax/lax/lax.py"),
        "bzlgraph.ops.jax.tracer",
        ("//jaxlib/tools:build_wheel", "//jaxlib/tools:jaxlib_wheel", "//build:build_wheel"),
        (b"XLA_FFI_DEFINE_HANDLER",),
        (b"register_ffi_target(", b"register_custom_call_target("),
    ),
)


def frameworks_of(tree: RepositoryTree) -> tuple[str, ...]:
    """The names of the frameworks whose sources a tree holds, else of those with which it registers ops."""
    present = tuple(each.name for each in FRAMEWORKS if each.present(tree))
    return present or tuple(each.name for each in FRAMEWORKS if each.registered(tree))


def _has(tree: RepositoryTree, marks: Sequence[bytes], files: Callable[[Entries], Iterable[str]]) -> bool:
    """Whether one of the ``files`` of a tree, tests left out, has one of the marks."""
    return bool(marks) and any(mark in data for data in _contents(tree, files) for mark in marks)


def _contents(tree: RepositoryTree, files: Callable[[Entries], Iterable[str]]) -> Iterator[bytes]:
    for path in files(tree.entries):
        with suppress(OSError):
            yield b"" if is_test_file(path) else tree.source.read(path)


def choose(tree: RepositoryTree, name: str = "") -> Framework:
    """The framework of a tree: whose sources it holds, else with which its own C++ registers ops. Raises UsageProblem
    when there is none, or not the one that is named."""
    found = [each for each in FRAMEWORKS if each.present(tree) and (not name or each.name == name)]
    found = found or [each for each in FRAMEWORKS if (not name or each.name == name) and each.registered(tree)]
    if found:
        return found[0]
    wanted = [each for each in FRAMEWORKS if not name or each.name == name]
    titles, marks = (either(words) for words in ([each.title for each in wanted], [each.marks[0] for each in wanted]))
    said = f"this checkout has no sources of {titles}: there is no {marks}"
    hint = not_searched(tree) or "give a checkout that has them with -C DIR; op --bindings works in any"
    raise UsageProblem(Diagnostic(said, hint=hint))


def not_searched(tree: RepositoryTree) -> str:
    """What a checkout holds beside the workspace that is asked about, and how to ask about it; "" when nothing."""
    apart = tree.ignored_workspaces()
    if not apart:
        return ""
    what = "a workspace of its own" if len(apart) == 1 else "workspaces of their own"
    return f".bazelignore leaves out {', '.join(apart[:MAX_NAMED])}, {what}: -C {apart[0]} searches there"


def product_of(name: str, graph: GraphView) -> str:
    """The target that people get a framework as; "bindings" is none. Raises UsageProblem when the tree has none that we
    know."""
    products = next((each.products for each in FRAMEWORKS if each.name == name), ())
    for label in products:
        if graph.target(graph.resolve(parse(label, "", ""))) is not None:
            return label
    hint = "name the target to build it into with --from, such as --from //my:binary"
    said = (
        f"none of {', '.join(products)} is in this tree"
        if products
        else "no target of this tree is known to be what people install"
    )
    raise UsageProblem(Diagnostic(said, hint=hint))


def open_tracer(
    framework: Framework, loader: Loader, folder: Path | None, beside: Mapping[str, Source] | None = None
) -> Tracer:
    """The tracer of a framework for a loaded workspace; ``folder`` is where readings may be kept, ``beside`` are Python
    packages that are no part of the tree. Raises UsageProblem for those where only the tree is read."""
    opener: Callable[..., Tracer] = import_module(framework.module).open_tracer
    if not beside:
        return opener(loader, folder)
    if not framework.reads_beside:
        raise UsageProblem(f"--python_path works with TensorFlow, not with {framework.title}")
    return opener(loader, folder, beside)
