"""``tensorflow/core/api_def/{base_api,python_api}/*.pbtxt``: how each op appears in Python.

Text protos of ApiDefs, read as such. A definition in ``python_api`` overrides the one in ``base_api``: its visibility
when it says one, its endpoints when it has any. An op without endpoints is exported under its own name.
Rules: ApiDefMap::LoadApiDef and UpdateApiDef in tensorflow/core/framework/op_gen_lib.cc.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from bzlgraph.ops.tensorflow.python.text_proto import Message, TextProtoError, read_text_proto
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading


class Visibility(Enum):
    """Whether an op gets a function, and whether it is exported."""

    DEFAULT = "DEFAULT_VISIBILITY"
    VISIBLE = "VISIBLE"
    SKIP = "SKIP"
    HIDDEN = "HIDDEN"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A public name without ``tf.``; ``removed_in`` is the version of the API that lost it (0: none)."""

    name: str
    deprecated: bool = False
    removed_in: int = 0


@dataclass(frozen=True, slots=True)
class ApiDef:
    """What the files say of one op."""

    op: str
    visibility: Visibility = Visibility.DEFAULT
    endpoints: tuple[Endpoint, ...] = ()
    removed_in: int = 0
    path: str = ""
    """The file that says the names, or else how the op is seen."""
    cpp_names: tuple[str, ...] = ()
    """Its classes in C++ (``ops::Stack`` makes Pack): the endpoints that the first layer makes visible."""
    outputs: int = 0
    """How many of its outputs are described: an op with several gives a tuple."""

    def overridden_by(self, other: ApiDef) -> ApiDef:
        """This definition with what a later file says."""
        return replace(
            self,
            visibility=self.visibility if other.visibility is Visibility.DEFAULT else other.visibility,
            endpoints=other.endpoints or self.endpoints,
            removed_in=other.removed_in or self.removed_in,
            outputs=max(self.outputs, other.outputs),
            path=other.path if other.endpoints or not self.endpoints else self.path,
        )

    def finished(self) -> ApiDef:
        """With the defaults filled in."""
        visible = Visibility.VISIBLE if self.visibility is Visibility.DEFAULT else self.visibility
        return replace(self, visibility=visible, endpoints=self.endpoints or (Endpoint(self.op),))


def read_api_defs(data: bytes) -> list[ApiDef]:
    """The definitions in one file. Raises TextProtoError."""
    return [_api_def(message) for message in read_text_proto(data).messages("op")]


def _api_def(message: Message) -> ApiDef:
    word = message.word("visibility")
    known = {each.value: each for each in Visibility}
    return ApiDef(
        message.word("graph_op_name"),
        known.get(word, Visibility.DEFAULT),
        tuple(_endpoint(each) for each in message.messages("endpoint")),
        message.number("deprecation_version"),
        outputs=len(list(message.messages("out_arg"))),
    )


def _classes(definition: ApiDef) -> tuple[str, ...]:
    """The classes that cc_op_gen.cc writes for users (those of hidden ops are in another namespace)."""
    finished = definition.finished()
    return tuple(each.name for each in finished.endpoints) if finished.visibility is Visibility.VISIBLE else ()


def _endpoint(message: Message) -> Endpoint:
    return Endpoint(message.word("name"), message.word("deprecated") == "true", message.number("deprecation_version"))


@dataclass(frozen=True, slots=True)
class ApiDefs:
    """All ops' definitions, with their defaults; ``broken`` are the files that could not be read, and why."""

    by_op: Mapping[str, ApiDef]
    broken: tuple[tuple[str, str], ...] = ()


def merge_api_defs(layers: Iterable[Iterable[tuple[str, bytes]]]) -> ApiDefs:
    """Files (path, bytes), those that override later, to one definition for each op."""
    merged: dict[str, ApiDef] = {}
    broken: list[tuple[str, str]] = []
    for layer, files in enumerate(layers):
        for path, data in files:
            try:
                with reading():
                    found = read_api_defs(data)
            except (TextProtoError, OverBudget) as problem:
                broken.append((path, str(problem)))
                continue
            for each in (replace(one, path=path) for one in found):
                before = merged.get(each.op)
                first = replace(each, cpp_names=() if layer else _classes(each))
                merged[each.op] = before.overridden_by(each) if before else first
    return ApiDefs({op: each.finished() for op, each in merged.items()}, tuple(broken))
