"""Sets as structs that hold a dict."""

def _make(elements = None):
    return struct(_values = {element: None for element in elements or []})

def _copy(s):
    return _make(s._values.keys())

def _to_list(s):
    return list(s._values.keys())

def _insert(s, element):
    s._values[element] = None
    return s

def _contains(s, element):
    return element in s._values

def _length(s):
    return len(s._values)

def _remove(s, element):
    s._values.pop(element)
    return s

def _is_equal(left, right):
    return left._values == right._values

def _is_subset(left, right):
    for element in left._values:
        if element not in right._values:
            return False
    return True

def _disjoint(left, right):
    for element in left._values:
        if element in right._values:
            return False
    return True

def _intersection(left, right):
    return _make([element for element in left._values if element in right._values])

def _union(*sets):
    result = {}
    for each in sets:
        result.update(each._values)
    return struct(_values = result)

def _difference(left, right):
    return _make([element for element in left._values if element not in right._values])

sets = struct(
    make = _make,
    copy = _copy,
    to_list = _to_list,
    insert = _insert,
    contains = _contains,
    is_equal = _is_equal,
    is_subset = _is_subset,
    disjoint = _disjoint,
    intersection = _intersection,
    union = _union,
    difference = _difference,
    length = _length,
    remove = _remove,
    repr = lambda s: repr(_to_list(s)),
    str = lambda s: str(_to_list(s)),
)
