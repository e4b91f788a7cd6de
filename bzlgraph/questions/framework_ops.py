"""Questions about the ops of TensorFlow, PyTorch and JAX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Completeness
from bzlgraph.base.label import Label
from bzlgraph.base.phase import working
from bzlgraph.base.words import either
from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.ops import needs
from bzlgraph.ops.frameworks import choose, frameworks_of, not_searched, open_tracer, product_of
from bzlgraph.ops.kept_table import Made, kept_table
from bzlgraph.ops.tracer import Answer, OpTable, Tracer
from bzlgraph.ops.typed_words import files_near, in_tree
from bzlgraph.questions.reply import Reply, notes_on
from bzlgraph.questions.session import UNCONFIGURED, QueryOptions, Session, ask_query
from bzlgraph.why.answer import WhyAnswer
from bzlgraph.workspace.sources.source import DiskSource

if TYPE_CHECKING:
    from bzlgraph.ops.bindings.index import BindingIndex
    from bzlgraph.workspace.tree import RepositoryTree

COMPILERS = ("xla",)
TARGET_COLUMNS = ("kernel_target", "target")
"""Where the tables of the frameworks have the targets that build a kernel."""
PUBLIC = ("tf.", "tensorflow.raw_ops.", "jax.", "jnp.", "torch.nn.", "gen_")
"""How words begin that are looked for among a framework's own names only."""
MEANT = 3
"""So many modules are tried that a tree imports by one name."""
NOTHING_BOUND = (
    "no C++ file in this workspace exposes names to Python (pybind11, nanobind, SWIG, ctypes, torch libraries)"
)
NOTHING_KNOWN = "no name that C++ exposes to Python is known; see the gaps"
NOT_SEARCHED = "note: calls in tests are searched in TensorFlow's own tree only; --all adds tests that depend on files"
_OP = "public name, op, file, kernel class or target of this tree"
_NO_WORK = "implements no known op of {}, and "
_MEANINGS = {"bindings": "name that C++ exposes to Python in this tree, nor a file that does"}
_LISTS = {"bindings": "bzlgraph op --bindings"}


@dataclass(frozen=True, slots=True)
class BuiltInto:
    """What a word means, and the paths from a product to the targets that build its parts."""

    answer: Answer
    paths: tuple[WhyAnswer, ...]


def ask_ops(session: Session, names: Sequence[str], framework: str = "") -> Reply[tuple[Answer, ...]]:
    """What words mean; one that means nothing is a problem. Raises UsageProblem for a tree without a framework."""
    working("Tracing ops through the sources")
    tree = _tree(session)
    words = (in_tree(tree, session.folder, name) for name in names)
    answers = tuple(_explain_as_imported(session, word, framework) for word in words)
    gaps = (gap for answer in answers for gap in answer.gaps)
    unknown = (answer for answer in answers if not answer.found)
    problems = (unknown_word(each, tree.source.is_file(each.asked), not_searched(tree)) for each in unknown)
    return Reply(answers, session.completeness(problems, gaps))


def ask_ops_table(
    session: Session,
    framework: str = "",
    supported_by: str = "",
    built_into: str | None = None,
    arguments: ConfigArguments = UNCONFIGURED,
) -> Reply[OpTable]:
    """All ops, a row for each kernel; with ``supported_by="xla"`` those that XLA compiles. ``built_into``: with the
    shared object that carries each kernel in a target ("": in what people install). Raises UsageProblem."""
    if supported_by and supported_by not in COMPILERS:
        raise UsageProblem(f"supported_by={supported_by}: only {', '.join(COMPILERS)} is known")

    def made() -> Made:
        working("Tracing all ops through the sources")
        tracer = _tracer(session, framework)
        table = tracer.supported() if supported_by else tracer.table()
        known = session.completeness(gaps=tracer.gaps())
        if built_into is None:
            return table, known
        start = built_into or product_of(tracer.framework, session.under(arguments).view(arguments))
        return _with_shared_objects(session, table, start, arguments, known)

    return _of_tree(session, ("ops", framework, supported_by, repr((built_into, arguments))), made)


def _with_shared_objects(
    session: Session, table: OpTable, start: str, arguments: ConfigArguments, known: Completeness
) -> Made:
    """A table with what each row's target is carried in, on the path that ``why`` finds from ``start``."""
    from bzlgraph.questions.paths import ask_why  # most questions are about no path

    at = next(place for place, (name, _) in enumerate(table.columns) if name in TARGET_COLUMNS)
    labels = [str(row[at] or "").partition(" ")[0] for row in table.rows]
    carried: dict[str, str | None] = {"": None}
    for label in sorted({*labels} - {""}):
        reply = ask_why(session, label, start, arguments)
        way = [step.node.label for step in reply.answer.steps] if reply.answer.no_way is None else []
        carried[label] = needs.shared_object(way)
        known = known.with_more(reply.completeness.problems, reply.completeness.gaps)
    rows = [(*row, carried[label]) for row, label in zip(table.rows, labels, strict=True)]
    return OpTable((*table.columns, ("shared_object", "text")), rows), known


def ask_bindings(session: Session) -> Reply[OpTable]:
    """Every name that a module of C++ gives to Python: pybind11, nanobind, SWIG, operators of torch extensions."""

    def made() -> Made:
        index = _bindings(session)
        table = index.table()
        return table, session.completeness(gaps=index.gaps())

    reply = _of_tree(session, ("bindings",), made)
    note = NOTHING_KNOWN if reply.completeness.gaps else NOTHING_BOUND
    apart = not_searched(_tree(session))
    notes = (note, *([f"hint: {apart}"] if apart else ()))
    return reply if reply.answer.rows else Reply(reply.answer, reply.completeness, notes)


def ask_registrations(session: Session, macro: str) -> Reply[OpTable]:
    """Every use of a registering macro in the tree. Raises UsageProblem for what is no name, LoadProblem for one
    that no C++ file has."""
    from bzlgraph.ops.registrations import Registrations

    registrations = Registrations(session.loader)
    table = registrations.table(macro)
    return Reply(table, session.completeness(gaps=registrations.gaps))


def ask_needs(session: Session, names: Sequence[str], framework: str, arguments: ConfigArguments) -> Reply[OpTable]:
    """Every target and file that the libraries of ops depend on. Raises UsageProblem."""
    session = session.under(arguments)
    reply = ask_ops(session, names, framework)
    view = session.view(arguments)
    rows = list(needs.needs_rows(view, [answer for answer in reply.answer if answer.found]))
    nodes = [node for row in rows if (node := view.find(session.label(row[0]))) is not None]
    known = reply.completeness
    table = OpTable(tuple((name, "text") for name in needs.COLUMNS), rows)
    problems = (*known.problems, *view.missing_among(nodes), *view.problems_of(nodes))
    completeness = session.completeness(problems, (*known.gaps, *view.gaps_of(nodes)))
    return Reply(table, completeness, notes_on(view))


def ask_slice(session: Session, names: Sequence[str], framework: str, arguments: ConfigArguments) -> Reply[OpTable]:
    """The smallest set of targets and files that builds ops, with what each weighs. Raises UsageProblem."""
    from bzlgraph.ops import slices

    session = session.under(arguments)
    reply = ask_ops(session, names, framework)
    view, source = session.view(arguments), _tree(session).source
    made = slices.cut(view, [answer for answer in reply.answer if answer.found])
    if not made.nodes and any(answer.found for answer in reply.answer):
        raise UsageProblem(f"no target of this tree is known to build {' '.join(names)}, so there is no slice")

    def size(label: Label) -> int:
        try:
            return 0 if label.repo else len(source.read(label.path))
        except OSError:
            return 0

    table = OpTable(slices.COLUMNS, list(slices.slice_rows(view, made, size)))
    known = reply.completeness
    problems = (*known.problems, *view.missing_among(made.nodes), *view.problems_of(made.nodes))
    completeness = session.completeness(problems, (*known.gaps, *view.gaps_of(made.nodes)))
    return Reply(table, completeness, notes_on(view))


def ask_op_tests(session: Session, names: Sequence[str], framework: str = "", within: str = "") -> Reply[OpTable]:
    """The tests whose source calls what words mean; with ``within``, a pattern such as ``//...``, then those of its
    targets that depend on the files too. Raises UsageProblem, and QueryProblem for what is no pattern."""
    found: list[Answer] = []

    def table_of(tracer: Tracer, answers: tuple[Answer, ...]) -> OpTable:
        found.extend(answers)
        return tracer.tests(answers)

    reply = _around(session, names, framework, table_of)
    if not choose(_tree(session), framework).present(_tree(session)):
        reply = Reply(reply.answer, reply.completeness, (NOT_SEARCHED,))
    files = needs.files_of(found, _tree(session).source.is_file)
    if not within or not files:
        return reply
    from bzlgraph.ops.tensorflow.tests_of import depending

    named = " ".join(f'"{each}"' for each in files)
    text = f"tests(rdeps({within}, set({named})))"
    tests, known = ask_query(session, text, QueryOptions(keep_going=True)), reply.completeness
    more = known.with_more(tests.completeness.problems, tests.completeness.gaps)
    return Reply(depending(reply.answer, map(str, tests.answer)), more, (*reply.notes, *tests.notes))


def ask_op_mentions(session: Session, names: Sequence[str], framework: str = "") -> Reply[OpTable]:
    """The passes over graphs whose source names the ops that words mean. Raises UsageProblem."""
    return _around(session, names, framework, lambda tracer, answers: tracer.mentions(answers))


def _around(
    session: Session, names: Sequence[str], framework: str, table_of: Callable[[Tracer, tuple[Answer, ...]], OpTable]
) -> Reply[OpTable]:
    """A table about what words mean."""
    tracer = _tracer(session, framework)
    reply = ask_ops(session, names, framework)
    table = table_of(tracer, reply.answer)
    known = reply.completeness
    return Reply(table, session.completeness(known.problems, (*known.gaps, *tracer.gaps())))


def ask_built_into(
    session: Session,
    names: Sequence[str],
    from_: str,
    framework: str,
    arguments: ConfigArguments,
) -> Reply[tuple[BuiltInto, ...]]:
    """How the targets behind ops get into what people install (``from_``, else the framework's package).

    Raises UsageProblem when the tree has no such package, and as ``paths.ask_why``.
    """
    from bzlgraph.questions.paths import ask_why  # most questions are about no path

    session = session.under(arguments)
    reply = ask_ops(session, names, framework)
    completeness, found = reply.completeness, []
    for answer in reply.answer:
        start = from_ or product_of(answer.framework, session.view(arguments))
        paths = [ask_why(session, target, start, arguments) for target in needs.targets_of([answer])]
        found.append(BuiltInto(answer, tuple(path.answer for path in paths)))
        for path in paths:
            completeness = completeness.with_more(path.completeness.problems, path.completeness.gaps)
    return Reply(tuple(found), completeness, notes_on(session.view(arguments)))


def unknown_word(answer: Answer, is_file: bool = False, apart: str = "") -> Diagnostic:
    """That a word means nothing, and what may have been meant; of a file that nothing of it is known. ``apart``: what
    of the checkout was not searched."""
    if is_file:
        of_op = "" if answer.framework in _MEANINGS else _NO_WORK.format(answer.framework)
        return Diagnostic(f"'{answer.asked}' {of_op}exposes no name to Python that was found")
    meant = f"did you mean {either(answer.suggestions)}?" if answer.suggestions else ""
    lists = f"{_LISTS.get(answer.framework, 'bzlgraph op --table')} lists all names"
    hint = "; ".join(answer.remarks) or meant or apart or lists
    return Diagnostic(f"'{answer.asked}' is not a {_MEANINGS.get(answer.framework, _OP)}", hint=hint)


def _explain_as_imported(session: Session, name: str, framework: str) -> Answer:
    """What a word means; one that nothing knows, what it means where its first name is what the tree imports by it."""
    answer, (head, dot, rest) = _explain(session, name, framework), name.partition(".")
    tree = _tree(session)
    if not answer.found and (near := files_near(tree, session.folder, name)):
        return replace(answer, suggestions=near)
    if answer.found or not dot or not head.isidentifier() or tree.source.is_folder(head) or name.startswith(PUBLIC):
        return answer
    from bzlgraph.python_source.import_names import meanings  # most names are known

    meant = meanings(head, tree.entries, tree.source.read)
    # What few files mean by a name is not what it is known for.
    for each in (one for one in meant[:MEANT] if 2 * one.uses >= meant[0].uses):
        known = _explain(session, f"{each.module}.{rest}", framework)
        if known.found:
            remark = f"{head} stands for {each.module}, as in {each.path}:{each.line}"
            return replace(known, remarks=(remark, *known.remarks))
    return answer


def _explain(session: Session, name: str, framework: str) -> Answer:
    """What a word means among the tree's bindings, where it names a module of them, to its framework, or else among the
    bindings all the same: a file may serve no op and be bound, a function run none and call C++ by its bindings."""
    present = bool(framework or frameworks_of(_tree(session)))
    if present and name.partition(".")[0] in session.python_path:
        return _tracer(session, framework).explain(name)
    if not present or (not framework and not name.startswith(PUBLIC) and _bindings(session).has_module_of(name)):
        bound = _bindings(session).explain(name)
        if bound.says_what_runs or (not present and _bindings(session).modules):
            return bound
    traced = _tracer(session, framework).explain(name)
    if traced.says_what_runs or framework or (name.startswith(PUBLIC) and not _bindings(session).has_module_of(name)):
        return traced
    bound = _bindings(session).explain(name)
    return bound if bound.says_what_runs or (bound.found and not traced.found) else traced


def _of_tree(session: Session, asked: tuple[str, ...], make: Callable[[], Made]) -> Reply[OpTable]:
    """A table about a whole tree, kept for other formats."""
    options = session.loader.workspace.options
    values = (getattr(options, each.name) for each in fields(options))
    chosen = (sorted(each) if isinstance(each, frozenset) else each for each in values if not callable(each))
    return Reply(*kept_table(options.cache_folder, (*asked, session.root, session.gaps, *chosen), make))


def _tree(session: Session) -> RepositoryTree:
    return session.loader.workspace.repository("").tree


def _bindings(session: Session) -> BindingIndex:
    from bzlgraph.ops.bindings.index import open_bindings  # most questions are about ops

    folder = session.loader.workspace.options.cache_folder
    return session.once("bindings", lambda: open_bindings(session.loader, folder))


def _tracer(session: Session, framework: str) -> Tracer:
    workspace = session.loader.workspace
    chosen = choose(workspace.repository("").tree, framework)
    beside = {name: DiskSource(folder, ()) for name, folder in session.python_path.items()}
    return session.once(
        ("tracer", chosen.name, *sorted(session.python_path.items())),
        lambda: open_tracer(chosen, session.loader, workspace.options.cache_folder, beside),
    )
