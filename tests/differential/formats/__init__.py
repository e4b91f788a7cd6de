"""Bazel's output formats: their texts, compared part by part on whole trees and byte for byte on the fixtures."""
