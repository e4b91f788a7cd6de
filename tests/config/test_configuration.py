"""Values of options: the last use wins, defaults tell their version."""

import pytest

from bzlgraph.base.label import Label
from bzlgraph.config.configuration import Configuration, SettingName
from bzlgraph.config.option_use import ON_COMMAND_LINE, parse_options
from bzlgraph.facts.options import options_for


def configuration(*words: str, version: str = "4.2.3") -> Configuration:
    table = options_for(version)
    return Configuration(table, tuple(parse_options(words, table, ON_COMMAND_LINE)))


def test_the_last_use_wins() -> None:
    chosen = configuration("-c", "dbg", "--define=a=1", "--define=b=2", "--define=a=3", "-c", "opt")
    assert chosen.value("compilation_mode").value == "opt"
    assert [each and each.value for each in (chosen.define("a"), chosen.define("b"), chosen.define("c"))] == [
        "3",
        "2",
        None,
    ]


def test_a_define_without_a_value_is_none() -> None:
    chosen = configuration("--define=a=", "--define=ab=1")
    found = chosen.define("a")
    assert found is not None
    assert found.value == ""


def test_defaults_are_those_of_the_version() -> None:
    old, new = configuration(version="0.24.1"), configuration(version="4.2.3")
    assert old.value("java_toolchain").value is None
    assert new.value("java_toolchain").value == "@bazel_tools//tools/jdk:remote_toolchain"
    assert str(new.value("java_toolchain").origin) == "default of Bazel 4.2.3"
    assert new.value("no_such_option").value is None


def test_flags_are_found_by_their_label_however_written() -> None:
    chosen = configuration("--//p=1", "--//p:p=2", "--@r//q:f", "--//p:other=x")
    assert [each.value for each in chosen.flag_values(Label("", "p", "p"))] == ["1", "2"]
    found = chosen.flag(Label("r", "q", "f"))
    assert found is not None
    assert found.value == "true"
    assert chosen.flag(Label("", "p", "no")) is None


def test_equal_by_content_not_by_who_said_so() -> None:
    assert configuration("-c", "opt") == configuration("--compilation_mode=opt")
    assert len({configuration("-c", "opt"), configuration("--compilation_mode=opt"), configuration()}) == 2
    assert configuration("--stamp") != configuration("--nostamp")
    assert configuration() != configuration().exec()


FLAG, OTHER = Label("", "a", "flag"), Label("", "a", "other")


@pytest.mark.parametrize("name", ["cpu", "copt", "platforms", "keep_going", "no_such_option", FLAG, OTHER])
@pytest.mark.parametrize("values", [(), ("k8",), ("x",), ("x", "y"), ("//a:b",), ("@local_config_platform//:host",)])
@pytest.mark.parametrize("as_text", [False, True])
def test_what_would_be_another_configuration(name: SettingName, values: tuple[str, ...], as_text: bool) -> None:
    """The short answer of ``would_change`` is that of making the other configuration and comparing."""
    words = ["--cpu=x", "--copt=x", "--copt=y", "--//a:flag=x", "--keep_going"]
    plain = configuration(*words)
    for here in (plain, plain.doubtful([name], "why"), plain.changed({FLAG: ("//a:b",)}, ON_COMMAND_LINE, (), [FLAG])):
        other = here.changed({name: values}, ON_COMMAND_LINE, (), [name] if as_text else [])
        assert here.would_change(name, values, as_text) == (other != here)
