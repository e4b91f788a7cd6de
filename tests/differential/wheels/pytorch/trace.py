"""Run by a Python that has PyTorch installed: calls random public functions under the profiler, notes which operators
each call runs.

Knows nothing of bzlgraph and imports nothing of it, so that any interpreter with a wheel can run it:

    WHEEL/bin/python trace.py [CALLS] [SEED] > traces.jsonl

Functions, and what they are given, are those of PyTorch's own tests (``op_db``, which the wheel holds): of each of a
random row of them the function, the method or the one that works in place, with one of the samples of a type of
numbers.
``operators`` are all that the call runs, ``innermost`` those of them that run no others, ``pairs`` tell which of them
ran which.
"""

import json
import random
import signal
import sys
import warnings

SECONDS = 20
SAMPLES = 40
"""Samples that one is chosen from."""


def public_name(torch, info, variant):
    """The public name of a function of ``op_db``, None for those of PyTorch's tests."""
    if variant in ("method", "inplace"):
        made = info.method_variant if variant == "method" else info.inplace_variant
        name = getattr(made, "__name__", "")
        return "torch.Tensor." + name if getattr(torch.Tensor, name, None) is made else None
    name, value = info.name[len("torch.") :] if info.name.startswith("torch.") else info.name, torch
    for part in name.split("."):
        value = getattr(value, part, None)
    return "torch." + name if value is not None and value is info.op else None


def variants(torch, info):
    """(public name, callable) of a function and of its methods."""
    made = {"function": info.op, "method": info.method_variant, "inplace": info.inplace_variant}
    for variant, function in made.items():
        name = public_name(torch, info, variant) if function is not None else None
        if name is not None:
            yield name, function, variant


def traced(torch, function, sample):
    """(all operators, innermost operators, pairs of an operator and one that it runs) of one call."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        function(sample.input, *sample.args, **sample.kwargs)
    events = [each for each in profiler.events() if each.name.startswith("aten::")]
    plain = [(each.name[len("aten::") :], each.cpu_children) for each in events]
    inner = {name for name, below in plain if not any(each.name.startswith("aten::") for each in below)}
    pairs = {(above, name) for each, (name, _) in zip(events, plain, strict=True) if (above := operator_above(each))}
    return sorted({name for name, _ in plain}), sorted(inner), sorted(pairs)


def operator_above(event):
    """The operator that runs another one, "" for what the call itself runs."""
    above = event.cpu_parent
    while above is not None and not above.name.startswith("aten::"):
        above = above.cpu_parent
    return above.name[len("aten::") :] if above is not None else ""


def one_of(chosen, samples):
    """One of the first samples."""
    return chosen.choice([each for each, _ in zip(samples, range(SAMPLES), strict=False)])


def call(torch, chosen, info, name, function, variant):
    """What one call runs, or why it could not be made."""
    types = torch.float32, torch.int64, torch.bool, torch.complex64
    supported = [each for each in types if info.supports_dtype(each, "cpu")]
    try:
        dtype = torch.float32 if torch.float32 in supported and chosen.random() < 0.75 else chosen.choice(supported)
        sample = one_of(chosen, info.sample_inputs("cpu", dtype, requires_grad=False))
        if variant == "inplace" and sample.broadcasts_input:
            return {"name": name, "error": "works on what is broadcast"}
        operators, innermost, pairs = traced(torch, function, sample)
    except Exception as problem:  # samples for other variants
        return {"name": name, "error": f"{type(problem).__name__}: {str(problem)[:200]}"}
    given = f"{dtype} {sample.args} {sample.kwargs}"[:300]
    return {"name": name, "operators": operators, "innermost": innermost, "pairs": pairs, "given": given}


def main():
    warnings.simplefilter("ignore")
    import torch
    from torch.testing._internal.common_methods_invocations import op_db

    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    chosen = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    torch.manual_seed(0)
    print(json.dumps({"version": torch.__version__}), flush=True)
    found = [each for info in op_db for each in ((info, *rest) for rest in variants(torch, info))]
    chosen.shuffle(found)
    made = 0
    for info, name, function, variant in found:
        if made == wanted:
            break
        signal.alarm(SECONDS)
        row = call(torch, chosen, info, name, function, variant)
        made += bool(row.get("operators"))
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
