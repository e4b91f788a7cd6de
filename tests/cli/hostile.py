"""Questions in every form, for trees that mean harm."""

from __future__ import annotations

from pathlib import Path

from tests.cli.in_process import ended


def run(tree: Path, *arguments: str) -> tuple[int, bytes, bytes]:
    return ended("-C", str(tree), "--no_cache", *arguments)


BINARY = ("proto", "streamed_proto", "parquet")
FOR_PROGRAMS = ("build", "xml", "jsonproto", "streamed_jsonproto")
TEXT = ("label", "label_kind", "minrank", "maxrank", "package", "location", "graph")
ROWS = ("json", "jsonl", "table", "csv", "markdown", "graphml")
QUESTIONS = [
    *(["query", "-k", "//...:*", f"--output={name}"] for name in (*TEXT, *ROWS, *BINARY, *FOR_PROGRAMS)),
    *(["select", "-k", "//...", f"--output={name}"] for name in ("text", "json", "csv", "table", "html")),
    *(["graph", "-k", "//...", f"--output={name}"] for name in ("dot", "svg", "mermaid", "html", "json")),
    ["expand", "//p:made"],
    ["expand", "//p:made", "--output=json"],
    ["why", "//p:o", "--from", "//p:g"],
    ["doctor", "-k"],
    ["doctor", "-k", "--output=json"],
    ["flags"],
    ["flags", "bazelrc"],
    ["flags", "settings"],
    ["diff-config", "-k", "//p:s", "--vs", "--define=a=b"],
    ["parse", "p/BUILD"],
    ["parse", "p/BUILD", "--output=json"],
]
