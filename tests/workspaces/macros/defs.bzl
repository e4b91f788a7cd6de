def inner(name, **kwargs):
    native.filegroup(name = name, **kwargs)

def outer(name, extra):
    inner(name = name + "_part", srcs = [":" + e for e in extra])
    native.genrule(
        name = name + "_gen",
        outs = [name + ".txt"],
        cmd = "echo %s > $@" % native.package_name(),
    )
    inner(name = name, srcs = [name + "_part", name + ".txt"])

def nameless(prefix):
    native.filegroup(name = prefix + "_made")

def typed(name, flag):
    native.genrule(
        name = name,
        outs = [name + ".out"],
        cmd = "touch $@",
        executable = flag,
        tags = ["repo=" + native.repository_name(), "pkg=" + native.package_name()],
    )

def after_all(name):
    rules = native.existing_rules()
    native.filegroup(
        name = name,
        srcs = sorted([":" + n for n in rules if rules[n]["kind"] == "filegroup"]),
        tags = [
            "count=%d" % len(rules),
            "nested_srcs=" + str(native.existing_rule("nested")["srcs"]),
            "generator=" + str(native.existing_rule("nested")["generator_function"]),
            "absent=" + str(native.existing_rule("absent")),
            "typed_executable=" + str(rules["typed"]["executable"]),
            "keys=" + ",".join(sorted(rules["typed"].keys())),
        ],
    )
