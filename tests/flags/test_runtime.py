"""Flags of programs, each form in a source written for it: name, group, type, default, description, line."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.flags.rows import RuntimeFlag
from bzlgraph.flags.runtime.declared_flag import MECHANISMS
from bzlgraph.flags.runtime.runtime_flags import may_have_flags, runtime_flags
from bzlgraph.workspace.sources.source import DiskSource, MemorySource


def flags(**files: str) -> dict[str, RuntimeFlag]:
    source = MemorySource(
        {name.replace("__", "/").replace("_dot_", "."): text.encode() for name, text in files.items()}
    )
    return {flag.name: flag for flag in runtime_flags(source).rows}


LISTS = """
#include "app/options.h"
namespace app {
Options* options;
std::vector<Flag>* list;
static const char kTitle[] = "title";

bool SetLevel(const string& value) {
  if (value == "most") options->level = "high";
  return true;
}

void AppendMore(std::vector<Flag>* into) {
  std::vector<Flag> more = {
      Flag("level", SetLevel, "low", "How " /* adjacent */ "much."),
      Flag(kTitle, &options->title, "A title.")};
  into->insert(into->end(), more.begin(), more.end());
}

void Allocate() {
  options = new Options;
  options->fast = true;
  options->window = 4 * 1024;
  options->most = std::numeric_limits<int32>::max();
  bool dump = false;
  list = new std::vector<Flag>({
      Flag("fast", &options->fast, "Be fast (\\"really\\")."),
      Flag("window", &options->window, "A window."),
      Flag("most", &options->most, ""),
      Flag("ratio", &options->ratio, "A ratio."),
      Flag("dump", &dump, "Dump.", &options->dump_given),
      // Flag("not_there", &dump, "In a comment."),
  });
  AppendMore(list);
  ParseFlagsFromEnvAndDieIfUnknown("APP_FLAGS", *list);
}
}  // namespace app
"""
OPTIONS = """
#ifndef OPTIONS_H_
#define OPTIONS_H_
struct Options {
  bool fast;
  int64_t window;
  int32 most;
  float ratio = 0.5f;
  string title = "none";
  string level;
};
#endif
"""


@pytest.mark.parametrize(
    ("name", "shown", "default", "description"),
    [
        ("fast", "bool", "true", 'Be fast ("really").'),
        ("window", "int64", "4096", "A window."),
        ("most", "int32", "2147483647", ""),
        ("ratio", "float", "0.5", "A ratio."),
        ("dump", "bool", "false", "Dump."),
        ("level", "string", "low", "How much."),
        ("title", "string", "none", "A title."),
    ],
)
def test_flags_of_a_list_have_type_default_and_the_variable_they_are_read_from(
    name: str, shown: str, default: str, description: str
) -> None:
    found = flags(app__list_dot_cc=LISTS, app__options_dot_h=OPTIONS)[name]
    assert (found.group, found.type, found.default, found.description) == ("APP_FLAGS", shown, default, description)
    assert f'"{name}"' in LISTS.splitlines()[found.line - 1] or name == "title"


def test_a_flag_in_a_comment_or_a_test_is_none() -> None:
    found = flags(app__list_dot_cc=LISTS, app__list_test_dot_cc='Flag("tested", &x, "");')
    assert "not_there" not in found
    assert "tested" not in found


SETTERS = """
Proto Defaults() {
  Proto opts;
  opts.set_a_bool(true);
#ifdef WITH_MKL
  opts.set_a_conditional(true);
#endif
  opts.set_an_int(30 * 1024 * 1024);
  opts.set_a_size(1LL << 12);
  opts.set_an_enum(Proto::SOMETIMES);
  opts.set_a_path("./here");
  return opts;
}
void Make(std::vector<tsl::Flag>* flag_list, Proto* proto) {
  auto bool_setter_for = [proto](void (Proto::*member)(bool)) {
    return [proto, member](bool value) { (proto->*member)(value); return true; };
  };
  auto int64_setter_for = [](void (Proto::*member)(int64_t)) { return [member](int64_t value) { return true; }; };
  auto enum_setter = [proto](const std::string& value) { proto->set_an_enum(Parse(value)); return true; };
  flag_list->push_back(tsl::Flag("a_bool", bool_setter_for(&Proto::set_a_bool), proto->a_bool(), "A."));
  flag_list->push_back(tsl::Flag("a_conditional", bool_setter_for(&Proto::set_b), proto->a_conditional(), "B."));
  flag_list->push_back(tsl::Flag("never_set", bool_setter_for(&Proto::set_c), proto->never_set(), "C."));
  flag_list->push_back(tsl::Flag("an_int", int64_setter_for(&Proto::set_d), proto->an_int(), "D."));
  flag_list->push_back(tsl::Flag("a_size", int64_setter_for(&Proto::set_e), proto->a_size(), "E."));
  flag_list->push_back(tsl::Flag("an_enum", enum_setter, Proto::Kind_Name(proto->an_enum()), "F."));
  flag_list->push_back(tsl::Flag("a_path", proto->mutable_a_path(), "G."));
  flag_list->push_back(tsl::Flag("empty", enum_setter, "", "H."));
  flag_list->push_back(tsl::Flag("inline", [](float value) { return true; }, 2.5f, "I."));
}
void Allocate() { Make(objects, values); ParseFlagsFromEnvAndDieIfUnknown("MY_FLAGS", *objects); }
"""


@pytest.mark.parametrize(
    ("name", "shown", "default"),
    [
        ("a_bool", "bool", "true"),
        ("a_conditional", "bool", "true if WITH_MKL, else false"),
        ("never_set", "bool", "false"),
        ("an_int", "int64", "31457280"),
        ("a_size", "int64", "4096"),
        ("an_enum", "string", "SOMETIMES"),
        ("a_path", "string", "./here"),
        ("empty", "string", '""'),
        ("inline", "float", "2.5"),
    ],
)
def test_flags_with_setters_get_the_value_that_the_defaults_set(name: str, shown: str, default: str) -> None:
    found = flags(a_dot_cc=SETTERS)[name]
    assert (found.group, found.type, found.default) == ("MY_FLAGS", shown, default)


def test_a_list_without_a_variable_name_is_read_as_in_tensorflow_1() -> None:
    found = flags(a_dot_cc='void F() { l = new std::vector<Flag>({Flag("x", &y, "")}); ParseFlagsFromEnv(*l); }')
    assert found["x"].group == "TF_XLA_FLAGS"


def test_other_lists_are_of_the_command_line() -> None:
    found = flags(a_dot_cc='int main() { int32 n = 3; std::vector<Flag> l = {tensorflow::Flag("n", &n, "N.")}; }')
    assert (found["n"].group, found["n"].type, found["n"].default) == ("command line", "int32", "3")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('ABSL_FLAG(int, jobs, 4, "How " "many.");', ("jobs", "absl", "int32", "4", "How many.")),
        ('ABSL_FLAG(std::string, dir, "", "Where.");', ("dir", "absl", "string", '""', "Where.")),
        ('DEFINE_bool(fast, true, "F.");', ("fast", "gflags", "bool", "true", "F.")),
        ('C10_DEFINE_int(n, -1, "N.")', ("n", "gflags", "int32", "-1", "N.")),
        ('DEFINE_double(d, 1.5, "D.");', ("d", "gflags", "float", "1.5", "D.")),
        ('f(); // Why\nReadBoolFromEnvVar("A_B", false, &b);', ("A_B", "environment", "bool", "false", "")),
        ('f();\n// Why\n// not.\nReadInt64FromEnvVar(kN, 1 << 4, &b);\nconst char* kN = "N_N";',
         ("N_N", "environment", "int64", "16", "Why not.")),
        ('x = std::getenv("HOME_DIR");', ("HOME_DIR", "environment", "string", None, "")),
        ('#define kE "E_E"\nif (getenv(kE)) {}', ("E_E", "environment", "string", None, "")),
        ('TF_DECLARE_FLAG(a_switch, true, "S.")', ("a_switch", "environment", "bool", "true", "S.")),
    ],
)  # fmt: skip
def test_flags_and_variables_of_one_call(source: str, expected: tuple[str, ...]) -> None:
    (found,) = flags(a_dot_cc=source).values()
    assert (found.name, found.group, found.type, found.default, found.description) == expected


@pytest.mark.parametrize(
    "source", ["getenv(name)", "DEFINE_bool(a)", "Flag(x)", "ABSL_FLAG(", 'Flag("a b!", &c, "")', 'Flag("a']
)
def test_what_names_no_flag_is_none(source: str) -> None:
    assert flags(a_dot_cc=source) == {}


def test_a_macro_that_reads_a_variable_names_one_at_each_invocation() -> None:
    macro = "#define SWITCH(f, name, value) \\\n bool f() { bool v; ReadBoolFromEnvVar(#name, value, &v); return v; }\n"
    found = flags(a_dot_cc=macro + "SWITCH(A, MY_SWITCH, true);\nSWITCH(B, OTHER, false);")
    assert {(each.name, each.default, each.line) for each in found.values()} == {
        ("MY_SWITCH", "true", 3),
        ("OTHER", "false", 4),
    }


def test_a_file_that_is_no_text_is_a_gap() -> None:
    found = runtime_flags(MemorySource({"a.cc": b'Flag("x"\0', "b.cc": b'DEFINE_bool(b, true, "B.")'}))
    assert [flag.name for flag in found.rows] == ["b"]
    assert [str(gap) for gap in found.gaps] == [
        "a.cc: its flags are not listed: not a text file (it holds NUL bytes) (a.cc)"
    ]


def test_what_was_read_is_kept_until_a_file_changes(tmp_path: Path) -> None:
    source = DiskSource(tmp_path / "tree")
    source.root.mkdir()
    file = source.root / "a.cc"
    file.write_text('DEFINE_bool(old, true, "A.");')
    first = runtime_flags(source, cache_folder=tmp_path)
    assert first == runtime_flags(source, cache_folder=tmp_path)
    file.write_text('DEFINE_bool(newer, true, "A.");')
    assert [flag.name for flag in runtime_flags(source, cache_folder=tmp_path).rows] == ["newer"]


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_file_with_any_mechanism_is_read(name: str) -> None:
    """Files are chosen by a quick look for parts of these names: the file that is no text is a gap when it is read."""
    found = runtime_flags(MemorySource({"a.cc": f"{name}(\0)".encode()}))
    assert len(found.gaps) == 1


def test_a_file_is_read_when_it_holds_a_whole_name() -> None:
    names = ["Flag", "CreateFlag", *MECHANISMS]
    files = {f"file{number}.cc": name for number, name in enumerate(names)}
    others = {f"other{number}.cc": more for number, name in enumerate(names) for more in (f"x{name}", f"{name}s")}
    source = MemorySource({path: f"({text}(".encode() for path, text in {**files, **others}.items()})
    assert {path for path in (*files, *others) if may_have_flags(source, path)} == set(files)
