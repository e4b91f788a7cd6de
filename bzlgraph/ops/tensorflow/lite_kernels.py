"""The kernels of TFLite that compute what its converter makes of an op.

Rules
1. The converter's patterns (``tensorflow/compiler/mlir/lite``): ``Pat<(TF_ReluOp $x), (TFL_ReluOp $x)>``, but none
   that fuses several ops, and pairs ``TF_LessOp, TFL_LessOp`` that lists of patterns are made from; in C++ a definition
   at the top level that is about one op (``TF::XOp`` in its head, or ``cast<TF::XOp>(op)``) and makes one of TFLite's.
2. ``def TFL_Conv2DOp : ...<"conv_2d"`` has its name in capitals among the builtin operators: CONV_2D, as
   operator_converter_gen.cc writes it.
3. ``AddBuiltin(BuiltinOperator_CONV_2D, Register_CONV_2D()`` names the function that registers the kernel; the kernel
   is in the file that defines it.
What the converter does in several steps, by way of another op of TensorFlow, is not followed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from bzlgraph.base.words import utf8
from bzlgraph.cpp.text import is_test_file
from bzlgraph.cpp.tokens import without_comments

CONVERTER = "tensorflow/compiler/mlir/lite/"
KERNELS = ("tensorflow/lite/core/kernels/", "tensorflow/lite/kernels/")
REGISTER = "register.cc"
_DIALECT = re.compile(r'\bdef\s+TFL_(\w+)Op\s*:\s*\w+<\s*"(\w+)"')
_PATTERN = re.compile(r"\bPat(?:tern)?<")
_PATTERN_ENDS = re.compile(r"\bPat(?:tern)?<|^(?:def|class|multiclass|foreach)\b", re.MULTILINE)
_PAIR = re.compile(r"\bTF_(\w+)Op\s*,\s*TFL_(\w+)Op\b")
_SOURCE_OP, _RESULT_OP = re.compile(r"\bTF_(\w+)Op\b"), re.compile(r"\bTFL_(\w+)Op\b")
_CPP_OP = re.compile(r"\bTF::(\w+)Op\b")
_CAST = re.compile(r"\bcast<\s*(?:mlir::)?TF::(\w+)Op\s*>\(\s*op\s*\)")
_MADE = re.compile(r"\b(?:create|replaceOpWithNewOp)<\s*(?:mlir::)?(?:TFL::)?(\w+)Op\s*>")
_BUILTIN = re.compile(r"\bAddBuiltin\(\s*(?:::)?(?:tflite::)?BuiltinOperator_(\w+),\s*(?:\w+::)*(\w+)\(")
_DEFINED = re.compile(r"^[^\n;={}]*?\b(Register_\w+)\(\)\s*\{", re.MULTILINE)


@dataclass
class LiteKernels:
    """``files`` gives the files of a tree below a folder whose names have one of some endings."""

    files: Callable[[str, tuple[str, ...]], Iterable[str]]
    read: Callable[[str], bytes]

    def of(self, op: str) -> Iterator[tuple[str, int, str]]:
        """(file, line, function that registers it) of each kernel."""
        # The dialect ends its names in "Op": that of VarHandleOp is TF_VarHandleOp, too.
        for builtin in sorted(self._builtins.get(op) or self._builtins.get(op.removesuffix("Op")) or ()):
            function = self._registered.get(builtin, "")
            if function in self._defined:
                yield (*self._defined[function], function)

    @cached_property
    def _builtins(self) -> dict[str, set[str]]:
        """Op of TensorFlow -> builtin operators (rules 1 and 2)."""
        texts = {
            path: without_comments(self.read(path).decode("latin-1"))
            for path in self.files(CONVERTER, (".td", ".cc"))
            if not is_test_file(path)
        }
        named = {name: text.upper() for each in texts.values() for name, text in _DIALECT.findall(each)}
        found: dict[str, set[str]] = {}
        for path, text in texts.items():
            for source, result in _in_patterns(text) if path.endswith(".td") else _in_cpp(text):
                if result in named:
                    found.setdefault(source, set()).add(named[result])
        return found

    @cached_property
    def _registered(self) -> dict[str, str]:
        """Builtin operator -> the function that registers its kernel."""
        paths = [path for folder in KERNELS for path in self.files(folder, (f"/{REGISTER}",))]
        return {name: made for path in paths for name, made in _BUILTIN.findall(self.read(path).decode("latin-1"))}

    @cached_property
    def _defined(self) -> dict[str, tuple[str, int]]:
        """Function that registers a kernel -> where it is defined."""
        wanted = set(self._registered.values())
        found: dict[str, tuple[str, int]] = {}
        for path in (path for folder in KERNELS for path in self.files(folder, (".cc",)) if not is_test_file(path)):
            data = self.read(path)
            if utf8("Register_") in data:
                text = without_comments(data.decode("latin-1"))
                for each in _DEFINED.finditer(text):
                    if each[1] in wanted:
                        found.setdefault(each[1], (path, text.count("\n", 0, each.start(1)) + 1))
        return found


def _in_patterns(text: str) -> Iterator[tuple[str, str]]:
    """(op, op of TFLite) of the patterns of a ``.td`` file."""
    yield from _PAIR.findall(text)
    for each in _PATTERN.finditer(text):
        ends = _PATTERN_ENDS.search(text, each.end())
        whole = text[each.end() : ends.start() if ends else len(text)]
        source = whole[: _closing(whole)]
        sources, results = set(_SOURCE_OP.findall(source)), _RESULT_OP.findall(whole[len(source) :])
        if len(sources) == 1 and not _RESULT_OP.search(source):
            yield from ((op, made) for op in sources for made in results)


def _closing(text: str) -> int:
    """Where the first parenthesis of a text is closed."""
    depth = 0
    for each in re.finditer(r"[()]", text):
        depth += 1 if each[0] == "(" else -1
        if depth == 0:
            return each.end()
    return len(text)


def _in_cpp(text: str) -> Iterator[tuple[str, str]]:
    """(op, op of TFLite) of the definitions at the top level of a C++ file."""
    for definition in re.split(r"^\}", text, flags=re.MULTILINE):
        head = definition.partition("{")[0]
        about = set(_CPP_OP.findall(head)) or set(_CAST.findall(definition))
        if len(about) == 1:
            yield from ((op, made) for op in about for made in _MADE.findall(definition))
