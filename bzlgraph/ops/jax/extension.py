"""A tree that extends JAX: a Python function -> targets of ``jax.ffi.ffi_call`` -> handlers in C++, files and targets.

Rules (JAX's page "Foreign function interface", ``jax/_src/ffi.py``)
1. The targets and their handlers are those of ``ffi.targets``.
2. A function calls a target by ``ffi_call``, in itself or in functions of the tree that it calls; a method likewise.
3. It may bind a primitive of the tree (``x_p.bind``); the targets are those that the primitive's rules call.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location
from bzlgraph.base.spell import nearest_names
from bzlgraph.ops.file_targets import Hidden, Owner
from bzlgraph.ops.jax.code import open_code
from bzlgraph.ops.jax.ffi.handlers import Handlers
from bzlgraph.ops.jax.ffi.model import Handler
from bzlgraph.ops.jax.ffi.targets import FfiTargets, ForeignCall
from bzlgraph.ops.jax.follow import Follower
from bzlgraph.ops.jax.lowering.lowerings import Lowering, Unread, all_lowerings
from bzlgraph.ops.jax.lowering.rules import NAMED_LATER, Effect, RuleReader
from bzlgraph.ops.jax.primitives import all_primitives
from bzlgraph.ops.model import KernelRegistration, OpRegistration, OpUse, PythonStep
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.tracer import Answer, OpTable, OpTrace, Tracer, columns
from bzlgraph.python_source.import_names import files_ending, package_roots
from bzlgraph.workspace.sources.source import Source

FRAMEWORK = "jax"
COLUMNS = columns(
    "custom_call platform registered_file registered_line handler handler_file handler_line function function_file"
    " function_line target"
)
FOREIGN = "ffi_call"


class ExtensionTracer(Tracer):
    """A tree that registers handlers with JAX. ``owner`` says which targets a file is built into."""

    framework = FRAMEWORK

    def __init__(self, files: Source, owner: Owner, folder: Path | None = None, hidden: Hidden = tuple) -> None:
        self._cpp = Handlers(files, ("",))
        self._owner = owner
        self._hidden = hidden
        self._code = open_code(files, folder, roots=package_roots(files_ending(files.entries)))
        self._rules = RuleReader(self._code)
        self._ffi = FfiTargets(self._code, self._cpp)
        self._follower = Follower(self._code, ("",))

    def explain(self, word: str) -> Answer:
        """A Python function, a target of FFI calls, a handler or its function in C++, a source file, or a target."""
        names = list(dict.fromkeys(each.name for each in self._ffi.calls if word in self._words(each)))
        if names:
            return Answer(word, FRAMEWORK, stories=tuple(map(self._story, names)), gaps=self.gaps())
        symbol = self._function(word)
        if symbol is not None:
            return self._of_function(word, symbol)
        known = [name for each in self._ffi.calls for name in self._words(each)]
        return Answer(word, FRAMEWORK, gaps=self.gaps(), suggestions=nearest_names(word, list(dict.fromkeys(known))))

    def ops(self) -> Iterator[OpTrace]:
        """Every target of FFI calls."""
        return (self._story(name) for name in dict.fromkeys(each.name for each in self._ffi.calls))

    def table(self) -> OpTable:
        """A row for each target, platform and handler."""
        return OpTable(COLUMNS, [self._row(each) for each in self._ffi.calls])

    def gaps(self) -> tuple[Gap, ...]:
        """What could not be read so far."""
        broken = [
            Gap(GapKind.FILE.value, path, f"cannot be read as C++: {why}", Location(path, 1, 1))
            for path, why in self._cpp.broken
        ]
        unnamed = [
            Gap(GapKind.FILE.value, "a target of FFI calls", "its name is built at run time", place)
            for place in dict.fromkeys(self._ffi.unnamed)
        ]
        return (*self._code.tree.gaps.values(), *broken, *unnamed, *self._hidden())

    # ------------------------------------------------------------------------------------------------- what is told
    def _words(self, each: ForeignCall) -> list[str]:
        words = [each.name, each.path, *self._targets(each)]
        if each.handler is not None:
            words += [each.handler.handler, each.handler.function, each.handler.path, each.handler.defined_path]
        return [word for word in words if word]

    def _function(self, word: str) -> Symbol | None:
        """The function of a dotted name, or of ``FILE.py:f``; modules may be told without the packages above them."""
        path, colon, name = word.rpartition(":")
        in_file = bool(colon) and self._code.tree.source.is_file(path)
        found = self._code.resolver.resolve(path, name) if in_file else self._code.resolver.absolute(word)
        if found is None and "." not in word:
            paths = [
                path
                for path in self._code.tree.containing("", (f"def {word}".encode(),))
                if word in self._code.tree.module(path).functions
            ]
            found = self._code.resolver.resolve(paths[0], word) if len(paths) == 1 else None
        return found if found is not None and self._code.resolver.function(found) is not None else None

    def _of_function(self, word: str, symbol: Symbol) -> Answer:
        function = self._code.resolver.function(symbol)
        effects = self._rules.made(ast.Name(symbol.name), symbol.path)
        uses = [
            OpUse(name, FOREIGN, Location(each.path, each.line, 1))
            for each in effects
            if each.kind == "custom call"
            for name in self._fitting(each)
        ]
        uses += self._by_primitives(symbol)
        not_followed = [
            f"{each.path}:{each.line} {FOREIGN} of a name that is given" for each in effects if _later(each)
        ]
        return Answer(
            asked=word,
            framework=FRAMEWORK,
            symbol=PythonStep(symbol.name, Location(symbol.path, function.line if function else 0, 1)),
            uses=tuple(dict.fromkeys(uses)),
            stories=tuple(self._story(name) for name in dict.fromkeys(each.op for each in uses)),
            not_followed=tuple(not_followed) or ("functions outside of this tree, and methods of objects",),
            gaps=self.gaps(),
        )

    def _by_primitives(self, symbol: Symbol) -> Iterator[OpUse]:
        """Rule 3."""
        for bound in self._follower.from_symbol(symbol):
            steps = tuple(PythonStep(name, Location(path, line, 1)) for name, path, line in bound.through[1:])
            for rule in self._lowerings.get(bound.primitive.key, ()):
                made = self._rules.made(rule.rule, rule.path)
                for name in dict.fromkeys(
                    name for each in made if each.kind == "custom call" for name in self._fitting(each)
                ):
                    place = Location(bound.path, bound.line, 1)
                    variable, conditions = bound.primitive.variable, self._follower.conditions(bound)
                    yield OpUse(name, f"{variable}.bind", place, steps, bound.certain, conditions)

    @cached_property
    def _lowerings(self) -> dict[tuple[str, str], list[Lowering]]:
        """The rules of the tree's own primitives."""
        found: dict[tuple[str, str], list[Lowering]] = {}
        for each in all_lowerings(self._code, list(all_primitives(self._code, "")), ""):
            if isinstance(each, Unread):
                continue
            found.setdefault(each.primitive, []).append(each)
        return found

    def _fitting(self, effect: Effect) -> list[str]:
        """The targets that a pattern of names means; the name as written when none is registered."""
        known = [each.name for each in self._ffi.calls if re.fullmatch(effect.what, each.name)]
        return list(dict.fromkeys(known)) or [re.sub(r"\\(.)", r"\1", effect.what)]

    def _story(self, name: str) -> OpTrace:
        calls = [each for each in self._ffi.calls if each.name == name]
        places = [(each, Location(path, line, 1)) for each in calls for path, line in [_registered(each)] if path]
        remarks = [] if calls else ["no register_ffi_target in this tree names it"]
        remarks += [f"the handler it gets at {where.short} was not found" for each, where in places if not each.handler]
        return OpTrace(
            op=name,
            registrations=tuple(OpRegistration(name, where, targets=self._owner(where.path)) for _, where in places),
            kernels=tuple(self._kernel(each, each.handler) for each in calls if each.handler is not None),
            remarks=tuple(remarks),
        )

    def _kernel(self, each: ForeignCall, handler: Handler) -> KernelRegistration:
        defined = Location(handler.defined_path, handler.defined_line, 1) if handler.defined_line else None
        return KernelRegistration(
            op=each.name,
            device=each.platform,
            kernel_class=handler.handler,
            location=Location(handler.path, handler.line, 1),
            compute=defined,
            compute_class=handler.function,
            compute_method="",
            condition=handler.condition,
            targets=self._targets(each),
        )

    def _targets(self, each: ForeignCall) -> tuple[str, ...]:
        handler = each.handler
        return self._owner(handler.defined_path or handler.path) if handler is not None else ()

    def _row(self, each: ForeignCall) -> tuple[str | int | None, ...]:
        known = each.handler
        path, line = _registered(each)
        head = (each.name, each.platform, path, line or None)
        if known is None:
            return (*head, "", "", None, "", "", None, "")
        place = (known.handler, known.path, known.line, known.function, known.defined_path, known.defined_line or None)
        return (*head, *place, " ".join(self._targets(each)))


def _registered(each: ForeignCall) -> tuple[str, int]:
    """Where a target is registered: in Python, else where C++ does it itself."""
    if each.path or each.handler is None:
        return each.path, each.line
    return each.handler.path, each.handler.line


def _later(effect: Effect) -> bool:
    return effect.kind == NAMED_LATER
