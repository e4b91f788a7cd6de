"""Lists: interleaving and removing repetitions."""

def _after_each(separator, iterable):
    result = []
    for item in iterable:
        result += [item, separator]
    return result

def _before_each(separator, iterable):
    result = []
    for item in iterable:
        result += [separator, item]
    return result

def _uniq(iterable):
    seen = {}
    for item in iterable:
        seen[item] = None
    return list(seen.keys())

collections = struct(after_each = _after_each, before_each = _before_each, uniq = _uniq)
