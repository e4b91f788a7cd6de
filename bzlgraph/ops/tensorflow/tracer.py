"""TensorFlow's tracer: a public name, an op, a generated function, a file, a kernel class or a target -> all the rest.

What a word can mean is the table ``MEANINGS``, tried in order; the first that answers wins.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from bzlgraph.base.gap import Gap
from bzlgraph.base.span import Location
from bzlgraph.base.spell import nearest_names, slips
from bzlgraph.base.words import utf8
from bzlgraph.loading.loader import Loader
from bzlgraph.ops.model import ApiName, GenTarget, GradientRegistration, OpUse, PythonStep
from bzlgraph.ops.python.resolve import Symbol, shown
from bzlgraph.ops.tensorflow.cpp.index import CppIndex
from bzlgraph.ops.tensorflow.headlines import main_ops
from bzlgraph.ops.tensorflow.python.api_names import ApiNames, merged
from bzlgraph.ops.tensorflow.python.call_rules import IMPLIED
from bzlgraph.ops.tensorflow.python.elsewhere import Elsewhere, OtherPackages
from bzlgraph.ops.tensorflow.python.exports import Export
from bzlgraph.ops.tensorflow.python.gen_targets import GenTargets
from bzlgraph.ops.tensorflow.python.gradients import PythonGradients
from bzlgraph.ops.tensorflow.python.sources import PythonSources
from bzlgraph.ops.tensorflow.xla_types import XlaTypes
from bzlgraph.ops.tracer import Answer, Cell, OpTable, OpTrace, Tracer, columns
from bzlgraph.workspace.sources.source import BesideSource, Source

if TYPE_CHECKING:
    from bzlgraph.ops.tensorflow.mentions_of import OpMentions
    from bzlgraph.ops.tensorflow.tests_of import OpTests

FRAMEWORK = "tensorflow"
SUPPORTED_COLUMNS = columns("op types device kernel_class file target condition")
WHEN_LOADED = "made by TensorFlow when the library of the op is loaded"
MAX_STORIES = 40
CONSTANT = "a Python value that is given as a tensor becomes a Const op, whatever the function"


def open_tracer(
    loader: Loader, folder: Path | None, beside: Mapping[str, Source] = MappingProxyType({})
) -> TensorflowTracer:
    """The tracer of the workspace's main repository; ``folder`` is where readings are kept, None for nowhere.
    ``beside``: Python packages that are no part of the tree."""
    cpp = CppIndex(loader)
    source = loader.workspace.repository("").tree.source
    generated = GenTargets(loader, cpp.registered_in)
    read = BesideSource(source, beside) if beside else source
    side = PythonSources(read, folder, cpp.ops, generated.ops, cpp.file_of, cpp.is_stateful)
    return TensorflowTracer(side, cpp, generated.of)


@dataclass
class TensorflowTracer(Tracer):
    """One tree. ``generated_by`` finds the target that writes a generated module."""

    side: PythonSources
    cpp: CppIndex
    generated_by: Callable[[str], GenTarget | None]
    framework: str = FRAMEWORK

    def explain(self, word: str) -> Answer:
        """Everything around a word; ``found`` is false, with suggestions, when it means nothing."""
        word = word.strip()
        for meaning in MEANINGS:
            answer = meaning(self, word)
            if answer is not None:
                return answer
        missing = self._other_package(word)
        remarks = (missing.missing,) if missing is not None and not missing.is_given else ()
        return Answer(word, self.framework, remarks=remarks, gaps=self.gaps(), suggestions=self._suggestions(word))

    def ops(self) -> Iterator[OpTrace]:
        """Every op that is registered, or has a kernel or an ApiDef."""
        for op in sorted({*self.cpp.named, *self.side.api_defs.by_op}):
            yield self.story(op, whole_tree=True)

    def supported(self) -> OpTable:
        """The ops that XLA compiles, with their types, for each of its backends: as ``tf2xla_supported_ops`` does."""
        return OpTable(SUPPORTED_COLUMNS, list(self._supported()))

    def _supported(self) -> Iterator[tuple[Cell, ...]]:
        types = XlaTypes(self.cpp.files)
        for op in sorted(self.cpp.ops()):
            registered = next(iter(self.cpp.registrations(op)), None)
            for kernel in (each for each in self.cpp.kernels(op) if each.for_xla):
                place = kernel.location.short
                for backend in types.backends:
                    allowed = types.of(registered, kernel, backend)
                    if allowed is not None:
                        text = "; ".join(f"{attribute}={{{','.join(listed)}}}" for attribute, listed in allowed)
                        targets = " ".join(kernel.targets)
                        yield op, text, backend.device, kernel.kernel_class, place, targets, kernel.when

    def tests(self, answers: Iterable[Answer]) -> OpTable:
        """The tests whose source calls an op of some answers."""
        return self._tests.table(story for answer in answers for story in answer.stories)

    def mentions(self, answers: Iterable[Answer]) -> OpTable:
        """The passes over graphs whose source names an op of some answers."""
        return self._passes.table(story for answer in answers for story in answer.stories)

    def table(self) -> OpTable:
        """One row for each op and kernel; an op without a kernel has one row."""
        from bzlgraph.ops.tensorflow.op_table import op_table  # few questions are about all ops

        stories = list(self.ops())
        mentioned = self._passes.columns({story.op for story in stories})
        tests = self._tests.columns(stories, self._api_names.definitions) if self.side.version else None
        return op_table(stories, mentioned, tests)

    @property
    def _tests(self) -> OpTests:
        from bzlgraph.ops.tensorflow.tests_of import OpTests  # few questions are about tests

        return OpTests(self.side, self.cpp.tree, self.cpp.files.read, self.cpp.targets)

    @property
    def _passes(self) -> OpMentions:
        from bzlgraph.ops.tensorflow.mentions_of import OpMentions  # few questions are about passes

        return OpMentions(self.cpp.tree, self.cpp.files.read, self.cpp.targets)

    def story(self, op: str, whole_tree: bool = False) -> OpTrace:
        """All that is known of one op."""
        names = self._api_names.of(op) if whole_tree else (*self.side.exports.of_op(op), *self._api_names.near(op))
        generated = self.side.names.by_op.get(op, "")
        registrations = self.cpp.registrations(op)
        wrapper = self._wrapper(op, registrations[0].location.path if registrations else "") if generated else None
        kernels = self.cpp.kernels(op, to_the_end=not whole_tree)
        return OpTrace(
            op,
            merged(names),
            generated,
            (wrapper,) if wrapper else (),
            registrations,
            kernels,
            (*self._gradients_by_op.get(op, ()), *self.cpp.gradients(op)) if whole_tree else self._gradients_of(op),
            (
                *(() if registrations or whole_tree else self._without_registration()),
                *self.cpp.targets.without(each.location.path for each in kernels if not each.targets),
            ),
        )

    def _without_registration(self) -> tuple[str, ...]:
        """That the names of some ops are made while TensorFlow runs."""
        places = self.cpp.registered_at_run_time()
        return (f"ops are also registered while the program runs, at {', '.join(places)}",) if places else ()

    def _gradients_of(self, op: str) -> tuple[GradientRegistration, ...]:
        """With the kernels of the ops that they make."""
        return tuple(
            replace(each, kernels=tuple(chain.from_iterable(map(self.cpp.first_kernels, each.ops))))
            for each in (*self._gradients.of(op), *self.cpp.gradients(op))
        )

    @cached_property
    def _api_names(self) -> ApiNames:
        return ApiNames(self.side)

    @cached_property
    def _other_packages(self) -> OtherPackages:
        return OtherPackages(self.side.tree)

    @cached_property
    def _gradients(self) -> PythonGradients:
        return PythonGradients(self.side)

    @cached_property
    def _gradients_by_op(self) -> dict[str, list[GradientRegistration]]:
        return self._gradients.by_op()

    def _other_package(self, word: str) -> Elsewhere | None:
        return self._other_packages.of(*self.side.exports.split(word))

    # What a word may mean.

    def _as_op(self, word: str) -> Answer | None:
        if not self.side.knows(word) and word not in self.cpp.named:
            return None
        return self._answer(word, (), (word,))

    def _as_target(self, word: str) -> Answer | None:
        return self._answer(word, (), self.cpp.ops_of_target(word)) if word.startswith(("//", "@", ":")) else None

    def _as_written(self, word: str) -> Answer | None:
        """``model.py:Layer.call``, or a dotted name in a package beside the tree: all ops that it runs."""
        found = self.side.written(word)
        if found is None:
            return None
        walk = self.side.walker.walk(found.symbol, receiver=found.receiver)
        step = PythonStep(shown(found.symbol), self.side.walker.location(found.symbol))
        known = [use.op for use in walk.found.values() if not use.possible]
        ops = tuple(sorted(known, key=lambda op: op == IMPLIED))
        answer = self._answer(word, tuple(walk.found.values()), ops, step)
        return answer if answer.stories else replace(answer, not_followed=self.side.walker.not_followed(walk))

    def _as_file(self, word: str) -> Answer | None:
        named = "/" in word or "." in word
        if not named or word.startswith(("//", "@")) or not self.side.source.is_file(word):
            return None
        if not word.endswith(".py"):
            return self._answer(word, (), self.cpp.ops_in(word))
        uses = []
        for each in self.side.exports.of_file(word):
            uses += [use for use in self.side.walker.uses(each.symbol) if use.depth == 0]
        return self._answer(word, tuple({use.op: use for use in uses}.values()))

    def _as_generated(self, word: str) -> Answer | None:
        module, _, function = word.rpartition(".")
        if module and not module.rpartition(".")[2].startswith("gen_"):
            return None
        if not (ops := self.side.names.by_name.get(function)):
            return None
        path = self.side.generated_module(module)
        generated = f"{module}.{function}" if module else function
        is_built = self.side.version or (path and self.generated_by(path) is not None)
        step = PythonStep(generated, _place(path), "generated by the build" if is_built else WHEN_LOADED)
        return self._answer(word, (), ops, symbol=step)

    def _as_public(self, word: str) -> Answer | None:
        found = self._exported(word)
        if not found or not word:
            return None
        first = found[0]
        takes_values = self._takes_values(first.symbol)
        walk = self.side.walk(first, word, takes_values)
        uses = tuple(walk.found.values())
        remarks = [f"another definition: {_also(each)}" for each in found[1:] if each.symbol != first.symbol]
        remarks[:0] = self._of_another(word, found)
        if uses and takes_values and self.side.knows(IMPLIED):
            remarks.append(CONSTANT)
        step = PythonStep(shown(first.symbol), self._begins(first), first.how)
        names = first.names
        methods = (f"methods of {shown(first.symbol)}",) if first.symbol.kind == "class" else ()
        if uses and methods and not self.side.walker.is_called(first.symbol):
            remarks.insert(0, f"what making one creates is shown; not followed: {methods[0]}")
        answer = self._answer(word, uses, (), step, names, tuple(remarks), walk.returned)
        if answer.stories:
            return answer
        return replace(answer, not_followed=(*self.side.walker.not_followed(walk), *methods))

    def _exported(self, word: str) -> list[Export]:
        """The definitions of a public name; of one that another package gives, those of the tree's copy where that
        package is not given."""
        name, version = self.side.exports.split(word)
        other, renamed = self._other_package(word), self._other_packages.renamed(name, version)
        rest = name.partition(".")[2]
        if other is not None and other.is_given:
            return self.side.exports.find(f"{other.module}.{rest}")
        module = f"tf.{other.within}" if other is not None else renamed.of if renamed is not None else ""
        return (self.side.exports.exported(f"{module}.{rest}") if module else []) or self.side.exports.find(word)

    def _of_another(self, word: str, found: Sequence[Export]) -> Iterator[str]:
        """That a public name is one of another package, or of another version of the API."""
        name, version = self.side.exports.split(word)
        other = self._other_package(word)
        others = {one for each in found for api in each.names if api.name == f"tf.{name}" for one in api.versions}
        named = " or ".join(f"tf.compat.{each}.{name}" for each in sorted(others)) if version not in others else ""
        renamed = self._other_packages.renamed(name, version)
        if renamed is not None and any(api.name.startswith(f"{renamed.of}.") for each in found for api in each.names):
            yield renamed.told()
        if other is not None and other.is_given:
            yield other.taken
        elif other is not None:
            yield other.told(named) if named else other.told()
        elif named:
            yield f"tf.{name} is no name of API {version}: it is {named}"

    def _takes_values(self, symbol: Symbol) -> bool:
        """Whether somebody may give a function a value that becomes a tensor: none to that of an op without inputs."""
        op = self.side.names.op(symbol.name) if symbol.kind == "generated" else ""
        return not any(each.without_input for each in self.cpp.registrations(op))

    def _as_class(self, word: str) -> Answer | None:
        ops = self.cpp.ops_of_class(word)
        return self._answer(word, (), ops) if ops else None

    # Making the answer.

    def _answer(
        self,
        word: str,
        uses: tuple[OpUse, ...],
        ops: tuple[str, ...] = (),
        symbol: PythonStep | None = None,
        api_names: tuple[ApiName, ...] = (),
        remarks: tuple[str, ...] = (),
        returned: Collection[str] = (),
    ) -> Answer:
        # Const comes with everything: shown last, never in the place of the op that was asked for.
        uses = tuple(sorted(uses, key=lambda use: (use.possible, use.op == IMPLIED)))
        listed = ops or main_ops([use for use in uses if not use.possible], self._namesakes(word), returned)
        if not self.side.version:
            remarks = (*remarks, *(f"ops are loaded by {each}" for each in self.side.loaders(listed)))
        stories = tuple(self.story(op) for op in listed[:MAX_STORIES])
        if len(listed) > MAX_STORIES:
            remarks = (*remarks, f"{len(listed) - MAX_STORIES} more ops: {', '.join(listed[MAX_STORIES:])}")
        return Answer(word, self.framework, symbol, api_names, uses, stories, remarks, self.gaps())

    def _namesakes(self, word: str) -> set[str]:
        """The ops that are called as a function is, a version at the end or not: ConcatV2 for ``tf.concat``."""
        last = word.rpartition(".")[2].removesuffix("_v2")
        names = (last, f"_{last}", *(f"{last}{each}" for each in ("_v2", "_v3", "_v4")))
        return {op for name in names for op in self.side.names.by_name.get(name, ())}

    def _begins(self, exported: Export) -> Location:
        if exported.symbol.kind == "generated":
            return exported.location
        return self.side.walker.location(exported.symbol)

    def _wrapper(self, op: str, registered: str) -> GenTarget | None:
        """The target of the module that the op's function was met in, else of the one named after its C++ file, or of
        the public one that has it."""
        stem = registered.rpartition("/")[2].removesuffix(".cc")
        guessed = (f"tensorflow.python.ops.gen_{stem}", f"tensorflow.python.gen_{stem}") if stem else ()
        for module in (self.side.walker.making.modules.get(op, ""), *guessed):
            if module and (found := self.generated_by(module)) is not None:
                return found
        return self.generated_by(module) if (module := self.side.public.module_of(op)) else None

    def gaps(self) -> tuple[Gap, ...]:
        """What could not be read so far."""
        return (*self.side.all_gaps(), *self.cpp.gaps())

    def _suggestions(self, word: str) -> tuple[str, ...]:
        name, _ = self.side.exports.split(word)
        known = {f"tf.{each}": each for each in self.side.exports.all_names()}
        last = name.rpartition(".")[2].lower()
        same_end = sorted(full for full, each in known.items() if each.rpartition(".")[2].lower() == last)
        ops = {*self.side.api_defs.by_op, *self.cpp.named}
        full = word if "." in word else f"tf.{word}"
        words, public = sorted({*known, *ops}), sorted(known)
        members = self._members_near(full, public)
        mistyped = chain(slips(word, words), slips(full, [*public, *members]), nearest_names(full, members))
        written = () if known else self._functions_named(name.rpartition(".")[2])
        near = chain(nearest_names(word, words), nearest_names(full, public))
        return tuple(dict.fromkeys(chain(mistyped, same_end[:3], written, near)))[:5]

    def _members_near(self, name: str, public: Sequence[str]) -> list[str]:
        """The methods of the class whose method a name may be, or of those that are named nearly so."""
        owner, exports = name.rpartition(".")[0], self.side.exports
        owners = [owner] if owner in public else nearest_names(owner, public)
        classes = chain.from_iterable(map(exports.exported, owners))
        return sorted({each.name for found in classes for method in exports.methods(found) for each in method.names})

    def _functions_named(self, name: str) -> tuple[str, ...]:
        """Functions of a tree that exports none, as ``op`` takes them: ``my.f`` may be ``my/parts/all.py:f``."""
        tree = self.side.exports.resolver.tree
        files = tree.containing("", (utf8(f"def {name}("),))
        return tuple(f"{path}:{name}" for path in sorted(files) if name in tree.module(path).functions)[:3]


MEANINGS: tuple[Callable[[TensorflowTracer, str], Answer | None], ...] = (
    TensorflowTracer._as_target,
    TensorflowTracer._as_written,
    TensorflowTracer._as_file,
    TensorflowTracer._as_op,
    TensorflowTracer._as_generated,
    TensorflowTracer._as_public,
    TensorflowTracer._as_class,
)


def _place(module: str) -> Location:
    return Location(f"{module.replace('.', '/')}.py" if module else "", 0, 0)


def _also(exported: Export) -> str:
    names = ", ".join(_with_version(each) for each in exported.names)
    return f"{names or exported.symbol.name} at {exported.location}"


def _with_version(name: ApiName) -> str:
    return name.name if len(name.versions) > 1 else f"{name.name} ({' '.join(name.versions)})"
