"""A tree that registers handlers with JAX's FFI: how a target gets its handler, and what is said where it has none."""

import pytest

from bzlgraph.ops.jax.extension import ExtensionTracer
from bzlgraph.ops.tracer import OpTrace
from bzlgraph.workspace.sources.source import MemorySource

ADD = b"Error AddImpl(Buffer x) { return Ok(); }\nXLA_FFI_DEFINE_HANDLER_SYMBOL(Add, AddImpl, Bind());\n"
MODULE = b'NB_MODULE(_ops, m) { m.def("add", []() { return Capsule(Add); }); }\n'


def tracer(python: bytes, module: bytes = MODULE) -> ExtensionTracer:
    """A tree of one module of Python and two files of C++."""
    files = {"ops.py": python, "add.cc": ADD, "module.cc": module}
    return ExtensionTracer(MemorySource(files), lambda path: (f"//:{path.partition('.')[0]}",))


def story(found: ExtensionTracer, word: str) -> OpTrace:
    """The one story of a word."""
    (each,) = found.explain(word).stories
    return each


def places(each: OpTrace) -> list[tuple[str, str, str, str]]:
    """(device, handler, where its function is, target) of each kernel."""
    return [
        (kernel.device, kernel.kernel_class, kernel.compute.short if kernel.compute else "", kernel.targets[0])
        for kernel in each.kernels
    ]


def test_a_handler_is_found_through_what_a_module_defines() -> None:
    found = tracer(b"jax.ffi.register_ffi_target('my_add', _ops.add(), platform='CUDA')\n")
    assert places(story(found, "my_add")) == [("cuda", "Add", "add.cc:1", "//:add")]
    assert story(found, "AddImpl").op == story(found, "add.cc").op == story(found, "//:add").op == "my_add"


def test_a_capsule_may_hold_the_address_of_a_function() -> None:
    module = b"""void AddCpu(void *out, void **in) {}
NB_MODULE(_ops, m) {
  m.def("add", []() { return nb::capsule(reinterpret_cast<void *>(&AddCpu), "xla._CUSTOM_CALL_TARGET"); });
}
"""
    found = tracer(b"xla_client.register_custom_call_target('my_add', _ops.add(), platform='cpu')\n", module)
    assert places(story(found, "my_add")) == [("cpu", "AddCpu", "module.cc:1", "//:module")]


def test_a_handler_is_found_by_its_symbol_in_a_loaded_library() -> None:
    python = b"library = ctypes.cdll.LoadLibrary('x.so')\ndef load():\n  "
    python += b"jax.ffi.register_ffi_target('my_add', jax.ffi.pycapsule(library.Add))\n"
    assert places(story(tracer(python, b""), "my_add")) == [("cpu", "Add", "add.cc:1", "//:add")]


ALL = b'nb::dict All() { nb::dict d; d["from_dict"] = Capsule(Add); return d; }\n'
ALL_MODULE = ALL + b'NB_MODULE(_ops, m) { m.def("all", &All); }\n'
LOOP = "for name, it in {}.items():\n  jax.ffi.register_ffi_target(name, it, platform='cpu')\n"


STAGED = b'd["from_dict"] = dict(arg("prepare") = Capsule(Other), arg("execute") = Capsule(Add)); return d; }); }\n'
STAGED += b"Error OtherImpl(Buffer x);\nXLA_FFI_DEFINE_HANDLER_SYMBOL(Other, OtherImpl, Bind());\n"


@pytest.mark.parametrize(
    ("python", "module"),
    [
        ("import _ops\n" + LOOP.format("_ops.all()"), b'NB_MODULE(_ops, m) { m.def("all", [] { dict d; ' + STAGED),
        ("import _ops\n" + LOOP.format("_ops.all()"), ALL_MODULE),
        ("from package import _ops as ours\n" + LOOP.format("ours.all()"), ALL_MODULE),
        ("from package._ops import all as every\n" + LOOP.format("every()"), ALL_MODULE),
        ("from package import _ops\nhandlers = _ops.all()\n" + LOOP.format("handlers"), ALL_MODULE),
        ("import _ops\n" + LOOP.format("_ops.all()"), ALL_MODULE.replace(b"&All", b"[] { return All(); }")),
        (
            "import _ops\n" + LOOP.format("_ops.all()"),
            b'PYBIND11_MODULE(_ops, m) { m.def("all", [] { dict d; d["from_dict"] = Capsule(Add); return d; }); }\n',
        ),
    ],
)
def test_names_of_a_loop_are_those_of_the_dict_in_cpp(python: str, module: bytes) -> None:
    found = tracer(python.encode(), module)
    assert [each.op for each in found.ops()] == ["from_dict"]
    assert places(story(found, "from_dict")) == [("cpu", "Add", "add.cc:1", "//:add")]
    assert found.gaps() == ()


def test_a_loop_takes_the_dict_of_its_own_module_and_function_alone() -> None:
    both = (
        ALL
        + b"""\
dict Some() { dict d; d["some"] = Capsule(Add); return d; }
NB_MODULE(_ops, m) { m.def("all", &All); m.def("some", &Some); }
NB_MODULE(_others, m) { m.def("all", [] { dict d; d["other"] = Capsule(Add); return d; }); }
"""
    )
    found = {
        called: [each.op for each in tracer(LOOP.format(called).encode(), both).ops()]
        for called in ("_ops.all()", "_ops.some()", "_others.all()")
    }
    assert found == {"_ops.all()": ["from_dict"], "_ops.some()": ["some"], "_others.all()": ["other"]}


@pytest.mark.parametrize("called", ["_elsewhere.all()", "_ops.none()", "made[0]"])
def test_a_dict_that_is_not_found_is_a_gap(called: str) -> None:
    found = tracer(LOOP.format(called).encode(), ALL_MODULE)
    assert list(found.ops()) == []
    assert [gap.location.short if gap.location else "" for gap in found.gaps()] == ["ops.py:2"]


def test_a_name_that_is_made_at_run_time_is_a_gap() -> None:
    found = tracer(b"def register(name):\n  jax.ffi.register_ffi_target(name, _ops.add())\n")
    assert found.table().rows == []
    assert [(gap.what, gap.location.short if gap.location else "") for gap in found.gaps()] == [
        ("a target of FFI calls", "ops.py:2")
    ]


def test_an_unknown_handler_is_told() -> None:
    found = tracer(b"jax.ffi.register_ffi_target('my_add', other.thing())\n")
    assert story(found, "my_add").kernels == ()
    assert story(found, "my_add").remarks == ("the handler it gets at ops.py:1 was not found",)


def test_two_handlers_of_one_name_are_not_chosen_from() -> None:
    two = (
        MODULE
        + b'XLA_FFI_DEFINE_HANDLER(Sub, SubImpl, B());\nNB_MODULE(_b, m) { m.def("add", [] { return C(Sub); }); }\n'
    )
    assert story(tracer(b"jax.ffi.register_ffi_target('my_add', _ops.add())\n", two), "my_add").kernels == ()


def test_a_function_that_calls_no_target_is_not_said_to_call_none() -> None:
    answer = tracer(b"def plain(x):\n  return helper(x)\n").explain("ops.plain")
    assert (answer.found, answer.stories) == (True, ())
    assert answer.not_followed


def test_a_call_of_a_target_that_is_registered_elsewhere() -> None:
    found = tracer(b"def call(x):\n  return jax.ffi.ffi_call('elsewhere', x)(x)\n")
    assert story(found, "ops.call").remarks == ("no register_ffi_target in this tree names it",)


def test_what_cpp_registers_itself_needs_no_python() -> None:
    found = tracer(b"", b'XLA_FFI_REGISTER_HANDLER(Api(), "own_add", "Host", Add);\n')
    assert [(each.op, places(each)[0][1:]) for each in found.ops()] == [("own_add", ("Add", "add.cc:1", "//:add"))]
    assert [each.location.short for each in story(found, "own_add").registrations] == ["module.cc:1"]
    assert found.table().rows[0][2:4] == ("module.cc", 1)


def test_a_word_that_means_nothing_has_neighbours() -> None:
    found = tracer(b"jax.ffi.register_ffi_target('my_add', _ops.add())\n")
    assert "my_add" in found.explain("my_ad").suggestions


def test_a_primitive_of_the_tree_leads_to_the_targets_that_its_rules_call() -> None:
    python = b"""\
jax.ffi.register_ffi_target('my_add', _ops.add(), platform='CUDA')
add_p = core.Primitive("my_add")
def _lowering(ctx, x):
  return jax.ffi.ffi_lowering('my_add')(ctx, x)
mlir.register_lowering(add_p, _lowering, platform='gpu')
def _add(x):
  return add_p.bind(x)
def add(x):
  return _add(x)
"""
    answer = tracer(python).explain("ops.add")
    assert [(use.op, use.generated, use.location.line, use.certain) for use in answer.uses] == [
        ("my_add", "add_p.bind", 7, True)
    ]
    assert [step.name for step in answer.uses[0].steps] == ["_add"]
    assert [kernel.kernel_class for story in answer.stories for kernel in story.kernels] == ["Add"]


def test_a_method_leads_to_the_targets_that_it_calls() -> None:
    python = b"""\
jax.ffi.register_ffi_target('my_add', _ops.add())
class Norm:
  def apply(self, x):
    return jax.ffi.ffi_call('my_add', x)(x)
"""
    assert [use.op for use in tracer(python).explain("ops.Norm.apply").uses] == ["my_add"]


def test_functions_that_are_no_handlers_are_registered_as_before_ffi() -> None:
    """The custom calls of the oldest extensions: a function for each type, in a dict of capsules."""
    module = b"""\
template <typename T> void add(void *out, const void **in) {}
dict All() { dict d; d["cpu_add_f32"] = EncapsulateFunction(add<float>); return d; }
PYBIND11_MODULE(cpu_ops, m) { m.def("all", &All); }
"""
    python = b"""\
from . import cpu_ops
for _name, _value in cpu_ops.all().items():
  xla_client.register_custom_call_target(_name, _value, platform="cpu")
"""
    files = {"src/mine/__init__.py": python, "lib/ops.cc": module, "lib/gpu.cc": module.replace(b"cpu", b"gpu")}
    files["src/mine/add.py"] = b"def add(x):\n  return custom_call('cpu_add_f32', [x])\n"
    found = ExtensionTracer(MemorySource(files), lambda _path: ("//:ops",))
    assert places(story(found, "cpu_add_f32")) == [("cpu", "add<float>", "lib/ops.cc:1", "//:ops")]
    assert [each.op for each in found.ops()] == ["cpu_add_f32"], (
        "each module has a function of its own that fills a dict"
    )
    assert found.gaps() == ()
    assert found.explain("mine.add.add").symbol is not None


@pytest.mark.parametrize(
    ("over", "name", "capsule"),
    [
        ("{'first', 'second'}", "f'my_{name}'", "_ops.handlers[name]"),
        ("('first', 'second')", "'my_' + name", "_ops.handlers[name]"),
        ("sorted(['second', 'first'])", "f'my_{name}'", "_ops.handlers[name]"),
    ],
)
def test_names_of_a_loop_over_texts_of_python(over: str, name: str, capsule: str) -> None:
    """mpi4jax registers a set of names by a function of its own, from the dict of each device's module."""
    made = b"""\
Error Impl() {}
XLA_FFI_DEFINE_HANDLER_SYMBOL(handler_1, Impl, Bind());
XLA_FFI_DEFINE_HANDLER_SYMBOL(handler_2, Impl, Bind());
NB_MODULE(_ops, m) {
  dict handlers;
  handlers["first"] = capsule_of(handler_1);
  handlers["second"] = capsule_of(handler_2);
  m.attr("handlers") = handlers;
}
"""
    python = f"NAMES = {over}\ndef register_ffi_target(name, it, platform):\n  jax.ffi.register_ffi_target(name, it)\n"
    python += f"for name in NAMES:\n  register_ffi_target({name}, {capsule}, platform='cpu')\n"
    files = {"ops.py": python.encode(), "cpu.cc": made, "cuda.cc": made.replace(b"_ops", b"_gpu_ops")}
    found = ExtensionTracer(MemorySource(files), lambda path: (f"//:{path.partition('.')[0]}",))
    assert places(story(found, "my_first")) == [("cpu", "handler_1", "cpu.cc:1", "//:cpu")]
    assert places(story(found, "my_second")) == [("cpu", "handler_2", "cpu.cc:1", "//:cpu")]
    assert found.gaps() == ()


def test_names_of_a_dict_of_python_have_the_capsules_beside_them() -> None:
    python = b"TARGETS = {'one': _ops.add(), **more}\nfor name, it in TARGETS.items():\n"
    python += b"  jax.ffi.register_ffi_target(name, it)\n"
    assert places(story(tracer(python), "one")) == [("cpu", "Add", "add.cc:1", "//:add")]


def test_a_name_that_more_than_the_loop_decides_is_a_gap() -> None:
    python = b"for name in ('a', 'b'):\n  jax.ffi.register_ffi_target(f'{kind}_{name}', _ops.add())\n"
    found = tracer(python)
    assert list(found.ops()) == []
    assert len(found.gaps()) == 1
