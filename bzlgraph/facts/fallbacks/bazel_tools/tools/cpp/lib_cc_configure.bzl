"""Functions of the rules that look for a C++ toolchain; other configure rules use them, too."""

_CPUS = {
    "power": "ppc",
    "ppc": "ppc",
    "ppc64": "ppc",
    "ppc64le": "ppc",
    "s390x": "s390x",
    "mips64": "mips64",
    "riscv64": "riscv64",
    "arm": "arm",
    "armv7l": "arm",
    "aarch64": "aarch64",
    "amd64": "k8",
    "x86_64": "k8",
    "x64": "k8",
}

def resolve_labels(repository_ctx, labels):
    """The path of each label, by its text."""
    return {label: repository_ctx.path(Label(label)) for label in labels}

def escape_string(arg):
    """The text with its percent signs doubled; None stays so."""
    return arg.replace("%", "%%") if arg != None else None

def split_escaped(string, delimiter):
    """The parts between delimiters; a percent sign makes the character after it a plain one."""
    parts = []
    part = ""
    plain = False
    any = False
    for at in range(len(string)):
        letter = string[at]
        any = True
        if plain or (letter != "%" and letter != delimiter):
            part += letter
            plain = False
        elif letter == "%":
            plain = True
        else:
            parts.append(part)
            part = ""
    return parts + [part] if any else parts

def auto_configure_warning_maybe(repository_ctx, msg):
    pass

def auto_configure_warning(msg):
    pass

def auto_configure_fail(msg):
    fail("Auto-Configuration Error: %s" % msg)

def get_env_var(repository_ctx, name, default = None, enable_warning = True):
    """A variable of the environment; it must be set where there is no default."""
    value = repository_ctx.os.environ.get(name, default)
    if value == None:
        auto_configure_fail("'%s' environment variable is not set" % name)
    return value

def which(repository_ctx, cmd, default = None):
    """The path of a program as text."""
    found = repository_ctx.which(cmd)
    return default if found == None else str(found)

def which_cmd(repository_ctx, cmd, default = None):
    """The path of a program as text; it must be there where there is no default."""
    found = which(repository_ctx, cmd, default)
    if found == None:
        auto_configure_fail("Cannot find %s in PATH" % cmd)
    return found

def execute(repository_ctx, command, environment = None, expect_failure = False, expect_empty_output = False):
    """What a command prints, without white space around it."""
    result = repository_ctx.execute(command, environment = environment or {})
    if (result.return_code != 0) != expect_failure:
        auto_configure_fail("exit code %s of command %s: %s" % (result.return_code, command, result.stderr))
    printed = result.stdout.strip()
    if (not printed) != expect_empty_output:
        auto_configure_fail("output of command %s: (%s)" % (command, result.stdout))
    return printed

def get_cpu_value(repository_ctx):
    """The processor's name in --cpu."""
    system = repository_ctx.os.name
    arch = repository_ctx.os.arch
    if system.startswith("mac os"):
        return "darwin_arm64" if arch == "aarch64" else "darwin_x86_64"
    for name in ["freebsd", "openbsd"]:
        if name in system:
            return name
    if "windows" in system:
        return "arm64_windows" if arch == "aarch64" else "x64_windows"
    return _CPUS.get(arch, "piii")

def is_cc_configure_debug(repository_ctx):
    """Whether CC_CONFIGURE_DEBUG is 1."""
    return repository_ctx.os.environ.get("CC_CONFIGURE_DEBUG") == "1"

def build_flags(flags):
    """Lines of a CROSSTOOL file."""
    return "\n".join(["        flag: '%s'" % flag for flag in flags])

def get_starlark_list(values):
    """The elements of a list of strings, as code."""
    return ",\n    ".join(["\"%s\"" % value for value in values])

def write_builtin_include_directory_paths(repository_ctx, cc, directories, file_suffix = ""):
    """Writes the folders of the compiler's own headers into a file."""
    repository_ctx.file("builtin_include_directory_paths" + file_suffix, "\n".join([str(each) for each in directories]))
