"""select() with several conditions for one value, and groups of config_settings."""

def _with_or_dict(input_dict):
    output = {}
    for key, value in input_dict.items():
        for condition in (key if type(key) == type(()) else (key,)):
            if condition in output:
                fail("key %s appears multiple times" % condition)
            output[condition] = value
    return output

def _with_or(input_dict, no_match_error = ""):
    return select(_with_or_dict(input_dict), no_match_error = no_match_error)

def _config_setting_group(name, match_any = [], match_all = [], visibility = None):
    if bool(match_any) == bool(match_all):
        fail("config_setting_group needs exactly one of match_any and match_all")
    if match_any:
        branches = {condition: condition for condition in match_any}
        branches.setdefault("//conditions:default", match_any[-1])
        native.alias(name = name, actual = select(branches), visibility = visibility)
        return
    last = len(match_all) - 1
    for i, condition in enumerate(match_all):
        following = match_all[last] if i >= last - 1 else ":_%s_%d" % (name, i + 1)
        branches = {condition: following}
        branches.setdefault("//conditions:default", condition)
        native.alias(
            name = name if i == 0 else "_%s_%d" % (name, i),
            actual = condition if i == last else select(branches),
            visibility = visibility if i == 0 else ["//visibility:private"],
        )
        if i >= last - 1:
            break

selects = struct(
    with_or = _with_or,
    with_or_dict = _with_or_dict,
    config_setting_group = _config_setting_group,
)
