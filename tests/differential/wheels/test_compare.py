"""The comparison with traces of a TensorFlow wheel, on the small tree and traces written by hand."""

from pathlib import Path

import pytest

from tests.differential.wheels.tensorflow.compare import main

MINI = Path(__file__).parents[3] / "examples" / "mini_tensorflow"
TRACES = """
{"name": "tf.nn.conv2d", "ops": ["Conv2D"]}
{"name": "tf.compat.v1.nn.conv2d", "ops": ["Conv2D", "Erfinv"]}
{"name": "tf.nn.nothing", "ops": ["NoOp"]}
{"name": "tf.nn.uncalled", "error": "TypeError"}
"""


def test_what_is_traced_and_not_named_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "traces.jsonl").write_text(TRACES)
    main([str(MINI), str(tmp_path / "traces.jsonl")])
    told = capsys.readouterr().out
    assert told.startswith("3 functions traced, 2 found, 1 with all their ops (33.3 %)\n")
    assert "not found: tf.nn.nothing\n" in told
    assert "tf.compat.v1.nn.conv2d: missed Erfinv; " in told
