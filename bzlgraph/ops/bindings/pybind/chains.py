"""What the functions of one C++ file bind to Python: ``m.def("f", &f)``, ``py::class_<T>(m, "T").def(...)``.

``SourceFile`` -> ``Unit`` for each function that binds something, or hands a module on. Rules (pybind11, nanobind and
torch/library.h):

1. ``PYBIND11_MODULE(name, m) {`` and its kin (``module_macros.MODULES``) are functions whose parameter is a module.
2. A chain of calls begins at a variable that holds a module or class, or at the expression that makes one; each call
   of it gives the same again, so ``.def("a", f).def("b", g)`` binds both to where the chain began.
3. ``class_<T>(m, "T")`` and its like (``MAKERS``) make a class inside ``m``; ``m.def_submodule("s")`` a module. The
   values of an ``enum_`` are in ``m`` as well after ``.export_values()``.
4. A module that is given to a function goes on there: ``Register(m)``, ``Register(m.def_submodule("s"))``.
5. Macros that write any of these, and other names of types (``file_units``).
6. ``m.attr("B") = a_class`` and ``= m.attr("sub").attr("A")`` give a class another name: its members are those of both.
   A variable of which nothing else is known becomes the class: ``m.attr("A") = type; type.attr("f") = ...``.
   ``type<T>()`` is the class that the function makes of T, and ``static_cast<py::class_<T>>(m.attr("A"))`` that of the
   name.
7. ``torch::class_<T>("library", "T")`` makes a class of a library of torch wherever it stands, ``m.class_<T>("T")`` one
   of the library that m is.
8. ``T::bind(m)`` of MLIR's types and attributes (``PyConcreteType``) makes the class that ``T::pyClassName`` names, and
   gives it to ``T::bindDerived``.
9. A template around these is what it is around: ``Scope<py::class_<T>>(m, "T")``, ``Scope<py::module> inner(m)``.
10. A function may give back what it makes (``return py::class_<T>(m, name);``), under a name that it is given: what a
    call gives is a class until ``modules`` knows better.
11. Functions that are given by name to one of a file (``Add(Define);``) are called by what that file calls so, with the
    module: ``each.run(m)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bzlgraph.cpp import Kind, Token, joined_string, split_arguments
from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.ops.bindings.pybind.chain_tokens import (
    angle_end,
    assigned_to,
    before_default,
    bound_name,
    qualified,
    second,
    statement_end,
    statement_start,
    unspaced,
    whole,
    without_selection,
)
from bzlgraph.ops.bindings.pybind.functions import CONSTRUCTORS, Function, read_function
from bzlgraph.ops.bindings.pybind.module_macros import TORCH_OPS, ModuleMacro
from bzlgraph.ops.bindings.pybind.units import DERIVED, RESULTS, Alias, Bound, CallBack, Handed, Owner, Unit, given_text
from bzlgraph.ops.bindings.pybind.words import CLASS_NAME, EXPORT, MAKERS, METHODS, MODULE_TYPES, NAMELESS


@dataclass(slots=True)
class Reader:
    """One function of a file, or one statement of rule 7."""

    file: SourceFile
    outline: Outline[Token]
    scope: Scope
    macros: Mapping[str, ModuleMacro]
    library: str = ""
    """Of a statement of rule 7."""
    variables: dict[str, Owner] = field(default_factory=dict)
    parameters: dict[str, int] = field(default_factory=dict)
    chains: dict[int, Owner] = field(default_factory=dict)
    """The last bracket of an expression that gives a module or class -> which."""
    bound: list[Bound] = field(default_factory=list)
    handed: list[Handed] = field(default_factory=list)
    made_there: list[tuple[int, Handed]] = field(default_factory=list)
    """Arguments that are chains, which are read after the call that they are given to: ``Register(m.def_submodule())``.
    Their last brackets, and the call."""
    unnamed: list[int] = field(default_factory=list)
    called_back: list[CallBack] = field(default_factory=list)
    aliases: list[Alias] = field(default_factory=list)
    types: dict[str, Owner] = field(default_factory=dict)
    """C++ types, and the classes that are made of them."""

    def unit(self) -> Unit:
        """Read the body."""
        arguments = self._parameters()
        macro = self.macros.get(self.scope.name)
        module = key = ""
        if macro is not None and len(arguments) > macro.variable:
            module = macro.prefix + "".join(token.text for token in arguments[macro.name])
            key = arguments[macro.key][0].text if macro.key >= 0 else ""
            self.variables[arguments[macro.variable][-1].text] = Owner(0)
        else:
            self._take_parameters(arguments)
        makes = self._derived()
        index = self.scope.opening + 1
        while index < self.scope.closing:
            index = self._at(index)
        for last, call in self.made_there:
            if (owner := self.chains.get(last)) is not None:
                self.handed.append(call._replace(root=owner.root, trail=owner.trail))
        how = self.scope.name if module else ""
        if self.library:
            module, how = TORCH_OPS + self.library, "torch::class_"
        return Unit(
            self._name(),
            self.file.path,
            tuple(self.bound),
            tuple(self.handed),
            tuple(self.unnamed),
            module,
            how,
            key,
            tuple(self.aliases),
            self._given_back(),
            makes,
            any(token.text in MODULE_TYPES for each in arguments for token in each) and not module,
            self.file.line(self.outline.tokens[self.scope.start].start),
            calls_back=tuple(self.called_back),
        )

    def _take_parameters(self, arguments: Sequence[Sequence[Token]]) -> None:
        for at, each in enumerate(arguments):
            names = [token.text for token in before_default(each) if token.kind == Kind.NAME]
            if len(names) > 1:
                kind = next((MAKERS[name] for name in names if name in MAKERS), "module")
                self.variables[names[-1]] = Owner(at, kind=kind)
                self.parameters[names[-1]] = at

    def _derived(self) -> str:
        """Rule 8: the class that this function is given, "" when it is none of these."""
        type_, _, last = self._name().rpartition("::")
        made = self._class_name(type_) if last == DERIVED else None
        if made is None:
            return ""
        self.variables = {name: each._replace(kind="class", type=type_) for name, each in self.variables.items()}
        self._bind(Owner(0), "class", self.outline.tokens[self.scope.start], Function(type_))
        return made

    def _class_name(self, type_: str) -> str | None:
        """What a class says of its name in Python."""
        tokens, last = self.outline.tokens, type_.rpartition("::")[2]
        inside = (each for each in self.outline.scopes if each.kind == "class" and each.name == last)
        places = (at for each in inside for at in range(each.opening, each.closing) if tokens[at].text == CLASS_NAME)
        return next((joined_string(tokens[at + 2 : at + 3]) for at in places if tokens[at + 1].text == "="), None)

    def _parameters(self) -> list[list[Token]]:
        opening = self.outline.name_index(self.scope) + 1
        return list(whole(self.outline.brackets.arguments(opening))) if self._text_at(opening) == "(" else []

    def _text_at(self, index: int) -> str:
        return self.outline.tokens[index].text if index < len(self.outline.tokens) else ""

    def _name(self) -> str:
        names, at = [self.scope.name], self.scope.parent
        while at >= 0:
            names.append(self.outline.scopes[at].name)
            at = self.outline.scopes[at].parent
        return "::".join(name for name in reversed(names) if name)

    def _at(self, index: int) -> int:
        """Handle the token at ``index``: where to go on."""
        tokens = self.outline.tokens
        token, after = tokens[index], self._text_at(index + 1)
        if token.kind != Kind.NAME:
            return index + 1
        if token.text in self.variables and after == ";":
            self._named_again(index)
        if token.text in MAKERS and after == "<":
            return self._made(index)
        if token.text == "type" and after == "<":
            self._of_type(index)
        if token.text in MODULE_TYPES and after in (">", ">>") and (variable := self._text_at(index + 2)):
            self._wrapped(variable, index + 3)
        if after == "(" and tokens[index - 1].text in (".", "->") and token.text == EXPORT:
            self._export(index)
        elif after == "(" and tokens[index - 1].text in (".", "->") and token.text in METHODS:
            self._called(index)
        elif after == "(" and tokens[index - 1].text in (".", "->") and token.text.startswith("def_"):
            self._passed(index)  # def_buffer, def_pickle
        elif after == "(" and tokens[index - 1].text in (".", "->"):
            self._call_back(index)
        elif after in ("(", "<") and tokens[index - 1].text not in (".", "->"):
            self._handed_on(index)
        return index + 1

    def _named_again(self, index: int) -> None:
        """``py::module& m = *module;``: another name of what a variable holds."""
        sign = index - 2 if self._text_at(index - 1) == "*" else index - 1
        if self._text_at(sign) == "=" and self.outline.tokens[sign - 1].kind == Kind.NAME:
            self.variables.setdefault(self._text_at(sign - 1), self.variables[self._text_at(index)])

    def _made(self, index: int) -> int:
        """``class_<T, Base>(m, "T")``, ``class_<T> variable(m, "T")``: rule 3."""
        tokens = self.outline.tokens
        end = angle_end(tokens, index + 1, self.scope.closing, and_around=True)
        variable = self._text_at(end + 1)
        variable = variable if variable[:1].isalpha() or variable[:1] == "_" else ""
        opening = end + 2 if variable else end + 1
        if end == index + 1 or self._text_at(opening) != "(":
            return index + 1
        given = self.outline.brackets.arguments(opening)
        owner = self._made_in(index, given[0]) if given else None
        given = [[], *given] if tokens[index - 1].text in (".", "->") else given
        name = self._text_of(given[1]) if len(given) > 1 else None
        if owner is None:
            return opening
        if name is None:
            self.unnamed.append(self.file.line(tokens[index].start))
            return opening
        kind, type_ = MAKERS[tokens[index].text], self._template_type(index)
        made = self.types[type_] = owner.inside(name, kind, type_)
        self._bind(made, kind, tokens[index], Function(type_))
        self.chains[self.outline.brackets.end(opening)] = made
        if variable := variable or assigned_to(self.outline.tokens, index):
            self.variables[variable] = made
        return opening

    def _wrapped(self, variable: str, opening: int) -> None:
        """``Scope<py::module> variable(m)``: rule 9."""
        given = self.outline.brackets.arguments(opening) if self._text_at(opening) == "(" else []
        owner = self._owner_of(given[0]) if given else None
        if owner is not None:
            self.variables[variable] = owner

    def _made_in(self, index: int, given: Sequence[Token]) -> Owner | None:
        """Where the maker at ``index`` makes something, which ``given`` says or what stands before it."""
        if self.outline.tokens[index - 1].text in (".", "->"):
            return self._head(index - 2)
        return Owner(0) if self.library and joined_string(given) == self.library else self._owner_of(given)

    def _of_type(self, index: int) -> None:
        """``auto variable = nb::type<T>()``: rule 6."""
        end = angle_end(self.outline.tokens, index + 1, self.scope.closing)
        made = self.types.get(unspaced(self.outline.tokens[index + 2 : end]))
        if made is not None and (variable := assigned_to(self.outline.tokens, index)):
            self.variables.setdefault(variable, made)

    def _renamed(self, made: Owner, index: int) -> None:
        """What stands behind ``m.attr("B") =``, from ``index`` on: rule 6."""
        tokens = self.outline.tokens
        variable, trail, last = tokens[index].text, [], index
        owner = self.variables.get(variable)
        while self._text_at(last + 1) == "." and self._text_at(last + 2) == "attr":
            trail += [joined_string(given) or "" for given in self.outline.brackets.arguments(last + 3)[:1]]
            last = self.outline.brackets.end(last + 3)
        if self._text_at(last + 1) != ";" or tokens[index].kind != Kind.NAME:
            return
        if owner is None and not trail:
            self.variables[variable] = made._replace(kind="class")
        elif owner is not None and owner.root == made.root and (owner.kind != "module" or trail):
            self.aliases.append(Alias(made.root, made.trail, ".".join(filter(None, (owner.trail, *trail)))))

    def _called(self, index: int) -> None:
        """``.def("f", &f, ...)`` of a chain: rule 2."""
        tokens = self.outline.tokens
        owner = self._head(index - 2)
        if owner is None:
            return
        last = self.outline.brackets.end(index + 1)
        self.chains[last] = owner
        method = tokens[index].text
        sets = self._text_at(last + 1) == "="
        given = self.outline.brackets.arguments(index + 1)
        if method == "attr" and not sets:
            self._read_again(owner, index, last)
        if (method == "attr" and not sets) or (method == "value" and owner.kind != "enum"):
            return
        name = (bound_name(without_selection(given[0])) or self._text_of(given[0])) if given else None
        words = {token.text for token in given[0]} if given else set()
        if name is None and not words.isdisjoint(CONSTRUCTORS):
            name, given = "__init__", [[], *given]
        if name is None:
            if words.isdisjoint(NAMELESS):
                self.unnamed.append(self.file.line(tokens[index].start))
            return
        if method == "attr":
            self._renamed(owner.inside(name, "value"), last + 2)
        self._named(name, owner, index, last, given)

    def _passed(self, index: int) -> None:
        """A call of a chain that binds no name."""
        if (owner := self._head(index - 2)) is not None:
            self.chains[self.outline.brackets.end(index + 1)] = owner

    def _read_again(self, owner: Owner, index: int, last: int) -> None:
        """``auto a = static_cast<py::class_<A>>(m.attr("A"));`` with ``attr`` at ``index``: rule 6."""
        tokens = self.outline.tokens
        given = self.outline.brackets.arguments(index + 1)
        name = joined_string(given[0]) if given else None
        if name is None:
            return
        start = statement_start(tokens, index)
        words = [token.text for token in tokens[start:index]]
        at = next((at for at, word in enumerate(words) if word in MAKERS), -1)
        kind = MAKERS[words[at]] if at >= 0 else "module" if MODULE_TYPES & set(words) else "class"
        made = owner.inside(name, kind, self._template_type(start + at) if at >= 0 else "")
        self.chains[last] = made
        while self._text_at(last + 1) == ")":
            last += 1
        if self._text_at(last + 1) == ";" and "=" in words[1:]:
            self.variables[words[words.index("=", 1) - 1]] = made

    def _template_type(self, index: int) -> str:
        """The first argument of the template at ``index``."""
        end = angle_end(self.outline.tokens, index + 1, self.scope.closing)
        return unspaced(split_arguments(self.outline.tokens[index + 2 : end])[0]) if end > index + 2 else ""

    def _export(self, index: int) -> None:
        """``.export_values()`` at the end of an enum's chain."""
        owner = self._head(index - 2)
        if owner is None or owner.kind != "enum":
            return
        above, dot, _name = owner.trail.rpartition(".")
        for each in list(self.bound):
            inside = each.trail.removeprefix(f"{owner.trail}.")
            if each.root == owner.root and each.kind == "value" and inside != each.trail:
                self.bound.append(each._replace(trail=f"{above}{dot}{inside}"))

    def _named(self, name: str, owner: Owner, index: int, last: int, given: Sequence[Sequence[Token]]) -> None:
        """The method at ``index`` of a chain gives ``name``; the call ends at ``last``."""
        kind = METHODS[self.outline.tokens[index].text]
        if kind == "function" and owner.kind != "module":
            kind = "method"
        if "(" in name:  # a schema of torch
            name, kind = name.partition("(")[0].strip(), "operator"
        made = owner.inside(name.rpartition("::")[2], kind)
        if kind == "submodule":
            made = self.chains[last] = made._replace(kind="module")
            if variable := self._submodule_variable(index):
                self.variables[variable] = made
        function = read_function(second(given), owner.type)
        self._bind(made, kind, self.outline.tokens[index], function)

    def _submodule_variable(self, index: int) -> str:
        """The variable of ``auto sub = m.def_submodule("sub")``."""
        tokens = self.outline.tokens
        head = index - 2
        return tokens[head - 2].text if tokens[head - 1].text == "=" and tokens[head - 2].kind == Kind.NAME else ""

    def _head(self, index: int) -> Owner | None:
        """What the chain is of whose next ``.`` stands behind ``index``."""
        token = self.outline.tokens[index]
        if token.text == ")":
            return self.chains.get(index)
        before = self.outline.tokens[index - 1].text
        return self.variables.get(token.text) if before not in (".", "->", "::") else None

    def _owner_of(self, given: Sequence[Token]) -> Owner | None:
        names = [token.text for token in given if token.kind == Kind.NAME]
        return self.variables.get(names[0]) if len(names) == 1 and len(given) <= 2 else None

    def _handed_on(self, index: int) -> None:
        """``Register(m)``, ``auto type = make<T>(m, "T")``: rules 4 and 10."""
        tokens = self.outline.tokens
        opening = index + 1
        if tokens[opening].text == "<":
            opening = angle_end(tokens, opening, self.scope.closing) + 1
        arguments = self.outline.brackets.arguments(opening) if self._text_at(opening) == "(" else []
        last, result = opening, RESULTS + index
        for position, given in enumerate(arguments):
            last += len(given) + 1
            owner = self._owner_of(given)
            if owner is not None or (given and given[-1].text == ")"):
                texts = tuple(self._text_of(each) or "" for each in arguments)
                call = Handed(-1, "", qualified(tokens, index), position, texts, result)
                if owner is None:
                    self.made_there.append((last - 1, call))
                else:
                    self.handed.append(call._replace(root=owner.root, trail=owner.trail))
                    self.chains[self.outline.brackets.end(opening)] = Owner(result, "", "class")
                    if variable := assigned_to(tokens, index):
                        self.variables[variable] = Owner(result, "", "class")

    def _call_back(self, index: int) -> None:
        """``each.run(m)`` of what is no module or class: rule 11."""
        for position, given in enumerate(self.outline.brackets.arguments(index + 1)):
            owner = self._owner_of(given)
            if owner is not None and not owner.trail and owner.root < RESULTS and self._head(index - 2) is None:
                names = (each.name for each in self.outline.scopes if each.kind == "function")
                self.called_back.append(CallBack(owner.root, position, tuple(dict.fromkeys(names))))

    def _given_back(self) -> Owner | None:
        """What the function returns: rule 10. A lambda that it gives to something returns for itself."""
        tokens, ends, at = self.outline.tokens, self.outline.brackets.ends, self.scope.opening + 1
        found = None
        while at < self.scope.closing:
            if tokens[at].text == "return":
                found = self._head(statement_end(self.outline, at) - 1) or found
            at = ends[at] + 1 if tokens[at].text in ("(", "[") else at + 1
        return found

    def _text_of(self, given: Sequence[Token]) -> str | None:
        """The text that an argument is, or what stands for one that the function itself is given."""
        if given and given[0].text in self.parameters and unspaced(given[1:]) in ("", ".c_str()"):
            return given_text(self.parameters[given[0].text])
        return joined_string(given)

    def _bind(self, owner: Owner, kind: str, token: Token, function: Function) -> None:
        line = self.file.line(token.start)
        place = function._replace(line=self.file.line(function.line)) if function.line >= 0 else function
        self.bound.append(Bound(owner.root, owner.trail, kind, line, place, self.file.condition(token.start)))
