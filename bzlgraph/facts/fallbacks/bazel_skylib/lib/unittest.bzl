"""Tests of Starlark code, as targets. What checks in them happens when a test is built: not here."""

load("//lib:partial.bzl", "partial")

TOOLCHAIN_TYPE = "@bazel_skylib//toolchains/unittest:toolchain_type"

def _when_built(*_args, **_kwargs):
    pass

def register_unittest_toolchains():
    for kind in ["cmd", "bash"]:
        native.register_toolchains("@bazel_skylib//toolchains/unittest:%s_toolchain" % kind)

unittest_toolchain = rule(
    implementation = _when_built,
    attrs = {
        "escape_chars_with": attr.string_dict(),
        "escape_other_chars_with": attr.string(default = ""),
        "failure_templ": attr.string(mandatory = True),
        "file_ext": attr.string(mandatory = True),
        "join_on": attr.string(mandatory = True),
        "success_templ": attr.string(mandatory = True),
    },
)

def _with_name(impl, attrs):
    """The attributes of a test, with the name of its function: "<function NAME ...>"."""
    name = str(impl).partition("<function ")[2].rpartition(">")[0]
    return dict(attrs, _impl_name = attr.string(default = name))

def _make(impl, attrs = {}, doc = "", toolchains = []):
    return rule(impl, doc = doc, attrs = _with_name(impl, attrs), test = True, toolchains = toolchains + [TOOLCHAIN_TYPE])

_retrieving_aspect = aspect(implementation = _when_built, attr_aspects = [])

def _make_analysis_test(
        impl,
        expect_failure = False,
        attrs = {},
        fragments = [],
        config_settings = {},
        extra_target_under_test_aspects = [],
        doc = ""):
    settings = dict(config_settings)
    if expect_failure:
        settings["//command_line_option:allow_analysis_failures"] = "True"
    transition = {"cfg": analysis_test_transition(settings = settings)} if settings else {}
    all_attrs = _with_name(impl, attrs)
    all_attrs["target_under_test"] = attr.label(
        aspects = [_retrieving_aspect] + extra_target_under_test_aspects,
        mandatory = True,
        **transition
    )
    return rule(
        impl,
        doc = doc,
        attrs = all_attrs,
        fragments = fragments,
        test = True,
        toolchains = [TOOLCHAIN_TYPE],
        analysis_test = True,
    )

def _suite(name, *test_rules):
    tests = []
    for index, test_rule in enumerate(test_rules):
        tests.append("%s_test_%d" % (name, index))
        if partial.is_instance(test_rule):
            partial.call(test_rule, name = tests[-1])
        else:
            test_rule(name = tests[-1])
    native.test_suite(name = name, tests = [":" + each for each in tests])

_loading_test = rule(
    implementation = _when_built,
    attrs = {"failure_message": attr.string()},
    toolchains = [TOOLCHAIN_TYPE],
    test = True,
)

def _loading_make(name):
    native.test_suite(name = name + "_tests", tags = [name + "_test_case"])
    return struct(name = name)

def _loading_equals(env, test_case, expected, actual):
    failure = None if expected == actual else "Expected \"%s\", but got \"%s\"" % (expected, actual)
    _loading_test(name = "%s_%s" % (env.name, test_case), failure_message = failure, tags = [env.name + "_test_case"])

asserts = struct(
    equals = _when_built,
    expect_failure = _when_built,
    false = _when_built,
    new_set_equals = _when_built,
    set_equals = _when_built,
    true = _when_built,
)

unittest = struct(begin = _when_built, end = _when_built, fail = _when_built, make = _make, suite = _suite)

analysistest = struct(
    begin = _when_built,
    end = _when_built,
    fail = _when_built,
    make = _make_analysis_test,
    target_actions = _when_built,
    target_bin_dir_path = _when_built,
    target_under_test = _when_built,
)

loadingtest = struct(equals = _loading_equals, make = _loading_make)
