"""Run by a Python that has TensorFlow installed: calls its public functions in a graph, notes which ops each one makes.

Knows nothing of bzlgraph and imports nothing of it, so that any interpreter with a wheel can run it:

    WHEEL/bin/python trace.py > traces.jsonl         # the functions of tf
    WHEEL/bin/python trace.py --v1 > v1.jsonl        # those that only tf.compat.v1 has

A call is made from recipes: a value per parameter name (``NAMED``), and for every other required parameter one of
several kinds of tensors, tried in turn until a call works. Each call is made once with tensors of a known shape, once
with the same tensors of unknown shape; the ops of both (bodies of functions too) are the answer. What the arguments
themselves are made of is not counted.
"""

import contextlib
import inspect
import json
import os
import signal
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

SKIPPED_MODULES = (
    "tf.raw_ops",
    "tf.keras.applications",
    "tf.keras.datasets",
    "tf.keras.preprocessing",
    "tf.keras.utils",
    "tf.keras.models",
    "tf.estimator",
    "tf.test",
    "tf.profiler",
    "tf.tpu",
    "tf.lite",
    "tf.mlir",
    "tf.compat",
    "tf.version",
    "tf.sysconfig",
    "tf.experimental.dtensor",
    "tf.io.gfile",
    "tf.__internal__",
    "tf.types",
)

SECONDS = 20

OLD_MODULES = frozenset(
    "bitwise debugging distributions image initializers io linalg losses manip math metrics nn random sets signal"
    " sparse spectral strings train quantization layers activations backend"
    " losses constraints regularizers summary feature_column nest".split()
)
"""Modules of the API of 1.x before it was generated into a package of its own."""

PLAIN_KINDS = (
    "f44",
    "f23",
    "i6",
    "b23",
    "s6",
    "f2443",
    "c44",
    "i23",
    "l6",
    "f6",
    "u8image",
    "f244",
    "f24443",
    "f0",
    "i0",
    "s0",
)


def tensors(tf, dynamic):
    """Kind -> a function that makes such a tensor in the graph under construction."""

    def hold(dtype, shape):
        return lambda: placeholder(dtype, None if dynamic else shape)

    return {
        "f44": hold(tf.float32, [4, 4]),
        "f23": hold(tf.float32, [2, 3]),
        "f6": hold(tf.float32, [6]),
        "f0": hold(tf.float32, []),
        "i0": hold(tf.int32, []),
        "i6": hold(tf.int32, [6]),
        "l6": hold(tf.int64, [6]),
        "i23": hold(tf.int32, [2, 3]),
        "b23": hold(tf.bool, [2, 3]),
        "b0": hold(tf.bool, []),
        "s6": hold(tf.string, [6]),
        "s0": hold(tf.string, []),
        "c44": hold(tf.complex64, [4, 4]),
        "f244": hold(tf.float32, [2, 4, 4]),
        "f2443": hold(tf.float32, [2, 4, 4, 3]),
        "f24443": hold(tf.float32, [2, 4, 4, 4, 3]),
        "f2233": hold(tf.float32, [2, 2, 3, 3]),
        "f22233": hold(tf.float32, [2, 2, 2, 3, 3]),
        "f3": hold(tf.float32, [3]),
        "u8image": hold(tf.uint8, [4, 4, 3]),
        "sparse": lambda: tf.sparse.SparseTensor(placeholder(tf.int64, [2, 2]), placeholder(tf.float32, [2]), [4, 4]),
        "ragged": lambda: tf.RaggedTensor.from_row_splits(
            placeholder(tf.float32, [4]),
            placeholder(tf.int64, [3]),
            validate=False,
        ),
    }


def constant(value):
    return lambda tf, make: value


def kind(name):
    return lambda tf, make: make[name]()


NAMED = {
    "axis": [constant(0), constant(1)],
    "axes": [constant([0]), constant(1)],
    "dim": [constant(0)],
    "perm": [constant([1, 0])],
    "shape": [constant([2, 3]), constant([16]), constant([4, 4])],
    "output_shape": [constant([4, 4])],
    "dims": [constant([2, 3])],
    "multiples": [constant([1, 2])],
    "paddings": [constant([[1, 1], [0, 0]])],
    "begin": [constant([0, 0])],
    "size": [constant([2, 2]), constant(2)],
    "strides": [constant([1, 1, 1, 1]), constant([1, 1]), constant([1, 1, 1, 1, 1]), constant(1)],
    "ksize": [constant([1, 2, 2, 1]), constant(2), constant([1, 2, 2, 2, 1])],
    "pool_type": [constant("MAX")],
    "window_shape": [constant([2, 2])],
    "pooling_type": [constant("MAX")],
    "padding": [constant("SAME")],
    "rates": [constant([1, 1, 1, 1])],
    "rate": [constant(2), constant(0.5)],
    "dilations": [constant([1, 1])],
    "filters": [kind("f2233"), kind("f22233"), kind("f3"), constant(None)],
    "filter": [kind("f2233"), kind("f22233"), kind("f3")],
    "depthwise_filter": [kind("f2233")],
    "pointwise_filter": [lambda tf, make: placeholder(tf.float32, [1, 1, 9, 4])],
    "kernel": [kind("f2233")],
    "dtype": [lambda tf, make: tf.float32, lambda tf, make: tf.int32],
    "out_type": [lambda tf, make: tf.float32],
    "type": [lambda tf, make: tf.float32, lambda tf, make: tf.int32],
    "depth": [constant(3)],
    "num": [constant(4)],
    "k": [constant(2)],
    "n": [constant(2)],
    "num_classes": [constant(3)],
    "num_segments": [constant(4)],
    "num_buckets": [constant(7)],
    "num_samples": [constant(2)],
    "num_sampled": [constant(2)],
    "num_true": [constant(1)],
    "range_max": [constant(6)],
    "unique": [constant(True)],
    "num_lower": [constant(1)],
    "num_upper": [constant(1)],
    "clip_value_min": [constant(0.0)],
    "clip_value_max": [constant(1.0)],
    "clip_norm": [constant(1.0)],
    "minval": [constant(0)],
    "maxval": [constant(5)],
    "seed": [constant([1, 2]), constant(1)],
    "alg": [constant("philox")],
    "lam": [constant(1.0)],
    "alpha": [constant(1.0)],
    "counts": [constant(2.0)],
    "probs": [constant(0.5)],
    "limit": [constant(10)],
    "start": [constant(0)],
    "stop": [constant(1.0)],
    "delta": [constant(1)],
    "equation": [constant("ij,jk->ik")],
    "num_or_size_splits": [constant(2)],
    "offset_height": [constant(0)],
    "offset_width": [constant(0)],
    "target_height": [constant(4)],
    "target_width": [constant(4)],
    "contrast_factor": [constant(0.5)],
    "saturation_factor": [constant(0.5)],
    "adjusted_saturation": [constant(0.5)],
    "lower": [constant(0.2)],
    "upper": [constant(0.7)],
    "max_delta": [constant(0.3)],
    "central_fraction": [constant(0.5)],
    "max_output_size": [constant(2)],
    "min_jpeg_quality": [constant(10)],
    "max_jpeg_quality": [constant(90)],
    "jpeg_quality": [constant(90)],
    "crop_size": [constant([2, 2])],
    "block_size": [constant(2)],
    "block_shape": [constant([2, 2])],
    "crops": [constant([[0, 0], [0, 0]])],
    "frame_length": [constant(4)],
    "frame_step": [constant(2)],
    "window_length": [constant(4)],
    "fft_length": [constant([4])],
    "sample_rate": [constant(8000)],
    "message": [constant("m")],
    "summarize": [constant(2)],
    "pattern": [constant("a")],
    "rewrite": [constant("b")],
    "sep": [constant(",")],
    "separator": [constant(",")],
    "pos": [constant(0)],
    "len": [constant(1)],
    "ngram_width": [constant(2)],
    "input_encoding": [constant("UTF-8")],
    "output_encoding": [constant("UTF-8")],
    "record_defaults": [constant([[1.0], [1]])],
    "features": [
        lambda tf, make: {"a": tf.io.FixedLenFeature([], tf.float32)},
        kind("f44"),
        kind("f2443"),
    ],
    "filename": [constant("file")],
    "pred": [kind("b0")],
    "true_fn": [lambda tf, make: lambda: tf.zeros([2])],
    "false_fn": [lambda tf, make: lambda: tf.ones([2])],
    "condition": [kind("b23"), kind("b0")],
    "cond": [lambda tf, make: lambda i: i < 3, kind("b0")],
    "body": [lambda tf, make: lambda i: (i,)],
    "loop_vars": [lambda tf, make: [tf.constant(0)]],
    "fn": [lambda tf, make: lambda *x: x[0]],
    "pred_fn_pairs": [lambda tf, make: [(make["b0"](), lambda: tf.zeros([2]))]],
    "branch_fns": [lambda tf, make: [lambda: tf.zeros([2]), lambda: tf.ones([2])]],
    "branch_index": [kind("i0")],
    "mask": [kind("b23")],
    "indices": [kind("i6"), lambda tf, make: placeholder(tf.int32, [2, 1]), kind("i23")],
    "segment_ids": [lambda tf, make: placeholder(tf.int32, [4]), kind("i6")],
    "sp_input": [kind("sparse")],
    "sp_inputs": [lambda tf, make: [make["sparse"](), make["sparse"]()]],
    "sp_a": [kind("sparse")],
    "sp_b": [kind("sparse")],
    "sparse_tensor": [kind("sparse")],
    "sp_tensor": [kind("sparse")],
    "sp_ids": [
        lambda tf, make: tf.sparse.SparseTensor(placeholder(tf.int64, [2, 2]), placeholder(tf.int64, [2]), [4, 4])
    ],
    "sp_weights": [constant(None)],
    "labels": [kind("f44"), kind("i6"), kind("l6")],
    "logits": [kind("f44"), kind("f23")],
    "values": [kind("f44"), kind("i6"), kind("s6"), lambda tf, make: [make["f44"](), make["f44"]()]],
    "inputs": [kind("f44"), kind("s6"), kind("f2443"), lambda tf, make: [make["f44"](), make["f44"]()]],
    "tensors": [kind("f44"), lambda tf, make: [make["f44"](), make["f44"]()]],
    "t_list": [lambda tf, make: [make["f44"](), make["f44"]()]],
    "data": [kind("f44"), kind("i6"), lambda tf, make: [make["f44"](), make["f44"]()]],
    "elems": [kind("f44")],
    "func": [lambda tf, make: lambda x: x],
    "Tout": [lambda tf, make: tf.float32],
    "inp": [lambda tf, make: [make["f44"]()]],
    "shape_x": [kind("i6")],
    "shape_y": [kind("i6")],
    "mean": [kind("f3")],
    "variance": [kind("f3")],
    "offset": [kind("f3")],
    "scale": [kind("f3")],
    "bias": [kind("f3"), lambda tf, make: placeholder(tf.float32, [4])],
    "images": [kind("f2443"), kind("u8image")],
    "image": [kind("f2443"), kind("u8image"), kind("f244")],
    "ids": [kind("i6")],
    "params": [kind("f44"), lambda tf, make: [make["f44"]()]],
    "sorted_sequence": [kind("f44")],
    "lengths": [kind("i6")],
    "num_entries": [constant(3)],
    "value_range": [constant([0.0, 1.0])],
    "new_height": [constant(4)],
    "boxes": [lambda tf, make: placeholder(tf.float32, [2, 4])],
    "scores": [lambda tf, make: placeholder(tf.float32, [2])],
    "box_indices": [lambda tf, make: placeholder(tf.int32, [2])],
    "max_output_size_per_class": [constant(2)],
    "max_total_size": [constant(2)],
    "image_size": [constant([4, 4, 3])],
    "bounding_boxes": [lambda tf, make: placeholder(tf.float32, [1, 1, 4])],
    "min": [constant(0.0)],
    "max": [constant(1.0)],
    "input_min": [constant(-1.0)],
    "input_max": [constant(1.0)],
    "min_range": [constant(0.0)],
    "max_range": [constant(6.0)],
    "T": [lambda tf, make: tf.quint8],
    "nrows": [constant(3)],
    "num_rows": [constant(3)],
    "num_columns": [constant(3)],
    "stddev": [constant(1.0)],
    "feature": [kind("f2443")],
    "x": [],
    "regex": [constant("a")],
    "delim": [constant(",")],
    "contents": [kind("s0")],
    "serialized": [kind("s6")],
    "example_names": [constant(None)],
    "tensor": [],
    "diagonal": [lambda tf, make: placeholder(tf.float32, [4]), kind("f44")],
    "sequence_lengths": [kind("i6")],
    "seq_lengths": [lambda tf, make: placeholder(tf.int32, [4])],
    "gradients": [kind("f44")],
    "max_num_elements": [constant(4)],
    "exclusive": [constant(False)],
    "splits": [lambda tf, make: placeholder(tf.int64, [3])],
    "depth_radius": [constant(2)],
    "lower_bound": [constant(0)],
    "gamma": [constant(2.0)],
    "delta_": [constant(0.5)],
    "num_bits": [constant(8)],
    "mode": [constant("CONSTANT")],
    "precision": [constant(3)],
    "to_dtype": [lambda tf, make: tf.float32],
    "base": [constant(2)],
    "num_splits": [constant(2)],
    "num_split": [constant(2)],
    "N": [constant(2)],
    "coeffs": [lambda tf, make: [make["f44"](), make["f44"]()]],
    "row_lengths": [lambda tf, make: placeholder(tf.int64, [2])],
    "end": [constant([1, 1])],
    "key": [constant([1, 2]), constant("k")],
    "ksizes": [constant([1, 2, 2, 1])],
    "pooling_ratio": [constant([1.0, 1.5, 1.5, 1.0])],
    "true_classes": [lambda tf, make: placeholder(tf.int64, [4, 1])],
    "sampled_candidates": [kind("l6")],
    "sequence_length": [lambda tf, make: placeholder(tf.int32, [4])],
    "predictions": [kind("f44")],
    "targets": [lambda tf, make: placeholder(tf.int32, [4]), kind("f44")],
    "seq_axis": [constant(1)],
    "shift": [constant(1)],
    "lower_upper": [kind("f44")],
    "num_shards": [constant(2)],
    "weights": [kind("f44"), kind("f3"), lambda tf, make: placeholder(tf.float32, [3, 4])],
    "biases": [lambda tf, make: placeholder(tf.float32, [4])],
    "embedding_weights": [kind("f44")],
    "sparse_ids": [
        lambda tf, make: tf.sparse.SparseTensor(placeholder(tf.int64, [2, 2]), placeholder(tf.int64, [2]), [4, 4])
    ],
    "a": [kind("f44"), kind("sparse"), kind("i6")],
    "b": [kind("f44"), kind("sparse"), kind("i6")],
    "to_retain": [lambda tf, make: placeholder(tf.bool, [2])],
    "serialized_sparse": [lambda tf, make: placeholder(tf.string, [2, 3])],
    "rank": [constant(2), constant(1)],
    "index": [constant(1)],
    "max_index": [constant(5)],
    "template": [constant("a {} b")],
    "dilation_rate": [constant([2, 2])],
    "op": [lambda tf, make: lambda x, *rest: x],
    "input_shape": [constant([4, 4])],
    "initializer": [lambda tf, make: tf.zeros([4])],
    "bytes_or_text": [],
    "crop_window": [constant([0, 0, 2, 2])],
    "offsets": [lambda tf, make: placeholder(tf.float32, [2, 2])],
    "max_val": [constant(1.0)],
    "img1": [lambda tf, make: placeholder(tf.float32, [2, 192, 192, 3])],
    "img2": [lambda tf, make: placeholder(tf.float32, [2, 192, 192, 3])],
    "classes": [lambda tf, make: placeholder(tf.float32, [4, 4])],
    "diagonals": [lambda tf, make: placeholder(tf.float32, [3, 4])],
    "rhs": [lambda tf, make: placeholder(tf.float32, [4]), kind("f44")],
    "num_bins": [constant(4)],
    "value": [kind("f44"), kind("f2443"), kind("f24443"), kind("i6"), kind("s6")],
    "input": [
        kind("f44"),
        kind("f2443"),
        kind("f24443"),
        kind("i6"),
        kind("s6"),
        kind("b23"),
        kind("c44"),
        kind("f244"),
    ],
    "max_length": [constant(4)],
    "num_perm": [constant(4)],
    "features_": [],
    "logit_length": [lambda tf, make: placeholder(tf.int32, [4])],
    "label_length": [lambda tf, make: placeholder(tf.int32, [4])],
    "window_length_": [],
    "signal": [lambda tf, make: placeholder(tf.float32, [16])],
    "signals": [lambda tf, make: placeholder(tf.float32, [16])],
    "stfts": [lambda tf, make: placeholder(tf.complex64, [4, 3])],
    "initial_value": [constant(1.0)],
}


def placeholder(dtype, shape):
    """A placeholder, wherever the version keeps it."""
    import tensorflow as tf

    return (tf.compat.v1 if hasattr(tf.compat, "v1") else tf).placeholder(dtype, shape)


def functions(tf, start="tf"):
    """(public name, function) of every function below ``start``, each once, under its shortest name.

    With ``start`` "tf.compat.v1" those that are not functions of ``tf`` itself.
    """
    found = {}
    seen = set()
    if start != "tf":
        found = {id(function): ("", function) for _, function in functions(tf)}
        root = tf.compat.v1
    else:
        root = tf
    known = set(found)
    waiting = [(start, root)]
    while waiting:
        name, module = waiting.pop(0)
        module = vars(module).get("_dw_wrapped_module", module)  # 1.14 hides its modules behind others
        if id(module) in seen or _skipped(name, start):
            continue
        seen.add(id(module))
        for key in sorted(vars(module)):
            value = vars(module)[key]
            if key.startswith("_"):
                continue
            if inspect.ismodule(value):
                if (
                    "tensorflow._api" in value.__name__
                    or "keras" in value.__name__
                    or (value.__name__.startswith("tensorflow") and (key in OLD_MODULES or key == "keras"))
                ):
                    waiting.append((name + "." + key, value))
            elif inspect.isfunction(value) and id(value) not in found:
                found[id(value)] = (name + "." + key, value)
    return sorted(each for key, each in found.items() if key not in known)


def _skipped(name, start):
    plain = "tf" + name[len(start) :]
    return plain != "tf" and plain.startswith(SKIPPED_MODULES)


def parameters(function):
    """Names of the parameters that must be given."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    return [
        p.name
        for p in signature.parameters.values()
        if p.default is inspect.Parameter.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]


def attempts(names):
    """Recipes to try: for each kind of tensor, each alternative of the named values."""
    free = [name for name in names if not NAMED.get(name)]
    depth = max([len(NAMED[name]) for name in names if NAMED.get(name)] or [1])
    for plain in PLAIN_KINDS if free else ("f44",):
        for turn in range(depth):
            yield {
                name: (NAMED[name][min(turn, len(NAMED[name]) - 1)] if NAMED.get(name) else kind(plain))
                for name in names
            }


def ops_of(tf, graph, before):
    """Op types in a graph and its functions, but for the nodes named in ``before``."""
    found = set()
    for node in graph.as_graph_def().node:
        if node.name not in before:
            found.add(node.op)
    for function in graph.as_graph_def().library.function:
        found.update(node.op for node in function.node_def)
    return found


def call(tf, function, recipe, dynamic):
    """The ops that one call makes. Raises whatever the call raises."""
    graph = tf.Graph()
    with graph.as_default():
        make = tensors(tf, dynamic)
        arguments = {name: value(tf, make) for name, value in recipe.items()}
        before = {node.name for node in graph.as_graph_def().node}
        function(**arguments)
        found = ops_of(tf, graph, before)
    registered = set(OPS)
    return sorted(found & registered if registered else found)


OPS = set()


def trace(tf, name, function):
    """What one function makes, or why it could not be called."""
    names = parameters(function)
    if names is None:
        return {"name": name, "error": "no signature"}
    error = ""
    for recipe in attempts(names):
        try:
            ops = call(tf, function, recipe, False)
        except BaseException as problem:  # whatever a wrong argument provokes
            error = f"{type(problem).__name__}: {str(problem)[:200]}"
            continue
        if not ops:
            error = "makes no op"
            continue
        with contextlib.suppress(BaseException):  # not every function takes unknown shapes
            ops = sorted({*ops, *call(tf, function, recipe, True)})
        place = getattr(inspect.unwrap(function), "__code__", None)
        module = place.co_filename.split("site-packages/")[-1] if place else ""
        return {"name": name, "ops": ops, "file": module, "line": place.co_firstlineno if place else 0}
    return {"name": name, "error": error}


def apart(work):
    """The answer of ``work()`` made in a child: some wrong arguments end the whole process."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        signal.alarm(SECONDS)
        with os.fdopen(write, "w") as out:
            json.dump(work(), out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def main():
    import tensorflow as tf

    OPS.update(op.name for op in _registered())
    start = "tf.compat.v1" if "--v1" in sys.argv else "tf"
    only = {word for word in sys.argv[1:] if word != "--v1"}
    print(json.dumps({"version": tf.__version__, "ops": len(OPS)}))
    for name, function in functions(tf, start):
        if only and name not in only:
            continue
        row = apart(lambda name=name, function=function: trace(tf, name, function))
        print(json.dumps(row or {"name": name, "error": "ended the process, or took too long"}), flush=True)


def _registered():
    """All ops of the runtime's registry."""
    from tensorflow.core.framework import op_def_pb2

    try:
        from tensorflow.python.client import pywrap_tf_session as c_api
    except ImportError:
        from tensorflow.python import pywrap_tensorflow as c_api
    buffer = c_api.TF_GetAllOpList()
    ops = op_def_pb2.OpList()
    ops.ParseFromString(c_api.TF_GetBuffer(buffer))
    return ops.op


if __name__ == "__main__":
    main()
