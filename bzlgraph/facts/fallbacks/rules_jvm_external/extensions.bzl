"""The module extension for Maven artifacts."""

# Tags have other attributes in other versions: a file that no version has stands for them.
load("//private:maven_hub.bzl", "maven_hub")
load("//private/other_versions:attributes.bzl", "OTHERS")

def _maven_impl(module_ctx):
    hubs = {}
    locks = {}
    for module in module_ctx.modules:
        for tag in module.tags.install:
            hub = hubs.setdefault(tag.name, [])
            hub.extend([each for each in tag.artifacts if each not in hub])
            if tag.lock_file:
                locks.setdefault(tag.name, tag.lock_file)
        for tag in module.tags.artifact:
            hubs.setdefault(tag.name, []).append("%s:%s:%s" % (tag.group, tag.artifact, tag.version))
    for name, artifacts in hubs.items():
        maven_hub(name = name, artifacts = artifacts, lock_file = locks.get(name))

    # Other modules may ask for artifacts, too.
    module_ctx.execute(["coursier", "resolve"])

_INSTALL = {
    "name": attr.string(default = "maven"),
    "artifacts": attr.string_list(),
    "lock_file": attr.label(),
}
_ARTIFACT = {
    "name": attr.string(default = "maven"),
    "group": attr.string(mandatory = True),
    "artifact": attr.string(mandatory = True),
    "version": attr.string(),
}

maven = module_extension(
    implementation = _maven_impl,
    tag_classes = {
        "amend_artifact": tag_class(attrs = OTHERS),
        "artifact": tag_class(attrs = _ARTIFACT | OTHERS),
        "from_toml": tag_class(attrs = OTHERS),
        "install": tag_class(attrs = _INSTALL | OTHERS),
        "override": tag_class(attrs = OTHERS),
    },
)
