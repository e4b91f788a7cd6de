"""A macro that tells what labels and repositories are called where it is written and where it is called."""

INNER = Label("//:inner.txt")
LEAF = Label("@leaf//:leaf")
OUTSIDE = Label("@nowhere//:x")

def _told_impl(_ctx):
    return []

told_rule = rule(
    implementation = _told_impl,
    attrs = {
        "strings": attr.string_list(),
        "data": attr.label_list(allow_files = True),
        "own": attr.label(default = "//:inner.txt", allow_files = True),
        "leaf": attr.label(default = "@leaf//:leaf", allow_files = True),
    },
)

def _optional(name):
    return getattr(native, name)() if hasattr(native, name) else "no " + name

def told(name, data = []):
    told_rule(
        name = name,
        data = data or ["@leaf//:leaf"],
        strings = [
            "own label: %s" % INNER,
            "label of a dependency: %s" % LEAF,
            "label of nobody's: %s" % OUTSIDE,
            "representation: %r" % INNER,
            "canonical: %s" % Label("@@leaf~//:leaf"),
            "of the root: %s" % Label("@@//:x"),
            "workspace_name: " + INNER.workspace_name,
            "workspace_root: " + INNER.workspace_root,
            "repo_name: " + INNER.repo_name,
            "relative: %s" % INNER.relative(":other"),
            "same_package_label: %s" % INNER.same_package_label("other"),
            "repository_name(): " + native.repository_name(),
            "package_name(): " + native.package_name(),
            "repo_name(): %s" % _optional("repo_name"),
            "module_name(): %s" % _optional("module_name"),
            "module_version(): %s" % _optional("module_version"),
            "package_relative_label: %s" % native.package_relative_label(":x"),
            "package_relative_label: %s" % native.package_relative_label("//y:x"),
            "package_relative_label: %s" % native.package_relative_label("@leaf//:leaf"),
            "package_relative_label: %s" % native.package_relative_label(INNER),
        ],
    )
