#!/usr/bin/env bash
# Mirrors tensorflow/tools/pip_package/build_pip_package.sh: lays out the package and calls setup.py.
set -e
DEST=${1:?"usage: build_pip_package DIRECTORY"}
mkdir -p "$DEST"
python setup.py bdist_wheel --dist-dir "$DEST"
