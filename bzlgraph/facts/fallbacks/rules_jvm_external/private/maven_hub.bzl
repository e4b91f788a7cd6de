"""The repository of Maven artifacts: what a lock file in the tree names, else the artifacts that are asked for."""

_BUILD = """load("@rules_jvm_external//private/rules:jvm_import.bzl", "jvm_import")
package(default_visibility = ["//visibility:public"])
exports_files(["defs.bzl"])
"""

def target_name(coordinates):
    """The target of an artifact: "com.google.guava:guava:31" -> "com_google_guava_guava"; a classifier counts."""
    parts = coordinates.split(":")
    if len(parts) > 2 and parts[2] == "jar":
        parts = parts[:2] + parts[3:]
    return "_".join(parts).replace(".", "_").replace("-", "_")

def _without_version(coordinates):
    return ":".join(coordinates.split(":")[:2])

def _impl(ctx):
    known = {}
    if ctx.attr.lock_file:
        locked = json.decode(ctx.read(ctx.attr.lock_file))
        tree = locked.get("dependency_tree", {}).get("dependencies")
        if tree:
            for each in tree:
                known[_without_version(each["coord"])] = [_without_version(one) for one in each.get("directDependencies", [])]
        else:
            dependencies = locked.get("dependencies", {})
            known = {name: dependencies.get(name, []) for name in locked.get("artifacts", {})}
            known.update(dependencies)

    text = _BUILD
    for name, needed in known.items():
        jar = ctx.execute(["coursier", "fetch", name]).file
        deps = repr([":" + target_name(each) for each in needed])
        text += "jvm_import(name = \"%s\", deps = %s, jars = [%s])\n" % (target_name(name), deps, jar)
    for each in ctx.attr.artifacts:
        name = _without_version(each)
        if name not in known:
            fetched = ctx.execute(["coursier", "fetch", each])
            values = (target_name(name), fetched.dependencies, fetched.file)
            text += "jvm_import(name = \"%s\", deps = %s, jars = [%s])\n" % values
            known[name] = []
    ctx.file("BUILD", text)
    ctx.file("defs.bzl", "def pinned_maven_install():\n    pass\n")

maven_hub = repository_rule(
    implementation = _impl,
    attrs = {"artifacts": attr.string_list(), "lock_file": attr.label()},
)
