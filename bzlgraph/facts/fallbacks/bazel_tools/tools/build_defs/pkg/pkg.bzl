"""Archives, as Bazel's own tools had them up to version 6."""

def _impl(ctx):
    pass

_real_pkg_tar = rule(
    implementation = _impl,
    attrs = {
        "strip_prefix": attr.string(),
        "package_dir": attr.string(default = "/"),
        "package_dir_file": attr.label(allow_single_file = True),
        "deps": attr.label_list(allow_files = [".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2"]),
        "srcs": attr.label_list(allow_files = True),
        "files": attr.label_keyed_string_dict(allow_files = True),
        "mode": attr.string(default = "0555"),
        "modes": attr.string_dict(),
        "mtime": attr.int(default = -1),
        "portable_mtime": attr.bool(default = True),
        "owner": attr.string(default = "0.0"),
        "ownername": attr.string(default = "."),
        "owners": attr.string_dict(),
        "ownernames": attr.string_dict(),
        "extension": attr.string(default = "tar"),
        "symlinks": attr.string_dict(),
        "empty_files": attr.string_list(),
        "include_runfiles": attr.bool(),
        "empty_dirs": attr.string_list(),
        "remap_paths": attr.string_dict(),
        "build_tar": attr.label(
            default = Label("//tools/build_defs/pkg:build_tar"),
            cfg = "host",
            executable = True,
            allow_files = True,
        ),
    },
    outputs = {"out": "%{name}.%{extension}"},
)

def pkg_tar(**kwargs):
    """A tar file."""
    if "srcs" not in kwargs and "files" in kwargs and not hasattr(kwargs["files"], "items"):
        kwargs["srcs"] = kwargs.pop("files")
    if "extension" in kwargs and kwargs["extension"].startswith("."):
        kwargs["extension"] = kwargs["extension"][1:]
    _real_pkg_tar(**kwargs)

pkg_deb = rule(
    implementation = _impl,
    attrs = {
        "data": attr.label(mandatory = True, allow_single_file = True),
        "package": attr.string(mandatory = True),
        "architecture": attr.string(default = "all"),
        "distribution": attr.string(default = "unstable"),
        "urgency": attr.string(default = "medium"),
        "maintainer": attr.string(mandatory = True),
        "preinst": attr.label(allow_single_file = True),
        "postinst": attr.label(allow_single_file = True),
        "prerm": attr.label(allow_single_file = True),
        "postrm": attr.label(allow_single_file = True),
        "config": attr.label(allow_single_file = True),
        "templates": attr.label(allow_single_file = True),
        "conffiles_file": attr.label(allow_single_file = True),
        "conffiles": attr.string_list(),
        "version_file": attr.label(allow_single_file = True),
        "version": attr.string(),
        "description_file": attr.label(allow_single_file = True),
        "description": attr.string(),
        "built_using_file": attr.label(allow_single_file = True),
        "built_using": attr.string(),
        "priority": attr.string(),
        "section": attr.string(),
        "homepage": attr.string(),
        "depends": attr.string_list(),
        "depends_file": attr.label(allow_single_file = True),
        "suggests": attr.string_list(),
        "enhances": attr.string_list(),
        "conflicts": attr.string_list(),
        "predepends": attr.string_list(),
        "recommends": attr.string_list(),
        "make_deb": attr.label(
            default = Label("//tools/build_defs/pkg:make_deb"),
            cfg = "host",
            executable = True,
            allow_files = True,
        ),
    },
    outputs = {"deb": "%{name}.deb"},
)
