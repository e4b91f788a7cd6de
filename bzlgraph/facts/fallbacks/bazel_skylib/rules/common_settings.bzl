"""Build settings of the common types."""

BuildSettingInfo = provider(fields = ["value"])

def _impl(ctx):
    pass

def _setting(setting, attrs = {}):
    return rule(implementation = _impl, build_setting = setting, attrs = attrs)

_VALUES = {
    "values": attr.string_list(),
    "make_variable": attr.string(),
}
_MAKE_VARIABLE = {"make_variable": attr.string()}

int_flag = _setting(config.int(flag = True), _MAKE_VARIABLE)
int_setting = _setting(config.int(), _MAKE_VARIABLE)
bool_flag = _setting(config.bool(flag = True))
bool_setting = _setting(config.bool())
string_list_flag = _setting(config.string_list(flag = True))
string_list_setting = _setting(config.string_list())
string_flag = _setting(config.string(flag = True), _VALUES)
string_setting = _setting(config.string(), _VALUES)
repeatable_string_flag = _setting(config.string_list(flag = True, repeatable = True))
