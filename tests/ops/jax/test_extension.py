"""A tree that registers handlers with JAX's FFI: how a target gets its handler, and what is said where it has none."""

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


def test_a_handler_is_found_by_its_symbol_in_a_loaded_library() -> None:
    python = b"library = ctypes.cdll.LoadLibrary('x.so')\ndef load():\n  "
    python += b"jax.ffi.register_ffi_target('my_add', jax.ffi.pycapsule(library.Add))\n"
    assert places(story(tracer(python, b""), "my_add")) == [("cpu", "Add", "add.cc:1", "//:add")]


def test_names_of_a_loop_are_those_of_the_dict_in_cpp() -> None:
    python = b"for name, it in _ops.all().items():\n  jax.ffi.register_ffi_target(name, it, platform='cpu')\n"
    found = tracer(python, b'nb::dict All() { nb::dict d; d["from_dict"] = Capsule(Add); return d; }\n')
    assert [each.op for each in found.ops()] == ["from_dict"]
    assert places(story(found, "from_dict")) == [("cpu", "Add", "add.cc:1", "//:add")]
    assert found.gaps() == ()


def test_a_name_that_is_made_at_run_time_is_a_gap() -> None:
    found = tracer(b"def register(name):\n  jax.ffi.register_ffi_target(name, _ops.add())\n")
    assert found.table().rows == []
    assert [(gap.what, gap.location.short if gap.location else "") for gap in found.gaps()] == [
        ("a target of FFI calls", "ops.py:2")
    ]


def test_an_unknown_handler_is_told() -> None:
    found = tracer(b"jax.ffi.register_ffi_target('my_add', other.thing())\n")
    assert story(found, "my_add").kernels == ()
    assert story(found, "my_add").remarks == ("which handler it is given at ops.py:1 is not found",)


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
    assert story(found, "ops.call").remarks == ("no register_ffi_target of this tree names it",)


def test_what_cpp_registers_itself_needs_no_python() -> None:
    found = tracer(b"", b'XLA_FFI_REGISTER_HANDLER(Api(), "own_add", "Host", Add);\n')
    assert [(each.op, places(each)[0][1:]) for each in found.ops()] == [("own_add", ("Add", "add.cc:1", "//:add"))]


def test_a_word_that_means_nothing_has_neighbours() -> None:
    found = tracer(b"jax.ffi.register_ffi_target('my_add', _ops.add())\n")
    assert "my_add" in found.explain("my_ad").suggestions
