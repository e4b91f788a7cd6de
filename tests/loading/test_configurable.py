"""The values that depend on the configuration are told beside an encoded package as by the targets themselves."""

from __future__ import annotations

import marshal
from pathlib import Path

import pytest
from hypothesis import given

from bzlgraph.base.codec import Codec
from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import is_conditional
from bzlgraph.bazel.model import Rule, Selector, SelectorList
from bzlgraph.bazel.selects import ValueReader
from bzlgraph.graph.selects import SelectReader
from bzlgraph.graph.stored import StoredTargets
from bzlgraph.loading.codec import Decoder, Encoder, configurable_in
from bzlgraph.loading.configurable import Configurable, value_of
from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace
from tests.loading.attribute_values import attribute_values

ROOT = Path(__file__).parents[2]
TREES = {"examples/mini_tensorflow": 710, "tests/workspaces/selects": 24}
EXAMPLE = ROOT / "examples" / "mini_tensorflow"
VALUE = Codec[object](object, (SelectorList, Selector), Label)


@pytest.mark.parametrize(("tree", "selects"), TREES.items())
def test_rows_are_what_targets_say(tree: str, selects: int) -> None:
    loader = open_loader(open_workspace(ROOT / tree, Options(jobs=1)))
    packages = [package for name in loader.packages_below("", "") if (package := loader.find("", name)) is not None]
    found = 0
    for package in packages:
        data = Encoder().encode(package)
        rows, values, reader = Configurable(configurable_in(data)), ValueReader(), SelectReader()
        rules = [each for _, each in sorted(package.targets.items()) if isinstance(each, Rule)]
        some = [rule for rule in rules if any(map(is_conditional, rule.values.values()))]
        assert len(rows) == len(some)
        for number, rule in enumerate(some):
            own = list(rows.values(number))
            assert [value for _, value in own] == [each for each in rule.values.values() if is_conditional(each)]
            if not any(reading.by_looks for reading, _ in own):
                told = [each for reading, value in own for each in values.read(rule, reading, value)]
                assert told == list(reader.read(rule, package))
                found += len(told)
    assert found == selects


@given(attribute_values)
def test_a_value_is_read_as_its_codec_reads_it(value: object) -> None:
    plain = marshal.loads(marshal.dumps(VALUE.encode(value)))
    found = value_of(plain)
    assert found == VALUE.decode(plain) == value
    assert repr(found) == repr(value)


def test_a_decoded_package_has_them_without_reading_a_target() -> None:
    loader = open_loader(open_workspace(EXAMPLE, Options(jobs=1)))
    package = loader.find("", "tensorflow/core")
    assert package is not None
    data = Encoder().encode(package)
    targets = Decoder().package(data).targets
    assert isinstance(targets, StoredTargets)
    assert targets.configurable == configurable_in(data)


@pytest.mark.parametrize("data", [b"", b"no rows"])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        Configurable(data)
