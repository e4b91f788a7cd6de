"""Variables: classes whose metaclass makes values of another class."""

import pytest

from tests.ops.tensorflow.small_tree import side


def test_a_variable_is_what_its_metaclass_makes() -> None:
    made = side(
        tensorflow__python__ops__variables=(
            "from tensorflow.python.util.tf_export import tf_export\n"
            '@tf_export("Variable")\nclass Variable(metaclass=Maker):\n'
            "  def __init__(self): raise NotImplementedError\n  def assign(self, value): raise NotImplementedError\n"
        ),
        tensorflow__python__ops__resource_variable_ops=(
            "from tensorflow.python.ops import gen_array_ops\nfrom tensorflow.python.ops import variables\n"
            "class BaseResourceVariable(variables.Variable):\n"
            "  def assign(self, value): return gen_array_ops.halve(value)\n"
            "class ResourceVariable(BaseResourceVariable):\n"
            "  def __init__(self): self._init_from_args()\n"
            "  def _init_from_args(self): gen_array_ops.shape(1)\n"
        ),
    )
    ops = {}
    for name in ("tf.Variable", "tf.Variable.assign"):
        (first, *_) = made.uses(made.exports.find(name)[0], name)
        ops[name] = (first.op, [step.name for step in first.steps])
    assert ops == {
        "tf.Variable": ("Shape", ["resource_variable_ops.ResourceVariable._init_from_args"]),
        "tf.Variable.assign": ("Halve", ["resource_variable_ops.BaseResourceVariable.assign"]),
    }


@pytest.mark.parametrize(
    ("of_v1", "references"), [("variables", "variables"), ("variable_v1", "ref_variable")], ids=["until 2.12", "2.13"]
)
def test_a_variable_of_api_v1_is_a_reference_or_a_resource(of_v1: str, references: str) -> None:
    files = {
        of_v1: "class VariableV1: pass\n",
        references: (
            f"from tensorflow.python.ops import gen_array_ops\nfrom tensorflow.python.ops.{of_v1} import VariableV1\n"
            "class RefVariable(VariableV1):\n  def _init_from_args(self, x=None):\n"
            "    if x is None:\n      raise ValueError()\n    gen_array_ops.halve(x)\n"
        ),
    }
    if of_v1 == references:
        files[of_v1] = "class VariableV1: pass\n" + files[of_v1]
    made = side(
        **{f"tensorflow__python__ops__{name}": text for name, text in files.items()},
        tensorflow__python__ops__resource_variable_ops=(
            "from tensorflow.python.ops import gen_array_ops\n"
            "class ResourceVariable:\n  def _init_from_args(self, x): gen_array_ops.shape(x)\n"
        ),
        tensorflow__python__ops__more_ops=(
            f"from tensorflow.python.ops import {of_v1}\ndef f(x):\n  return {of_v1}.VariableV1(x)\n"
        ),
    )
    found = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    assert {use.op for use in found} == {"Halve", "Shape"}
    assert not made.tree.gaps
