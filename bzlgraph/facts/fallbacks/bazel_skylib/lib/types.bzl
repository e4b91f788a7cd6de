"""Which type a value has."""

def _is(example):
    wanted = type(example)
    return lambda v: type(v) == wanted

def _function():
    pass

types = struct(
    is_list = _is([]),
    is_string = _is(""),
    is_bool = _is(True),
    is_none = _is(None),
    is_int = _is(1),
    is_tuple = _is(()),
    is_dict = _is({}),
    is_function = _is(_function),
    is_depset = _is(depset()),
    is_set = lambda v: type(v) == "struct" and hasattr(v, "_values"),
)
