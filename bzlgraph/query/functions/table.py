"""What the functions of the query language do: name -> function over sets of nodes.

Semantics: https://bazel.build/query/language#functions. Arguments are as `signatures.py` says: targets are sets of
node numbers, words are text, numbers are numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bzlgraph.query.functions import filters, macros, package_files, reach
from bzlgraph.query.functions.suites import tests
from bzlgraph.query.functions.visible import visible

FUNCTIONS: dict[str, Callable[..., Iterable[int]]] = {
    "allpaths": reach.allpaths,
    "allrdeps": reach.allrdeps,
    "attr": filters.attr,
    "buildfiles": package_files.buildfiles,
    "callers": macros.callers,
    "deps": reach.deps,
    "deps_by": reach.deps_by,
    "executables": filters.executables,
    "filter": filters.filter_,
    "kind": filters.kind,
    "labels": filters.labels,
    "loadfiles": package_files.loadfiles,
    "made_by": macros.made_by,
    "owner": package_files.owner,
    "rbuildfiles": package_files.rbuildfiles,
    "rdeps": reach.rdeps,
    "rdeps_by": reach.rdeps_by,
    "same_pkg_direct_rdeps": reach.same_pkg_direct_rdeps,
    "siblings": package_files.siblings,
    "some": filters.some,
    "somepath": reach.somepath,
    "tests": tests,
    "uncertain": macros.uncertain,
    "visible": visible,
}
