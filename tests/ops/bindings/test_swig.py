"""Interfaces of SWIG."""

from __future__ import annotations

from tests.ops.bindings.small_tree import found, index

SWIG = {
    "py/all.i": '%module pywrap_all\n%include "py/part.i"\n%include "std_string.i"\n',
    "py/part.i": """\
/* %unignore never; */
%{
#include "py/part.h"
int helper(int a) { return a; }
%}
%ignoreall
%unignore part;
%unignore part::Check;
%rename("Renamed") part::Original;
%inline %{
int Written(const char* name) {
  return 1;
}
%}
%include "py/part.h"
%unignoreall
extern int Declared(int a);
""",
    "py/part.h": "namespace part {\nbool Check(int a);\n}\n",
    "py/part.cc": '#include "py/part.h"\nnamespace part {\nbool Check(int a) { return a; }\n}\n',
}


def test_interfaces_of_swig() -> None:
    known = index(SWIG).known.bindings
    assert {(each.name, each.location.short, each.function) for each in known if each.name} == {
        ("Check", "py/part.i:8", "part::Check"),
        ("Renamed", "py/part.i:9", "part::Original"),
        ("Written", "py/part.i:11", "Written"),
        ("Declared", "py/part.i:17", "Declared"),
    }
    place = found("pywrap_all.Check", SWIG).defined
    assert place is not None
    assert place.short == "py/part.cc:3"


def test_a_module_of_swig_that_the_build_names() -> None:
    files = {"py/top.i": '%include "py/part.i"\n', **{path: text for path, text in SWIG.items() if path != "py/all.i"}}
    assert {each.module for each in index(files).known.bindings} == {"top"}
    named = index(files)
    named.named = {"py/top.i": "pywrap_top"}.__getitem__
    assert named.explain("pywrap_top.Check").found


CLASSES = {
    "xla/xla.i": '%include "xla/builder.i"\n',
    "xla/builder.i": """\
%module(threads="1") builder
%{
#include "xla/builder.h"
%}
%{
static int helper(const char* name) {
  return 1;
}
%}
%ignoreall
%unignore other;
%unignore helper;
%unignore xla::swig::Builder::mode;
%unignore xla::swig::Builder::size;
%unignore xla::swig;
%unignore xla::swig::Run;
%unignore xla::swig::Builder;
%unignore xla::swig::Builder::Builder;
%unignore xla::swig::Builder::Build;
%unignore xla::swig::Builder::Make;
%unignore xla::swig::Builder::Shift;
%unignore xla::swig::Builder::Gone;
%rename("Sum") xla::swig::Builder::Add;
%include "xla/builder.h"
%unignoreall
""",
    "xla/builder.h": """\
namespace other {}
namespace xla { namespace swig {
void Run(int a);
class Builder {
 public:
  Builder(int a);
  static Builder* Make(int a);
  int Build();
#define FORWARD(name) int name(int a);
  FORWARD(Shift)
  FORWARD(Add)
#undef FORWARD
  int mode, size = 1;
 private:
  int count_ = 0;
};
}}
""",
    "xla/builder.cc": """\
#include "xla/builder.h"
namespace xla { namespace swig {
void Run(int a) {}
Builder::Builder(int a) {}
Builder* Builder::Make(int a) { return new Builder(a); }
int Builder::Build() { return 0; }
#define FORWARD(name) int Builder::name(int a) { return a; }
FORWARD(Shift)
FORWARD(Add)
}}
""",
}


def test_an_included_interface_of_swig_is_no_module_and_classes_have_methods() -> None:
    """As xla.i, which the build makes the module pywrap_xla of, includes the ``%module`` of another."""
    made = index(CLASSES)
    assert {each.module for each in made.known.bindings} == {"builder"}
    named = index(CLASSES)
    named.named = {"xla/xla.i": "pywrap_xla"}.__getitem__
    known = [each for each in named.known.bindings if each.name]
    assert [(each.full_name, each.kind, each.defined and each.defined.short) for each in known] == [
        ("pywrap_xla.Builder.Sum", "method", "xla/builder.cc:9"),
        ("pywrap_xla.helper", "function", "xla/builder.i:6"),
        ("pywrap_xla.Builder.mode", "field", None),
        ("pywrap_xla.Builder.size", "field", None),
        ("pywrap_xla.Run", "function", "xla/builder.cc:3"),
        ("pywrap_xla.Builder", "class", "xla/builder.cc:4"),
        ("pywrap_xla.Builder.Build", "method", "xla/builder.cc:6"),
        ("pywrap_xla.Builder.Make", "static", "xla/builder.cc:5"),
        ("pywrap_xla.Builder.Shift", "method", "xla/builder.cc:8"),
    ]
    assert named.explain("pywrap_xla.Builder.Shift").found


PLAIN = {
    "py/shapes.i": """\
%module shapes
%{
#include "src/shapes.h"
#include "src/square.h"
%}
%include exception.i
%ignore shapes::Hidden;
%ignore shapes::Circle::status;
%rename(area_of) shapes::Area;
%extend shapes::Circle {
  int twice() const {
    if ($self) { return 2; }
    PyErr_SetString($self);
  }
  void _reset(int a);
}
%template(Numbers) std::vector<int>;
%ignoreall
%rename("%s") c_area;
%unignore shapes;
%unignore shapes::Square;
%unignore shapes::Square::~Square;
%unignore shapes::Square::side;
%include "src/square.h"
%unignoreall
%include "src/c_api.h"
%include <shapes.h>
%include <lost.h>
""",
    "src/shapes.h": """\
namespace shapes {
class Forward;
int Area(const Circle& circle);
template <class T> T Any(T a);
EXPORT double Scale(double by = f(1), int n = 2) noexcept;
class EXPORT Circle : public Base {
 public:
  Circle();
  explicit Circle(int r);
  virtual ~Circle() = default;
  static Circle* Make(int r) { return new Circle(r); }
  virtual int radius() const = 0;
  bool operator==(const Circle& other) const;
  int status();
  Circle(const Circle&) = delete;
 protected:
  int inner();
 private:
  int secret();
};
class Hidden { public: int seen(); };
struct Point { int norm(); };
namespace { int local(); }
}
""",
    "src/square.h": "namespace shapes { class Square { public: int side(); int other(); ~Square(); }; }\n",
    "src/c_api.h": """\
#ifdef __cplusplus
extern "C" {
#endif
typedef struct C_Shape { int kind; } C_Shape;
EXPORT extern int c_kind(C_Shape* shape);
#ifdef __cplusplus
}
#endif
int Circle::radius() { return 0; }
""",
    "src/shapes.cc": '#include "shapes.h"\nnamespace shapes {\nint Area(const Circle& c) { return 1; }\n}\n',
}


def test_what_an_included_header_declares_is_wrapped_unless_all_is_ignored() -> None:
    """As sentencepiece and faiss do; TensorFlow ignores all and says what it wants."""
    made = index(PLAIN)
    known = [each for each in made.known.bindings if each.name]
    assert {(each.name, each.kind) for each in known} == {
        *(("area_of", "function"), ("Scale", "function"), ("Numbers", "class"), ("Point", "class")),
        *(("Circle", "class"), ("Circle.__init__", "method"), ("Circle.Make", "static"), ("Circle.radius", "method")),
        *(("C_Shape", "class"), ("C_Shape.kind", "field"), ("c_kind", "function"), ("c_area", "function")),
        *(("Square", "class"), ("Square.side", "method")),
        *(("Circle.twice", "method"), ("Circle._reset", "method"), ("Point.norm", "method")),
    }
    assert found("shapes.Circle.radius", PLAIN).location.short == "src/shapes.h:12"
    place = found("shapes.area_of", PLAIN).defined
    assert place is not None
    assert place.short == "src/shapes.cc:3"
    assert [gap.what for gap in made.known.gaps] == ["what SWIG wraps of lost.h"]
    generated = "from . import _shapes\nclass Circle:\n  def radius(self):\n    return _shapes.Circle_radius(self)\n"
    files = {**PLAIN, "shapes/__init__.py": generated}
    assert found("shapes.Circle_Make", PLAIN).name == "Circle.Make"
    (one,) = index(files).explain("shapes.Circle.radius").bindings
    assert one.function == "shapes::Circle::radius"


def test_long_runs_of_spaces_and_words_are_read_in_time() -> None:
    """A pattern for declarations went over each of them from every place in it."""
    for filling in (" " * 100_000, "a " * 50_000, "\n" * 100_000):
        files = {"a.i": f"%module m\n%extend A {{\n{filling}\n int f(int a);\n}}\n{filling}\nint g(int a);\n"}
        assert [each.name for each in index(files).known.bindings if each.name][-1] == "A.f"


def test_interfaces_may_end_with_swig() -> None:
    assert found("swigged.run", {"a.swig": "%module swigged\nint run(int a);\n"}).kind == "function"


DETAILS = {
    "py/fields.i": """\
%module fields
%define MAKE_SUM(type, name)
%inline %{
type sum_of_ ## name(const type* values) {
  return 0;
}
%}
%enddef
MAKE_SUM(int, ints)
MAKE_SUM(float, floats);
%ignore fields::Ignored;
#ifdef WITH_GPU
%include "src/gpu.h"
#endif
#ifdef SWIGJAVA
int of_java(int a);
#endif
%include "src/fields.h"
%template(IntTable) fields::Table<int>;
%template(largest)
  fields::largest<int>;
extern int last(int a);
""",
    "src/gpu.h": "int on_gpu(int a);\n",
    "src/fields.h": """\
namespace fields {
enum Metric { L2, Linf = 22 }; enum Ignored { kOne };
enum class Level { NONE = 0, Wide };
const int kVersion = 3;
int counter;
template <class T, int N = 2>
struct Table : Base<Table<T>> {
  T* tab;
  Table();
  T get(int at) const { return tab[at]; }
 private:
  int hidden;
};
template <class T>
struct Table<T*> { int special; };
template <class T>
T largest(T a);
struct Visited FIELDS_FINAL {
  enum Kind { plain };
  ALIGNED(32) int rows[32];
  std::map<int, float> of_key, *more = nullptr;
  std::function<int(int)> call{};
  int sized(int n = 2);
#ifndef SWIG
  int never;
#endif
#if WITH_SIMD
  int wide;
#endif
};
}
""",
}


def test_details_of_swig() -> None:
    """Values of enums, fields, members of templates, what macros write, and what only a part of builds has."""
    known = [each for each in index(DETAILS).known.bindings if each.name]
    assert [(each.name, each.kind, each.location.short, each.condition) for each in known] == [
        ("sum_of_ints", "function", "py/fields.i:9", ""),
        ("sum_of_floats", "function", "py/fields.i:10", ""),
        ("last", "function", "py/fields.i:22", ""),
        ("IntTable", "class", "py/fields.i:19", ""),
        ("IntTable.tab", "field", "src/fields.h:8", ""),
        ("IntTable.__init__", "method", "src/fields.h:9", ""),
        ("IntTable.get", "method", "src/fields.h:10", ""),
        ("largest", "function", "py/fields.i:20", ""),
        ("on_gpu", "function", "src/gpu.h:1", "WITH_GPU"),
        ("L2", "value", "src/fields.h:2", ""),
        ("Linf", "value", "src/fields.h:2", ""),
        ("Level_NONE", "value", "src/fields.h:3", ""),
        ("Level_Wide", "value", "src/fields.h:3", ""),
        ("kVersion", "value", "src/fields.h:4", ""),
        ("Visited", "class", "src/fields.h:18", ""),
        ("Visited.plain", "value", "src/fields.h:19", ""),
        ("Visited.rows", "field", "src/fields.h:20", ""),
        ("Visited.of_key", "field", "src/fields.h:21", ""),
        ("Visited.more", "field", "src/fields.h:21", ""),
        ("Visited.call", "field", "src/fields.h:22", ""),
        ("Visited.sized", "method", "src/fields.h:23", ""),
        ("Visited.wide", "field", "src/fields.h:28", "WITH_SIMD"),
    ]
    assert found("fields.IntTable.get", DETAILS).function == "fields::Table::get"
    assert found("fields.Level_Wide", DETAILS).function == "fields::Level::Wide"
    assert found("fields.largest", DETAILS).function == "fields::largest"
