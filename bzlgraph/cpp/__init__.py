"""C, C++ and CUDA sources, read without compiling them: one tokenizer and a small preprocessor for every question.

bytes -> ``CppText`` (lines joined, as the compiler's first phases do) -> tokens -> expanded macro invocations.
Rules: https://en.cppreference.com/w/cpp/language/translation_phases
"""

from __future__ import annotations

from bzlgraph.cpp.brackets import arguments, closing, split_arguments
from bzlgraph.cpp.literals import joined_string, string_value
from bzlgraph.cpp.text import CppText, NotCppText, read_cpp
from bzlgraph.cpp.tokens import Kind, Token, tokenize

__all__ = [
    "CppText",
    "Kind",
    "NotCppText",
    "Token",
    "arguments",
    "closing",
    "joined_string",
    "read_cpp",
    "split_arguments",
    "string_value",
    "tokenize",
]
