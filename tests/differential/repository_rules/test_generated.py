"""The comparison of generated files tells what is equal, what is not, and what is missing."""

import hashlib

from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import open_workspace
from tests.differential.repository_rules.generated import compare


def test_files_are_compared_by_content(tmp_path):
    rule = b"def f(ctx):\n    ctx.file('a', '1')\n    ctx.file('b', '1')\nr = repository_rule(implementation = f)\n"
    source = MemorySource({"WORKSPACE": b'load("//:r.bzl", "r")\nr(name = "x")\n', "BUILD": b"", "r.bzl": rule})
    one, two = (hashlib.sha256(text).hexdigest() for text in (b"1", b"2"))
    table = tmp_path / "table.tsv"
    table.write_text(f"repository\tfile\tsha256\nx\ta\t{one}\nx\tb\t{two}\nx\tc\t{one}\n")
    found = compare(table, open_workspace(".", source=source))
    assert [(each.file, each.ours) for each in found] == [("a", "equal"), ("b", "other"), ("c", "no such file")]
