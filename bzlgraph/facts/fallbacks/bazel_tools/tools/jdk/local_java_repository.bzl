"""Stands in for @bazel_tools//tools/jdk:local_java_repository.bzl: the targets around a JDK of the machine.

The rule of the repository is not run: what it writes depends on the JDK that it finds. The toolchains that compile, for
versions above 8, come from a macro of which only the call is known.
"""

load(":default_java_toolchain.bzl", "default_java_toolchain")

_PRIVATE = ["//visibility:private"]

def local_java_runtime(
        name,
        java_home,
        version,
        runtime_name = None,
        visibility = ["//visibility:public"],
        exec_compatible_with = [],
        target_compatible_with = []):
    number = int(version) if version.isdigit() else 0
    if runtime_name == None:
        runtime_name = name
        native.java_runtime(name = name, java_home = java_home, version = number, visibility = visibility)
    chosen_by = {"name": name, "version": version, "name_version": name + "_" + version}
    for kind, value in chosen_by.items():
        native.config_setting(
            name = "%s_%s_setting" % (name, kind),
            values = {"java_runtime_version": value},
            visibility = _PRIVATE,
        )
    either = {"%s_%s_setting" % (name, kind): "%s_%s_setting" % (name, kind) for kind in ("name", "version")}
    native.alias(
        name = name + "_settings_alias",
        actual = select(either | {"//conditions:default": name + "_name_version_setting"}),
        visibility = _PRIVATE,
    )
    native.toolchain(
        name = "runtime_toolchain_definition",
        target_compatible_with = exec_compatible_with,
        target_settings = [":%s_settings_alias" % name],
        toolchain_type = Label("@bazel_tools//tools/jdk:runtime_toolchain_type"),
        toolchain = runtime_name,
    )
    native.toolchain(
        name = "bootstrap_runtime_toolchain_definition",
        target_settings = [":%s_settings_alias" % name],
        toolchain_type = Label("@bazel_tools//tools/jdk:bootstrap_runtime_toolchain_type"),
        toolchain = runtime_name,
    )
    for language in range(8, number + 1) if number > 8 else []:
        default_java_toolchain(
            name = "%s_toolchain_java%d" % (name, language),
            source_version = str(language),
            target_version = str(language),
            java_runtime = runtime_name,
            exec_compatible_with = exec_compatible_with,
            target_compatible_with = target_compatible_with,
        )

def _not_run(_ctx):
    pass

_local_java_repository_rule = repository_rule(
    implementation = _not_run,
    attrs = {"java_home": attr.string(), "version": attr.string()},
)

def local_java_repository(name, java_home = "", version = "", build_file = None, build_file_content = None, **kwargs):
    # The BUILD file is a template that the rule fills in: it is not laid over the repository as it is.
    _local_java_repository_rule(name = name, java_home = java_home, version = version, **kwargs)
    native.register_toolchains("@%s//:runtime_toolchain_definition" % name)
    native.register_toolchains("@%s//:bootstrap_runtime_toolchain_definition" % name)
