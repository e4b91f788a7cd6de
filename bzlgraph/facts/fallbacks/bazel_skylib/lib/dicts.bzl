"""Dicts: sums and parts."""

def _add(*dictionaries, **kwargs):
    result = {}
    for each in dictionaries:
        result.update(each)
    result.update(kwargs)
    return result

def _omit(dictionary, keys):
    return {key: value for key, value in dictionary.items() if key not in keys}

def _pick(dictionary, keys):
    return {key: dictionary[key] for key in keys if key in dictionary}

dicts = struct(add = _add, omit = _omit, pick = _pick)
