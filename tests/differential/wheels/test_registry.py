"""The comparison with a runtime's registry, on a small tree and a registry written by hand."""

import json
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
