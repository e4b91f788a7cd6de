"""What Bazel knows, as data: native rules and what changes between versions. ``for_version("4.2.3")`` -> ``Facts``."""

from bzlgraph.facts.behaviour import for_version
from bzlgraph.facts.facts import Facts
from bzlgraph.facts.native import AttributeFact, RuleFact, known_versions

__all__ = ["AttributeFact", "Facts", "RuleFact", "for_version", "known_versions"]
