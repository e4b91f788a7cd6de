"""A workspace with a question, configs, settings, groups, selects and a flag of a program, all about few names."""

from __future__ import annotations

from pathlib import Path

import bzlgraph

FILES = {
    "WORKSPACE": "",
    "BUILD": """
load("@absent//:defs.bzl", "if_gpu")
load("@bazel_skylib//lib:selects.bzl", "selects")
load("@bazel_skylib//rules:common_settings.bzl", "bool_flag")
load(":defs.bzl", "extra_deps")

config_setting(name = "with_fast", define_values = {"fast": "true"})
config_setting(name = "opt", values = {"compilation_mode": "opt"})
config_setting(name = "nobody", values = {"cpu": "riscv"})
bool_flag(name = "shiny", build_setting_default = False)
config_setting(name = "is_shiny", flag_values = {":shiny": "true"})
config_setting(name = "fast_and_shiny", define_values = {"fast": "true"}, flag_values = {":shiny": "true"})
selects.config_setting_group(name = "all_of_them", match_all = [":with_fast", ":opt", ":is_shiny"])
alias(name = "fast_or_opt", actual = select({":with_fast": ":with_fast", "//conditions:default": ":opt"}))
alias(name = "renamed", actual = ":fast_or_opt")

cc_library(name = "base")
cc_library(name = "quick")
cc_library(name = "root")
[cc_library(name = name, deps = [":root"] + extra_deps()) for name in ("one", "two")]
cc_library(
    name = "three",
    copts = select({":renamed": ["-O3", "-g"], "//conditions:default": ["-g"]}),
    deps = select({":all_of_them": [":quick"], "//conditions:default": []}) + if_gpu([":base"]),
)
""",
    "defs.bzl": """
def extra_deps():
    return select({
        "//:with_fast": ["//:quick", "//:base"],
        "//conditions:default": ["//:base"],
    })
""",
    ".bazelrc": """\
build:fast --define fast=true
build:best --config=fast -c opt
build:shiny --//:shiny
build:slow --define=fast=false
""",
    "configure.py": """\
import os

def write(line):
  with open('.my.bazelrc', 'a') as f:
    f.write(line)

answer = os.environ.get('NEED_FAST')
if answer is None:
  answer = input('Fast? [y/N]')
if answer == 'y':
  write('build --config=fast')
""",
    "gpu_configure.bzl": """
_FAST = "NEED_FAST"
# "NEED_FAST" in a comment
""",
    "main.cc": """\
#include "flags.h"
ABSL_FLAG(int, fast, 3, "How fast.");
""",
    "listed.cc": """\
bool careful = false;
void Parse() {
  std::vector<Flag> list = {Flag("careful", &careful, "Be careful.")};
  ParseFlagsFromEnvAndDieIfUnknown("APP_FLAGS", list);
}
""",
}


def written(folder: Path) -> Path:
    """The files in a folder."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def opened(folder: Path) -> bzlgraph.Workspace:
    """The workspace of these files, opened."""
    return bzlgraph.open(written(folder), cache=False, jobs=1)
