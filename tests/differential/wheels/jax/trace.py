"""Run by a Python that has JAX installed: traces its public functions, notes which primitives each one binds.

Knows nothing of bzlgraph and imports nothing of it, so that any interpreter with a wheel can run it:

    WHEEL/bin/python trace.py > traces.jsonl           # public functions and their primitives
    WHEEL/bin/python trace.py --targets > targets.json # custom calls that the wheel registers, by platform

A call is made from recipes: values per parameter name (``NAMED``), and for every other required parameter one of
several kinds of arrays, tried in turn until a call works. Arrays are traced, all else is closed over. The primitives of
all that the jaxpr holds count, but for those that only carry a jaxpr (``CARRIERS``).
"""

import inspect
import json
import os
import signal
import subprocess
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

MODULES = (
    "jax.lax",
    "jax.lax.linalg",
    "jax.numpy",
    "jax.numpy.linalg",
    "jax.numpy.fft",
    "jax.nn",
    "jax.nn.initializers",
    "jax.random",
    "jax.scipy.cluster.vq",
    "jax.scipy.fft",
    "jax.scipy.integrate",
    "jax.scipy.interpolate",
    "jax.scipy.linalg",
    "jax.scipy.ndimage",
    "jax.scipy.optimize",
    "jax.scipy.signal",
    "jax.scipy.sparse.linalg",
    "jax.scipy.spatial.transform",
    "jax.scipy.special",
    *(
        "jax.scipy.stats." + name
        for name in (
            "bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r invgamma"
            " laplace logistic multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises"
            " wrapcauchy"
        ).split()
    ),
    "jax.scipy.stats",
)

CARRIERS = frozenset(
    "pjit jit custom_jvp_call custom_vjp_call custom_vjp_call_jaxpr closed_call core_call xla_call named_call remat"
    " checkpoint core_closed_call custom_lin".split()
)

SECONDS = 30

KINDS = "f44 f6 i6 f0 b6 b23 i0 f23 c44 u6 f244 f2443 i23 f1444 pf44 key".split()

VALUES = {
    "axis": [0, -1],
    "axes": [(0,), (0, 1), 1],
    "axis1": [0],
    "axis2": [1],
    "axis_name": ["i"],
    "source": [0],
    "destination": [1],
    "shape": [(2, 3), (4,), (16,), (4, 4)],
    "new_sizes": [(2, 8), (6,)],
    "dimensions": [(0,), (1, 0), (0, 1)],
    "permutation": [(1, 0)],
    "dim": [0],
    "dimension": [0],
    "repeats": [2],
    "reps": [2, (2, 1)],
    "num_segments": [4],
    "k": [2],
    "n": [2, 3],
    "N": [3],
    "M": [3],
    "m": [2],
    "num": [4],
    "num_classes": [4],
    "pad_width": [1],
    "padding_config": [((0, 1, 0), (1, 0, 0)), ((1, 1, 0),)],
    "padding": ["SAME", "VALID"],
    "window_strides": [(1, 1)],
    "window_dimensions": [(2, 2)],
    "start_indices": [(0, 0), "i2"],
    "limit_indices": [(2, 2), (2,)],
    "start_index": [0],
    "limit_index": [2],
    "slice_size": [2],
    "slice_sizes": [(2, 2), (2,)],
    "index": [0],
    "index_dtype": ["int32"],
    "sizes": [(2, 3), (2, 2)],
    "exponent": [2],
    "dtype": ["float32", "int32"],
    "new_dtype": ["float32", "int32"],
    "decimals": [1],
    "deg": [2],
    "order": [1, 2],
    "ord": [2],
    "q": [0.5, 50.0],
    "p": [0.5, "f44"],
    "start": [0],
    "stop": [5],
    "step": [1],
    "lower": [0],
    "upper": [3],
    "minval": [0],
    "maxval": [5],
    "bins": [4],
    "bins1": [4],
    "subscripts": ["ij,jk->ik"],
    "indices_or_sections": [2],
    "fill_value": [1.0],
    "offset": [0],
    "shift": [1],
    "size": [4],
    "length": [4],
    "exponent_bits": [5],
    "mantissa_bits": [10],
    "fft_type": ["fft"],
    "fft_lengths": [(4,)],
    "approximate": [True],
    "seed": [0],
    "prng_impl": ["threefry2x32"],
    "method": ["BFGS"],
    "x0": ["f6"],
    "window_shape": [(2, 2)],
    "filter_shape": [(2, 2)],
    "condlist": [["b44", "b44"]],
    "choicelist": [["f44", "f44"]],
    "choices": [["f44", "f44"]],
    "arrays": [["f44", "f44"], ["f6", "f6"], ["f4", "f44"]],
    "operands": [["f44", "f44"]],
    "tup": [["f44", "f44"]],
    "xs": ["f44", ["f44", "f44"]],
    "xi": [["f4", "f4"]],
    "dimension_numbers": [
        (((1,), (0,)), ((), ())),
        ("NHWC", "HWIO", "NHWC"),
        lambda jax: jax.lax.GatherDimensionNumbers((0,), (0,), (0,)),
        lambda jax: jax.lax.ScatterDimensionNumbers((), (0,), (0,)),
        lambda jax: jax.lax.GatherDimensionNumbers((0, 1), (), (0, 1)),
    ],
    "scatter_indices": ["i61", "i6"],
    "f": [
        lambda jax: lambda *x: x[0],
        lambda jax: lambda c, x: (c, x),
        lambda jax: lambda x: jax.numpy.sum(x),
    ],
    "fun": [lambda jax: lambda *x: jax.numpy.sum(x[0])],
    "func": [lambda jax: lambda *x: x[0]],
    "func1d": [lambda jax: lambda *x: x[0]],
    "function": [lambda jax: lambda *x: x[0] * 1.0],
    "pyfunc": [lambda jax: lambda *x: x[0]],
    "body_fun": [lambda jax: lambda *x: x[-1]],
    "cond_fun": [lambda jax: lambda x: True],
    "true_fun": [lambda jax: lambda *x: x],
    "false_fun": [lambda jax: lambda *x: x],
    "branches": [lambda jax: (lambda *x: x, lambda *x: x)],
    "funclist": [lambda jax: [lambda x: x * 1.0, lambda x: x * 2.0]],
    "computation": [lambda jax: jax.lax.add],
    "solve": [lambda jax: lambda matvec, b: b],
    "tangent_solve": [lambda jax: lambda g, y: y],
    "matvec": [lambda jax: lambda x: x],
    "pred": ["b0", "b44"],
    "which": ["i0", "b44"],
    "condition": ["b44"],
    "init_val": ["f6", "f0"],
    "init_value": [0.0],
    "init_values": [0.0],
    "init": ["f6"],
    "key": ["key"],
    "keys": ["key"],
    "key1": ["keys2"],
    "data": ["f6"],
    "A": ["f44", "spd", lambda jax: lambda x: x],
    "segment_ids": ["i6"],
    "indices": ["i6", "i23", "i61", ["i6"]],
    "coordinates": [["f4", "f4"]],
    "query": ["f1444"],
    "value": ["f1444"],
    "lhs": ["f44", "f1444", "i44", "f6"],
    "rhs": ["f44", "f1444", "i44", "f6"],
    "rhs_contracting": [0],
    "hypotheses": [[]],
    "scale": [1.0, "pf44"],
    "alpha": ["pf6", "pf0"],
    "mean": ["f4"],
    "cov": ["spd"],
    "df": ["pf44"],
    "labels": ["i23"],
    "logits": ["f44", "f2443"],
    "logit_paddings": ["f244"],
    "label_paddings": ["i23"],
    "group_sizes": ["i2"],
    "out_sharding": [None],
    "name": ["n"],
    "points": [["f4", "f4"]],
    "values": ["f44", "f6"],
    "num_keys": [1],
    "to": ["varying"],
    "target": ["x"],
    "per_platform": [None],
    "taps": ["f4"],
    "nperseg": [4],
    "obs": ["f44"],
    "code_book": ["f44"],
    "shifts": [1],
    "x_min": [0.0],
    "a_min": [0.0],
    "a_max": [1.0],
    "min": [0.0],
    "max": [1.0],
    "object": ["f44"],
    "operand": ["f44", "i44", "f6", "f1444", "u44", "f0"],
    "operand_dimension": [0],
    "reduction_dimension": [0],
    "broadcast_dimensions": [(0, 1)],
    "explicit": [None],
    "update": ["f44", "f0"],
    "updates": ["f6", "f64"],
    "accuracy": [None],
    "h": ["f44"],
    "in_axis": [0],
    "out_axis": [1],
    "mode": ["fan_in", "constant", "linear"],
    "distribution": ["normal"],
    "alg": [None],
    "algorithm": ["default"],
    "state": ["u6"],
    "w": ["f44"],
    "tangents": ["f44"],
    "prefix": ["i0"],
    "obj": [0],
    "ddof": [0],
    "low": [0],
    "high": [3],
    "nbytes": [4],
    "compute_uv": [True],
}
"""Parameter -> what to try, in turn: names of kinds of arrays, constants, or functions of ``jax`` that make either."""


def arrays(jax):
    """Kind -> an array of it, made when asked for."""
    import numpy

    jnp = jax.numpy
    shapes = {"1": (1,), "2": (2,), "61": (6, 1), "64": (6, 4), "0": (), "6": (6,), "4": (4,), "44": (4, 4)}
    shapes |= {"23": (2, 3), "244": (2, 4, 4), "2443": (2, 4, 4, 3), "1444": (1, 4, 4, 4)}
    types = {"f": "float32", "i": "int32", "b": "bool", "c": "complex64", "u": "uint32"}
    made = {}
    for name, shape in shapes.items():
        size = int(numpy.prod(shape))
        for letter, dtype in types.items():
            made[letter + name] = jnp.asarray(numpy.arange(size).reshape(shape) % 4, dtype)
        made["pf" + name] = made["f" + name] * 0.1 + 0.5
    made["spd"] = jnp.eye(4) + 0.1
    made["key"] = jax.random.key(0) if hasattr(jax.random, "key") else jax.random.PRNGKey(0)
    made["keys2"] = jnp.zeros(2, "uint32")
    made["rawkey"] = jax.random.PRNGKey(0)
    return made


def public(jax):
    """(public name, callable) of the modules, each once, under its first name."""
    import importlib

    seen = set()
    for module_name in MODULES:
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            continue
        for name in sorted(dir(module)):
            value = getattr(module, name)
            if name.startswith("_") or not callable(value) or inspect.isclass(value) or id(value) in seen:
                continue
            seen.add(id(value))
            yield module_name + "." + name, value


def required(function):
    """(names of what must be given, names of positional variadics)."""
    signature = inspect.signature(function)
    names, starred = [], []
    if isinstance(getattr(function, "nin", None), int):  # a ufunc, whose signature tells nothing
        return [(f"x{number}", inspect.Parameter.POSITIONAL_ONLY) for number in range(function.nin)], []
    for each in signature.parameters.values():
        if each.kind is each.VAR_POSITIONAL:
            starred.append(each.name)
        elif each.default is each.empty and each.kind is not each.VAR_KEYWORD:
            names.append((each.name, each.kind))
    return names, starred


def attempts(names):
    """Recipes to try: parameter -> value, as ``VALUES`` writes them."""
    free = [name for name in names if not VALUES.get(name)]
    depth = max([len(VALUES[name]) for name in names if VALUES.get(name)] or [1])
    tried = set()
    for plain in KINDS if free else ("f44",):
        for turn in range(depth):
            recipe = {
                name: (VALUES[name][min(turn, len(VALUES[name]) - 1)] if VALUES.get(name) else plain) for name in names
            }
            key = repr(sorted(recipe.items(), key=lambda each: each[0]))
            if key not in tried:
                tried.add(key)
                yield recipe
    for plain, other in (("f6", "i6"), ("key", "f44"), ("f44", "f6"), ("f44", "i44"), ("key", "i0")):
        if len(free) > 1:
            yield {
                name: (VALUES[name][0] if VALUES.get(name) else plain if name == free[0] else other) for name in names
            }


def made(jax, value, known, traced):
    """A value of a recipe; arrays are put into ``traced`` and stand there for themselves by their place."""
    if callable(value):
        return value(jax)
    if isinstance(value, list):
        return [made(jax, each, known, traced) for each in value]
    if isinstance(value, str) and value in known:
        traced.append(known[value])
        return _Place(len(traced) - 1)
    return value


class _Place:
    def __init__(self, index):
        self.index = index


def filled(value, given):
    """The value with arrays in their places."""
    if isinstance(value, _Place):
        return given[value.index]
    return [filled(each, given) for each in value] if isinstance(value, list) else value


def inside(jaxpr, found):
    """Every primitive of a jaxpr and of those it carries."""
    for equation in jaxpr.eqns:
        if equation.primitive.name not in CARRIERS:
            found.add(equation.primitive.name)
        for value in equation.params.values():
            for each in value if isinstance(value, (tuple, list)) else (value,):
                each = getattr(each, "jaxpr", each)
                if hasattr(each, "eqns"):
                    inside(each, found)


def call(jax, function, names, recipe, known):
    """The primitives of one call. Raises whatever the call raises."""
    traced = []
    values = [(name, kind, made(jax, recipe[name], known, traced)) for name, kind in names]

    def run(*given):
        positional = [filled(value, given) for _, kind, value in values if kind is not inspect.Parameter.KEYWORD_ONLY]
        keyword = {name: filled(value, given) for name, kind, value in values if kind is inspect.Parameter.KEYWORD_ONLY}
        flat = [item for each in positional for item in (each if isinstance(each, _Many) else (each,))]
        out = function(*flat, **keyword)
        # Functions that give functions (initializers) run when these are called.
        if inspect.isfunction(out):
            return out(given[-1], (4, 4))
        return [each for each in jax.tree_util.tree_leaves(out) if hasattr(each, "dtype")]

    found = set()
    inside(jax.make_jaxpr(run)(*traced, known["rawkey"]).jaxpr, found)
    return sorted(found)


class _Many(list):
    """Values of a variadic parameter."""


def trace(jax, name, function, known):
    """What one function binds, or why it could not be called."""
    try:
        names, starred = required(function)
    except (TypeError, ValueError):
        return {"name": name, "error": "no signature"}
    names += [(each, inspect.Parameter.POSITIONAL_ONLY) for each in starred if not names]
    error = ""
    for recipe in attempts([each for each, _ in names]):
        try:
            primitives = call(jax, function, names, recipe, known)
        except BaseException as problem:  # whatever a wrong argument provokes
            error = f"{type(problem).__name__}: {str(problem)[:200]}"
            continue
        if primitives:
            return {"name": name, "primitives": primitives, "recipe": repr(recipe)[:200]}
        error = "binds nothing"
    return {"name": name, "error": error}


def traced_from(start, only):
    """Prints the answers from one function on, until one ends the process or takes too long."""
    import jax

    known = arrays(jax)
    for index, (name, function) in enumerate(public(jax)):
        if index >= start and (not only or name in only):
            signal.alarm(SECONDS)
            print(json.dumps({"index": index, **trace(jax, name, function, known)}), flush=True)


def targets():
    """Module -> names of the custom calls that the wheel registers from Python. A folder of them (``jaxlib/cpu``) may
    have no ``__init__.py``."""
    import importlib
    from pathlib import Path

    import jaxlib

    found = {}
    folder = Path(jaxlib.__path__[0])
    for each in sorted(folder.rglob("_*.so")):
        name = ".".join(("jaxlib", *each.relative_to(folder).parent.parts, each.name.partition(".")[0]))
        try:
            known = importlib.import_module(name).registrations()
        except BaseException:  # modules of accelerators need their libraries; most have no such function
            continue
        found[name] = sorted(known)
    return found


def main():
    import jax

    if "--targets" in sys.argv:
        print(json.dumps(targets(), indent=1))
        return
    only = {each for each in sys.argv[1:] if not each.isdigit()}
    if sys.argv[1:2] and sys.argv[1].isdigit():
        traced_from(int(sys.argv[1]), only)
        return
    print(json.dumps({"version": jax.__version__}), flush=True)
    names = [name for name, _ in public(jax)]
    start = 0
    while start < len(names):
        # Some wrong arguments end the whole process; a fork of one with JAX's threads would wait for ever.
        command = [sys.executable, "-W", "ignore", __file__, str(start), *only]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as worker:
            for line in worker.stdout:
                print(line, end="", flush=True)
                start = json.loads(line)["index"] + 1
            ended = worker.wait()
        if not ended:
            return
        print(json.dumps({"name": names[start], "error": "ended the process, or took too long"}), flush=True)
        start += 1


if __name__ == "__main__":
    main()
