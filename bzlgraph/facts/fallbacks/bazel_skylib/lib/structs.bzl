"""Structs as dicts."""

def _to_dict(s):
    return {key: getattr(s, key) for key in dir(s) if key not in ("to_json", "to_proto")}

structs = struct(to_dict = _to_dict)
