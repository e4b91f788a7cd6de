#!/bin/bash
# Mirrors tensorflow/python/debug/examples/examples_test.sh.
exec "$1" --help
