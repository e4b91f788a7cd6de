"""What the body of a C++ function calls: operators between tensors, variables and their types."""

from __future__ import annotations

import pytest

from bzlgraph.cpp.outline import read_outline
from bzlgraph.cpp.tokens import tokenize
from bzlgraph.ops.pytorch.cpp.body import calls_of
from bzlgraph.ops.pytorch.cpp.values.function_names import TensorNames, names_of_file
from bzlgraph.ops.pytorch.derivatives import formula_definition
from bzlgraph.ops.pytorch.entries import read_entries

GIVING = TensorNames(
    functions=frozenset({"empty", "linspace", "narrow_symint", "sum"}),
    methods=frozenset({"halves", "largest", "neg", "sort", "sum", "t"}),
    helpers=frozenset({"wrapped"}),
    vectors=frozenset({"to_float", "vec"}),
    others=frozenset({"info", "holder"}),
    lists=frozenset({"narrow_symint", "chunk"}),
    several=frozenset({"halves", "largest"}),
    tuples=frozenset({"halves"}),
)


@pytest.mark.parametrize(
    ("body", "argument"),
    [
        ("auto last = size.back(); use(last);", "Scalar"),
        ("use(size.back(), n);", ""),
        ("use(n ? IntArrayRef{0, 1} : IntArrayRef{0});", "sizes"),
        ("use(n ? IntArrayRef{0, 1} : a);", ""),
        ("use(at::IntArrayRef({}));", "sizes"),
        ("std::vector<int64_t> all(n); auto some = n ? size : all; use(some);", "sizes"),
        ("OptionalIntArrayRef given; auto some = given.value_or(size); auto all = some.vec(); use(all);", "sizes"),
        ("std::optional<DimnameList> names; use(names);", "DimnameList"),
        ("auto memory = a.suggest_memory_format(); use(memory);", "MemoryFormat"),
        ("use(at::MemoryFormat::Preserve);", "MemoryFormat"),
        ("use(a < n, a, use(a > n, a));", "Tensor"),
        ("std::tuple<Tensor, at::Tensor> both; use(std::get<1>(both));", "Tensor"),
        ("std::tuple<Tensor, int64_t> both; use(std::get<1>(both));", ""),
        ("auto both = a.halves(); use(std::get<1>(both));", "Tensor"),
        ("auto both = at::halves(a); use(both);", ""),
        ("auto [y, z] = pair(a); use(z);", "Tensor"),
        ("auto [y, z] = mixed(a); use(z);", ""),
        ("auto memory = format(a); use(memory);", "MemoryFormat"),
        ("use(format(a), n);", "MemoryFormat"),
        ("TensorList all; auto first = all.front(); use(first);", "Tensor"),
        ("ArrayRef<Tensor> all; use(all.back(), n);", "Tensor"),
        ("std::vector<Tensor> all(n); auto m = all.size(); use(m - 1);", "Scalar"),
        ("TensorList all; auto some = all.slice(1); use(some[0], n);", "Tensor"),
        ("TensorList all; auto some = all.begin(); use(some);", ""),
        ("use(both(a));", ""),
        ("use(-((int)lower));", ""),
    ],
)
def test_what_is_known_of_the_first_argument(body: str, argument: str) -> None:
    before = "std::tuple<at::Tensor, Tensor> pair(int n) { } static std::tuple<Tensor, int64_t> mixed(int n) { }"
    before += "at::MemoryFormat format(int n) { }"
    before += "int both(int n) { } bool both(Tensor n) { }"
    outline = read_outline(
        tokenize(f"{before} void f(const Tensor& a, IntArrayRef size, int64_t n, bool lower) {{ {body} }}")
    )
    scope = next(each for each in outline.scopes if each.name == "f")
    used = [each for each in calls_of(outline, scope, GIVING, names_of_file(outline)) if each.name == "use"]
    assert used[0].arguments[0] == argument


def calls(body: str, before: str = "") -> list[tuple[str, tuple[str, ...]]]:
    """The calls of a function with a tensor ``a``, a list of them ``many`` and an integer ``n``."""
    text = f"{before} void f(const Tensor& a, TensorList many, int64_t n) {{ {body} }}"
    outline = read_outline(tokenize(text))
    own = names_of_file(outline)
    return [(each.name, each.arguments) for each in calls_of(outline, outline.scopes[-1], GIVING, own)]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("auto r = at::linspace(n); r = r * (n - 1) / n;", ["at::linspace", "mul", "div"]),
        ("x = at::narrow_symint(a) - at::narrow_symint(a);", ["at::narrow_symint", "sub", "at::narrow_symint"]),
        ("x = 1 - a; y = 2 * a; z = n < a;", ["at::empty_like", "fill_", "sub_", "mul", "gt"]),
        ("a[0] -= 1;", ["select", "sub_"]),
        ("with(a, sum_stub, n);", ["with", "sum_stub"]),
        ("x = many[0] + 1;", ["add"]),
        ("c10::SmallBuffer<const void*, 64> ret(n); g(ret.data() + n);", ["g", "SmallBuffer::data"]),
        ("x = n > g(n);", ["g"]),
        ("PyObject* t = n; auto g = [](const Tensor& t) { return t.sum(); };", ["sum"]),
        ("x = ::sum(n); y = ::at::sum(a);", ["at::sum"]),
        ("return Cell<Params>{}(a, n);", ["Cell::operator()"]),
        ("x = n * 2 - n;", []),
        ("x = (n + n - 1) / n;", []),
        ("x = (a + n) / n;", ["add", "div"]),
        ("auto y = at::narrow_symint(many); x = y[0].neg() + y[1];", ["at::narrow_symint", "neg", "add"]),
        ("auto y = a.chunk(2); x = y[0].neg();", ["chunk", "neg"]),
        ("for (const std::optional<Tensor>& b : many) { x = b.neg(); }", ["neg"]),
        ("x = n * -(a.neg());", ["mul", "neg", "neg"]),
        ("x = a.sizes().slice(n);", ["sizes"]),
        ("auto y = a.sizes().sum(n); x = y[0] != y[1];", ["sizes"]),
        ("x = a.cpu().sum();", ["cpu", "sum"]),
        ("x = many[0].sizes().sum(n); y = many.front().strides().sum(n);", ["sizes", "TensorList::front", "strides"]),
        ("x = many.back().sum() + many.front();", ["TensorList::back", "sum", "add", "TensorList::front"]),
        ("auto y = many.back(); x = y.t();", ["TensorList::back", "t"]),
        ("auto y = [&]{ auto r = a - n; r.neg(); return r; }(); x = y / E;", ["sub", "neg", "div"]),
        ("auto y = [&](int m) -> at::Tensor { return g(m); }(1); x = y + 1;", ["g", "add"]),
        ("auto y = [&](int m) { if (m) { return n; } return m; }(1); x = y + 1;", []),
        ("auto y = [&]() { int r = 1; return a.neg(); }(); x = y + n;", ["neg", "add"]),
        ("x = 1 - a.t().sum().item();", ["t", "sum", "item"]),
        ("x = n + (n * a).neg();", ["add", "mul", "neg"]),
        ("auto r = wrapped(n); x = (r + r) / 2;", ["wrapped", "add", "div"]),
        ("Use([](scalar_t v) { return g(v); }, [](Vec v) { return (v * v).neg(); });", ["Use", "g", "Vec::neg"]),
        ("auto y = a.sum() + E; auto z = a + E; x = (y * z).t();", ["sum", "add", "add", "mul", "t"]),
        ("auto y = g(n); x = (y * E).t();", ["g", "t"]),
        ("return (a + n).neg();", ["add", "neg"]),
        (
            "Use(1, [](Vec v) { Vectorized<float> b, c; f(b, c); return v * (c / c.neg()); });",
            ["Use", "f", "Vectorized::neg"],
        ),
        ("x = !shape.empty();", ["empty"]),  # of whatever it is: tensors have no such method
        ("auto [y, z] = a.sort(); x = y + z;", ["sort", "add"]),
        ("auto [y, z] = to_float<float>(n); x = y.neg() + z;", ["to_float", "Vectorized::neg"]),
        ("std::vector<Tensor> all = g(n); x = all[0] < all[1];", ["g", "lt"]),
        ("run<n_t, decltype(a)>(a, n); Use([&](auto* a) { run<n_t, decltype(a)>(a); });", ["run", "Use", "run"]),
        (
            "auto e = at::narrow_symint(a); y = std::get<0>(e).item<double>();",
            ["at::narrow_symint", "std::get", "item"],
        ),
        ("auto e = what(a); y = std::get<1>(e).sum();", ["what", "std::get", "sum"]),
        ("x = std::get<1>(a.chunk(2)) + 1;", ["std::get", "chunk", "add"]),
        ("std::pair<Tensor, Tensor> e; x = std::get<0>(e) - std::get<1>(e);", ["std::get", "sub", "std::get"]),
        ("auto e = a.halves(); x = a * std::get<1>(e);", ["halves", "mul", "std::get"]),
        ("x = std::get<0>(a.largest(1)) / n;", ["std::get", "largest", "div"]),
        ("std::tuple<Tensor, int64_t> e; x = std::get<1>(e) + 1;", ["std::get"]),
        ("auto e = a.largest(); x = e + 1;", ["largest", "add"]),
        ("std::vector<std::reference_wrapper<const Tensor>> all(n); all[0].get().t().sum();", ["get", "t", "sum"]),
    ],
)
def test_what_is_called(body: str, found: list[str]) -> None:
    assert [name for name, _ in calls(body)] == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("Use([&a] { return g(n); }); if (&a != &r) g(n);", ["Use", "g", "g"]),
        ("auto q = info(a)->holder(); q->sum(); info(a)->neg();", ["info", "info"]),
        ("Use([](Vec a) { return a.neg(); }, [](n_t many) { return many.t(); }); a.t();", ["Use", "Vec::neg", "t"]),
        ("Vec b1 = load(n), b2; b2 = b2.neg(); use(b1.t(), a.t());", ["load", "Vec::neg", "use", "Vec::t", "t"]),
        ("using vec_t = Vectorized<float>; auto zero = vec_t(0); x = zero.neg() + a;", ["vec_t", "add"]),
        ("Chance<double> sum(n, n); auto t = [](int m) { return g(m); }; sum(a); t(n); g(t);", ["g", "g"]),
        ("for (int64_t a : shape) { g(a * 2); } x = a * 2;", ["g", "mul"]),
        ("if (n) { int64_t a = 1; x = a + 1; } x = a + 1;", ["add"]),
        ("x = 2 * c10::pi<double> * a; x = a <= 1;", ["mul", "le"]),
    ],
)
def test_what_stands_for_no_tensor(body: str, found: list[str]) -> None:
    """A lambda's captures, addresses, functions that give something else, variables with the name of a tensor."""
    assert [name for name, _ in calls(body)] == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("auto r = const_cast<Tensor&>(a); r.t();", ["t"]),
        ("const auto& r = static_cast<const at::Tensor&>(n); x = r.t() + 1;", ["t", "add"]),
        ("const_cast<at::Tensor&>(a).t();", ["t"]),
        ("auto m = static_cast<Cell*>(n); m->t(); static_cast<Cell&>(n).t();", ["Cell::t", "Cell::t"]),
        ("std::optional<Tensor> w; const auto& m = w.value(); x = m.neg() * 2;", ["value", "neg", "mul"]),
        ("std::optional<Tensor> w; w.value_or(a).t();", ["value_or", "t"]),
        ("auto c = g(n); auto m = c.value(); x = 2 * m;", ["g", "value"]),
    ],
)
def test_what_is_cast_and_what_an_optional_tensor_holds(body: str, found: list[str]) -> None:
    assert [name for name, _ in calls(body)] == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("std::array<double, 2> ends = {1, 2}; x = ends[0] < a;", ("gt", ("Tensor", "Scalar"))),
        ("auto end = n ? static_cast<scalar_t>(1) : ends[0]; x = end < a;", ("gt", ("Tensor", "Scalar"))),
        ("std::vector<Tensor> ends = g(n); x = ends[0] < a;", ("lt", ("Tensor", "Tensor"))),
    ],
)
def test_what_compares_a_number_with_a_tensor(body: str, found: tuple[str, tuple[str, ...]]) -> None:
    assert calls(body)[-1] == found


def test_a_text_is_no_number() -> None:
    assert calls("c10::string_view how = n; at::sum(a, how);") == [("at::sum", ("Tensor", "text"))]


def test_what_is_taken_away_is_a_whole_product() -> None:
    assert calls("x = a - n * a / n;")[0] == ("sub", ("Tensor", "Tensor"))
    assert calls("x = a - n * n;")[0] == ("sub", ("Tensor", "Scalar"))
    assert calls("x = a * n - a;")[0] == ("mul", ("Tensor", "Scalar"))


def test_what_is_computed_of_numbers_is_a_number() -> None:
    assert calls("int64_t m = 1; g({a * m, n}); g(m);")[1:] == [("mul", ("Tensor", "Scalar")), ("g", ("Scalar",))]
    assert calls("double p = g(n); a.sum(-(1 - p) * n);")[-1] == ("sum", ("Tensor", "Scalar"))


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("if (n > 1) return g(); f();", [("n > 1",), ("!(n > 1)",)]),
        ("if (!ok) { g(); return {a, 1}; } f();", [("!ok",), ("ok",)]),
        ("if (a1) { throw 1; } else if (b1) return; else g(); f();", [("!a1", "!b1"), ("!a1", "!b1")]),
        ("if (a1) g(); else return; f();", [("a1",), ("a1",)]),
        ("if (a1) { if (b1) return; g(); } f();", [("a1", "!b1"), ("!(a1 && b1)",)]),
        ("if (a1) { f(); } else if (b1) { if (g()) return; } f();", [("a1",), ("!a1", "b1"), ("!(!a1 && b1 && g())",)]),
        ("while (b1) { if (a1) continue; g(); } f();", [("!a1",), ()]),
        ("switch (k) { case A: if (a1) break; g(); case B: f(); }", [("k == A", "!a1"), ("k == B",)]),
        ("x = a1 || b1 ? c1 ? g() : f() : h();", [("a1 || b1", "c1"), ("a1 || b1", "!c1"), ("!(a1 || b1)",)]),
        (
            "if (a1) { if (b1) return g(); else { return h(); } } f();",
            [("a1", "b1"), ("a1", "!b1"), ("!a1",)],
        ),
        (
            "if (to < c::complex<double> > (a1) == -1 && max<int>(a1, 2) < n && &a1 != &b1) f();",
            [
                (),
                ("to<c::complex<double>>(a1) == -1",),
                ("to<c::complex<double>>(a1) == -1 && max<int>(a1, 2) < n && &a1 != &b1",),
            ],
        ),
        ("x = a1 || b1 && f() || g();", [("!a1", "b1"), ("!(a1 || b1 && f())",)]),
        ("auto&& y = f(); h(!a1 || g(), k());", [(), (), ("a1",), ()]),
        ("if C10_UNLIKELY (a1) { f(); } else if C10_LIKELY (b1) { g(); }", [("a1",), ("!a1", "b1")]),
        ('f(); static_assert(!n, "w"); g();', [(), (), ("!n",)]),
        ("CHECK_DEBUG_ONLY(f()); g();", [("!NDEBUG",), ("!NDEBUG",), ()]),
        ("h(n ? g() : f(), k());", [(), ("n",), ("!n",), ()]),
    ],
)
def test_what_an_if_lets_through_and_choices(body: str, found: list[tuple[str, ...]]) -> None:
    outline = read_outline(tokenize(f"void run(int n) {{ {body} }}"))
    assert [each.conditions for each in calls_of(outline, outline.scopes[0], GIVING)] == found


def test_the_arguments_of_an_operator_are_variables_of_its_formula() -> None:
    (entry,) = read_entries("- func: scale.Tensor(Tensor self, Tensor other) -> Tensor\n")
    made = formula_definition(entry, 7, "(self_t - other) / n", GIVING)
    assert [(each.name, each.arguments) for each in made.inside.calls] == [
        ("sub", ("Tensor", "Tensor")),
        ("div", ("Tensor", "")),
    ]


def test_an_operator_of_a_formula_gives_a_tensor_without_its_namespace() -> None:
    """As logaddexp: grad / (1 + exp(other - self)).conj()."""
    (entry,) = read_entries("- func: scale(Tensor self, Tensor other) -> Tensor\n")
    made = formula_definition(entry, 7, "grad / (1 + sum(other))", GIVING)
    assert [each.name for each in made.inside.calls] == ["div", "add", "sum"]


def test_a_formula_takes_tensors_out_of_what_an_operator_gives() -> None:
    """As convolution_backward: std::get<0>(...) + std::get<0>(...)."""
    (entry,) = read_entries("- func: scale(Tensor self, Tensor other) -> Tensor\n")
    made = formula_definition(entry, 7, "std::get<0>(halves(grad)) + std::get<1>(largest(other))", GIVING)
    added = [each.arguments for each in made.inside.calls if each.name == "add"]
    assert added == [("Tensor", "Tensor")]


def test_the_result_for_a_list_is_a_list_and_each_gradient_of_it_a_tensor() -> None:
    """As ``_foreach_div.List``: (self_t - other_t * result[i]) / other_p."""
    (entry,) = read_entries("- func: scale.List(Tensor[] self, Tensor[] other) -> Tensor[]\n")
    made = formula_definition(entry, 7, "(self_t - other_t * result[i]) / other_p", GIVING)
    assert [each.name for each in made.inside.calls] == ["sub", "mul", "div"]


@pytest.mark.parametrize("word", ["C10_HOST_DEVICE", "__global__", "__host__ __device__"])
def test_what_a_gpu_runs_calls_no_operator(word: str) -> None:
    """As ``transformation::exponential``, which calls ``at::log`` of a number."""
    outline = read_outline(tokenize(f"template <typename T> {word} inline T f(T v) {{ return at::sum(v) * v.t(); }}"))
    assert not list(calls_of(outline, outline.scopes[0], GIVING, names_of_file(outline)))


def test_the_object_of_a_method_is_of_its_class() -> None:
    """As ``*this - this->trunc()`` of ``Vectorized``."""
    text = "struct Row { Row frac() const { return *this - this->t(); } };"
    outline = read_outline(tokenize(text))
    own = names_of_file(outline)
    assert [each.name for each in calls_of(outline, outline.scopes[1], GIVING, own, owner="Row")] == ["Row::t"]
    found = [each.name for each in calls_of(outline, outline.scopes[1], GIVING, own, owner="Tensor")]
    assert found == ["sub", "t"]


def test_a_function_of_the_file_that_gives_a_tensor_is_one() -> None:
    before = "Tensor helper(int64_t n) { return at::linspace(n); } "
    assert [name for name, _ in calls("x = helper(n) + n;", before)] == ["helper", "add"]
    before = "template <typename T> const Tensor& helper(int64_t n) { return at::linspace(n); } "
    assert [name for name, _ in calls("x = helper<int>(n).neg() + n;", before)] == ["helper", "neg", "add"]
    assert [name for name, _ in calls("return helper<n_t, n_t, 4, 2>(n);", before)] == ["helper"]


def test_what_a_function_of_the_file_gives_is_of_its_type() -> None:
    """Method ``t`` of what ``sizes_of`` gives is none of a tensor; that of what nobody knows may be one."""
    before = "Sizes sizes_of(const Tensor& a) { return a.sizes(); } template <typename T> T made(T t) { return t; } "
    assert [name for name, _ in calls("sizes_of(a).t(); auto s = sizes_of(a); s.neg();", before)] == [
        *("sizes_of", "Sizes::t", "sizes_of", "Sizes::neg")
    ]
    assert [name for name, _ in calls("made(a).t(); auto s = made(a); s.neg();", before)] == [
        "made",
        "t",
        "made",
        "neg",
    ]
    before = "std::tuple<Tensor, int64_t> mixed(int n) { } "
    assert [name for name, _ in calls("auto [y, z] = mixed(n); y.neg();", before)] == ["mixed", "neg"]


def test_a_member_of_what_a_template_is_made_with() -> None:
    text = "template <typename cell> struct C { void f(const Tensor& a, const cell& params) { params.linear(a); } };"
    outline = read_outline(tokenize(text))
    (call,) = calls_of(outline, outline.scopes[-1], GIVING, names_of_file(outline))
    assert (call.kind, call.name) == ("member", "linear")
    text = text.replace("params.linear(a);", "const auto g = params.linear(a).neg(); g.sum();")
    outline = read_outline(tokenize(text))
    assert [each.kind for each in calls_of(outline, outline.scopes[-1], GIVING, names_of_file(outline))] == [
        *("member", "method", "method")
    ]


def test_what_is_known_of_arguments_tells_overloads_apart() -> None:
    assert calls("Use([](n_t a) { return a; }, [](Vec v) { return at::sum(v, v); });")[1:] == [
        ("at::sum", ("other", "other"))
    ]
    text = "at::pow(a, pi<double> / static_cast<double>(n - 1)); at::cat(a.neg().sum(a <= n), a < n, a - n);"
    assert calls(text) == [
        ("at::pow", ("Tensor", "Scalar")),
        ("at::cat", ("Tensor", "Tensor", "Tensor")),
        *[("neg", ("Tensor",)), ("sum", ("Tensor", "Tensor")), ("le", ("Tensor", "Scalar"))],
        *[("lt", ("Tensor", "Scalar")), ("sub", ("Tensor", "Scalar"))],
    ]
    text = "const auto y = static_cast<double>(n - 1); a.sum(y * std::log(n) * QUARTER); a.sum(y * z);"
    assert [each for each in calls(text) if each[0] == "sum"] == [
        ("sum", ("Tensor", "Scalar")),
        ("sum", ("Tensor", "")),
    ]
    assert [name for name, _ in calls("x = c10::SymFloat(1.0) / (c10::SymFloat(n).neg()); y = a.neg();")] == [
        *("c10::SymFloat", "c10::SymFloat", "SymFloat::neg", "neg")
    ]
    assert calls("Scalar s = n; x = a * (1 - s.conj().toDouble());")[0] == ("mul", ("Tensor", "Scalar"))
    assert calls("Tensor t = n; at::where(a > t, n);")[1] == ("gt", ("Tensor", "Tensor"))
    assert calls("x = a * -(a.neg());")[0] == ("mul", ("Tensor", "Tensor"))
    assert calls("at::pow(NAN, a); at::pow(a, -M_PI);") == [
        *[("at::pow", ("Scalar", "Tensor")), ("at::pow", ("Tensor", "Scalar"))]
    ]
    text = "auto size = a.sizes().vec(); size[0] = 1; a.view(size); auto s = a.strides(); a.view(s);"
    assert calls(text)[-1] == calls(text)[-3] == ("view", ("Tensor", "sizes"))
    text = "void f(TensorList l, Tensor a) { auto size = l[0].sizes().vec(); a.view(size); }"
    outline = read_outline(tokenize(text))
    found = [*calls_of(outline, outline.scopes[0], TensorNames(methods=frozenset({"view"})))]
    assert found[-1].arguments == ("Tensor", "sizes")
    assert calls("Scalar s = n; at::pow(a, s); at::sum(a, {0}, true); at::cat(many);") == [
        ("at::pow", ("Tensor", "Scalar")),
        ("at::sum", ("Tensor", "list", "bool")),
        ("at::cat", ("list",)),
    ]
