# Mirrors tensorflow/workspace.bzl: every external repository, most of them an archive with a build file of ours.

load("//third_party:repo.bzl", "tf_http_archive")
load("//third_party/gpus:cuda_configure.bzl", "cuda_configure")
load("//third_party/mkl:build_defs.bzl", "mkl_repository")
load("//third_party/py:python_configure.bzl", "python_configure")
load("//third_party/systemlibs:syslibs_configure.bzl", "syslibs_configure")

# A label that stays right when TensorFlow is itself an external repository of someone else's workspace.
def clean_dep(dep):
    return str(Label(dep))

# name -> the build file laid over the archive; None: the archive has its own.
_ARCHIVES = {
    "absl_py": None,
    "aws": "//third_party:aws.BUILD",
    "bazel_skylib": None,
    "com_google_absl": None,
    "cub_archive": "//third_party:cub.BUILD",
    "eigen_archive": "//third_party:eigen.BUILD",
    "farmhash_archive": "//third_party:farmhash.BUILD",
    "gemmlowp": "//third_party:gemmlowp.BUILD",
    "gif_archive": "//third_party:gif.BUILD",
    "grpc": "//third_party:grpc.BUILD",
    "jemalloc": "//third_party:jemalloc.BUILD",
    "jpeg": "//third_party:jpeg.BUILD",
    "libxsmm_archive": "//third_party:libxsmm.BUILD",
    "nsync": "//third_party:nsync.BUILD",
    "pcre": "//third_party:pcre.BUILD",
    "png_archive": "//third_party:png.BUILD",
    "protobuf_archive": None,
    "six_archive": "//third_party:six.BUILD",
    "zlib_archive": "//third_party:zlib.BUILD",
}

def tf_workspace(path_prefix = "", tf_repo_name = ""):
    cuda_configure(name = "local_config_cuda")
    python_configure(name = "local_config_python")
    syslibs_configure(name = "local_config_syslibs")

    mkl_repository(
        name = "mkl_linux",
        build_file = clean_dep("//third_party/mkl:mkl.BUILD"),
        strip_prefix = "mklml_lnx",
        urls = ["https://example.invalid/mklml_lnx.tgz"],
    )

    tf_http_archive(
        name = "swig",
        build_file = clean_dep("//third_party:swig.BUILD"),
        sha256 = "0000000000000000000000000000000000000000000000000000000000000002",
        strip_prefix = "swig-3.0.8",
        urls = ["https://example.invalid/swig-3.0.8.tar.gz"],
    )

    for name, build_file in _ARCHIVES.items():
        tf_http_archive(
            name = name,
            build_file = clean_dep(build_file) if build_file else None,
            strip_prefix = name,
            urls = ["https://example.invalid/%s.tar.gz" % name],
        )

    # Old names under //external: what a target asks for there is decided here.
    native.bind(name = "grpc_lib", actual = "@grpc//:grpc++")
    native.bind(name = "six", actual = "@six_archive//:six")
    native.bind(name = "zlib", actual = "@zlib_archive//:zlib")
