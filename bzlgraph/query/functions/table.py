"""What the functions of the query language do: name -> function over sets of nodes.

Semantics: https://bazel.build/query/language#functions. Arguments are as `signatures.py` says: targets are sets of
node numbers, words are text, numbers are numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bzlgraph.query.functions import filters, macros, package_files, reach
from bzlgraph.query.functions.suites import tests
from bzlgraph.query.functions.visible import visible

_ALL: tuple[Callable[..., Iterable[int]], ...] = (
    *(filters.attr, filters.executables, filters.filter_, filters.kind, filters.labels, filters.some),
    *(macros.callers, macros.made_by, macros.uncertain),
    *(package_files.buildfiles, package_files.loadfiles, package_files.owner, package_files.rbuildfiles),
    *(reach.allpaths, reach.allrdeps, reach.deps, reach.deps_by, reach.rdeps, reach.rdeps_by),
    *(reach.same_pkg_direct_rdeps, reach.somepath, package_files.siblings, tests, visible),
)
FUNCTIONS = {function.__name__.removesuffix("_"): function for function in _ALL}
