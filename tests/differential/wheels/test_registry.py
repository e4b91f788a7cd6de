"""The comparison with a runtime's registry, on a small tree and a registry written by hand."""

import json
import sys
from pathlib import Path

import pytest

from tests.differential.wheels import registry

CODE = """
REGISTER_OP("Blur");
class BlurOp : public OpKernel {
  void Compute(OpKernelContext* context) override {}
};
REGISTER_KERNEL_BUILDER(Name("Blur").Device(DEVICE_CPU), BlurOp);
"""

LIST = """
class OpDef:
    name, attr, input_arg, op, device_type, label, constraint = "Blur", (), (), "Blur", "CPU", "", ()

class OpList:
    op = kernel = [OpDef]
    def ParseFromString(self, data): pass
KernelList = OpList
"""
WHEEL = {
    "core/framework/op_def_pb2.py": LIST,
    "core/framework/kernel_def_pb2.py": LIST,
    "core/framework/node_def_pb2.py": """
class NodeDef:
    def __init__(self, name, op): self.attr, self.input = {}, []
    def SerializeToString(self): return b""
""",
    "python/pywrap_tensorflow.py": """
TF_GetAllOpList = TF_GetAllRegisteredKernels = lambda: b""
TF_GetBuffer = lambda data: data
TryFindKernelClass = lambda node: b"BlurOp"
""",
}
"""A wheel of 1.12 that has one op."""


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    (tmp_path / "blur.cc").write_text(CODE)
    known = {"ops": ["Blur"], "kernels": [["Blur", "CPU", "BlurOp"]]}
    (tmp_path / "registry.json").write_text(json.dumps(known))
    return ["registry", str(tmp_path), f"--registry={tmp_path}/registry.json", "--jobs=1"]


@pytest.mark.parametrize(("sample", "shown"), [(0, 0), (1, 1), (5, 1)])
def test_as_many_registrations_are_shown_as_there_are(
    arguments: list[str], sample: int, shown: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", [*arguments, f"--sample={sample}"])
    assert registry.main() == 0
    assert capsys.readouterr().out.count("Blur CPU BlurOp |") == shown


def test_what_is_no_number_is_told(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", [*arguments, "--sample=-1"])
    with pytest.raises(SystemExit):
        registry.main()
    assert "'-1' is no number of registrations" in capsys.readouterr().err


def test_the_runtime_of_another_python_is_asked(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in WHEEL.items():
        file = tmp_path / "wheel" / "tensorflow" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        for folder in (file.parent, file.parent.parent):
            (folder / "__init__.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "wheel"))
    monkeypatch.setattr("sys.argv", [*arguments[:2], f"--python={sys.executable}", "--jobs=1"])
    assert registry.main() == 0
    assert "kernels         1 of       1" in capsys.readouterr().out
