"""Add one Bazel version to ``native_rules.json.gz``: what ``bazel info build-language`` prints, decoded.

Input: the file (made anew when there is none), the version, a command that runs Bazel's client. Output: the file with
``{version: {rule: {attribute: {type, mandatory?, configurable?, nodep?, cfg_is_host?, executable?, default?}}}}``;
``default`` is the text form of the message. ``tools/make_facts.py`` reads it.

    python tools/record/build_language.py native_rules.json.gz 1.2.0 -- bazel --output_user_root=/tmp/ob
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bzlgraph.export.query_formats import build_pb2
from tests.differential.facts import wire

_FLAGS = {"mandatory": 3, "executable": 10, "nodep": 12, "cfg_is_host": 13}


def main() -> None:
    """Ask, decode, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", type=Path)
    parser.add_argument("version")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    data = json.loads(gzip.decompress(options.rules.read_bytes())) if options.rules.is_file() else {}
    data[options.version] = read_language(ask(options.command))
    options.rules.write_bytes(gzip.compress(json.dumps(data, sort_keys=True).encode(), mtime=0))


def ask(command: list[str]) -> bytes:
    """The serialized BuildLanguage."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "WORKSPACE").touch()
        try:
            return subprocess.run(
                [*command, "info", "build-language"], cwd=folder, capture_output=True, check=True
            ).stdout
        finally:
            subprocess.run([*command, "shutdown"], cwd=folder, capture_output=True, check=False)


def read_language(data: bytes) -> dict[str, dict[str, dict[str, Any]]]:
    """rule -> attribute -> what is known of it. The numbers are those of BuildLanguage in Bazel's build.proto."""
    return {
        wire.text(rule, 1): {wire.text(each, 1): _attribute(each) for each in wire.messages(rule, 2)}
        for rule in wire.messages(wire.decode(data), 1)
    }


def _attribute(definition: wire.Fields) -> dict[str, Any]:
    names = build_pb2.Attribute.Discriminator
    found: dict[str, Any] = {"type": names.Name(wire.number(definition, 2))}
    found |= {name: True for name, field in _FLAGS.items() if wire.number(definition, field)}
    if 11 in definition and not wire.number(definition, 11):
        found["configurable"] = False
    default = " ".join(text for value in wire.messages(definition, 9) for text in _texts(value))
    if default:
        found["default"] = default
    return found


def _texts(value: wire.Fields) -> Iterator[str]:
    """An AttributeValue as text; a value that means nothing gives none."""
    if 1 in value:
        yield f"int: {wire.number(value, 1)}"
    if wire.text(value, 2):
        yield f"string: {json.dumps(wire.text(value, 2))}"
    if wire.number(value, 3):
        yield "bool: true"
    for item in wire.messages(value, 4):
        yield f"list {{ {' '.join(_texts(item))} }}"


if __name__ == "__main__":
    main()
