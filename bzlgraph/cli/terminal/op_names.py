"""What a shell completes for ``op``: ops and public names, as far as a few files of a framework's sources list them.

A checkout's folder and the beginning of a word -> the words it may become. Nothing is evaluated, and no whole framework
is read: each source is a folder's listing or one file. Names that these lack can be asked about all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

MOST = 400
_OPS = "tensorflow/core/api_def/base_api"
"""A file ``api_def_NAME.pbtxt`` for each op of TensorFlow."""
_MODULES = tuple(f"tensorflow/tools/api/golden{version}" for version in ("/v2", "/v1", ""))
"""A file ``tensorflow.MODULE.pbtxt`` for each public module, which lists its members."""
_MEMBER = re.compile(r'^  member(?:_method)? \{\n    name: "(\w+)"', re.M)
_OPERATORS = "aten/src/ATen/native/native_functions.yaml"
_OPERATOR = re.compile(r"^- func: ([\w.]+)\(", re.M)
_EXPORTED = re.compile(r"^(?!#).*?\b\w+ as (\w+)", re.M)
"""What a module of JAX exports: ``import sin as sin`` (PEP 484)."""


def op_names(root: Path, word: str) -> list[str]:
    """The ops and public names that begin with a word.

    >>> op_names(Path("examples/mini_tensorflow"), "Con"), op_names(Path("nowhere"), "x")
    (['Conv2D'], [])
    """
    found = (each for source in (_tensorflow, _pytorch, _jax) for each in source(root, word))
    return sorted(islice(dict.fromkeys(each for each in found if each.startswith(word)), MOST))


def _tensorflow(root: Path, word: str) -> Iterator[str]:
    if "." not in word:
        yield from (path.name[len("api_def_") : -len(".pbtxt")] for path in (root / _OPS).glob("api_def_*.pbtxt"))
        yield from ("tf.",) if any((root / each).is_dir() for each in _MODULES) else ()
        return
    package, _, inside = word.rpartition(".")[0].partition(".")
    module = ".".join(filter(None, ("tensorflow", inside)))
    for folder in _MODULES if package == "tf" else ():
        yield from (
            f"{word.rpartition('.')[0]}.{name}" for name in _MEMBER.findall(_text(root / folder, module, "pbtxt"))
        )


def _pytorch(root: Path, word: str) -> Iterator[str]:
    lead = "torch." if word.startswith("torch") else ""
    names = _OPERATOR.findall(_text(root, *_OPERATORS.rsplit(".", 1)))
    yield from (f"{lead}{name.partition('.')[0]}" for name in names)


def _jax(root: Path, word: str) -> Iterator[str]:
    module, dot, _ = word.rpartition(".")
    if dot and re.fullmatch(r"jax(\.\w+)*", module):
        folder = "/".join(module.split("."))
        text = _text(root / folder, "__init__", "py") or _text(root, folder, "py")
        yield from (f"{module}.{name}" for name in _EXPORTED.findall(text))


def _text(folder: Path, name: str, ending: str) -> str:
    """A file's text, "" where there is none."""
    try:
        return (folder / f"{name}.{ending}").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
