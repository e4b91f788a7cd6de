"""The module extension for packages of the Python package index: what the requirements files of a tree name.

A hub has a package for each of them; what is in its wheel, and what it depends on, only the index could tell.
"""

# Tags have other attributes in other versions: a file that no version has stands for them.
load("//python/private:attributes_of_other_versions.bzl", "OTHERS")

# Which only the index could answer: what there is beside, for other platforms and by annotations.
_INDEX = ["pip", "index"]

_TARGETS = ["pkg", "whl", "data", "dist_info"]

def _normal_name(name):
    """The name of a package as labels have it."""
    return name.lower().replace("-", "_").replace(".", "_")

def _read_requirements(ctx, labels):
    """The versions of the packages that requirements files pin, by name; "" where a file pins none."""
    found = {}
    for label in labels:
        for line in ctx.read(label).splitlines():
            line = line.partition("#")[0].strip()
            name = line
            for at in range(len(line)):
                if not (line[at].isalnum() or line[at] in "-_."):
                    name = line[:at]
                    break
            if name and not line.startswith("-"):
                version = line.partition("==")[2].replace(";", " ").replace("\\", " ").split(" ")[0]
                found.setdefault(_normal_name(name), version)
    return found

def _spoke_name(hub, python_version, package):
    """The name of the repository of one package."""
    short = "".join(python_version.split(".")[:2])
    return "_".join([part for part in [hub, short, package] if part])

_HUB_BUILD = """package(default_visibility = ["//visibility:public"])

alias(name = "{name}", actual = ":pkg")
"""

_HUB_REQUIREMENTS = """def _label(name, target):
    return str(Label("//" + name.lower().replace("-", "_").replace(".", "_") + ":" + target))

_NAMES = {names}
all_requirements = [str(Label("//" + name)) for name in _NAMES]
all_whl_requirements = [_label(name, "whl") for name in _NAMES]
all_whl_requirements_by_package = {{name: _label(name, "whl") for name in _NAMES}}
all_data_requirements = [_label(name, "data") for name in _NAMES]

def requirement(name):
    return _label(name, "pkg")

def whl_requirement(name):
    return _label(name, "whl")

def data_requirement(name):
    return _label(name, "data")

def dist_info_requirement(name):
    return _label(name, "dist_info")
"""

_SPOKE_BUILD = """package(default_visibility = ["//visibility:public"])

py_library(name = "pkg", tags = ["pypi_name={name}", "pypi_version={version}"], deps = {deps})
filegroup(name = "whl", srcs = {files})
filegroup(name = "data", srcs = {files})
filegroup(name = "dist_info", srcs = {files})
"""

def _whl_library_impl(ctx):
    name, _, version = ctx.attr.requirement.partition("==")
    wheel = ctx.execute(["pip", "download", ctx.attr.requirement])
    ctx.file("BUILD.bazel", _SPOKE_BUILD.format(
        name = name,
        version = version,
        deps = wheel.requires,
        files = wheel.files,
    ))

whl_library = repository_rule(
    implementation = _whl_library_impl,
    attrs = {"requirement": attr.string(mandatory = True), "repo": attr.string()},
)

def _hub_impl(ctx):
    spokes = {}
    for key, repository in ctx.attr.spokes.items():
        name, _, version = key.partition(" ")
        spokes.setdefault(name, {})[version] = repository
    for name, repositories in spokes.items():
        text = _HUB_BUILD.format(name = name)
        for target in _TARGETS + ctx.attr.extra_aliases.get(name, []):
            actual = {
                "@rules_python//python/config_settings:is_python_" + version: "@%s//:%s" % (repository, target)
                for version, repository in repositories.items()
            }
            shown = "select(%r)" % actual if len(actual) > 1 else repr(actual.values()[0])
            text += "alias(name = \"%s\", actual = %s)\n" % (target, shown)
        ctx.file(name + "/BUILD.bazel", text)
    ctx.file("BUILD.bazel", "exports_files([\"requirements.bzl\"])\n")
    ctx.file("requirements.bzl", _HUB_REQUIREMENTS.format(names = repr(sorted(spokes))))
    ctx.execute(_INDEX)

hub_repository = repository_rule(
    implementation = _hub_impl,
    attrs = {
        "extra_aliases": attr.string_list_dict(),
        "spokes": attr.string_dict(doc = "'package version of Python' -> repository"),
    },
)

def _pip_impl(module_ctx):
    hubs = {}
    extra = {}
    for module in module_ctx.modules:
        for tag in module.tags.parse:
            hub = hubs.setdefault(tag.hub_name, {})
            extra.setdefault(tag.hub_name, {}).update(tag.extra_hub_aliases)
            files = [tag.requirements_lock] if tag.requirements_lock else []
            files += tag.requirements_by_platform.keys()
            files += [each for each in [tag.requirements_linux] if each and not files]
            for name, version in _read_requirements(module_ctx, files).items():
                key = "%s %s" % (name, tag.python_version)
                if key not in hub:
                    hub[key] = _spoke_name(tag.hub_name, tag.python_version, name)
                    whl_library(name = hub[key], requirement = "%s==%s" % (name, version))
    for name, spokes in hubs.items():
        hub_repository(name = name, spokes = spokes, extra_aliases = extra[name])
    module_ctx.execute(_INDEX)

_PARSE = {
    "hub_name": attr.string(mandatory = True),
    "python_version": attr.string(),
    "requirements_lock": attr.label(),
    "extra_hub_aliases": attr.string_list_dict(),
    "requirements_by_platform": attr.label_keyed_string_dict(),
    "requirements_linux": attr.label(),
    "requirements_darwin": attr.label(),
    "requirements_windows": attr.label(),
}

pip = module_extension(
    implementation = _pip_impl,
    tag_classes = {
        "default": tag_class(attrs = OTHERS),
        "override": tag_class(attrs = OTHERS),
        "parse": tag_class(attrs = _PARSE | OTHERS),
        "whl_mods": tag_class(attrs = OTHERS),
    },
)
