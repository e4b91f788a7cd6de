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
    conditions = [each for each in match_any or match_all if each != "//conditions:default"]
    if not conditions or len(conditions) < len(match_any):
        native.alias(name = name, actual = Label(":always_true"), visibility = visibility)
    elif len(conditions) == 1:
        native.alias(name = name, actual = conditions[0], visibility = visibility)
    else:
        _chain(name, conditions, bool(match_any), visibility)

def _chain(name, conditions, any_is_enough, visibility):
    """Aliases NAME, NAME_2, NAME_3...: each asks one condition and hands on to the next, the last to the last one."""
    links = [name] + ["%s_%d" % (name, i) for i in range(2, len(conditions))]
    for i, link in enumerate(links):
        condition = conditions[i]
        following = links[i + 1] if i + 1 < len(links) else conditions[-1]
        holds, fails = (condition, following) if any_is_enough else (following, condition)
        native.alias(
            name = link,
            actual = select({condition: holds, "//conditions:default": fails}),
            visibility = visibility if i == 0 else ["//visibility:private"],
        )

selects = struct(
    with_or = _with_or,
    with_or_dict = _with_or_dict,
    config_setting_group = _config_setting_group,
)
