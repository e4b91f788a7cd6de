"""What another core can do for a question while this process begins to read the C++ of a tree for the first time.

A forked process answers the same question without C++ and loads the packages whose C++ names the ops: what it reads is
kept in the cache folder, where this process finds it a few seconds later. It changes no answer, only when there is one:
it opens the workspace anew, says nothing, and ends with this process.
"""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from bzlgraph.cpp.walk import cpp_files, is_test_file
from bzlgraph.loading.loader import Loader, open_loader
from bzlgraph.loading.pool import available_cores
from bzlgraph.ops.tensorflow.cpp.side import NoCpp
from bzlgraph.ops.tensorflow.python.gen_targets import GenTargets
from bzlgraph.ops.tensorflow.python.side import PythonSide
from bzlgraph.ops.tensorflow.tracer import TensorflowTracer
from bzlgraph.workspace.workspace import open_workspace


@dataclass(slots=True)
class Ahead:
    """``ask`` is told what is asked, ``start`` is called when there is something to wait for."""

    loader: Loader
    folder: Path | None
    word: str = ""

    def ask(self, word: str) -> None:
        """The question that an answer is being made for."""
        self.word = word

    def start(self) -> None:
        """Begin, when there is a question, a core and a place to keep what is read."""
        options = self.loader.workspace.options
        cores = min(options.jobs or available_cores(), available_cores())
        forks = "fork" in multiprocessing.get_all_start_methods()
        if not self.word or self.folder is None or options.cache_folder is None or cores < 2 or not forks:
            return
        # Daemonic: ended when this process ends, however far it came.
        multiprocessing.get_context("fork").Process(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with suppress(Exception):  # the question itself tells what is wrong
            look_ahead(self.loader, self.folder, self.word)


def look_ahead(known: Loader, folder: Path | None, word: str) -> list[str]:
    """Read what an answer will be made from; the packages that were loaded for its ops."""
    quiet = replace(known.workspace.options, print=lambda _text, _location: None)
    loader = open_loader(open_workspace(known.workspace.root, quiet))
    tree = loader.workspace.repository("").tree
    tracer = TensorflowTracer(PythonSide(tree.source, folder), NoCpp(), GenTargets(loader).of)
    ops = [story.op for story in tracer.explain(word).stories]
    packages = dict.fromkeys(_packages_naming(loader, ops)) if ops else {}
    for package in packages:
        loader.find("", package)
    return list(packages)


def _packages_naming(loader: Loader, ops: list[str]) -> Iterator[str]:
    """The packages of the C++ files that begin something's registration with one of the ops."""
    tree = loader.workspace.repository("").tree
    names = b"|".join(re.escape(op.encode()) for op in ops)
    begins = re.compile(rb'\w\(\s*"(?:' + names + rb')"')
    for path in sorted(cpp_files(tree.entries)):
        if is_test_file(path):
            continue
        with suppress(OSError):
            data = tree.source.read(path)
            if b"REGISTER" in data and begins.search(data) and (package := tree.package_of(path)) is not None:
                yield package
