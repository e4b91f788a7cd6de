"""JAX's tracer: public names, primitives, custom calls, files and targets, each leading to all the others.

word -> ``Answer``; a whole tree -> ``OpTable``. Nothing is read before a question needs it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location
from bzlgraph.base.spell import nearest_names
from bzlgraph.loading.loader import Loader
from bzlgraph.ops.file_targets import FileTargets, Hidden, Owner
from bzlgraph.ops.jax.extension import ExtensionTracer
from bzlgraph.ops.jax.ffi.model import Handler
from bzlgraph.ops.jax.ffi.names import ANY_GPU, OF_PREFIXES
from bzlgraph.ops.jax.index import JaxIndex, PrimitiveSummary
from bzlgraph.ops.jax.lowering.lowerings import ANY_PLATFORM
from bzlgraph.ops.jax.lowering.outcomes import Outcome
from bzlgraph.ops.jax.lowering.rules import CALLBACK
from bzlgraph.ops.jax.pallas_kernels import KernelCall
from bzlgraph.ops.jax.transformations import BATCHING, JVP, LINEARIZATION, TRANSPOSE, TransformationRule
from bzlgraph.ops.jax.uses import PrimitiveUse, names_of
from bzlgraph.ops.jax.words import sentences, what, without_rule
from bzlgraph.ops.model import ApiName, KernelRegistration, OpRegistration, OpUse, PythonRule, PythonStep
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.python.values.inner_names import INSIDE
from bzlgraph.ops.tracer import Answer, OpTable, OpTrace, Tracer, columns
from bzlgraph.workspace.sources.source import Source

FRAMEWORK = "jax"
MARKS = ("jax/_src/lax/lax.py", "jax/lax/lax.py")
"""Files of JAX itself: a tree without them extends it."""
ALIASES = {
    "jnp": "jax.numpy",
    "lax": "jax.lax",
    "jsp": "jax.scipy",
    "pl": "jax.experimental.pallas",
    "pltpu": "jax.experimental.pallas.tpu",
    "plgpu": "jax.experimental.pallas.mosaic_gpu",
}
COLUMNS = columns(
    "primitive api_names file line platform rule rule_file rule_line answer custom_call registered_file"
    " registered_line function function_file function_line target jvp_rules transpose_rules batching_rules"
    " linearization_rules"
)
TRANSFORMATIONS = (JVP, TRANSPOSE, BATCHING, LINEARIZATION)
"""The kinds of rules in the last columns of the table."""
CALLING = ("custom call", CALLBACK)
"""Outcomes with custom calls."""
UNCALLED = "no lowering rule in this tree creates this custom call; saved programs or other packages may"
NOT_FOLLOWED = ("JAX's own machinery (tracing, transformations, types)", "methods of other objects")
NEAR = 2
"""Functions between a public name and a primitive that is still told of in full."""
MAX_STORIES, SHOWN_MEMBERS = 6, 3

_compiled = cache(re.compile)
HandlerFilter = Callable[[Handler], bool]


def open_tracer(loader: Loader, folder: Path | None) -> Tracer:
    """The tracer of the workspace's main repository; ``folder`` is where readings are kept, None for nowhere."""
    targets = FileTargets(loader)
    source, jobs = loader.workspace.repository("").tree.source, loader.workspace.options.jobs
    if not any(map(source.is_file, MARKS)):
        return ExtensionTracer(source, targets.labels, folder, hidden=lambda: targets.gaps)
    return JaxTracer(source, targets.labels, folder, hidden=lambda: targets.gaps, jobs=jobs)


class JaxTracer(Tracer):
    """A JAX tree. ``owner`` says which targets a file is built into; ``folder`` is the cache's, None for none;
    ``jobs``: how many processes read, 0 for one per core."""

    framework = FRAMEWORK

    def __init__(
        self, files: Source, owner: Owner, folder: Path | None = None, hidden: Hidden = tuple, jobs: int = 0
    ) -> None:
        self._files = files
        self._owner = owner
        self._hidden = hidden
        self._index = JaxIndex(files, folder, jobs)

    # -------------------------------------------------------------------------------------------------- questions
    def explain(self, word: str) -> Answer:
        """A public name, a primitive, a custom call or its function in C++, a source file, or a target."""
        plain = word.strip()
        found, kept = self._meaning(plain)
        if found:
            stories = tuple(self._story(each, kept) for each in found)
            return Answer(word, FRAMEWORK, stories=stories, gaps=self.gaps())
        return self._of_public(word, _full_name(plain)) if "." in plain else self._of_uncalled(word, plain)

    def ops(self) -> Iterator[OpTrace]:
        """Every primitive."""
        return (self._story(each) for each in self._index.primitives)

    def table(self) -> OpTable:
        """A row for each primitive, platform and custom call."""
        return OpTable(COLUMNS, [row for each in self._index.primitives for row in self._rows(each)])

    # ---------------------------------------------------------------------------------------------- what is meant
    def _meaning(self, word: str) -> tuple[list[PrimitiveSummary], HandlerFilter]:
        """The primitives that a word means, and which of their custom calls are meant."""
        if word in self._index.by_name:
            return self._index.by_name[word], _every
        if self._files.is_file(word):
            own = [each for each in self._index.primitives if each.primitive.path == word]
            return (own, _every) if own else self._with(lambda each: word in (each.path, each.defined_path))
        if word.startswith(("//", "@")):
            return self._with(lambda each: word in self._targets(each, each.platform))
        return self._with(lambda each: word in (each.name, each.handler, each.function))

    def _with(self, kept: HandlerFilter) -> tuple[list[PrimitiveSummary], HandlerFilter]:
        """The primitives that come to a custom call of some kind."""
        names = {each.name for each in self._index.custom_calls.handlers if kept(each)}
        found = [
            known
            for known in (self._index.primitives if names else ())
            if any(each.name in names for outcome in known.outcomes for each in self._handlers(outcome))
        ]
        return found, kept

    def _of_public(self, word: str, name: str) -> Answer:
        found = self._index.follower.symbol(name) if "." in name else None
        if found is None:
            return self._of_no_function(word, name) or Answer(
                word, FRAMEWORK, gaps=self.gaps(), suggestions=self._similar(word, name)
            )
        symbol, function = found
        place = PythonStep(symbol.name, Location(symbol.path, function.line, 1))
        if (known := self._index.by_key.get((symbol.path, symbol.name))) is not None:
            return Answer(word, FRAMEWORK, place, stories=(self._story(known),), gaps=self.gaps())
        kernels: dict[KernelCall, None] = {}
        bound = self._index.follower.from_name(name, kernels)
        near = [each for each in bound if len(each.through) <= NEAR + 1] or bound[:1]
        stories = [self._index.by_key.get(each.primitive.key) for each in near[:MAX_STORIES]]
        return Answer(
            asked=word,
            framework=FRAMEWORK,
            symbol=place,
            uses=tuple(map(self._use, bound)),
            stories=tuple(self._story(each) for each in stories if each is not None),
            python_rules=(*map(self._compiled, kernels), *self._rules_on_the_way(symbol, bound)),
            gaps=self.gaps(),
            not_followed=NOT_FOLLOWED if not bound else (),
        )

    def _of_no_function(self, word: str, name: str) -> Answer | None:
        """A public name that is a module or a class, or that a module takes from a package outside of the tree: ``from
        numpy import savez``."""
        code = self._index.code
        found = code.resolver.absolute(name) if "." in name else None
        if found is not None and found.kind == "class":
            line = code.tree.module(found.path).classes[found.name].line
            place = PythonStep(found.name, Location(found.path, line, 1))
            return Answer(word, FRAMEWORK, place, gaps=self.gaps(), not_followed=(f"methods of {found.name}",))
        inside = code.tree.path_of(tuple(name.split("."))) if "." in name else None
        if inside is not None:
            own = [each for each in code.tree.module(inside).imports if each[0] != "_" and INSIDE not in each]
            named = "".join(f", {word}.{each}" for each in own[:SHOWN_MEMBERS])
            place = PythonStep(name, Location(inside, 0, 0))
            return Answer(word, FRAMEWORK, place, gaps=self.gaps(), not_followed=(f"what the module has{named}",))
        module, _, last = name.rpartition(".")
        path = code.tree.path_of(tuple(module.split(".")))
        taken = code.tree.module(path).imports.get(last, "") if path is not None else ""
        if path is None or "." not in taken or code.tree.path_of((taken.partition(".")[0],)) is not None:
            return None
        place = PythonStep(taken, Location(path, 0, 0), "imported")
        outside = f"{taken}, which is not in this tree"
        return Answer(word, FRAMEWORK, place, gaps=self.gaps(), not_followed=(outside,))

    def _use(self, bound: PrimitiveUse) -> OpUse:
        steps = tuple(PythonStep(name, Location(path, line, 1)) for name, path, line in bound.through)
        place = Location(bound.path, bound.line, 1)
        generated, conditions = f"{bound.primitive.variable}.bind", self._index.follower.conditions(bound)
        others, more = (0, False) if bound.certain else (len(bound.ways) - 1, bound.more)
        return OpUse(bound.primitive.name, generated, place, steps, bound.certain, conditions, others, more)

    def _compiled(self, call: KernelCall) -> PythonRule:
        """A kernel of Pallas."""
        inside = self._index.follower.from_events([(Symbol("function", call.path, call.kernel), call.events)])
        kind = f"Pallas kernel {call.backend}".rstrip()
        return PythonRule(call.caller, kind, call.kernel, Location(call.path, call.line, 1), *names_of(inside))

    def _rules_on_the_way(self, symbol: Symbol, bound: Sequence[PrimitiveUse]) -> Iterator[PythonRule]:
        """The rules that a function, or one on the way from it to a primitive, has of its own."""
        steps = ((name, path) for use in bound for name, path, _line in use.through)
        for name, path in dict.fromkeys(((symbol.name, symbol.path), *steps)):
            yield from (_python_rule(name, each) for each in self._index.rules_of(path, name))

    def _of_uncalled(self, word: str, name: str) -> Answer:
        """A custom call that is registered, and that no rule makes."""
        found = [each for each in self._index.custom_calls.handlers if name in (each.name, each.handler, each.function)]
        names = dict.fromkeys(each.name for each in found)
        stories = tuple(
            OpTrace(
                op=custom_call,
                registrations=(OpRegistration(custom_call, Location(found[0].path, found[0].line, 1)),),
                kernels=tuple(self._kernel(custom_call, "", each) for each in found if each.name == custom_call),
                remarks=(UNCALLED,),
            )
            for custom_call in names
        )
        suggestions = () if stories else self._similar(word, name)
        return Answer(word, FRAMEWORK, stories=stories, gaps=self.gaps(), suggestions=suggestions)

    def _similar(self, word: str, name: str) -> tuple[str, ...]:
        if "." not in name:
            known = [*self._index.by_name, *(each.name for each in self._index.custom_calls.handlers)]
            return nearest_names(word, known)
        module, _, last = name.rpartition(".")
        path = self._index.code.tree.path_of(tuple(module.split(".")))
        if path is not None:
            read = self._index.code.tree.module(path)
            names = (*read.imports, *read.functions, *read.values)
            public = [each for each in names if each[0] != "_" and INSIDE not in each]
            near = nearest_names(last, public)
            if near:
                return tuple(word[: len(word) - len(last)] + each for each in near)
        close = nearest_names(last, self._index.by_name)
        return tuple(api for each in close for known in self._index.by_name[each] for api in known.api_names)[:3]

    # ----------------------------------------------------------------------------------------------- what is told
    def _story(self, known: PrimitiveSummary, kept: HandlerFilter | None = None) -> OpTrace:
        primitive = known.primitive
        place = Location(primitive.path, primitive.line, 1)
        return OpTrace(
            op=primitive.name,
            api_names=tuple(ApiName(name, ()) for name in known.api_names),
            registrations=(OpRegistration(primitive.name, place),),
            kernels=tuple(self._kernels(known, kept or _every)),
            remarks=tuple(self._remarks(known)),
            python_rules=tuple(_python_rule(primitive.name, each) for each in known.rules),
        )

    def _kernels(self, known: PrimitiveSummary, kept: HandlerFilter) -> Iterator[KernelRegistration]:
        for outcome in known.outcomes:
            for each in self._handlers(outcome):
                if kept(each):
                    made = self._kernel(known.primitive.name, outcome.platform, each)
                    asked = f", if {outcome.condition}" if outcome.condition else ""
                    yield replace(made, through=(f"{outcome.rule} {outcome.path}:{outcome.line}{asked}",))

    def _kernel(self, op: str, platform: str, handler: Handler) -> KernelRegistration:
        defined = Location(handler.defined_path, handler.defined_line, 1) if handler.defined_line else None
        device = _device(handler, platform)
        return KernelRegistration(
            op=op,
            device=device,
            kernel_class=handler.name,
            location=Location(handler.path, handler.line, 1),
            compute=defined,
            compute_class=handler.function,
            condition=handler.condition,
            targets=self._targets(handler, device),
        )

    def _targets(self, handler: Handler, device: str) -> tuple[str, ...]:
        """What builds a custom call for its platform: the same files are built for CUDA and for ROCm."""
        found = self._owner(handler.defined_path or handler.path)
        own = tuple(each for each in found if device and f"/{device}" in each)
        return own or found

    def _remarks(self, known: PrimitiveSummary) -> Iterator[str]:
        own = [each for each in known.outcomes if each.kind != "pallas"]
        others = any(each.platform != ANY_PLATFORM for each in own)
        if not known.outcomes:
            yield without_rule(self._index.unread)
        rest = [each for outcome in known.outcomes if (each := self._unhandled(outcome)) is not None]
        yield from sentences(rest, self._is_registered, others)

    def _is_registered(self, name: str) -> bool:
        """Whether this tree registers custom calls of the same library: ``hipsolver_x`` when it has ``hipsolver_y``."""
        return "_" in name and name.partition("_")[0] in self._libraries

    @cached_property
    def _libraries(self) -> set[str]:
        return {each.name.partition("_")[0] for each in self._index.custom_calls.handlers}

    def _unhandled(self, outcome: Outcome) -> Outcome | None:
        """An outcome without the custom calls that this tree handles; None when nothing is left to tell. One that it
        handles on other platforms only (Mosaic for CUDA) is no call of this one, when the rule makes another."""
        if outcome.kind != "custom call":
            return outcome
        rest = [each for each in outcome.what if not self._matching(each, outcome.platform)]
        nowhere = [each for each in rest if not self._matching(each, ANY_PLATFORM)]
        rest = nowhere if nowhere or len(rest) < len(outcome.what) else rest
        return outcome._replace(what=tuple(dict.fromkeys(map(_readable, rest)))) if rest else None

    def _handlers(self, outcome: Outcome) -> list[Handler]:
        """The custom calls of an outcome that this tree registers, each registration once."""
        if outcome.kind not in CALLING:
            return []
        found = [each for text in outcome.what for each in self._matching(text, outcome.platform)]
        return sorted(dict.fromkeys(found), key=lambda each: not each.from_python)

    def _matching(self, text: str, platform: str) -> list[Handler]:
        pattern = _compiled(text)
        fitting = (each for each in self._index.custom_calls.handlers if _runs_on(each, platform))
        return [each for each in fitting if pattern.fullmatch(each.name)]

    def _rows(self, known: PrimitiveSummary) -> Iterator[tuple[str | int | None, ...]]:
        primitive = known.primitive
        head = (primitive.name, " ".join(known.api_names), primitive.path, primitive.line)
        rules = tuple(_listed(each for each in known.rules if each.kind == kind) for kind in TRANSFORMATIONS)
        if not known.outcomes:
            yield (*head, "", "", "", None, without_rule(self._index.unread), "", "", None, "", "", None, "", *rules)
        for outcome in known.outcomes:
            rule = (outcome.platform, outcome.rule, outcome.path, outcome.line)
            for each in self._handlers(outcome):
                place = (each.path, each.line, each.function, each.defined_path, each.defined_line or None)
                target = " ".join(self._targets(each, _device(each, outcome.platform)))
                yield (*head, *rule, "custom call", each.name, *place, target, *rules)
            rest = self._unhandled(outcome)
            if rest is not None:
                yield (*head, *rule, what(rest, self._is_registered), "", "", None, "", "", None, "", *rules)

    def gaps(self) -> tuple[Gap, ...]:
        """What could not be read so far."""
        broken = [
            Gap(GapKind.FILE.value, path, f"cannot be read as C++: {why}", Location(path, 1, 1))
            for path, why in (self._index.custom_calls.broken if "custom_calls" in self._index.__dict__ else ())
        ]
        return (*self._index.code.tree.gaps.values(), *broken, *self._hidden())


def _python_rule(of: str, rule: TransformationRule) -> PythonRule:
    return PythonRule(of, rule.kind, rule.function, Location(rule.path, rule.line, 1), rule.primitives, rule.possible)


def _listed(rules: Iterable[TransformationRule]) -> str:
    """Rules as a cell of the table."""
    return "; ".join(f"{each.function} at {each.path}:{each.line}" for each in rules)


def _full_name(word: str) -> str:
    head, _, rest = word.partition(".")
    return f"{ALIASES[head]}.{rest}" if head in ALIASES and rest else word


def _runs_on(handler: Handler, platform: str) -> bool:
    """Whether a rule for a platform can mean a handler."""
    if platform == ANY_PLATFORM or handler.platform in ("", platform):
        return True
    return handler.platform == ANY_GPU and platform in OF_PREFIXES.values()


def _device(handler: Handler, platform: str) -> str:
    """Where a handler runs that a rule for a platform calls."""
    return (
        platform if handler.platform == ANY_GPU and platform in OF_PREFIXES.values() else handler.platform or platform
    )


def _every(_handler: Handler) -> bool:
    return True


def _readable(pattern: str) -> str:
    """A pattern as people write names: ``lapack_*getrf``."""
    return re.sub(r"\\(.)", r"\1", pattern.replace(r"\w*", "*"))
