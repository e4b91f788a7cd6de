#!/usr/bin/env bash
# Mirrors tensorflow/go/test.sh.
set -e
go test ./...
