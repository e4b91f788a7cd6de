"""Functions with some of their arguments."""

def _make(func, *args, **kwargs):
    return struct(function = func, args = args, kwargs = kwargs)

def _call(partial, *args, **kwargs):
    named = dict(partial.kwargs)
    named.update(kwargs)
    return partial.function(*(partial.args + args), **named)

def _is_instance(value):
    return type(value) == "struct" and hasattr(value, "function") and hasattr(value, "kwargs")

partial = struct(make = _make, call = _call, is_instance = _is_instance)
