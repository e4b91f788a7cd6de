"""C, C++ and CUDA sources, read without compiling them: one tokenizer and a small preprocessor for every question.

bytes -> ``CppText`` (lines joined, as the compiler's first phases do) -> tokens -> expanded macro invocations.
Rules: https://en.cppreference.com/w/cpp/language/translation_phases
"""

from __future__ import annotations

from bzlgraph.cpp.brackets import arguments, closing, split_arguments
from bzlgraph.cpp.literals import joined_string, string_value
from bzlgraph.cpp.tokens import Kind, Token

__all__ = ["Kind", "Token", "arguments", "closing", "joined_string", "split_arguments", "string_value"]
