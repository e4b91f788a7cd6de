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
