"""What Bazel itself writes for every WORKSPACE: the shell, the compiler and Xcode of the nominal host.

(the Bazel, the nominal host, a repository's name) -> ``Provision``: files that ``facts/own_files.json`` has recorded.
Their rules lie inside Bazel, so there is no code to run. Where a repository has more files than are recorded (that of
the compiler) it stays one of which not all is known, and its targets are those of ``loading/own_repositories.py``.
"""

from __future__ import annotations

from bzlgraph.base.words import utf8
from bzlgraph.bazel.context.contexts import RepositoryCall
from bzlgraph.facts import Facts
from bzlgraph.facts.built_in import default_workspace, own_files, recorded_name
from bzlgraph.workspace.options import RepositoryOptions
from bzlgraph.workspace.repositories.origin import EXTENSION
from bzlgraph.workspace.repositories.provision import Provision, is_build_file, mark_root, workspace_text
from bzlgraph.workspace.sources.virtual_tree import VirtualTree

_RECORDED_ON = ("linux", "x86_64")


def recorded(facts: Facts, host: RepositoryOptions, name: str, call: RepositoryCall | None) -> Provision | None:
    """The recorded files of a repository, by its canonical name; None where the workspace defines it otherwise."""
    own = recorded_name(name)
    rule = default_workspace(facts.version).repositories.get(own)
    if rule is None or (host.host_os, host.host_arch) != _RECORDED_ON:
        return None
    texts = own_files(facts.version, own, host.environment)
    if not texts or (call is not None and call.rule != EXTENSION):
        return None
    tree = VirtualTree()
    for path, text in texts.items():
        tree.write(path, utf8(text))
    mark_root(tree, facts.repository_marks, workspace_text(rule, name))
    whole = any(map(is_build_file, texts))
    assumed = "the host is Linux on x86-64, its shell /bin/bash"
    return Provision(tree, known=whole, assumptions=(assumed,) if whole else ())
