"""Paths: POSIX path names as strings."""

def _basename(p):
    return p.rpartition("/")[-1]

def _dirname(p):
    prefix, sep, _ = p.rpartition("/")
    if not prefix:
        return sep
    return prefix.rstrip("/") or "/"

def _is_absolute(path):
    return path.startswith("/") or (len(path) > 2 and path[1] == ":")

def _join(path, *others):
    result = path
    for p in others:
        if _is_absolute(p):
            result = p
        elif not result or result.endswith("/"):
            result += p
        else:
            result += "/" + p
    return result

def _normalize(path):
    if not path:
        return "."
    lead = "/" if path.startswith("/") else ""
    if path.startswith("//") and not path.startswith("///"):
        lead = "//"
    kept = []
    for component in path.split("/"):
        if component in ("", "."):
            continue
        if component == "..":
            if kept and kept[-1] != "..":
                kept.pop()
                continue
            if lead:
                continue
        kept.append(component)
    return lead + "/".join(kept) or "."

def _is_normalized(path, look_for_same_level_references = True):
    for component in path.split("/"):
        if component == ".." or (look_for_same_level_references and component == "."):
            return False
    return True

def _relativize(path, start):
    segments = _normalize(path).split("/")
    begin = _normalize(start).split("/")
    if begin == ["."]:
        begin = []
    if segments[:len(begin)] != begin:
        fail("Path '%s' is not beneath '%s'" % (path, start))
    return "/".join(segments[len(begin):])

def _starts_with(path_a, path_b):
    a = _normalize(path_a).split("/")
    b = _normalize(path_b).split("/")
    return not path_b or a[:len(b)] == b

def _split_extension(p):
    base = _basename(p)
    if base.startswith(".") and base.rfind(".") == 0:
        return (p, "")
    stem, dot, extension = base.rpartition(".")
    if not dot:
        return (p, "")
    return (p[:-(len(extension) + 1)], "." + extension)

def _replace_extension(p, new_extension):
    return _split_extension(p)[0] + new_extension

paths = struct(
    basename = _basename,
    dirname = _dirname,
    is_absolute = _is_absolute,
    is_normalized = _is_normalized,
    join = _join,
    normalize = _normalize,
    relativize = _relativize,
    replace_extension = _replace_extension,
    split_extension = _split_extension,
    starts_with = _starts_with,
)
