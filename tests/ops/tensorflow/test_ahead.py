"""What is read ahead on another core: it fills the cache, and changes no answer."""

from pathlib import Path

import pytest

from bzlgraph.export.op_formats.text import answer_text
from bzlgraph.loading.loader import Loader, open_loader
from bzlgraph.ops.tensorflow.ahead import Ahead, look_ahead
from bzlgraph.ops.tensorflow.opening import open_tracer
from bzlgraph.workspace.workspace import Options, open_workspace

EXAMPLE = Path(__file__).parents[3] / "examples" / "mini_tensorflow"


def loader(cache: Path | None) -> Loader:
    return open_loader(open_workspace(EXAMPLE, Options(cache_folder=cache)))


def test_the_packages_of_the_ops_are_loaded(tmp_path: Path) -> None:
    loaded = look_ahead(loader(tmp_path), tmp_path, "tf.nn.conv2d")
    assert {"tensorflow/core", "tensorflow/core/kernels"} <= set(loaded)
    assert {"packages.sqlite", "python.sqlite"} <= {path.name for path in tmp_path.iterdir()}
    assert look_ahead(loader(tmp_path), tmp_path, "tf.no.such") == []


def test_answers_are_the_same_with_it_and_without(tmp_path: Path) -> None:
    look_ahead(loader(tmp_path), tmp_path, "tf.nn.conv2d")
    with_it = open_tracer(loader(tmp_path), tmp_path).explain("tf.nn.conv2d")
    without = open_tracer(loader(None), None).explain("tf.nn.conv2d")
    assert answer_text(with_it) == answer_text(without)


@pytest.mark.parametrize("word", ["", "tf.nn.conv2d"])
def test_without_a_question_or_a_cache_nothing_begins(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    monkeypatch.setattr(Ahead, "_run", lambda self: begun.append(self.word))
    ahead = Ahead(loader(None), None)
    ahead.ask(word)
    ahead.start()
    assert begun == []
